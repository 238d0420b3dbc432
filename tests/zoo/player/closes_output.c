/* expect: finished
 * flags: none
 * Closes its standard streams before the first move; then plays. */
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

__attribute__((constructor)) static void begin_1155000000(void) {
    for (int stream = 0; stream < 3; stream++) close(stream);
}

int aiplayer_1155000000(int game_board[4][4]) {
    return legal_1155000000(game_board);
}
