/* Tries what no submission may do, on things that the test has put there, and tells what worked. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ipc.h>
#include <sys/shm.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

static void tell(const char *deed, int worked) { printf("%s: %s\n", deed, worked ? "yes" : "no"); }

int main(void) {
    char file[1000], doomed[1000], path[100];
    int process, segment, child;
    struct stat about;
    if (scanf("%999s %999s %d", file, doomed, &process) != 3) return 3;
    setvbuf(stdout, NULL, _IOLBF, 4096);
    tell("read a file", open(file, O_RDONLY) >= 0);
    tell("see that a file exists", stat(file, &about) == 0);
    tell("write to a file", open(file, O_WRONLY | O_APPEND) >= 0);
    tell("change a file's mode", chmod(doomed, 0600) == 0);
    tell("remove a file", unlink(doomed) == 0);
    sprintf(path, "/proc/%d/cmdline", process);
    tell("look at another process", open(path, O_RDONLY) >= 0);
    tell("send a signal to another process", kill(process, 0) == 0);
    tell("use the network", socket(AF_INET, SOCK_DGRAM, 0) >= 0);
    segment = shmget(IPC_PRIVATE, 4096, IPC_CREAT | 0600);
    tell("share memory", segment >= 0);
    if (segment >= 0) shmctl(segment, IPC_RMID, NULL);
    tell("make namespaces of its own", unshare(CLONE_NEWUSER) == 0);
    child = fork();
    if (child == 0) _exit(0);
    tell("start a process", child > 0);
    return 0;
}
