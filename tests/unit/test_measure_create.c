#include "directory.h"
#include "io/noise.h"
#include "io/os.h"
#include "measure/create.h"
#include "measure/leftovers.h"
#include "measure/mark.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static const int64_t MIB = 1 << 20;

static const char *at(const char *name)
{
    static char path[2][256];
    static int turn;
    turn = !turn;
    snprintf(path[turn], sizeof path[turn], "%s/%s", directory, name);
    return path[turn];
}

static int remove_directory(void **state)
{
    char command[128];
    (void)state;
    snprintf(command, sizeof command, "rm -r %s", directory);
    return system(command);
}

static int open_files(void)
{
    return entries("/proc/self/fd");
}

/* ---- noise ---- */

static int by_value(const void *left, const void *right)
{
    const uint64_t *a = left, *b = right;
    return (*a > *b) - (*a < *b);
}

static void noise_neither_repeats_nor_is_skewed(void **state)
{
    enum { WORDS = 1 << 17 };
    uint64_t *words = malloc(WORDS * sizeof *words), noise = sci_noise_state(1);
    int counts[256] = {0};
    (void)state;
    assert_non_null(words);
    sci_noise_fill(words, WORDS / 2 * sizeof *words, &noise);
    sci_noise_fill(words + WORDS / 2, WORDS / 2 * sizeof *words, &noise);
    for (size_t i = 0; i < WORDS * sizeof *words; i++)
        counts[((unsigned char *)words)[i]]++;
    for (int i = 0; i < 256; i++) /* 4096 expected, a standard deviation being 64 */
        assert_in_range(counts[i], 4096 - 400, 4096 + 400);
    qsort(words, WORDS, sizeof *words, by_value);
    for (size_t i = 1; i < WORDS; i++)
        assert_true(words[i] != words[i - 1]);
    free(words);
    unsigned char odd[13] = {0};
    sci_noise_fill(odd, sizeof odd, &noise);
    assert_true(odd[8] || odd[9] || odd[10] || odd[11] || odd[12]);
}

/* ---- names and first bytes ---- */

static void only_exact_names_are_ours(void **state)
{
    static const char *const others[] = {".streamcalc-test-1-2-3.bi",
                                         ".streamcalc-test-1-2-3.bin~",
                                         "streamcalc-test-1-2-3.bin",
                                         ".streamcalc-test-01-2-3.bin",
                                         ".streamcalc-test-+1-2-3.bin",
                                         ".streamcalc-test-1-2.bin",
                                         ".streamcalc-test- 1-2-3.bin",
                                         ".streamcalc-test--1-2-3.bin",
                                         ".streamcalc-test-0-2-3.bin",
                                         ".streamcalc-test-9999999999-2-3.bin",
                                         ".streamcalc-test-99999999999999999999-2-3.bin",
                                         ""};
    sci_mark mark = sci_mark_now(), read;
    char name[SCI_MARK_NAME_MAX], bytes[SCI_MARK_BYTES];
    (void)state;
    mark.number = 127;
    sci_mark_name(&mark, name);
    sci_mark_write(&mark, bytes);
    assert_true(sci_mark_from_name(name, &read));
    assert_true(sci_mark_read(bytes, &read));
    assert_int_equal(read.pid, getpid());
    assert_int_equal(read.made_s, mark.made_s);
    assert_int_equal(read.number, 127);
    assert_string_equal(read.host, mark.host);
    assert_int_equal(read.machine, mark.machine);
    assert_int_equal(read.space, mark.space);
    char *machine = strstr(bytes, "machine=");
    machine[9] = 'x';
    assert_false(sci_mark_read(bytes, &read));
    sci_mark_write(&mark, bytes);
    memset(machine - 1, 0, 40); /* neither the end of the host nor a machine */
    assert_false(sci_mark_read(bytes, &read));
    sci_mark_write(&mark, bytes);
    for (size_t i = 0; i < SCI_COUNT(others); i++)
        assert_false(sci_mark_from_name(others[i], &read));
    bytes[3] ^= 1;
    assert_false(sci_mark_read(bytes, &read));
    bytes[3] ^= 1;
    char *host = strstr(bytes, "host=");
    memset(host + 5, 'x', sizeof bytes - (size_t)(host + 5 - bytes)); /* a host without an end */
    assert_false(sci_mark_read(bytes, &read));
}

/* ---- creating ---- */

