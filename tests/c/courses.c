/* A game of each course through estr_game, and the functions on int *cells: the answers that the courses give. */
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "estr2048.h"
#include "tinymt32.h"

#undef NDEBUG
#include <assert.h>

/* ================================== Helpers ================================== */

static int direction_of(char key)
{
    switch (key) {
    case 'w': return ESTR_UP;
    case 's': return ESTR_DOWN;
    case 'a': return ESTR_LEFT;
    default: return ESTR_RIGHT;
    }
}

static estr_game *start(int course, int rows, int cols, int64_t seed)
{
    estr_game *game = NULL;

    assert(estr_game_new(course, rows, cols, seed, &game) == 0);
    assert(game != NULL);
    assert(estr_game_rows(game) == rows && estr_game_cols(game) == cols);
    return game;
}

static void expect_cells(const estr_game *game, const int *expected, int count)
{
    int cells[256];

    assert(estr_game_get_cells(game, cells, 256) == count);
    assert(memcmp(cells, expected, (size_t)count * sizeof *cells) == 0);
}

static void expect_text(const estr_game *game, const char *expected)
{
    int length = (int)strlen(expected);
    char *text = (char *)malloc((size_t)length + 1);

    assert(text != NULL);
    assert(estr_game_render(game, NULL, 0) == length);
    assert(estr_game_render(game, text, (size_t)length + 1) == length);
    assert(strcmp(text, expected) == 0);
    /* A buffer that is too small takes the beginning and a NUL, and nothing behind it is touched. */
    memset(text, '#', (size_t)length + 1);
    assert(estr_game_render(game, text, 5) == length);
    assert(strncmp(text, expected, 4) == 0 && text[4] == '\0' && text[5] == '#');
    assert(estr_game_render(game, text, 1) == length && text[0] == '\0');
    free(text);
}

/* ================================= The courses ================================= */

/* The game that is printed in the assignment: java.util.Random(118). */
static void pa4(void)
{
    static const char last[] = "Score: 20\n"
                               "    -    -    -    -\n"
                               "    -    -    -    -\n"
                               "    8    -    -    4\n"
                               "    4    4    -    2\n";
    static const int first[16] = { 0, 0, 0, 0, 0, 0, 0, 0, 2, 0, 0, 2, 0, 0, 0, 0 };
    estr_game *game = start(ESTR_COURSE_PA4, 4, 4, 118);
    const char *keys = "dsawaas";
    int round, i;

    expect_cells(game, first, 16);
    for (round = 0; round < 2; round++) {
        for (i = 0; keys[i] != '\0'; i++) {
            assert(estr_game_can_move(game, direction_of(keys[i])) == 1);
            assert(estr_game_move(game, direction_of(keys[i])) == 1);
        }
        expect_text(game, last);
        assert(estr_game_score(game) == 20 && estr_game_is_over(game) == 0 && estr_game_has_won(game) == 0);
        while (i-- > 0)
            assert(estr_game_undo(game) == 1);
        assert(estr_game_undo(game) == 0);
        expect_cells(game, first, 16);
        assert(estr_game_score(game) == 0);
    }
    estr_game_free(game);
}

