/* without CALL,CALL... PROGRAM ARGUMENT...: runs a program on a machine that lacks these, as an older kernel or a container
 * would: `namespaces`, `landlock`, `witness`. */
#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#ifndef SYS_landlock_create_ruleset
#define SYS_landlock_create_ruleset 444
#endif

/* The call fails with this error; `argument` with that value in its low half, unless it is negative. */
static int refuse(long call, int argument, unsigned value, int error) {
    struct sock_filter code[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (unsigned)call, 0, 3),
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, args) + 8 * (argument < 0 ? 0 : argument)),
        BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, argument < 0 ? 0 : value, 0, argument < 0 ? 0 : 1),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | error),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
    };
    struct sock_fprog program = {sizeof code / sizeof code[0], code};
    return prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program);
}

int main(int argc, char **argv) {
    int failed = prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
    if (argc < 3) return 2;
    if (strstr(argv[1], "namespaces")) failed |= refuse(SYS_unshare, -1, 0, EPERM);
    if (strstr(argv[1], "landlock")) failed |= refuse(SYS_landlock_create_ruleset, -1, 0, ENOSYS);
    if (strstr(argv[1], "witness")) failed |= refuse(SYS_seccomp, 1, SECCOMP_FILTER_FLAG_NEW_LISTENER, EBUSY);
    if (failed) perror("without");
    if (failed) return 2;
    execv(argv[2], argv + 2);
    perror(argv[2]);
    return 2;
}