static sc_status create(int64_t bytes, int64_t margin, const sc_control *user, sci_test_data **data,
                        sc_error *error)
{
    const sci_create_params params = {directory, bytes, MIB, margin, 30};
    sci_control control;
    sci_control_start(&control, user, "measure");
    return sci_test_data_create(&params, &control, data, error);
}

static void remove_data(sci_test_data **data)
{
    const sc_control none = {0};
    sci_control control;
    char left[SC_TEXT_MAX];
    sci_control_start(&control, &none, "measure");
    sci_test_data_remove(data, &(sc_error){0}, 30, &control, left);
    assert_string_equal(left, "");
    assert_null(*data);
    assert_int_equal(entries(directory), 0);
}

static void files_are_whole_private_marked_and_removed(void **state)
{
    const sc_control none = {0};
    sci_test_data *data = NULL;
    sci_extents extents = {0};
    int64_t sum = 0;
    int before = open_files();
    (void)state;
    assert_int_equal(create(65 * MIB, 0, &none, &data, NULL), SC_OK);
    assert_true(sci_test_data_extents(data, SCI_TEST_ALL, &extents));
    assert_int_equal(extents.file_count, 4);
    assert_int_equal(entries(directory), 4);
    for (size_t i = 0; i < extents.file_count; i++) {
        char bytes[SCI_MARK_BYTES];
        sci_mark mark;
        struct stat facts;
        assert_int_equal(stat(extents.files[i].path, &facts), 0);
        assert_int_equal(facts.st_size, extents.files[i].bytes);
        assert_int_equal(facts.st_mode & 0777, 0600);
        assert_true(facts.st_blocks * 512 >= facts.st_size);
        assert_true(sci_mark_from_name(strrchr(extents.files[i].path, '/') + 1, &mark));
        int fd = open(extents.files[i].path, O_RDONLY);
        assert_int_equal(pread(fd, bytes, sizeof bytes, 0), sizeof bytes);
        close(fd);
        assert_true(sci_mark_read(bytes, &mark));
        assert_false(sci_mark_is_over(&mark));
        sum += facts.st_size;
    }
    assert_true(sum >= 65 * MIB && sum < 69 * MIB);
    assert_int_equal(sum, sci_test_data_bytes(data));
    sci_extents_clear(&extents);
    remove_data(&data);
    assert_int_equal(open_files(), before);
}

static void two_sets_of_one_second_are_distinct(void **state)
{
    const sc_control none = {0};
    sci_test_data *one = NULL, *two = NULL;
    sci_extents extents = {0};
    (void)state;
    assert_int_equal(create(16 * MIB, 0, &none, &one, NULL), SC_OK);
    assert_int_equal(create(16 * MIB, 0, &none, &two, NULL), SC_OK);
    assert_int_equal(entries(directory), 8);
    assert_true(sci_test_data_extents(one, SCI_TEST_ALL, &extents));
    assert_true(sci_test_data_extents(two, SCI_TEST_ALL, &extents));
    sci_extents_clear(&extents);
    char left[SC_TEXT_MAX];
    sci_control control;
    sci_control_start(&control, &none, "measure");
    sci_test_data_remove(&one, &(sc_error){0}, 30, &control, left);
    assert_int_equal(entries(directory), 4);
    remove_data(&two);
}

static void what_does_not_fit_is_refused_before_a_byte_is_written(void **state)
{
    const sc_control none = {0};
    sci_test_data *data = NULL;
    sc_error error = {0};
    (void)state;
    assert_int_equal(create(16 * MIB, INT64_C(1) << 60, &none, &data, &error), SC_IO);
    assert_int_equal(error.os_errno, ENOSPC);
    assert_non_null(strstr(error.message, directory));
    assert_null(data);
    assert_int_equal(entries(directory), 0);
}

/* The thread that writes has all signals blocked: what is left of the limit is EFBIG. */
static void an_error_while_writing_leaves_nothing(void **state)
{
    const sc_control none = {0};
    sci_test_data *data = NULL;
    sc_error error = {0};
    struct rlimit before, limit;
    (void)state;
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &before), 0);
    limit = before;
    limit.rlim_cur = 3 << 20;
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &limit), 0);
    const sc_status status = create(16 * MIB, 0, &none, &data, &error);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &before), 0);
    assert_int_equal(status, SC_IO);
    assert_int_equal(error.os_errno, EFBIG);
    assert_null(data);
    assert_int_equal(entries(directory), 0);
}

