/* Takes memory, or room in its folder, for as long as it gets any. */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(void) {
    enum { PIECE = 1 << 20 };
    static char block[PIECE];
    char what[20], name[40];
    if (scanf("%19s", what) != 1) return 3;
    setvbuf(stdout, NULL, _IOLBF, 4096);
    for (int pieces = 1; pieces < 4000; pieces++) {
        if (!strcmp(what, "memory")) {
            char *piece = malloc(PIECE);
            if (!piece) return 0;
            memset(piece, pieces, PIECE);
        } else {
            sprintf(name, "file%d", pieces);
            FILE *file = fopen(name, "w");
            if (!file || fwrite(block, PIECE / 2, 1, file) != 1 || fclose(file)) return 0;
        }
        printf("%d\n", pieces);
    }
    return 0;
}
