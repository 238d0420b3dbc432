/* Every function with every kind of bad argument: an error code each time, and never a crash. */
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "estr2048.h"
#include "tinymt32.h"

#undef NDEBUG
#include <assert.h>

static const int odd_tiles[] = { 0, 1, 2, 3, -1, -2, 4, 65536, 131072, 1 << 30, -(1 << 30), INT_MAX, INT_MIN, 2048 };
static const int directions[] = { 0, 1, 2, 3, 4, -1, 5, 100, INT_MAX, INT_MIN };

#define COUNT(array) ((int)(sizeof(array) / sizeof((array)[0])))

static void check_clairvoyant_options(void)
{
    estr_clairvoyant_options options = { 0, 0, 0, 0, 0 };

    assert(estr_clairvoyant_configure(&options) == 0);
    options.call_ms = 4501;
    assert(estr_clairvoyant_configure(&options) == ESTR_BAD_OPTION);
    options.call_ms = 100;
    options.tinymt = 3;
    assert(estr_clairvoyant_configure(&options) == ESTR_BAD_OPTION);
    options.tinymt = ESTR_TINYMT_OFFICIAL;
    options.beam = 8193;
    assert(estr_clairvoyant_configure(&options) == ESTR_BAD_OPTION);
    options.beam = 1;
    options.threads = 257;
    assert(estr_clairvoyant_configure(&options) == ESTR_BAD_OPTION);
    options.threads = 1;
    options.size = 1;
    assert(estr_clairvoyant_configure(&options) == ESTR_BAD_OPTION);
    options.size = sizeof options;
    assert(estr_clairvoyant_configure(&options) == 0);
    assert(estr_clairvoyant_configure(NULL) == 0);
}

static void check_player_options(void)
{
    static const int late[4][4] = {
        { 32768, 16384, 8192, 4096 }, { 256, 512, 1024, 2048 }, { 128, 64, 32, 8 }, { 4, 2, 2, 0 }
    };
    static const unsigned int threads[] = { 0, 1, 2, 64 };
    estr_player_options options = { 0, 0, 0, 0, 0 };
    int first = ESTR_NO_DIRECTION, i;

    options.threads = 65;
    assert(estr_player_configure(&options) == ESTR_BAD_OPTION);
    options.threads = UINT_MAX;
    assert(estr_player_configure(&options) == ESTR_BAD_OPTION);
    options.nodes = 50000;
    for (i = 0; i < COUNT(threads); i++) {
        int game_board[4][4], direction;

        options.threads = threads[i];
        assert(estr_player_configure(&options) == 0);
        memcpy(game_board, late, sizeof game_board);
        direction = ESTR_AIPLAYER(game_board);
        assert(estr_can_move(game_board, direction) == 1);
        assert(i == 0 || direction == first);
        first = direction;
    }
    options.nodes = 0;
    options.move_us = 1;
    assert(estr_player_configure(&options) == 0);
    {
        int game_board[4][4];

        memcpy(game_board, late, sizeof game_board);
        assert(estr_can_move(game_board, ESTR_AIPLAYER(game_board)) == 1);
    }
    options.weights = "/nonexistent/network";
    assert(estr_player_configure(&options) == ESTR_BAD_WEIGHTS);
    assert(estr_player_configure(NULL) == 0);
}

/* Structures of older and of newer programs. */
static void check_sizes(void)
{
    struct { estr_player_options known; char later[64]; } newer;
    estr_player_options older;

    memset(&newer, 0, sizeof newer);
    newer.known.nodes = 100;
    newer.known.size = sizeof newer;
    assert(estr_player_configure(&newer.known) == 0);
    newer.later[63] = 1;
    assert(estr_player_configure(&newer.known) == ESTR_BAD_OPTION);
    newer.known.size = (size_t)-1;
    assert(estr_player_configure(&newer.known) == ESTR_BAD_OPTION);
    memset(&older, 0xff, sizeof older);
    older.size = sizeof older.size;
    assert(estr_player_configure(&older) == 0);
    assert(estr_player_configure(NULL) == 0);
}