static void a_storage_that_answers_has_time_for_a_removal(void **state)
{
    static const struct {
        sc_status status;
        int os_errno;
        double limit_s;
    } cases[] = {{SC_OK, 0, 10},
                 {SC_IO, ENOSPC, 10},
                 {SC_IO, 0, 10},
                 {SC_IO, EIO, 1},
                 {SC_IO, ETIMEDOUT, 1},
                 {SC_STALLED, ETIMEDOUT, 1},
                 {SC_PERMISSION, EPERM, 10},
                 {SC_CANCELLED, 0, 5}};
    (void)state;
    for (size_t i = 0; i < SCI_COUNT(cases); i++) {
        const sc_error why = {.status = cases[i].status, .os_errno = cases[i].os_errno};
        assert_true(sci_removal_limit_s(&why, 10) == cases[i].limit_s);
        assert_true(sci_removal_limit_s(&why, 0.5) == 0.5);
    }
}

struct watch {
    int calls;
    double cancel_at, last;
    bool fell;
};

static int watch_progress(void *opaque, const sc_progress *progress)
{
    struct watch *watch = opaque;
    if (strcmp(progress->stage, "creating test data") != 0)
        return 0;
    watch->calls++;
    watch->fell |= progress->fraction < watch->last;
    watch->last = progress->fraction;
    return progress->fraction >= watch->cancel_at;
}

/* Also where its path is relative and the caller goes elsewhere. */
static void data_is_removed_from_a_directory_that_moved(void **state)
{
    const sc_control none = {0};
    sci_test_data *data = NULL;
    sci_extents extents = {0};
    char here[512];
    (void)state;
    assert_non_null(getcwd(here, sizeof here));
    assert_int_equal(mkdir(at("one"), 0700), 0);
    assert_int_equal(chdir(directory), 0);
    const sci_create_params params = {"one", 16 * MIB, MIB, 0, 30};
    sci_control control;
    sci_control_start(&control, &none, "measure");
    assert_int_equal(sci_test_data_create(&params, &control, &data, NULL), SC_OK);
    assert_int_equal(chdir(here), 0);
    assert_true(sci_test_data_extents(data, SCI_TEST_ALL, &extents));
    assert_int_equal(access(extents.files[0].path, R_OK), 0);
    sci_extents_clear(&extents);
    assert_int_equal(rename(at("one"), at("two")), 0);
    assert_int_equal(mkdir(at("one"), 0700), 0);
    assert_int_equal(entries(at("two")), 4);
    char left[SC_TEXT_MAX];
    sci_test_data_remove(&data, &(sc_error){0}, 30, &control, left);
    assert_string_equal(left, "");
    assert_int_equal(entries(at("two")), 0);
    assert_int_equal(rmdir(at("one")), 0);
    assert_int_equal(rmdir(at("two")), 0);
}

static void cancel_while_creating_leaves_nothing(void **state)
{
    struct watch watch = {.cancel_at = 0.02};
    const sc_control user = {.progress = watch_progress, .progress_opaque = &watch};
    sci_test_data *data = NULL;
    sc_error error = {0};
    int before = open_files();
    (void)state;
    assert_int_equal(create(1024 * MIB, 0, &user, &data, &error), SC_CANCELLED);
    assert_null(data);
    assert_int_equal(error.status, SC_CANCELLED);
    assert_true(watch.calls >= 1 && watch.last < 1 && !watch.fell);
    assert_int_equal(entries(directory), 0);
    assert_int_equal(open_files(), before);
}

/* ---- the whole measurement ---- */

static const sc_finding *find(const sc_storage *storage, const char *code)
{
    for (size_t i = 0; i < storage->finding_count; i++)
        if (strcmp(storage->findings[i].code, code) == 0)
            return &storage->findings[i];
    return NULL;
}

static void an_empty_directory_is_measured_with_created_data(void **state)
{
    sc_measure_params params = {
        .seconds = 1, .warm_up_s = 0.02, .max_readers = 2, .create_bytes = 64 << 20};
    sc_storage *storage = NULL;
    sc_error error = {0};
    int before = open_files();
    (void)state;
    sc_status status = sc_measure(directory, &params, &storage, &error);
    if (status == SC_IO && error.os_errno == ENOSPC)
        skip();
    assert_int_equal(status, SC_OK);
    assert_true(storage->points[0].mean_bytes_per_s > 0);
    assert_non_null(find(storage, "created-data"));
    assert_null(find(storage, "sparse-data"));
    assert_null(find(storage, "test-data-left"));
    assert_null(find(storage, "leftover-test-data"));
    sc_storage_free(&storage);
    assert_int_equal(entries(directory), 0);
    assert_int_equal(open_files(), before);
}

