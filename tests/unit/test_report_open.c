#include "report_golden.h"

#include <sys/stat.h>
#include <unistd.h>

static const char *golden_path(char path[1024], const char *name)
{
    snprintf(path, 1024, "%s/report/%s", TEST_DATA_DIR, name);
    return path;
}

static void a_storage_is_a_rate_or_a_document(void **state)
{
    char path[1024];
    sc_storage *storage = NULL;
    (void)state;
    assert_int_equal(sc_storage_open("83MB/s", &storage, NULL), SC_OK);
    assert_true(storage->points[0].mean_bytes_per_s == 83e6);
    sc_storage_free(&storage);
    assert_int_equal(sc_storage_open(golden_path(path, "storage.json"), &storage, NULL), SC_OK);
    assert_string_equal(storage->path, "/mnt/nas/project");
    sc_storage_free(&storage);
    assert_int_equal(sc_storage_open(golden_path(path, "plan-whole.json"), &storage, NULL), SC_OK);
    assert_string_equal(storage->name, "83MB/s");
    sc_storage_free(&storage);
}

static void a_link_is_a_name_a_rate_or_a_document(void **state)
{
    char path[1024];
    sc_link link;
    (void)state;
    assert_int_equal(sc_link_open("437Mb/s", &link, NULL), SC_OK);
    assert_int_equal(link.payload_bits_per_s, 437000000);
    assert_int_equal(sc_link_open("10gbe,mtu=9000", &link, NULL), SC_OK);
    assert_int_equal(link.mtu_bytes, 9000);
    assert_int_equal(sc_link_open(golden_path(path, "network.json"), &link, NULL), SC_OK);
    assert_int_equal(link.payload_bits_per_s, 9900198059);
}

static void a_probe_is_a_document(void **state)
{
    char path[1024];
    sc_probe *probe = NULL;
    (void)state;
    assert_int_equal(sc_probe_open(golden_path(path, "probe.json"), &probe, NULL), SC_OK);
    assert_int_equal(probe->clip_count, 3);
    sc_probe_free(&probe);
    assert_int_equal(sc_probe_open(golden_path(path, "plan-whole.json"), &probe, NULL), SC_OK);
    assert_int_equal(probe->clip_count, 1);
    sc_probe_free(&probe);
}

static void expect_storage(const char *expression, sc_status status, const char *message)
{
    sc_storage *storage = (sc_storage *)1;
    sc_error error = {0};
    sc_status got = sc_storage_open(expression, &storage, &error);
    if (got != status || !strstr(error.message, message))
        fail_msg("'%s': status %d, message '%s'", expression ? expression : "NULL", got,
                 error.message);
    assert_null(storage);
    assert_int_equal(error.status, status);
}

static void wrong_expressions_say_what_may_stand_there(void **state)
{
    char path[1024];
    (void)state;
    expect_storage(NULL, SC_INVALID_ARGUMENT, "a storage is a rate with its unit (83MB/s)");
    expect_storage("", SC_INVALID_ARGUMENT, "a storage is a rate with its unit (83MB/s)");
    expect_storage("83", SC_INVALID_ARGUMENT, "unit");
    expect_storage("83MB", SC_NOT_FOUND, "no file '83MB'; a storage is a rate with its unit");
    expect_storage("nas.json", SC_NOT_FOUND, "no file 'nas.json'; a storage is a rate");
    expect_storage(TEST_DATA_DIR, SC_INVALID_ARGUMENT, "is a directory, not a saved document");
    expect_storage("/dev/zero", SC_INVALID_ARGUMENT, "is no regular file");
    expect_storage(golden_path(path, "network.json"), SC_INVALID_DATA,
                   "network.json: this is a streamcalc.network document, not a streamcalc.storage");
}