/* What PA4's class can do beside playing: randomTile and setScore. */
static void pa4_class(void)
{
    static const int pairs[16] = { 2, 2 };
    estr_game *game = start(ESTR_COURSE_PA4, 4, 4, 118), *other;
    estr_java_random random;
    int course, i;

    /* Two tiles were drawn, each by a cell and a value. */
    estr_java_random_init(&random, 118);
    for (i = 0; i < 4; i++)
        estr_java_random_next_int_below(&random, i % 2 == 0 ? 16 - i / 2 : 100);
    for (i = 0; i < 300; i++)
        assert(estr_game_random_tile(game) == (estr_java_random_next_int_below(&random, 100) < 70 ? 2 : 4));
    assert(estr_game_set_score(game, -7) == 0 && estr_game_score(game) == -7);
    assert(estr_game_set_cells(game, pairs, 16) == 0 && estr_game_move(game, ESTR_LEFT) == 1);
    assert(estr_game_score(game) == -3);
    assert(estr_game_undo(game) == 1 && estr_game_undo(game) == 1 && estr_game_score(game) == -7);
    assert(estr_game_undo(game) == 1 && estr_game_score(game) == 0 && estr_game_undo(game) == 0);
    assert(estr_game_set_cells(game, pairs, 16) == 0 && estr_game_set_score(game, INT64_MAX) == 0);
    assert(estr_game_move(game, ESTR_LEFT) == 1 && estr_game_score(game) == INT64_MAX);
    assert(estr_game_set_score(game, INT64_MIN) == 0 && estr_game_score(game) == INT64_MIN);
    estr_game_free(game);

    for (course = ESTR_COURSE_ESTR1002; course <= ESTR_COURSE_CS61B; course++) {
        int is_drawn = course != ESTR_COURSE_ESTR1002 && course != ESTR_COURSE_CS61B, tile;

        game = start(course, 4, 4, 5);
        other = start(course, 4, 4, 5);
        tile = estr_game_random_tile(game);
        assert(is_drawn ? tile == 2 || tile == 4 : tile == ESTR_BAD_COURSE);
        /* What is refused draws nothing. */
        assert(is_drawn || estr_game_add_tile(game) == estr_game_add_tile(other));
        i = estr_game_set_score(game, estr_game_score(game));
        assert(i == (course == ESTR_COURSE_ESTR1002 ? ESTR_BAD_COURSE : 0));
        estr_game_free(game);
        estr_game_free(other);
    }
}

/* A whole 2 x 2 game of the recorded ones, saved in the middle and loaded again. */
static void psa3(void)
{
    static const int first[4] = { 2, 0, 2, 0 };
    const char *name = "courses.tmp.board";
    estr_game *game = start(ESTR_COURSE_PSA3, 2, 2, 7), *loaded;
    char text[64];
    FILE *file;
    size_t length;
    int cells[4], more[4], i;

    expect_cells(game, first, 4);
    for (i = 0; estr_game_is_over(game) == 0; i++)
        estr_game_move(game, i % 4);
    assert(estr_game_move(game, ESTR_UP) == 0 && estr_game_add_tile(game) == ESTR_BOARD_FULL);
    assert(estr_game_save(game, name) == 0);
    assert(estr_game_get_cells(game, cells, 4) == 4);

    file = fopen(name, "r");
    assert(file != NULL);
    length = fread(text, 1, sizeof text - 1, file);
    text[length] = '\0';
    fclose(file);
    {
        char expected[64];

        sprintf(expected, "2\n%d\n%d %d \n%d %d \n", (int)estr_game_score(game), cells[0], cells[1], cells[2],
                cells[3]);
        assert(strcmp(text, expected) == 0);
    }
    assert(estr_game_load(ESTR_COURSE_PSA3, name, 420, &loaded) == 0);
    assert(estr_game_get_cells(loaded, more, 4) == 4 && memcmp(cells, more, sizeof cells) == 0);
    assert(estr_game_score(loaded) == estr_game_score(game) && estr_game_undo(loaded) == 0);
    estr_game_free(loaded);

    assert(estr_game_load(ESTR_COURSE_PA4, name, 420, &loaded) == ESTR_BAD_FILE && loaded == NULL);
    assert(estr_game_load(9, name, 420, &loaded) == ESTR_BAD_COURSE && loaded == NULL);
    remove(name);
    assert(estr_game_load(ESTR_COURSE_PSA3, name, 420, &loaded) == ESTR_FILE_ERROR && loaded == NULL);
    assert(estr_game_save(game, "no/such/folder/x") == ESTR_FILE_ERROR);
    estr_game_free(game);
}