static void where_no_data_can_be_created_is_said(void **state)
{
    static const struct {
        const char *name;
        int64_t bytes;
        sc_status status;
    } cases[] = {{"file", 64 << 20, SC_INVALID_ARGUMENT}, {"missing", 64 << 20, SC_NOT_FOUND},
                 {"", 1 << 20, SC_INVALID_ARGUMENT},      {"", -1, SC_INVALID_ARGUMENT},
                 {"", INT64_MAX, SC_INVALID_ARGUMENT},    {"", INT64_C(1) << 44, SC_IO}};
    (void)state;
    close(open(at("file"), O_CREAT | O_WRONLY, 0600));
    for (size_t i = 0; i < SCI_COUNT(cases); i++) {
        sc_measure_params params = {.create_bytes = cases[i].bytes};
        sc_storage *storage = NULL;
        sc_error error = {0};
        assert_int_equal(sc_measure(at(cases[i].name), &params, &storage, &error), cases[i].status);
        assert_null(storage);
        assert_true(error.message[0] != '\0');
    }
    assert_int_equal(unlink(at("file")), 0);
    assert_int_equal(entries(directory), 0);
}

/* ---- leftovers ---- */

static pid_t dead_pid(void)
{
    pid_t child = fork();
    if (child == 0)
        _exit(0);
    assert_int_equal(waitpid(child, NULL, 0), child);
    return child;
}

enum content { MARKED, UNMARKED, SHORT };

static const char *make_left(sci_mark mark, int number, enum content content)
{
    char bytes[SCI_MARK_BYTES], name[SCI_MARK_NAME_MAX];
    mark.number = number;
    sci_mark_name(&mark, name);
    sci_mark_write(&mark, bytes);
    if (content == UNMARKED)
        bytes[0] = 'S';
    int fd = open(at(name), O_CREAT | O_EXCL | O_WRONLY, 0600);
    assert_true(fd >= 0);
    size_t size = content == SHORT ? 100 : sizeof bytes;
    assert_int_equal(write(fd, bytes, size), size);
    close(fd);
    return at(name);
}

static void only_leftovers_are_found_and_removed(void **state)
{
    sci_mark dead = sci_mark_now(), alive = dead, elsewhere, old, link, clone, contained;
    char name[SCI_MARK_NAME_MAX], kept[8][256];
    sc_leftovers found;
    (void)state;
    dead.pid = dead_pid();
    elsewhere = dead;
    strcpy(elsewhere.host, "another-machine");
    old = elsewhere;
    old.made_s -= 8 * 86400;
    elsewhere.made_s -= 3 * 86400;
    clone = dead;
    clone.machine ^= 1;
    contained = dead;
    contained.space ^= 1;
    make_left(dead, 0, MARKED);
    make_left(dead, 1, MARKED);
    make_left(old, 0, MARKED);
    strcpy(kept[0], make_left(alive, 0, MARKED));
    strcpy(kept[1], make_left(elsewhere, 2, MARKED));
    strcpy(kept[2], make_left(dead, 3, UNMARKED));
    strcpy(kept[6], make_left(clone, 8, MARKED));
    strcpy(kept[7], make_left(contained, 9, MARKED));
    strcpy(kept[3], make_left(dead, 4, SHORT));
    link = dead;
    link.number = 5;
    sci_mark_name(&link, name);
    strcpy(kept[4], at(name));
    assert_int_equal(symlink(strrchr(make_left(dead, 6, MARKED), '/') + 1, kept[4]), 0);
    link.number = 7;
    sci_mark_name(&link, name);
    strcpy(kept[5], at(name));
    assert_int_equal(mkdir(kept[5], 0700), 0);

    assert_int_equal(sci_leftovers_find(directory, false, NULL, &found, NULL), SC_OK);
    assert_int_equal(found.files, 4);
    assert_int_equal(found.bytes, 4 * SCI_MARK_BYTES);
    assert_int_equal(entries(directory), 12);
    assert_int_equal(sc_measure_remove_leftovers(directory, NULL, &found, NULL), SC_OK);
    assert_int_equal(found.files, 4);
    assert_int_equal(found.failed, 0);
    assert_non_null(strstr(found.names, ".streamcalc-test-"));
    assert_int_equal(entries(directory), 8);
    for (size_t i = 0; i < SCI_COUNT(kept); i++) {
        struct stat facts;
        assert_int_equal(lstat(kept[i], &facts), 0);
        assert_int_equal(remove(kept[i]), 0);
    }
    assert_int_equal(sc_measure_remove_leftovers(directory, NULL, &found, NULL), SC_OK);
    assert_int_equal(found.files, 0);
    assert_int_equal(sc_measure_remove_leftovers(at("missing"), NULL, &found, NULL), SC_NOT_FOUND);
    assert_int_equal(sc_measure_remove_leftovers(NULL, NULL, NULL, NULL), SC_INVALID_ARGUMENT);
    static const double wrong_s[] = {-1, NAN, INFINITY, 0.01, 86401};
    for (size_t i = 0; i < SCI_COUNT(wrong_s); i++) {
        const sc_measure_params params = {.stall_s = wrong_s[i]};
        assert_int_equal(sc_measure_remove_leftovers(directory, &params, &found, NULL),
                         SC_INVALID_ARGUMENT);
    }
}

