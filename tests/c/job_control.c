/*
 * ./game at a terminal, under a shell: it is stopped by Ctrl-Z and brought back by `fg`, and asks again what it asked.
 * This program is the person, its child the shell, and the child of that the game: `job_control GAME`.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#undef NDEBUG
#include <assert.h>

/* =================================== The shell =================================== */

static void say(const char *text)
{
    assert(write(STDOUT_FILENO, text, strlen(text)) == (ssize_t)strlen(text));
}

/* Runs the game in the foreground, and does `fg` each time that it stops. */
static void shell(const char *terminal, char *game)
{
    char *words[] = { game, NULL };
    int status, file;
    pid_t job;

    assert(setsid() >= 0);
    file = open(terminal, O_RDWR);
    assert(file >= 0 && dup2(file, 0) == 0 && dup2(file, 1) == 1 && dup2(file, 2) == 2);
    signal(SIGTTOU, SIG_IGN); /* a shell may always choose who is in the foreground */
    job = fork();
    assert(job >= 0);
    if (job == 0) {
        setpgid(0, 0);
        tcsetpgrp(0, getpid());
        signal(SIGTTOU, SIG_DFL);
        execv(game, words);
        _exit(127);
    }
    setpgid(job, job);
    for (;;) {
        assert(waitpid(job, &status, WUNTRACED) == job);
        assert(tcsetpgrp(0, getpid()) == 0);
        if (!WIFSTOPPED(status))
            break;
        say("[stopped]");
        assert(tcsetpgrp(0, job) == 0 && kill(-job, SIGCONT) == 0);
    }
    say(WIFEXITED(status) && WEXITSTATUS(status) == 0 ? "[ended well]" : "[ended badly]");
    _exit(0);
}

/* =================================== The person ================================== */

static int keyboard;

static void type(const char *keys)
{
    assert(write(keyboard, keys, strlen(keys)) == (ssize_t)strlen(keys));
}

/* Waits until the screen shows these words, behind what was waited for before. */
static void see(const char *words)
{
    static char screen[65536];
    static size_t length, seen;
    char *place;

    while ((place = strstr(screen + seen, words)) == NULL) {
        ssize_t more = read(keyboard, screen + length, sizeof screen - 1 - length);

        if (more <= 0) {
            fprintf(stderr, "\"%s\" is not shown after:\n%s\n", words, screen + seen);
            exit(1);
        }
        length += (size_t)more;
        screen[length] = '\0';
    }
    seen = (size_t)(place - screen) + strlen(words);
}

#define CTRL_D "\004"
#define CTRL_Z "\032"

int main(int argc, char *argv[])
{
    pid_t id;

    assert(argc == 2);
    alarm(120);
    keyboard = posix_openpt(O_RDWR | O_NOCTTY);
    assert(keyboard >= 0 && grantpt(keyboard) == 0 && unlockpt(keyboard) == 0);
    id = fork();
    assert(id >= 0);
    if (id == 0) {
        alarm(120);
        shell(ptsname(keyboard), argv[1]);
    }

    see("Please enter the random seed: ");
    type(CTRL_Z);
    see("[stopped]");
    see("Please enter the random seed: ");
    type("1234\n");
    see("Your move (U, D, L or R): ");
    type(CTRL_Z);
    see("[stopped]");
    see("Your move (U, D, L or R): ");
    type("R\n");
    see("Your move (U, D, L or R): ");
    type(CTRL_D);
    see("Your score is 4.");
    see("[ended well]");
    assert(waitpid(id, NULL, 0) == id);
    puts("all checks passed");
    return 0;
}
