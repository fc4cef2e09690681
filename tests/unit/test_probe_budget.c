/* The memory that clips share: small ones need not wait, one large one always goes on, and files that
   count millions of samples take it one after the other. */
#include "clips.h"
#include "core/core.h"
#include "movies.h"
#include "probe/budget.h"

#include <streamcalc/probe.h>

#include <pthread.h>
#include <sys/resource.h>
#include <sys/wait.h>

enum { POOL = 10 << 20, FREE = SCI_SHARE_FREE_BYTES };

static const int64_t SOON_NS = 1000000;

static void small_clips_take_nothing_of_the_pool(void **state)
{
    sci_budget budget;
    sci_share shares[64];
    (void)state;
    sci_budget_open(&budget, POOL);
    for (size_t i = 0; i < SCI_COUNT(shares); i++) {
        shares[i] = (sci_share){.budget = &budget};
        assert_true(sci_share_take(&shares[i], FREE, 0));
    }
    assert_int_equal(budget.left, POOL);
    assert_null(budget.large);
    sci_budget_close(&budget);
}

static void the_pool_is_left_as_it_was(void **state)
{
    sci_budget budget;
    sci_share a = {.budget = &budget}, b = {.budget = &budget};
    (void)state;
    sci_budget_open(&budget, POOL);
    assert_true(sci_share_take(&a, FREE / 2, 0));
    assert_true(sci_share_take(&a, FREE, 0));
    assert_int_equal(budget.left, POOL - FREE / 2);
    assert_true(sci_share_take(&b, FREE + POOL / 2, 0));
    assert_int_equal(budget.left, POOL / 2 - FREE / 2);
    sci_share_give(&a, FREE);
    assert_int_equal(budget.left, POOL / 2);
    sci_share_give(&a, 10 * FREE);
    assert_int_equal(a.used, 0);
    sci_share_end(&b);
    assert_int_equal(budget.left, POOL);
    assert_null(budget.large);
    sci_budget_close(&budget);
}

static void one_large_clip_gets_all_it_wants(void **state)
{
    sci_budget budget;
    sci_share large = {.budget = &budget}, other = {.budget = &budget}, third = {.budget = &budget};
    (void)state;
    sci_budget_open(&budget, POOL);
    assert_true(sci_share_take(&large, FREE + POOL / 2, 0));
    assert_true(sci_share_take(&large, (size_t)100 * POOL, 0));
    assert_true(sci_share_take(&large, (size_t)100 * POOL, 0));
    assert_ptr_equal(budget.large, &large);
    assert_int_equal(budget.left, POOL); /* what it had of it is there for others */
    assert_true(sci_share_take(&other, FREE + POOL, 0));
    assert_false(sci_share_take(&other, 1, SOON_NS));
    assert_true(sci_share_waited_ns(&other) >= SOON_NS);
    assert_false(sci_share_take(&third, FREE + 1, SOON_NS));
    assert_true(sci_share_take(&third, FREE, 0));
    sci_share_end(&large);
    assert_true(sci_share_take(&other, POOL, 0));
    assert_ptr_equal(budget.large, &other);
    sci_share_end(&other);
    assert_int_equal(sci_share_waited_ns(&other), 0);
    sci_share_end(&third);
    assert_int_equal(budget.left, POOL);
    sci_budget_close(&budget);
}

static void nobody_waits_for_a_thread_that_was_left_behind(void **state)
{
    sci_budget budget;
    sci_share lost = {.budget = &budget}, other = {.budget = &budget};
    (void)state;
    sci_budget_open(&budget, POOL);
    assert_true(sci_share_take(&lost, FREE + POOL + 1, 0));
    assert_true(sci_share_take(&other, FREE + POOL, 0));
    assert_false(sci_share_take(&other, 1, SOON_NS));
    sci_share_lose(&lost);
    assert_true(sci_share_take(&other, 1, 0));
    assert_true(sci_share_take(&lost, POOL, 0));
    sci_share_end(&lost);
    sci_share_end(&other);
    assert_int_equal(budget.left, POOL);
    sci_budget_close(&budget);
}

/* ---- waiting ---- */

struct crowd {
    sci_budget budget;
    pthread_mutex_t lock;
    size_t taken, most;
    bool failed;
};

static void note_taken(struct crowd *crowd, size_t bytes)
{
    pthread_mutex_lock(&crowd->lock);
    crowd->taken += bytes;
    if (crowd->taken > crowd->most)
        crowd->most = crowd->taken;
    pthread_mutex_unlock(&crowd->lock);
}

enum { CLIPS = 100, STEPS = 12, STEP = 1 << 20 };

/* Clips that grow, each to more than the pool. */
static void *grow_and_end(void *opaque)
{
    struct crowd *crowd = opaque;
    sci_share share = {.budget = &crowd->budget};
    for (int clip = 0; clip < CLIPS; clip++) {
        size_t had = 0;
        for (int step = 0; step < STEPS + FREE / STEP; step++) {
            if (!sci_share_take(&share, STEP, INT64_C(60000000000)))
                crowd->failed = true;
            note_taken(crowd, STEP);
            had += STEP;
        }
        pthread_mutex_lock(&crowd->lock);
        crowd->taken -= had;
        pthread_mutex_unlock(&crowd->lock);
        sci_share_end(&share);
    }
    return NULL;
}

