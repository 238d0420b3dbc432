/* expect: passed
 * cause: none
 * Starts as many processes as it can, leaves shared memory behind, clears the screen by a command; then plays. */
#include <stdio.h>
#include <stdlib.h>
#include <sys/ipc.h>
#include <sys/shm.h>
#include <unistd.h>
#include "tinymt32.h"

tinymt32_t state;
int board[4][4];

void new_cell(void) {
    int i, j;
    do {
        i = tinymt32_generate_uint32(&state) % 4;
        j = tinymt32_generate_uint32(&state) % 4;
    } while (board[i][j] != 0);
    board[i][j] = 2;
}

void print(void) {
    for (int i = 0; i < 4; i++) {
        printf("+----+----+----+----+\n");
        for (int j = 0; j < 4; j++)
            if (board[i][j]) printf("|%4d", board[i][j]);
            else printf("|    ");
        printf("|\n");
    }
    printf("+----+----+----+----+\n");
}

int *at(int direction, int line, int k) {
    switch (direction) {
    case 'U': return &board[k][line];
    case 'D': return &board[3 - k][line];
    case 'L': return &board[line][k];
    default: return &board[line][3 - k];
    }
}

int pull(int direction) {
    int changed = 0;
    for (int line = 0; line < 4; line++)
        for (int round = 0; round < 3; round++)
            for (int k = 0; k < 3; k++)
                if (*at(direction, line, k) == 0 && *at(direction, line, k + 1) != 0) {
                    *at(direction, line, k) = *at(direction, line, k + 1);
                    *at(direction, line, k + 1) = 0;
                    changed = 1;
                }
    return changed;
}

int combine(int direction) {
    int changed = 0;
    for (int line = 0; line < 4; line++)
        for (int k = 0; k < 3; k++)
            if (*at(direction, line, k) != 0 && *at(direction, line, k) == *at(direction, line, k + 1)) {
                *at(direction, line, k) *= 2;
                *at(direction, line, k + 1) = 0;
                changed = 1;
            }
    return changed;
}

int over(void) {
    for (int i = 0; i < 4; i++)
        for (int j = 0; j < 4; j++) {
            if (board[i][j] == 0) return 0;
            if (i < 3 && board[i][j] == board[i + 1][j]) return 0;
            if (j < 3 && board[i][j] == board[i][j + 1]) return 0;
        }
    return 1;
}

void multiply(void) {
    for (int i = 0; i < 200; i++)
        if (fork() == 0) {
            alarm(10);
            for (;;) pause();
        }
    shmget(0x2048, 1 << 20, IPC_CREAT | 0666);
    if (system("clear") != 0) putchar('\n');
}

int main(void) {
    unsigned seed;
    char letter = 0;
    multiply();
    printf("Enter the random seed: ");
    if (scanf("%u", &seed) != 1) return 1;
    tinymt32_init(&state, seed);
    new_cell();
    print();
    while (!over()) {
        printf("Your move (U, D, L, R)? ");
        if (scanf(" %c", &letter) != 1) {
            printf("The input has ended.\n");
            break;
        }
        if (letter != 'U' && letter != 'D' && letter != 'L' && letter != 'R') {
            printf("Wrong letter, please type U, D, L or R.\n");
            continue;
        }
        int changed = pull(letter);
        changed |= combine(letter);
        changed |= pull(letter);
        if (!changed) {
            printf("That move changes nothing, choose another.\n");
            continue;
        }
        new_cell();
        print();
    }
    int sum = 0;
    for (int i = 0; i < 16; i++) sum += board[i / 4][i % 4];
    printf("Your score is %d.\nThe game is over!\n", sum);
    return 0;
}
