/* What is to be said of what was played. */
#include "play/session.h"

static void review_sequence(sci_session *session, size_t item)
{
    const sc_frames *frames = session->params.items[item].frames;
    if (!frames || !frames->pattern)
        return;
    if (!session->pictures[item]) {
        sci_finding_add(&session->findings, "sequence-elsewhere", SC_SEVERITY_WARNING,
                        "%s is on another file system than %s: regions of the largest files were "
                        "read for its frames, and no file was opened for each",
                        frames->pattern, session->path);
        return;
    }
    const sci_pictures_state state = sci_pictures_look(session->pictures[item]);
    if (state.again > 0)
        sci_finding_add(&session->findings, "sequence-read-again", SC_SEVERITY_WARNING,
                        "%lld of the %lld frames read of %s had been read before: it is short for "
                        "so much playing, and a server or disk may have kept them in a cache of "
                        "its own",
                        (long long)state.again, (long long)state.opened, frames->pattern);
}

/* A read that is asked for late brings its frames late by as much at most: by no more than that they
   were. */
static void review_jitter(sci_session *session)
{
    const sc_playback *playback = session->playback;
    for (size_t i = 0; i < playback->trial_count; i++) {
        const sc_paced_run *trial = &playback->trials[i];
        if (trial->worst_lateness_s <= 0 || trial->jitter.max_s < trial->worst_lateness_s)
            continue;
        sci_finding_add(&session->findings, "player-late", SC_SEVERITY_WARNING,
                        "with %d streams this machine asked for reads up to %.3f s late, and no "
                        "frame was late by more than %.3f s: it may have been this machine, not "
                        "the storage",
                        (int)trial->streams, trial->jitter.max_s, trial->worst_lateness_s);
        return;
    }
}

void sci_session_review(sci_session *session)
{
    const sc_playback *playback = session->playback;
    const sc_storage_facts *facts = &session->prep->facts.shown;
    int64_t failed = 0;
    if (session->limited)
        sci_finding_add(
            &session->findings, "reader-limit", SC_SEVERITY_NOTE,
            "more than %d streams were not tried: so many reads in flight need too many "
            "threads or buffers",
            (int)session->most_streams);
    for (size_t i = 0; i < session->params.item_count; i++)
        review_sequence(session, i);
    review_jitter(session);
    for (size_t i = 0; i < playback->trial_count; i++)
        failed += playback->trials[i].failed_reads;
    if (failed > 0)
        sci_finding_add(
            &session->findings, "read-errors", SC_SEVERITY_PROBLEM,
            "%lld reads failed, and what they were to bring counts as late; the first: %s",
            (long long)failed, session->first_fault.message);
    if (facts->memory)
        sci_finding_add(&session->findings, "memory-filesystem", SC_SEVERITY_PROBLEM,
                        "%s lies in memory: no storage was played from", facts->mount_point);
    else if (facts->cache_below == 1)
        sci_finding_add(
            &session->findings, "cache-below", SC_SEVERITY_PROBLEM,
            "%s is or lies on a loop device without direct I/O, whose image this machine "
            "caches",
            facts->device);
    else if (!playback->cold)
        sci_finding_add(&session->findings, "not-proven-cold", SC_SEVERITY_WARNING,
                        "it could not be shown that the reads were cold: %s",
                        session->prep->way.reason);
}