static void check_players(void)
{
    int game_board[4][4] = { { 2, 2, 4, 0 } }, odd[4][4] = { { 3 } }, dead[4][4] = { { 0 } };
    int boards[2][4][4] = { { { 0, 0, 2, 0 } }, { { 2, 2, 0, 0 } } };
    estr_player_options options = { 0, 0, 0, 0, 0 };
    estr_analysis analysis;
    estr_player *player = NULL;
    unsigned char move;
    uint32_t number;
    char text[40];
    int i, status;

    memset(&analysis, 0, sizeof analysis);
    options.threads = 65;
    assert(estr_player_new(&options, &player) == ESTR_BAD_OPTION && player == NULL);
    options.threads = 2;
    options.weights = "/nonexistent/network";
    assert(estr_player_new(&options, &player) == ESTR_BAD_WEIGHTS && player == NULL);
    assert(estr_player_new(NULL, NULL) == ESTR_NULL_POINTER);
    options.weights = NULL;
    options.nodes = 300;
    assert(estr_player_new(&options, &player) == 0 && player != NULL);

    status = estr_player_status(player, text, sizeof text);
    assert(status >= ESTR_PLAYER_STANDARD && status <= ESTR_PLAYER_SMALL && strlen(text) > 0);
    assert(strlen(text) < sizeof text && estr_player_status(NULL, text, 1) == status && text[0] == '\0');
    assert(estr_player_status(NULL, NULL, 0) == status && estr_player_status(player, NULL, 1) == ESTR_NULL_POINTER);

    assert(estr_player_choose(player, NULL) == ESTR_NULL_POINTER);
    assert(estr_player_choose(NULL, NULL) == ESTR_NULL_POINTER);
    assert(estr_player_choose(player, dead) == ESTR_NO_DIRECTION);
    assert(estr_can_move(odd, estr_player_choose(player, odd)) == 1);
    assert(estr_can_move(game_board, estr_player_choose(player, game_board)) == 1);

    assert(estr_player_analyse(player, NULL, 1, &analysis) == ESTR_NULL_POINTER);
    assert(estr_player_analyse(player, game_board, 1, NULL) == ESTR_NULL_POINTER);
    assert(estr_player_analyse(player, game_board, -1, &analysis) == ESTR_BAD_OPTION);
    assert(estr_player_analyse(player, game_board, ESTR_MAX_LINE + 1, &analysis) == ESTR_BAD_OPTION);
    assert(estr_player_analyse(player, odd, 1, &analysis) == ESTR_BAD_BOARD);
    assert(estr_player_analyse(player, dead, 1, &analysis) == ESTR_NO_DIRECTION);
    analysis.size = 1;
    if (status != ESTR_PLAYER_SMALL) {
        assert(estr_player_analyse(player, game_board, 1, &analysis) == ESTR_BAD_OPTION);
        analysis.size = sizeof analysis;
        for (i = 0; i < 2; i++) {
            int best = estr_player_analyse(i ? player : NULL, game_board, 3, &analysis);

            assert(best >= 0 && best == analysis.direction && analysis.values[best] > 0);
            assert(analysis.line_length == 3 && analysis.line_directions[0] == best && analysis.survives > 0);
            assert(analysis.values[ESTR_UP] == -1 && analysis.size == sizeof analysis);
        }
        assert(estr_plan(1234, ESTR_TINYMT_ZERO, 1, 1, &move, 1) >= 0);
        assert(estr_plan(1234, ESTR_TINYMT_ZERO, 1, 1, NULL, 0) >= 0);
    }
    assert(estr_plan(1, 3, 1, 1, NULL, 0) == ESTR_BAD_OPTION);
    assert(estr_plan(1, 0, 8193, 1, NULL, 0) == ESTR_BAD_OPTION);
    assert(estr_plan(1, 0, 1, 1, NULL, 1) == ESTR_NULL_POINTER);

    assert(estr_recover(NULL, 1, 0, 1, &number, &number) == ESTR_NULL_POINTER);
    assert(estr_recover(boards, 2, 3, 1, NULL, NULL) == ESTR_BAD_OPTION);
    assert(estr_recover(boards, 2, 0, 257, NULL, NULL) == ESTR_BAD_OPTION);
    assert(estr_recover(boards, 0, 0, 1, NULL, NULL) == ESTR_TOO_FEW_BOARDS);
    assert(estr_recover(boards, 2, 0, 1, NULL, NULL) == ESTR_TOO_FEW_BOARDS);
    boards[1][3][3] = 8;
    assert(estr_recover(boards, 2, 0, 1, NULL, NULL) == ESTR_BAD_BOARD);

    estr_player_free(player);
    estr_player_free(NULL);
    estr_player_free(NULL);
    assert(estr_can_move(game_board, ESTR_AIPLAYER(game_board)) == 1);
}