static void comp1020(void)
{
    static const int odd[9] = { 3, 3, -1, 0, 5, 7, 7, 7, 0 };
    estr_game *game = start(ESTR_COURSE_COMP1020, 3, 3, 1020);
    int before[9], moves = 0, i;

    assert(estr_game_get_cells(game, before, 9) == 9);
    for (i = 0; estr_game_is_over(game) == 0; i++)
        moves += estr_game_move(game, i % 4);
    assert(moves > 0 && moves <= i);
    for (i = 0; i < moves; i++)
        assert(estr_game_undo(game) == 1);
    assert(estr_game_undo(game) == 0);
    expect_cells(game, before, 9);
    assert(estr_game_set_cells(game, odd, 9) == 0);
    expect_text(game, "3\t3\t-1\n-\t5\t7\n7\t7\t-\n");
    assert(estr_game_undo(game) == 1);
    expect_cells(game, before, 9);
    estr_game_free(game);
}

static void cs61b(void)
{
    static const int first[16] = { 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2, 0 };
    static const int almost[16] = { 1024, 1024, 0, 2 };
    static const int won[16] = { 2048, 2 };
    estr_game *game = start(ESTR_COURSE_CS61B, 4, 4, 5);

    expect_cells(game, first, 16);
    expect_text(game,
                "\n[\n|    |    |    |    |\n|    |    |    |    |\n|    |    |    |    |\n|    |    |   2|    |\n"
                "] 0 (game is not over) \n");
    assert(estr_game_set_cells(game, almost, 16) == 0);
    assert(estr_game_has_won(game) == 0 && estr_game_is_over(game) == 0);
    assert(estr_game_move(game, ESTR_LEFT) == 1);
    expect_cells(game, won, 16);
    assert(estr_game_has_won(game) == 1 && estr_game_is_over(game) == 1 && estr_game_score(game) == 2048);
    assert(estr_game_can_move(game, ESTR_DOWN) == 1 && estr_game_move(game, ESTR_DOWN) == 0);
    estr_game_free(game);
}

/* The same game by estr_game and by the functions that ./game is made of. */
static void estr1002(void)
{
    int game_board[4][4] = { { 0 } };
    tinymt32_t state = { { 0 }, 0, 0, 0 };
    estr_game *game = start(ESTR_COURSE_ESTR1002, 4, 4, 1234);
    int i = 0, moved;

    tinymt32_init(&state, 1234);
    assert(estr_new_cell(game_board, &state) >= 0);
    while (estr_game_over(game_board) == 0) {
        expect_cells(game, &game_board[0][0], 16);
        assert(estr_game_score(game) == estr_score(game_board) && estr_game_is_over(game) == 0);
        moved = estr_move(game_board, i % 4);
        assert(estr_game_move(game, i % 4) == moved);
        if (moved == 1)
            assert(estr_new_cell(game_board, &state) >= 0);
        i++;
    }
    expect_cells(game, &game_board[0][0], 16);
    assert(estr_game_is_over(game) == 1 && i > 20);
    estr_game_free(game);
}

/* =============================== Lines and boards =============================== */

