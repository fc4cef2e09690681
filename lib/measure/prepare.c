#include "measure/prepare.h"

#include "io/watchdog.h"
#include "measure/leftovers.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static void preparation_free(void *opaque)
{
    sci_preparation *prep = opaque;
    sci_extents_clear(&prep->extents);
    sci_arena_free(&prep->arena);
    free(prep->path);
    free(prep->real_path);
    free(prep);
}

static sc_status find_facts(sci_preparation *prep)
{
    sci_os_info info;
    int os_errno = sci_os_stat(prep->path, &info);
    if (!os_errno && !info.regular && !info.directory)
        return sci_fail(&prep->error, SC_UNSUPPORTED, 0, "measure.open", prep->path,
                        "%s is neither a file nor a directory", prep->path);
    if (!os_errno) {
        prep->real_path = realpath(prep->path, NULL);
        os_errno = prep->real_path ? 0 : errno;
    }
    if (os_errno)
        return sci_fail(&prep->error, sci_status_from_errno(os_errno), os_errno, "measure.open",
                        prep->path, "cannot measure %s", prep->path);
    sc_status status = sci_facts_read(&sci_facts_system, &info, prep->real_path, prep->arena,
                                      &prep->facts, &prep->error);
    int64_t free_bytes;
    if (status == SC_OK && sci_os_free_bytes(prep->real_path, &free_bytes) == 0)
        prep->facts.shown.free_bytes = free_bytes;
    return status;
}

/* Created data stands in the extents already. */
static sc_status find_files(sci_preparation *prep, sci_guard *guard)
{
    sci_os_info info;
    if (sci_os_stat(prep->real_path, &info) == 0 && info.directory &&
        sci_leftovers_find(prep->real_path, false, guard, &prep->leftovers, NULL) != SC_OK)
        prep->leftovers = (sc_leftovers){0}; /* what cannot be listed the next step reports */
    if (prep->extents.file_count > 0)
        return SC_OK;
    return sci_extents_find(&prep->extents, prep->real_path, guard, &prep->error);
}

static sc_status cut(sci_preparation *prep)
{
    sc_status status = sci_extents_cut(&prep->extents, prep->block_bytes, prep->max_readers,
                                       &prep->error);
    prep->notes = prep->extents.notes;
    return status;
}

/* The way is found with a file of the regions, and how long those are to be follows from the way. */
static sc_status choose_way(sci_preparation *prep)
{
    const sci_test_file *file = &prep->extents.files[prep->extents.regions[0].file];
    sc_status status = sci_cache_choose(file->path, file->bytes, prep->block_bytes, prep->cache,
                                        &prep->way, &prep->error);
    const int64_t read_ahead_bytes = prep->facts.shown.read_ahead_bytes;
    if (status != SC_OK || prep->way.mode == SC_CACHE_DIRECT)
        return status;
    prep->extents.read_ahead_bytes = read_ahead_bytes > 0 ? read_ahead_bytes : 0;
    return cut(prep);
}

static void run_preparation(void *opaque, sci_guard *guard)
{
    sci_preparation *prep = opaque;
    prep->status = find_facts(prep);
    sci_guard_alive(guard);
    if (prep->status == SC_OK)
        prep->status = find_files(prep, guard);
    if (prep->status == SC_OK)
        prep->status = cut(prep);
    if (prep->status == SC_OK && sci_guard_alive(guard))
        prep->status = choose_way(prep);
}

/* Where the call leaves it open the player decides. */
static sc_cache_mode cache_for(const sc_player *player, sc_cache_mode asked)
{
    return asked == SC_CACHE_AUTO && player->io == SC_IO_BUFFERED ? SC_CACHE_DROPPED : asked;
}

static sci_preparation *preparation_new(const sci_prepare_params *params)
{
    sci_preparation *prep = calloc(1, sizeof *prep);
    if (!prep)
        return NULL;
    prep->path = strdup(params->path);
    prep->arena = sci_arena_new();
    prep->block_bytes = params->player.block_bytes;
    prep->max_readers = params->max_readers;
    prep->cache = cache_for(&params->player, params->cache);
    if (prep->path && prep->arena &&
        (!params->created || sci_test_data_extents(params->created, params->part, &prep->extents)))
        return prep;
    preparation_free(prep);
    return NULL;
}

sc_status sci_prepare(const sci_prepare_params *params, sci_control *control,
                      sci_preparation **prepared, sc_error *error)
{
    const sci_guarded work = {run_preparation, preparation_free,    "measure.open",
                              params->path,    "opening the files", params->stall_s};
    sci_preparation *prep = preparation_new(params);
    if (!prep)
        return sci_fail(error, SC_NO_MEMORY, 0, "measure.open", params->path, "out of memory");
    sc_status status = sci_guarded_run(&work, prep, control, 0, error);
    if (status != SC_OK)
        return status;
    if (prep->status != SC_OK) {
        status = sci_error_keep(error, &prep->error);
        preparation_free(prep);
        return status;
    }
    *prepared = prep;
    return SC_OK;
}

void sci_preparation_free(sci_preparation **prep)
{
    if (*prep)
        preparation_free(*prep);
    *prep = NULL;
}
