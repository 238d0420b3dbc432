/*
 * C and the library take turns at standard input and standard output: the program reads a word with scanf, then
 * human_player reads a move, then getchar, fgets, human_player again. No byte may be lost or come out of order.
 */
#include <stdio.h>

#include "estr2048.h"

int main(void)
{
    int game_board[4][4] = { { 0 }, { 0, 2 } };
    char word[16], line[64];

    printf("first");
    if (scanf("%15s", word) != 1)
        return 1;
    printf("[%s]", word);
    printf("[%d]", human_player(game_board));
    printf("[%d]", human_player(game_board));
    printf("[%d]", getchar());
    if (fgets(line, sizeof line, stdin) == NULL)
        return 2;
    printf("[%s]", line);
    printf("[%d]", human_player(game_board));
    if (scanf("%15s", word) != 1)
        return 3;
    printf("[%s]", word);
    printf("[%d]", human_player(game_board));
    printf("last");
    return 0;
}
