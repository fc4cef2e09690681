/* A read that is stuck outlasts the call that plays. */
#include "play/trial.h"
#include "test.h"

#include <stdlib.h>
#include <unistd.h>

enum { BLOCK_BYTES = 4096 };

struct store {
    int file;
    atomic_bool go;
    atomic_int released;
};

/* Opening a file of a server that is gone. */
static sc_status next_block(void *opaque, int32_t stream, sci_block *block, sc_error *error)
{
    struct store *store = opaque;
    (void)stream, (void)error;
    while (!atomic_load(&store->go))
        usleep(5000);
    block->fd = store->file;
    block->bytes = BLOCK_BYTES;
    block->path = "file";
    return SC_OK;
}

static void block_done(void *opaque, int32_t stream, sci_block *block, bool read)
{
    (void)opaque, (void)stream, (void)block, (void)read;
}

static void release(void *opaque)
{
    struct store *store = opaque;
    atomic_fetch_add(&store->released, 1);
}

static int open_store(void)
{
    static const unsigned char zeros[BLOCK_BYTES];
    char path[] = "/tmp/store.XXXXXX";
    const int file = mkstemp(path);
    assert_true(file >= 0);
    assert_int_equal(write(file, zeros, sizeof zeros), sizeof zeros);
    unlink(path);
    return file;
}

static void what_is_played_lives_as_long_as_its_last_read(void **state)
{
    (void)state;
    struct store store = {.file = open_store()};
    sc_demand demand;
    sc_player player = {0};
    sci_control control;
    sci_pacer_score scores[2];
    sci_trial_outcome outcome = {.scores = scores};
    assert_int_equal(sc_demand_parse("20kb/s@25", &demand, NULL), SC_OK);
    assert_int_equal(sc_player_resolve(&player, NULL), SC_OK);
    sci_script *script = sci_script_new(&demand, NULL), *seen = script;
    assert_non_null(script);
    const sci_trial_stream stream = {{script, 0}, 3 * BLOCK_BYTES, BLOCK_BYTES, 0};
    const sci_trial_stream streams[] = {stream, stream};
    const sci_trial_params params = {"file", player, streams, 2, 1, 0.2};
    const sci_read_source source = {&store, 1, next_block, block_done, release, NULL};
    sci_control_start(&control, NULL, "test");
    assert_int_equal(sci_trial_run(&params, &source, &control, &outcome, NULL), SC_STALLED);
    assert_int_equal(atomic_load(&store.released), 0);
    assert_int_equal(atomic_load(&seen->users), 3); /* ours, and one a stream */
    sci_script_release(&script);
    atomic_store(&store.go, true);
    for (int i = 0; i < 1000 && !atomic_load(&store.released); i++)
        usleep(5000);
    assert_int_equal(atomic_load(&store.released), 1);
    close(store.file);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_played_lives_as_long_as_its_last_read)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