/* A parent that does not look at the end of its child does not keep that alive. */
static void a_process_that_ended_unseen_is_gone(void **state)
{
    siginfo_t seen;
    (void)state;
    assert_false(sci_os_process_ended(getpid()));
    pid_t child = fork();
    if (child == 0)
        _exit(0);
    assert_int_equal(waitid(P_PID, (id_t)child, &seen, WEXITED | WNOWAIT), 0);
    assert_int_equal(kill(child, 0), 0);
    assert_true(sci_os_process_ended(child));
    assert_int_equal(waitpid(child, NULL, 0), child);
    assert_true(sci_os_process_ended(child));
}

static void a_killed_run_is_found_by_the_next(void **state)
{
    sc_measure_params params = {.seconds = 1, .warm_up_s = 0.02, .max_readers = 1};
    sc_storage *storage = NULL;
    (void)state;
    pid_t child = fork();
    if (child == 0) {
        const sc_control none = {0};
        sci_test_data *data = NULL;
        create(32 * MIB, 0, &none, &data, NULL);
        raise(SIGKILL);
    }
    assert_int_equal(waitpid(child, NULL, 0), child);
    assert_int_equal(entries(directory), 4);
    int fd = open(at("clip"), O_CREAT | O_WRONLY, 0600);
    assert_int_equal(posix_fallocate(fd, 0, 8 << 20), 0);
    close(fd);
    assert_int_equal(sc_measure(directory, &params, &storage, NULL), SC_OK);
    const sc_finding *finding = find(storage, "leftover-test-data");
    assert_non_null(finding);
    assert_non_null(strstr(finding->message, "4 files"));
    sc_storage_free(&storage);
    assert_int_equal(sc_measure_remove_leftovers(directory, NULL, NULL, NULL), SC_OK);
    assert_int_equal(unlink(at("clip")), 0);
    assert_int_equal(entries(directory), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        /* Its child starts threads: it has to be made before there are others. */
        cmocka_unit_test(a_process_that_ended_unseen_is_gone),
        cmocka_unit_test(a_killed_run_is_found_by_the_next),
        cmocka_unit_test(noise_neither_repeats_nor_is_skewed),
        cmocka_unit_test(only_exact_names_are_ours),
        cmocka_unit_test(files_are_whole_private_marked_and_removed),
        cmocka_unit_test(two_sets_of_one_second_are_distinct),
        cmocka_unit_test(what_does_not_fit_is_refused_before_a_byte_is_written),
        cmocka_unit_test(an_error_while_writing_leaves_nothing),
        cmocka_unit_test(a_storage_that_answers_has_time_for_a_removal),
        cmocka_unit_test(data_is_removed_from_a_directory_that_moved),
        cmocka_unit_test(cancel_while_creating_leaves_nothing),
        cmocka_unit_test(an_empty_directory_is_measured_with_created_data),
        cmocka_unit_test(where_no_data_can_be_created_is_said),
        cmocka_unit_test(only_leftovers_are_found_and_removed),
    };
    return cmocka_run_group_tests(tests, make_directory, remove_directory);
}