static void cells(void)
{
    int line[7] = { 2, 0, 2, 4, 0, 0, 4 };
    int wide[6] = { 1, 2, 3, 4, 5, 6 };
    int tall[8] = { 2, 8, 0, 8, 2, 0, 2, 4 };
    static const int turned[6] = { 3, 6, 2, 5, 1, 4 };
    int column[4];
    int64_t gain = -1;

    assert(estr_line_move(line, 7, &gain) == 1 && gain == 12 && line[0] == 4 && line[1] == 8 && line[2] == 0);
    assert(estr_line_move(line, 7, NULL) == 0);
    assert(estr_line_move(NULL, 0, &gain) == 0 && gain == 0);

    assert(estr_cells_extract_line(wide, 2, 3, 1, 1, 1, column) == 2 && column[0] == 5 && column[1] == 2);
    assert(estr_cells_extract_line(wide, 2, 3, 1, 0, 0, column) == 3 && column[0] == 4 && column[2] == 6);
    assert(estr_cells_insert_line(wide, 2, 3, 0, 0, 1, column) == 3 && wide[0] == 6 && wide[2] == 4);
    wide[0] = 1, wide[1] = 2, wide[2] = 3;
    assert(estr_cells_rotate_counter_clockwise(wide, 2, 3) == 0 && memcmp(wide, turned, sizeof wide) == 0);
    assert(estr_cells_rotate_clockwise(wide, 3, 2) == 0 && wide[0] == 1 && wide[2] == 3 && wide[5] == 6);
    assert(estr_cells_rotate_clockwise(wide, 2, 3) == 0 && wide[0] == 4 && wide[1] == 1 && wide[5] == 3);
    assert(estr_cells_rotate_counter_clockwise(wide, 3, 2) == 0 && wide[0] == 1 && wide[5] == 6);

    /* 4 x 2: columns 2 0 2 2 and 8 8 0 4. */
    assert(estr_cells_can_move(tall, 4, 2, ESTR_UP) == 1 && estr_cells_is_over(tall, 4, 2) == 0);
    assert(estr_cells_move_tile_up(tall, 4, 2, 2, 0, 0) == 1 && tall[0] == 4 && tall[4] == 0);
    assert(estr_cells_move_tile_up(tall, 4, 2, 3, 0, 1) == 0 && tall[2] == 2 && tall[6] == 0);
    assert(estr_cells_tilt_column(tall, 4, 2, 1, &gain) == 1 && gain == 16 && tall[1] == 16 && tall[3] == 4);
    assert(estr_cells_tilt_column(tall, 4, 2, 1, &gain) == 0 && gain == 0);
    assert(estr_cells_move(tall, 4, 2, ESTR_RIGHT, &gain) == 0 && gain == 0);
    assert(estr_cells_move(tall, 4, 2, ESTR_DOWN, &gain) == 1 && tall[4] == 4 && tall[7] == 4);
}

static void java_random(void)
{
    estr_java_random random;

    estr_java_random_init(&random, 42);
    assert(estr_java_random_next_int(&random) == -1170105035);
    assert(estr_java_random_next_int_below(&random, 100) == 63);
    assert(estr_java_random_next_int_below(&random, 0) == ESTR_BAD_BOUND);
    estr_java_random_init(&random, 0);
    assert(estr_java_random_next_long(&random) == INT64_C(-4962768465676381896));
    estr_java_random_init(&random, 0);
    assert(estr_java_random_next_double(&random) > 0.7309 && estr_java_random_next_double(&random) < 0.2406);
}

/* ================================= Bad arguments ================================= */

static void sizes(void)
{
    static const int bad[][3] = {
        { ESTR_COURSE_ESTR1002, 4, 5 },
        { ESTR_COURSE_ESTR1002, 3, 3 },
        { ESTR_COURSE_PSA3, 1, 1 },
        { ESTR_COURSE_PSA3, 3, 4 },
        { ESTR_COURSE_PA4, 0, 4 },
        { ESTR_COURSE_PA4, 4, -1 },
        { ESTR_COURSE_PA4, 129, 1 },
        { ESTR_COURSE_PA4, INT_MAX, INT_MAX },
        { ESTR_COURSE_COMP1020, 2, 3 },
        { ESTR_COURSE_CS61B, 129, 129 },
        { ESTR_COURSE_CS61B, INT_MIN, INT_MIN },
    };
    estr_game *game;
    size_t i;

    for (i = 0; i < sizeof bad / sizeof *bad; i++)
        assert(estr_game_new(bad[i][0], bad[i][1], bad[i][2], 1, &game) == ESTR_BAD_SIZE && game == NULL);
    assert(estr_game_new(-1, 4, 4, 1, &game) == ESTR_BAD_COURSE && game == NULL);
    assert(estr_game_new(5, 4, 4, 1, &game) == ESTR_BAD_COURSE && game == NULL);
    game = start(ESTR_COURSE_PA4, 1, ESTR_MAX_SIDE, INT64_MIN);
    assert(estr_game_set_cells(game, &bad[0][0], 4) == ESTR_BAD_SIZE);
    assert(estr_game_get_cells(game, (int *)&game, 1) == ESTR_BAD_SIZE);
    assert(estr_game_move(game, 4) == ESTR_BAD_DIRECTION && estr_game_can_move(game, -1) == ESTR_BAD_DIRECTION);
    estr_game_free(game);
    game = start(ESTR_COURSE_CS61B, ESTR_MAX_SIDE, ESTR_MAX_SIDE, INT64_MAX);
    assert(estr_game_move(game, ESTR_LEFT) == 1 || estr_game_move(game, ESTR_RIGHT) == 1);
    estr_game_free(game);
}

