/* expect: sandbox-violation
 * flags: none
 * Catches the signal of refused system calls, with a number that only the kernel's low half reads, and goes on. */
#define _GNU_SOURCE
#include <signal.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/socket.h>
#include <unistd.h>
#include "aiplayer_1155000000.h"

/* A legal move on a copy of the board: the first direction that changes something. */
static int legal_1155000000(int board[4][4]) {
    static const int dr[4] = {-1, 1, 0, 0}, dc[4] = {0, 0, -1, 1};
    for (int d = 0; d < 4; d++)
        for (int r = 0; r < 4; r++)
            for (int c = 0; c < 4; c++) {
                int nr = r + dr[d], nc = c + dc[d];
                if (board[r][c] == 0 || nr < 0 || nr > 3 || nc < 0 || nc > 3) continue;
                if (board[nr][nc] == 0 || board[nr][nc] == board[r][c]) return d;
            }
    return 0;
}

static void calm_1155000000(int number) { (void)number; }

static void deaf_1155000000(void) {
    /* What the kernel takes for a struct sigaction: handler, flags, restorer, mask. */
    struct { void (*handler)(int); unsigned long flags; void (*restorer)(void); unsigned long mask; } action = {0};
    struct { void *handler; unsigned long flags; void *restorer; unsigned long mask; } old;
    syscall(SYS_rt_sigaction, SIGSEGV, NULL, &old, 8);
    action.handler = calm_1155000000;
    action.flags = old.flags;
    memcpy(&action.restorer, &old.restorer, sizeof old.restorer);
    syscall(SYS_rt_sigaction, (1L << 32) + SIGSYS, &action, NULL, 8);
}

int aiplayer_1155000000(int game_board[4][4]) {
    static int moves;
    if (++moves == 10) {
        deaf_1155000000();
        socket(AF_INET, SOCK_DGRAM, 0);
    }
    return legal_1155000000(game_board);
}
