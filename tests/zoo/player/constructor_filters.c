/* expect: sandbox-violation
 * flags: none
 * Installs, before it is called, a filter of its own that makes later filters a lie. */
#define _GNU_SOURCE
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
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

__attribute__((constructor)) static void early_1155000000(void) {
    struct sock_filter code[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_seccomp, 0, 1),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
    };
    struct sock_fprog program = {sizeof code / sizeof code[0], code};
    syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, &program);
}

int aiplayer_1155000000(int game_board[4][4]) {
    return legal_1155000000(game_board);
}