static void clips_that_grow_never_wait_for_each_other(void **state)
{
    enum { THREADS = 8 };
    pthread_t threads[THREADS];
    struct crowd crowd = {.lock = PTHREAD_MUTEX_INITIALIZER};
    (void)state;
    sci_budget_open(&crowd.budget, POOL);
    for (int i = 0; i < THREADS; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, grow_and_end, &crowd), 0);
    for (int i = 0; i < THREADS; i++)
        assert_int_equal(pthread_join(threads[i], NULL), 0);
    assert_false(crowd.failed);
    assert_int_equal(crowd.budget.left, POOL);
    assert_true(crowd.most <= POOL + THREADS * FREE + STEPS * STEP);
    sci_budget_close(&crowd.budget);
}

/* ---- whole files ---- */

enum { HOSTILE_FILES = 3, HOSTILE_SAMPLES = 5000000, HOSTILE_INDEX_BYTES = 320000 };

/* Some hundred kilobytes that count millions of samples of a byte. */
static void make_hostile(const char *path)
{
    struct movie movie = {0};
    movie_type(&movie);
    movie_header(&movie);
    movie_track(&movie, 1, "vide", "apcn");
    movie_times(&movie, HOSTILE_SAMPLES, MOVIE_TICKS_PER_S / 25);
    movie_runs(&movie, HOSTILE_SAMPLES);
    movie_sizes(&movie, 1, NULL, HOSTILE_SAMPLES);
    movie_chunks(&movie, (const uint32_t[]){64}, 1);
    movie_begin(&movie, "free");
    movie_zeroes(&movie, HOSTILE_INDEX_BYTES);
    movie_ends(&movie, 6);
    movie_save(&movie, path);
}

/* In a process of its own, whose peak is that of these files. */
static long peak_kilobytes(const char *const *paths, size_t count)
{
    struct rusage usage;
    int status;
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        sc_probe *probe = NULL;
        bool good = sc_probe_many(paths, count, NULL, &probe, NULL) == SC_OK;
        for (size_t i = 0; good && i < count; i++)
            good = probe->clips[i].error.status == SC_OK &&
                   probe->clips[i].tracks[0].packets == HOSTILE_SAMPLES;
        _exit(good ? 0 : 1);
    }
    assert_int_equal(wait4(child, &status, 0, &usage), child);
    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), 0);
    return usage.ru_maxrss;
}

#if defined(__SANITIZE_ADDRESS__)
#define SANITIZED
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define SANITIZED
#endif
#endif

static void large_files_take_no_more_together_than_alone(void **state)
{
    const char *paths[HOSTILE_FILES];
    char names[HOSTILE_FILES][32];
    (void)state;
#ifdef SANITIZED
    skip(); /* it keeps what was freed */
#endif
    for (int i = 0; i < HOSTILE_FILES; i++) {
        snprintf(names[i], sizeof names[i], "hostile%d.mov", i);
        paths[i] = clip_path(names[i]);
        make_hostile(paths[i]);
    }
    const long alone = peak_kilobytes(paths, 1), together = peak_kilobytes(paths, HOSTILE_FILES);
    print_message("%ld kB alone, %ld kB together\n", alone, together);
    assert_true(alone > HOSTILE_SAMPLES / 1000 * 32);
    assert_true(together < alone + alone / 4);
}

/* ---- a compressed index ---- */

static void an_index_that_claims_to_unpack_to_gigabytes_is_refused(void **state)
{
    const char *path = clip_path("unpacked.mov");
    struct movie movie = {0};
    sc_probe *probe = NULL;
    (void)state;
    movie_type(&movie);
    movie_begin(&movie, "moov");
    movie_begin(&movie, "cmov");
    movie_begin(&movie, "dcom");
    movie_put(&movie, "zlib", 4);
    movie_end(&movie);
    movie_begin(&movie, "cmvd");
    movie_32(&movie, 1 << 30);
    movie_zeroes(&movie, 1000);
    movie_ends(&movie, 3);
    movie_save(&movie, path);
    assert_int_equal(sc_probe_many(&path, 1, NULL, &probe, NULL), SC_INVALID_DATA);
    assert_non_null(strstr(probe->clips[0].error.message, "1073741824 bytes without compression"));
    sc_probe_free(&probe);
}

static int make_folder(void **state)
{
    (void)state;
    return mkdtemp(clips_folder) ? 0 : -1;
}

static int delete_folder(void **state)
{
    (void)state;
    return nftw(clips_folder, clip_delete, 16, FTW_DEPTH | FTW_PHYS);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(small_clips_take_nothing_of_the_pool),
        cmocka_unit_test(the_pool_is_left_as_it_was),
        cmocka_unit_test(one_large_clip_gets_all_it_wants),
        cmocka_unit_test(nobody_waits_for_a_thread_that_was_left_behind),
        cmocka_unit_test(clips_that_grow_never_wait_for_each_other),
        cmocka_unit_test(large_files_take_no_more_together_than_alone),
        cmocka_unit_test(an_index_that_claims_to_unpack_to_gigabytes_is_refused),
    };
    sc_probe_quiet_ffmpeg();
    return cmocka_run_group_tests(tests, make_folder, delete_folder);
}
