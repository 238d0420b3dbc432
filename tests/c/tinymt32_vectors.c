/*
 * tinymt32_vectors.c - the reference's C functions against the recorded numbers of the reference itself.
 *
 * Usage: tinymt32_vectors FOLDER, where FOLDER holds the files of tests/data/tinymt.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "tinymt32.h"

#undef NDEBUG
#include <assert.h>

static const char *folder;

static FILE *open_vectors(const char *name)
{
    char path[4096];
    FILE *file;

    assert(snprintf(path, sizeof path, "%s/%s", folder, name) < (int)sizeof path);
    file = fopen(path, "r");
    assert(file != NULL);
    return file;
}

static tinymt32_t with_parameters(const char *name)
{
    tinymt32_t zero = { { 0 }, 0, 0, 0 };
    tinymt32_t official = { { 0 }, 0x8f7011ee, 0xfc78ff1f, 0x3793fdff };

    assert(strcmp(name, "zero") == 0 || strcmp(name, "official") == 0);
    return strcmp(name, "zero") == 0 ? zero : official;
}

/* uint32_<parameters>_seed_<seed>.txt: a comment, then a thousand numbers. */
static void numbers(const char *parameters, uint32_t seed)
{
    char name[64], line[256];
    tinymt32_t random = with_parameters(parameters);
    uint32_t expected;
    int checked = 0;
    FILE *file;

    sprintf(name, "uint32_%s_seed_%" PRIu32 ".txt", parameters, seed);
    file = open_vectors(name);
    assert(fgets(line, sizeof line, file) != NULL && line[0] == '#');
    tinymt32_init(&random, seed);
    for (; fscanf(file, "%" SCNu32, &expected) == 1; checked++)
        assert(tinymt32_generate_uint32(&random) == expected);
    assert(checked == 1000);
    fclose(file);
}

/* init_states.txt: a comment, then lines of parameters, seed and the four status words. */
static void states(void)
{
    char line[256], parameters[16];
    uint32_t seed, word[4];
    int checked = 0;
    FILE *file = open_vectors("init_states.txt");

    assert(fgets(line, sizeof line, file) != NULL && line[0] == '#');
    while (fscanf(file, "%15s %" SCNu32 " %" SCNx32 " %" SCNx32 " %" SCNx32 " %" SCNx32, parameters, &seed, &word[0],
                  &word[1], &word[2], &word[3]) == 6) {
        tinymt32_t random = with_parameters(parameters);

        tinymt32_init(&random, seed);
        assert(memcmp(random.status, word, sizeof word) == 0);
        checked++;
    }
    assert(checked >= 20);
    fclose(file);
}

/* init_by_array.txt: for every array of keys a comment that names them, then fifty numbers. */
static void arrays(void)
{
    char line[256], parameters[16];
    tinymt32_t random = with_parameters("zero");
    int checked = 0, arrays = 0;
    FILE *file = open_vectors("init_by_array.txt");

    while (fgets(line, sizeof line, file) != NULL) {
        if (line[0] == '#') {
            uint32_t keys[16];
            int count = 0, at = 0, more = 0;

            assert(sscanf(line, "# tinymt32_init_by_array params=%15s keys=%n", parameters, &at) == 1 && at > 0);
            while (count < 16 && sscanf(line + at, "%" SCNu32 "%n", &keys[count], &more) == 1) {
                at += more;
                count++;
            }
            assert(count > 0 && line[at] == ',');
            random = with_parameters(parameters);
            tinymt32_init_by_array(&random, keys, count);
            arrays++;
        } else {
            uint32_t expected;

            assert(sscanf(line, "%" SCNu32, &expected) == 1);
            assert(tinymt32_generate_uint32(&random) == expected);
            checked++;
        }
    }
    assert(checked == 500 && arrays == 10);
    fclose(file);
}

/* One number of the authors' check program, as text, by the function of the section. */
static void draw(tinymt32_t *random, const char *section, char text[32])
{
    if (strstr(section, "32-bit unsigned") != NULL || strstr(section, "init_by_array") != NULL)
        sprintf(text, "%" PRIu32, tinymt32_generate_uint32(random));
    else if (strstr(section, "double numbers") != NULL)
        sprintf(text, "%.7f", tinymt32_generate_32double(random));
    else if (strstr(section, "0.0 <= r < 1.0") != NULL)
        sprintf(text, "%.7f", (double)tinymt32_generate_float(random));
    else if (strstr(section, "1.0 <= r < 2.0") != NULL)
        sprintf(text, "%.7f", (double)tinymt32_generate_float12(random));
    else if (strstr(section, "0.0 < r <= 1.0") != NULL)
        sprintf(text, "%.7f", (double)tinymt32_generate_floatOC(random));
    else {
        assert(strstr(section, "0.0 < r < 1.0") != NULL);
        sprintf(text, "%.7f", (double)tinymt32_generate_floatOO(random));
    }
}

/* check32.out.txt: what the authors' check program prints, section by section, with one generator. */
static void check_program(void)
{
    char line[256], section[256] = "", text[32];
    uint32_t key = 1;
    tinymt32_t random = with_parameters("official");
    int checked = 0;
    FILE *file = open_vectors("check32.out.txt");

    assert(fgets(line, sizeof line, file) != NULL);
    assert(strcmp(line, "tinymt32 0x8f7011ee 0xfc78ff1f 0x3793fdff seed = 1\n") == 0);
    tinymt32_init(&random, 1);
    while (fgets(line, sizeof line, file) != NULL) {
        char *word;

        if (strchr(line, 'r') != NULL) {
            strcpy(section, line);
            if (strstr(section, "init_by_array") != NULL)
                tinymt32_init_by_array(&random, &key, 1);
            continue;
        }
        for (word = strtok(line, " \n"); word != NULL; word = strtok(NULL, " \n")) {
            draw(&random, section, text);
            assert(strcmp(text, word) == 0);
            checked++;
        }
    }
    assert(checked == 300);
    fclose(file);
}

int main(int argc, char *argv[])
{
    assert(argc == 2);
    folder = argv[1];
    numbers("zero", 1);
    numbers("zero", 1234);
    numbers("official", 1);
    numbers("official", 42);
    states();
    arrays();
    check_program();
    puts("all checks passed");
    return 0;
}
