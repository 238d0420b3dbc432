/* expect: illegal-move
 * flags: none
 * Always moves up. */
#include "aiplayer_1155000000.h"

int aiplayer_1155000000(int game_board[4][4]) {
    (void)game_board;
    return 0;
}
