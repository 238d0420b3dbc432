/* expect: sandbox-violation
 * flags: none
 * Says, in the referee's own words and with its cookie, that the disk is full. */
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>
#include <stdint.h>
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

/* The header of a packet: cookie, number of the move, kind. It is still on the stack of the function that called. */
static int forge_1155000000(uint32_t kind, const char *text) {
    volatile unsigned char here[16];
    unsigned char *stack = (unsigned char *)here, packet[200];
    for (int at = 0; at < 6000; at++) {
        uint32_t number, small;
        memcpy(&number, stack + at + 8, 4);
        memcpy(&small, stack + at + 12, 4);
        if (number != 10 || small > 9) continue;
        memcpy(packet, stack + at, 12);
        memcpy(packet + 12, &kind, 4);
        strcpy((char *)packet + 16, text);
        for (int fd = 3; fd < 1024; fd++)
            if (write(fd, packet, 16 + strlen(text)) > 0) return 1;
    }
    return 0;
}

int aiplayer_1155000000(int game_board[4][4]) {
    static int moves;
    if (++moves == 10) {
        forge_1155000000(7, "No space left on device");
        for (;;) pause();
    }
    return legal_1155000000(game_board);
}