/* What changes nothing writes nothing: these cells cannot be written to. */
static void read_only_memory(void)
{
    static const int cells[4] = { 2, 4, 0, 0 };
    int64_t gain = 1;

    assert(estr_line_move((int *)cells, 4, &gain) == 0 && gain == 0);
    assert(estr_cells_move((int *)cells, 1, 4, ESTR_LEFT, NULL) == 0);
    assert(estr_cells_move((int *)cells, 1, 4, ESTR_UP, NULL) == 0);
    assert(estr_cells_tilt_column((int *)cells, 1, 4, 0, NULL) == 0);
    assert(estr_cells_insert_line((int *)cells, 1, 4, 0, 0, 0, cells) == 4);
    assert(estr_cells_move_tile_up((int *)cells, 1, 4, 0, 0, 0) == 0);
}

static void null_pointers(void)
{
    int game_board[4][4] = { { 0 } };
    tinymt32_t state = { { 0 }, 0, 0, 0 };
    int i;

    for (i = 0; i < COUNT(directions); i++) {
        assert(estr_pull(NULL, directions[i]) == ESTR_NULL_POINTER);
        assert(estr_combine(NULL, directions[i]) == ESTR_NULL_POINTER);
        assert(estr_move(NULL, directions[i]) == ESTR_NULL_POINTER);
        assert(estr_can_move(NULL, directions[i]) == ESTR_NULL_POINTER);
    }
    assert(estr_game_over(NULL) == ESTR_NULL_POINTER && estr_is_over(NULL) == ESTR_NULL_POINTER);
    assert(estr_clairvoyant_player(NULL) == ESTR_NULL_POINTER);
    check_clairvoyant_options();
    check_player_options();
    check_sizes();
    check_players();
    assert(estr_score(NULL) == ESTR_NULL_POINTER);
    assert(estr_print_board(NULL) == ESTR_NULL_POINTER);
    assert(estr_new_cell(NULL, &state) == ESTR_NULL_POINTER);
    assert(estr_new_cell(game_board, NULL) == ESTR_NULL_POINTER);
    assert(estr_new_cell(NULL, NULL) == ESTR_NULL_POINTER);
    assert(human_player(NULL) == ESTR_NULL_POINTER);
    assert(ESTR_AIPLAYER(NULL) == ESTR_NULL_POINTER);

    tinymt32_init(NULL, 1);
    tinymt32_init_by_array(NULL, NULL, 1);
    tinymt32_init_by_array(&state, NULL, INT_MAX);
    tinymt32_init_by_array(&state, state.status, -1);
    tinymt32_init_by_array(&state, state.status, INT_MIN);
    tinymt32_init_by_array(&state, state.status, 4);
    tinymt32_next_state(NULL);
    assert(tinymt32_temper(NULL) == 0);
    assert(tinymt32_temper_conv(NULL) == 0 && tinymt32_temper_conv_open(NULL) == 0);
    assert(tinymt32_get_mexp(NULL) == 127);
    assert(tinymt32_generate_uint32(NULL) == 0);
    assert(tinymt32_generate_float(NULL) == 0);
    assert(tinymt32_generate_float12(NULL) == 0);
    assert(tinymt32_generate_float01(NULL) == 0);
    assert(tinymt32_generate_floatOC(NULL) == 0);
    assert(tinymt32_generate_floatOO(NULL) == 0);
    assert(tinymt32_generate_32double(NULL) == 0);
}

static int sums_equal(int a[4][4], int b[4][4])
{
    return estr_score(a) == estr_score(b);
}