static void null_pointers(void)
{
    estr_game *game = start(ESTR_COURSE_COMP1020, 1, 1, 1);
    int one = 2;
    char text[8];

    assert(estr_game_is_over(game) == 1);
    assert(estr_game_get_cells(game, NULL, 9) == ESTR_NULL_POINTER);
    assert(estr_game_set_cells(game, NULL, 1) == ESTR_NULL_POINTER);
    assert(estr_game_render(game, NULL, 1) == ESTR_NULL_POINTER);
    assert(estr_game_save(game, NULL) == ESTR_NULL_POINTER);
    estr_game_free(game);
    estr_game_free(NULL);
    assert(estr_game_new(ESTR_COURSE_PA4, 4, 4, 1, NULL) == ESTR_NULL_POINTER);
    assert(estr_game_load(ESTR_COURSE_PA4, NULL, 1, &game) == ESTR_NULL_POINTER && game == NULL);
    assert(estr_game_load(ESTR_COURSE_PA4, "x", 1, NULL) == ESTR_NULL_POINTER);
    assert(estr_game_move(NULL, ESTR_UP) == ESTR_NULL_POINTER && estr_game_undo(NULL) == ESTR_NULL_POINTER);
    assert(estr_game_can_move(NULL, ESTR_UP) == ESTR_NULL_POINTER && estr_game_is_over(NULL) == ESTR_NULL_POINTER);
    assert(estr_game_has_won(NULL) == ESTR_NULL_POINTER && estr_game_score(NULL) == ESTR_NULL_POINTER);
    assert(estr_game_rows(NULL) == ESTR_NULL_POINTER && estr_game_cols(NULL) == ESTR_NULL_POINTER);
    assert(estr_game_get_cells(NULL, &one, 1) == ESTR_NULL_POINTER);
    assert(estr_game_set_cells(NULL, &one, 1) == ESTR_NULL_POINTER && estr_game_add_tile(NULL) == ESTR_NULL_POINTER);
    assert(estr_game_set_score(NULL, 1) == ESTR_NULL_POINTER && estr_game_random_tile(NULL) == ESTR_NULL_POINTER);
    assert(estr_game_render(NULL, text, 8) == ESTR_NULL_POINTER && estr_game_save(NULL, "x") == ESTR_NULL_POINTER);

    assert(estr_line_move(NULL, 1, NULL) == ESTR_NULL_POINTER && estr_line_move(&one, -1, NULL) == ESTR_BAD_SIZE);
    assert(estr_cells_move(NULL, 4, 4, ESTR_UP, NULL) == ESTR_NULL_POINTER);
    assert(estr_cells_move(&one, 0, 1, ESTR_UP, NULL) == ESTR_BAD_SIZE);
    assert(estr_cells_move(&one, 65536, 65536, ESTR_UP, NULL) == ESTR_BAD_SIZE);
    assert(estr_cells_move(&one, 1, 1, 4, NULL) == ESTR_BAD_DIRECTION);
    assert(estr_cells_can_move(NULL, 1, 1, ESTR_UP) == ESTR_NULL_POINTER);
    assert(estr_cells_can_move(&one, 1, 1, -1) == ESTR_BAD_DIRECTION);
    assert(estr_cells_is_over(NULL, 1, 1) == ESTR_NULL_POINTER && estr_cells_is_over(&one, -1, 1) == ESTR_BAD_SIZE);
    assert(estr_cells_extract_line(&one, 1, 1, 0, 0, 0, NULL) == ESTR_NULL_POINTER);
    assert(estr_cells_extract_line(&one, 1, 1, 1, 0, 0, &one) == ESTR_BAD_SIZE);
    assert(estr_cells_extract_line(&one, 1, 1, -1, 1, 0, &one) == ESTR_BAD_SIZE);
    assert(estr_cells_insert_line(&one, 1, 1, 0, 0, 0, NULL) == ESTR_NULL_POINTER);
    assert(estr_cells_insert_line(&one, 1, 1, 9, 0, 0, &one) == ESTR_BAD_SIZE);
    assert(estr_cells_tilt_column(&one, 1, 1, 1, NULL) == ESTR_BAD_SIZE);
    assert(estr_cells_tilt_column(NULL, 1, 1, 0, NULL) == ESTR_NULL_POINTER);
    assert(estr_cells_move_tile_up(NULL, 1, 1, 0, 0, 0) == ESTR_NULL_POINTER);
    assert(estr_cells_move_tile_up(&one, 1, 1, 1, 0, 0) == ESTR_BAD_SIZE);
    assert(estr_cells_move_tile_up(&one, 1, 1, 0, -1, 0) == ESTR_BAD_SIZE);
    assert(estr_cells_move_tile_up(&one, 1, 1, 0, 0, INT_MIN) == 0);
    assert(estr_cells_move_tile_up(&one, 1, 1, 0, 0, INT_MAX) == 0);
    assert(estr_cells_rotate_counter_clockwise(NULL, 1, 1) == ESTR_NULL_POINTER);
    assert(estr_cells_rotate_clockwise(NULL, 1, 1) == ESTR_NULL_POINTER);
    assert(estr_cells_rotate_clockwise(&one, 1, 0) == ESTR_BAD_SIZE);
    assert(estr_cells_rotate_clockwise(&one, 1, 129) == ESTR_BAD_SIZE);
    assert(one == 2);

    estr_java_random_init(NULL, 1);
    assert(estr_java_random_next_int(NULL) == 0 && estr_java_random_next_long(NULL) == 0);
    assert(estr_java_random_next_int_below(NULL, 5) == ESTR_NULL_POINTER && estr_java_random_next_double(NULL) == 0);
}

