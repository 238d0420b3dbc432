/*
 * Plays PA4's game to its end with the first direction that is possible, then takes the last move back.
 *
 *     make
 *     gcc -Iinclude examples/c/play_a_game.c libestr2048.a -lpthread -ldl -lm -o play_a_game
 */
#include <stdio.h>

#include "estr2048.h"

static void show(const estr_game *game)
{
    char text[200];

    if (estr_game_render(game, text, sizeof text) > 0)
        fputs(text, stdout);
}

int main(void)
{
    const int directions[4] = { ESTR_LEFT, ESTR_DOWN, ESTR_RIGHT, ESTR_UP };
    estr_game *game;
    int moves = 0;
    int code = estr_game_new(ESTR_COURSE_PA4, 4, 4, 118, &game);

    if (code != 0) {
        fprintf(stderr, "no game: %s\n", estr_error_message(code));
        return 1;
    }
    while (!estr_game_is_over(game)) {
        int place = 0;

        while (place < 4 && estr_game_move(game, directions[place]) != 1)
            place++;
        moves++;
    }
    printf("The game is over after %d moves.\n", moves);
    show(game);
    estr_game_undo(game);
    printf("One move before:\n");
    show(game);
    estr_game_free(game);
    return 0;
}