/* Random boards of odd tiles: the answers agree with one another, and nothing breaks. */
static void garbage_boards(void)
{
    unsigned int random = 1;
    int round, i, j;

    for (round = 0; round < 3000; round++) {
        int game_board[4][4], before[4][4];
        int over = 1;

        for (i = 0; i < 4; i++)
            for (j = 0; j < 4; j++) {
                random = random * 1664525u + 1013904223u;
                game_board[i][j] =
                    round % 4 == 0 ? (int)(random ^ random << 16) : odd_tiles[(random >> 16) % COUNT(odd_tiles)];
            }
        memcpy(before, game_board, sizeof before);
        for (i = 0; i < COUNT(directions); i++) {
            int legal = directions[i] >= 0 && directions[i] <= 3;
            int can = estr_can_move(game_board, directions[i]);
            int moved = estr_move(game_board, directions[i]);

            assert(legal ? can == moved && (can == 0 || can == 1) : can == ESTR_BAD_DIRECTION && moved == can);
            assert((memcmp(before, game_board, sizeof before) != 0) == (moved == 1));
            assert(sums_equal(before, game_board));
            memcpy(game_board, before, sizeof before);
            moved = estr_pull(game_board, directions[i]);
            assert(legal ? moved == (memcmp(before, game_board, sizeof before) != 0) : moved == ESTR_BAD_DIRECTION);
            assert(sums_equal(before, game_board));
            memcpy(game_board, before, sizeof before);
            moved = estr_combine(game_board, directions[i]);
            assert(legal ? moved == (memcmp(before, game_board, sizeof before) != 0) : moved == ESTR_BAD_DIRECTION);
            assert(sums_equal(before, game_board));
            memcpy(game_board, before, sizeof before);
            over &= can != 1;
        }
        assert(estr_game_over(game_board) == over && estr_is_over(game_board) == over);
        i = ESTR_AIPLAYER(game_board);
        assert(over ? i == ESTR_NO_DIRECTION : estr_can_move(game_board, i) == 1);
        assert(memcmp(before, game_board, sizeof before) == 0);
        if (round % 100 == 0)
            assert(estr_print_board(game_board) == 0);
    }
}

static void new_cells(void)
{
    static const int read_only[4][4] = { { 1, 2, 3, 4 }, { 1, 2, 3, 4 }, { 1, 2, 3, 4 }, { 1, 2, 3, 4 } };
    int full[4][4], last[4][4];
    tinymt32_t state = { { 0 }, 0, 0, 0 };
    int i, j;

    for (i = 0; i < 4; i++)
        for (j = 0; j < 4; j++)
            full[i][j] = last[i][j] = 7;
    assert(estr_new_cell(full, &state) == ESTR_BOARD_FULL);
    assert(estr_new_cell((int (*)[4])read_only, &state) == ESTR_BOARD_FULL);
    last[3][2] = 0;
    /* Never seeded, so every number is 0 and every draw the corner. */
    assert(estr_new_cell(last, &state) == ESTR_CELL_UNREACHABLE);
    assert(last[3][2] == 0);
    tinymt32_init(&state, 5);
    assert(estr_new_cell(last, &state) == 14);
    assert(last[3][2] == 2);
}

static void misaligned_memory(void)
{
    char *memory = (char *)malloc(16 * sizeof(int) + 1);
    int game_board[4][4] = { { 2, 2 } };
    void *odd = memory + 1;

    assert(memory != NULL);
    memcpy(odd, game_board, sizeof game_board);
    assert(estr_move((int (*)[4])odd, ESTR_LEFT) == 1);
    memcpy(game_board, odd, sizeof game_board);
    assert(game_board[0][0] == 4 && game_board[0][1] == 0);
    free(memory);
}

static void messages(void)
{
    int code;

    for (code = -300; code < 300; code++)
        assert(strlen(estr_strerror(code)) > 0 && strcmp(estr_strerror(code), estr_error_message(code)) == 0);
    assert(strlen(estr_error_message(INT_MIN)) > 0 && strlen(estr_error_message(INT_MAX)) > 0);
    assert(strcmp(estr_error_message(ESTR_BOARD_FULL), estr_error_message(ESTR_CELL_UNREACHABLE)) != 0);
    {
        char version[40];

        sprintf(version, "%d.%d.%d", ESTR_VERSION_MAJOR, ESTR_VERSION_MINOR, ESTR_VERSION_PATCH);
        assert(strcmp(version, estr_version()) == 0);
    }
}

/* The driver starts this program with an empty or closed standard input. */
static void no_input(void)
{
    int dead[4][4] = { { 1, 2, 1, 2 }, { 2, 1, 2, 1 }, { 1, 2, 1, 2 }, { 2, 1, 2, 1 } };

    int odd[4][4] = { { -7, -7, INT_MAX, 3 } };

    assert(human_player(dead) == ESTR_NO_DIRECTION);
    assert(human_player(odd) == ESTR_NO_DIRECTION);
    assert(human_player(odd) == ESTR_NO_DIRECTION);
}

int main(void)
{
    null_pointers();
    garbage_boards();
    new_cells();
    misaligned_memory();
    read_only_memory();
    messages();
    no_input();
    puts("all checks passed");
    return 0;
}
