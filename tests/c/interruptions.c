/*
 * What a host program does to a library: signals that interrupt the waiting, other threads that wait for input of their
 * own, calls that are left by siglongjmp, and forks. Every case ends by itself; the alarm ends one that does not.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include "estr2048.h"

#undef NDEBUG
#include <assert.h>

static int board[4][4] = { { 2, 4, 8, 16 }, { 4, 8, 16, 32 }, { 8, 16, 32, 64 }, { 16, 32, 64, 64 } };

static void every_10_ms(void (*handler)(int))
{
    struct sigaction action;
    struct itimerval timer = { { 0, 10000 }, { 0, 10000 } };

    memset(&action, 0, sizeof action);
    action.sa_handler = handler; /* without SA_RESTART, a waiting read ends with EINTR */
    assert(sigaction(SIGALRM, &action, NULL) == 0);
    assert(setitimer(ITIMER_REAL, &timer, NULL) == 0);
}

static void stop_timer(void)
{
    struct itimerval timer = { { 0, 0 }, { 0, 0 } };

    assert(setitimer(ITIMER_REAL, &timer, NULL) == 0);
}

/* ============================== Signals while waiting ============================= */

static volatile sig_atomic_t signals;
static int keyboard;

/* The key is pressed only after some signals have come. */
static void count(int number)
{
    (void)number;
    if (++signals == 5)
        assert(write(keyboard, "R\n", 2) == 2);
}

static void signals_do_not_end_the_input(void)
{
    int ends[2];

    assert(pipe(ends) == 0 && dup2(ends[0], 0) == 0);
    keyboard = ends[1];
    every_10_ms(count);
    assert(human_player(board) == ESTR_RIGHT);
    stop_timer();
    assert(signals >= 5 && !ferror(stdin));
    close(keyboard);
    assert(human_player(board) == ESTR_NO_DIRECTION);
}

/* ========================== Other threads and their files ========================= */

static FILE *others;
static volatile int waits;

static void *wait_for_input(void *unused)
{
    char line[10];

    (void)unused;
    waits = 1;
    assert(fgets(line, sizeof line, others) != NULL);
    return NULL;
}

static void threads_that_wait_are_left_alone(void)
{
    int input[2], other[2];
    pthread_t thread;

    assert(pipe(input) == 0 && dup2(input[0], 0) == 0 && write(input[1], "RL", 2) == 2);
    close(input[1]);
    assert(pipe(other) == 0);
    others = fdopen(other[0], "r+");
    if (others == NULL)
        others = fdopen(other[0], "r");
    assert(others != NULL && pthread_create(&thread, NULL, wait_for_input, NULL) == 0);
    while (!waits)
        usleep(1000);
    usleep(100000); /* so that the thread holds the stream's lock by then */
    assert(human_player(board) == ESTR_RIGHT);
    assert(human_player(board) == ESTR_LEFT);
    assert(estr_print_board(board) == 0);
    assert(write(other[1], "x\n", 2) == 2 && pthread_join(thread, NULL) == 0);
}

/* ============================ Calls that are not finished ========================= */

static sigjmp_buf before_the_call;
static volatile sig_atomic_t armed;

static void leave(int number)
{
    (void)number;
    if (armed) {
        armed = 0;
        siglongjmp(before_the_call, 1);
    }
}

/* Leaves calls at many moments of their work, from the first one on; what follows plays as if nothing had happened. */
static void calls_may_be_left(void)
{
    estr_player_options slow, usual;
    volatile int left = 0, round;
    int direction;

    memset(&slow, 0, sizeof slow);
    memset(&usual, 0, sizeof usual);
    every_10_ms(leave);
    for (round = 0; round < 20; round++) {
        if (sigsetjmp(before_the_call, 1) == 0) {
            armed = 1;
            direction = ESTR_AIPLAYER(board);
            armed = 0;
            assert(direction == ESTR_LEFT || direction == ESTR_RIGHT || direction == ESTR_DOWN || direction == ESTR_UP);
            if (round == 0) {
                slow.move_us = 200000;
                assert(estr_player_configure(&slow) == 0);
            }
        } else {
            left++;
            if (round == 5) {
                slow.move_us = 200000;
                assert(estr_player_configure(&slow) == 0);
            }
        }
    }
    stop_timer();
    assert(left > 0);
    usual.nodes = 5000;
    assert(estr_player_configure(&usual) == 0);
    direction = ESTR_AIPLAYER(board);
    {
        estr_player *fresh;

        assert(estr_player_new(&usual, &fresh) == 0);
        assert(estr_player_choose(fresh, board) == direction);
        estr_player_free(fresh);
    }
}

/* ====================================== Forks ===================================== */

static void *load(void *unused)
{
    (void)unused;
    assert(ESTR_AIPLAYER(board) >= 0);
    return NULL;
}

/* Children that are forked while another thread unpacks the network. */
static void children_play(void)
{
    pthread_t thread;
    int child, status;

    assert(pthread_create(&thread, NULL, load, NULL) == 0);
    for (child = 0; child < 8; child++) {
        pid_t id = fork();

        assert(id >= 0);
        if (id == 0) {
            alarm(120);
            _exit(ESTR_AIPLAYER(board) >= 0 ? 0 : 1);
        }
        assert(waitpid(id, &status, 0) == id && status == 0);
        usleep(3000);
    }
    assert(pthread_join(thread, NULL) == 0);
}

int main(int argc, char *argv[])
{
    struct { const char *name; void (*run)(void); } cases[] = {
        { "signals", signals_do_not_end_the_input },
        { "threads", threads_that_wait_are_left_alone },
        { "left", calls_may_be_left },
        { "forks", children_play },
    };
    size_t i;

    assert(argc == 2);
    for (i = 0; i < sizeof cases / sizeof cases[0]; i++)
        if (strcmp(argv[1], cases[i].name) == 0) {
            cases[i].run();
            puts("all checks passed");
            return 0;
        }
    return 2;
}
