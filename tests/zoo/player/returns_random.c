/* expect: illegal-direction
 * flags: none
 * Forgets to reduce a random number. */
#include <stdlib.h>
#include <time.h>
#include "aiplayer_1155000000.h"

int aiplayer_1155000000(int game_board[4][4]) {
    (void)game_board;
    srand(time(NULL));
    return rand();
}