/* A game that is suspended goes on with the same tiles, in every course; damage is named by its place. */
static void suspended(void)
{
    const char *name = "suspended.tmp.game";
    int course, i;
    estr_file_error error;
    estr_game *game, *again;
    FILE *file;

    for (course = ESTR_COURSE_ESTR1002; course <= ESTR_COURSE_CS61B; course++) {
        int ours[16], theirs[16];

        assert(estr_game_new(course, 4, 4, 1234, &game) == 0);
        for (i = 0; i < 30; i++)
            estr_game_move(game, i % 4);
        assert(estr_game_suspend(game, name) == 0);
        assert(estr_game_resume(name, &again, NULL) == 0);
        for (i = 0; i < 60; i++) {
            assert(estr_game_move(game, i % 4) == estr_game_move(again, i % 4));
            assert(estr_game_score(game) == estr_game_score(again));
            assert(estr_game_get_cells(game, ours, 16) == 16 && estr_game_get_cells(again, theirs, 16) == 16);
            assert(memcmp(ours, theirs, sizeof ours) == 0);
        }
        estr_game_free(game);
        estr_game_free(again);
    }
    memset(&error, 0, sizeof error);
    file = fopen(name, "w");
    assert(file != NULL && fputs("estr2048-game 1\ncourse 1\nsize 4 x\n", file) >= 0 && fclose(file) == 0);
    assert(estr_game_resume(name, &again, &error) == ESTR_BAD_FILE && again == NULL);
    assert(error.line == 3 && error.column == 8 && strstr(error.message, "\"x\"") != NULL);
    memset(&error, 0, sizeof error);
    assert(estr_game_load_checked(ESTR_COURSE_PA4, name, 1, &again, &error) == ESTR_BAD_FILE && again == NULL);
    assert(error.line == 1 && error.column == 1 && error.message[0] != '\0');
    error.size = 1;
    assert(estr_game_load_checked(ESTR_COURSE_PA4, name, 1, &again, &error) == ESTR_BAD_FILE);
    assert(remove(name) == 0);
    assert(estr_game_resume(name, &again, NULL) == ESTR_FILE_ERROR && again == NULL);
    assert(estr_game_resume(NULL, &again, NULL) == ESTR_NULL_POINTER);
    assert(estr_game_resume(name, NULL, NULL) == ESTR_NULL_POINTER);
    assert(estr_game_suspend(NULL, name) == ESTR_NULL_POINTER);
    assert(estr_game_new(ESTR_COURSE_PA4, 4, 4, 1, &game) == 0);
    assert(estr_game_suspend(game, NULL) == ESTR_NULL_POINTER);
    assert(estr_game_suspend(game, "no/such/folder/x") == ESTR_FILE_ERROR);
    estr_game_free(game);
}

