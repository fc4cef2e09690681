#include "play/search.h"
#include "play/session.h"

#include <stdlib.h>

static const double REST_S = 0.5; /* a client's read-ahead goes on for a while */

static int32_t others_of(const sci_session *session)
{
    int32_t others = 0;
    for (size_t i = 0; i < session->params.item_count; i++)
        if (i != session->params.vary)
            others += session->params.items[i].streams;
    return others;
}

static sc_status next_trial(sci_session *session, sci_search *search, sci_outcome *outcome,
                            sc_error *error)
{
    const sc_play_params *params = &session->params;
    const bool confirming = search->confirming;
    const double seconds = confirming ? params->seconds : params->trial_s;
    sc_status status = SC_OK;
    if (session->playback->trial_count > 0 && !sci_pause(&session->control, REST_S, -1))
        status = sci_fail(error, SC_CANCELLED, 0, "play", session->path, "cancelled");
    if (status == SC_OK)
        status = sci_session_play(session, search->next, seconds, outcome, error);
    if (status != SC_OK)
        return status;
    sci_search_tell(search, outcome->trial.sustained);
    return confirming || session->playback->stream_count == 0
               ? sci_session_report(session, outcome, error)
               : SC_OK;
}

static sc_status find_max(sci_session *session, sci_outcome *outcome, sc_error *error)
{
    const sc_play_params *params = &session->params;
    const int32_t others = others_of(session), most = session->most_streams - others;
    const int32_t wanted = params->items[params->vary].streams;
    sci_search search;
    sc_status status = SC_OK;
    if (most < 1)
        return sci_fail(error, SC_INVALID_ARGUMENT, 0, "play", session->path,
                        "the other streams leave no room for one of the item that is varied");
    sci_search_begin(&search, wanted < 1 ? 1 : wanted > most ? most : wanted, 1, most);
    while (status == SC_OK && !search.over)
        status = next_trial(session, &search, outcome, error);
    if (status != SC_OK)
        return status;
    session->playback->largest_sustained = search.held;
    session->limited = search.held == most && session->most_streams < params->max_streams;
    return status;
}

static sc_status play_given(sci_session *session, sci_outcome *outcome, sc_error *error)
{
    sc_status status = sci_session_play(session, SCI_AS_GIVEN, session->params.seconds, outcome,
                                        error);
    return status == SC_OK ? sci_session_report(session, outcome, error) : status;
}

/* What was complete when it was cancelled is worth having of a search alone: it then has trials. */
static sc_status run(const char *path, const sc_play_params *params, bool search,
                     sc_playback **playback, sc_error *error)
{
    sci_session session = {0};
    sci_outcome *outcome = calloc(1, sizeof *outcome);
    sc_error fault = {0};
    if (playback)
        *playback = NULL;
    sc_status status = outcome ? sci_session_open(&session, path, playback ? params : NULL, search,
                                                  &fault)
                               : sci_fail(&fault, SC_NO_MEMORY, 0, "play", path, "out of memory");
    if (status == SC_OK)
        status = search ? find_max(&session, outcome, &fault)
                        : play_given(&session, outcome, &fault);
    if (status == SC_OK || status == SC_CANCELLED)
        *playback = sci_session_result(&session, &fault);
    sci_error_keep(error, &fault);
    sci_session_close(&session);
    free(outcome);
    return status;
}

sc_status sc_play(const char *path, const sc_play_params *params, sc_playback **playback,
                  sc_error *error)
{
    return run(path, params, false, playback, error);
}

sc_status sc_play_find_max(const char *path, const sc_play_params *params, sc_playback **playback,
                           sc_error *error)
{
    return run(path, params, true, playback, error);
}

void sc_playback_free(sc_playback **playback)
{
    sci_result_free(playback);
}