static void wrong_links_and_probes_too(void **state)
{
    sc_link link;
    sc_probe *probe = (sc_probe *)1;
    char path[1024];
    sc_error errors[4] = {0};
    (void)state;
    assert_int_not_equal(sc_link_open("11gbe", &link, &errors[0]), SC_OK);
    assert_non_null(strstr(errors[0].message, "11gbe"));
    assert_int_equal(sc_link_open("link.json", &link, &errors[1]), SC_NOT_FOUND);
    assert_non_null(strstr(errors[1].message, "a link is a name of the catalogue"));
    assert_int_equal(sc_probe_open("clips.json", &probe, &errors[2]), SC_NOT_FOUND);
    assert_non_null(strstr(errors[2].message, "no file 'clips.json'"));
    assert_null(probe);
    assert_int_equal(sc_probe_open(golden_path(path, "storage.json"), &probe, &errors[3]),
                     SC_INVALID_DATA);
    assert_string_equal(errors[3].path, path);
}

/* ---- files of every kind ---- */

static void expect_file(const char *content, size_t length, sc_status status, const char *message)
{
    char path[] = "/tmp/streamcalc-report-XXXXXX";
    int file = mkstemp(path);
    assert_true(file >= 0);
    assert_int_equal(write(file, content, length), length);
    close(file);
    expect_storage(path, status, message);
    unlink(path);
}

static void files_that_are_no_documents(void **state)
{
    static const char movie[] = "\0\0\0\x14"
                                "ftypqt  ";
    (void)state;
    expect_file("", 0, SC_INVALID_DATA, "it is empty");
    expect_file(movie, sizeof movie, SC_INVALID_DATA, "is no JSON document saved by streamcalc");
    expect_file("{\"schema\":", 10, SC_INVALID_DATA, "not valid JSON: line 1, column 10");
    expect_file(" \n{}", 4, SC_INVALID_DATA, "it has no \"schema\"");
}

static void a_file_that_is_too_big_is_not_read(void **state)
{
    char path[] = "/tmp/streamcalc-report-XXXXXX";
    int file = mkstemp(path);
    (void)state;
    assert_true(file >= 0);
    assert_int_equal(ftruncate(file, SC_DOCUMENT_BYTES_MAX + 1), 0);
    close(file);
    expect_storage(path, SC_LIMIT, "at most 200 MB");
    unlink(path);
}

static void a_pipe_without_a_writer_does_not_hang(void **state)
{
    char folder[] = "/tmp/streamcalc-report-XXXXXX", path[64];
    (void)state;
    assert_non_null(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/pipe", folder);
    assert_int_equal(mkfifo(path, 0600), 0);
    expect_storage(path, SC_INVALID_ARGUMENT, "is no regular file");
    unlink(path);
    rmdir(folder);
}

static void a_file_whose_name_is_a_number_is_a_file(void **state)
{
    char folder[] = "/tmp/streamcalc-report-XXXXXX", back[1024];
    (void)state;
    assert_non_null(getcwd(back, sizeof back));
    assert_non_null(mkdtemp(folder));
    assert_int_equal(chdir(folder), 0);
    FILE *file = fopen("2026", "w");
    assert_non_null(file);
    fputs("{}", file);
    fclose(file);
    expect_storage("2026", SC_INVALID_DATA, "it has no \"schema\"");
    unlink("2026");
    assert_int_equal(chdir(back), 0);
    rmdir(folder);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_storage_is_a_rate_or_a_document),
        cmocka_unit_test(a_link_is_a_name_a_rate_or_a_document),
        cmocka_unit_test(a_probe_is_a_document),
        cmocka_unit_test(wrong_expressions_say_what_may_stand_there),
        cmocka_unit_test(wrong_links_and_probes_too),
        cmocka_unit_test(files_that_are_no_documents),
        cmocka_unit_test(a_file_that_is_too_big_is_not_read),
        cmocka_unit_test(a_pipe_without_a_writer_does_not_hang),
        cmocka_unit_test(a_file_whose_name_is_a_number_is_a_file),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