/* Many games by one call are the games one by one. */
static void many(void)
{
    enum { GAMES = 5 };
    estr_game *games[GAMES], *single[GAMES];
    int directions[GAMES], cells[GAMES][16], expected[16], over[GAMES], i, round, ended = 0;
    int64_t gains[GAMES], before, changed;

    for (i = 0; i < GAMES; i++) {
        assert(estr_game_new(i, 4, 4, 7, &games[i]) == 0);
        assert(estr_game_new(i, 4, 4, 7, &single[i]) == 0);
    }
    for (round = 0; round < 400; round++) {
        for (i = 0; i < GAMES; i++)
            directions[i] = (round * 7 + i * 3 + round / 5) % 4;
        changed = estr_games_step(games, GAMES, directions, 0, &cells[0][0], gains, over);
        for (i = 0; i < GAMES; i++) {
            before = estr_game_score(single[i]);
            changed -= estr_game_move(single[i], directions[i]);
            assert(gains[i] == estr_game_score(single[i]) - before);
            assert(over[i] == estr_game_is_over(single[i]));
            assert(estr_game_get_cells(single[i], expected, 16) == 16);
            assert(memcmp(cells[i], expected, sizeof expected) == 0);
        }
        assert(changed == 0);
    }
    for (round = 0; round < 3000; round++) {
        for (i = 0; i < GAMES; i++)
            directions[i] = (round * 7 + i * 3 + round / 5) % 4;
        assert(estr_games_step(games, GAMES, directions, 1, NULL, NULL, over) >= 0);
        for (i = 0; i < GAMES; i++)
            ended += over[i];
    }
    assert(ended > GAMES);
    assert(estr_games_step(games, 1, directions, 2, NULL, NULL, NULL) == ESTR_BAD_OPTION);
    assert(estr_games_step(NULL, 1, directions, 0, NULL, NULL, NULL) == ESTR_NULL_POINTER);
    assert(estr_games_step(games, 1, NULL, 0, NULL, NULL, NULL) == ESTR_NULL_POINTER);
    assert(estr_games_step(NULL, 0, NULL, 0, NULL, NULL, NULL) == 0);
    directions[1] = 4;
    assert(estr_games_step(games, 2, directions, 0, NULL, NULL, NULL) == ESTR_BAD_DIRECTION);
    for (i = 0; i < GAMES; i++) {
        estr_game_free(games[i]);
        estr_game_free(single[i]);
    }
}

int main(void)
{
    many();
    suspended();
    pa4();
    pa4_class();
    psa3();
    comp1020();
    cs61b();
    estr1002();
    cells();
    java_random();
    sizes();
    null_pointers();
    puts("all checks passed");
    return 0;
}
