#include "play/pacer.h"

#include <math.h>
#include <stdlib.h>

static const double LATER_HALF = 0.5;

/* ---- what is read when ---- */

void sci_pacer_start(sci_pacer *pacer, const sci_pacer_params *params)
{
    *pacer = (sci_pacer){.params = *params, .frame_at_s = -INFINITY};
    sci_script_share(params->place.script);
    pacer->score.least_lead_s = INFINITY;
}

void sci_pacer_free(sci_pacer *pacer)
{
    free(pacer->arrivals);
    pacer->arrivals = NULL;
    sci_script_release(&pacer->params.place.script);
}

int64_t sci_pacer_wants(const sci_pacer *pacer)
{
    const sci_script_place place = pacer->params.place;
    if (pacer->params.player.mode != SC_READ_FRAME)
        return pacer->params.player.block_bytes;
    return sci_script_end(place, sci_script_frame_at(place, pacer->next_byte)) - pacer->next_byte;
}

/* On the grid that begins with the preroll, whatever was late before. */
static double due_s(const sci_pacer *pacer, int64_t frame)
{
    return pacer->params.start_s + pacer->params.player.preroll_s +
           sci_script_due_s(pacer->params.place, frame);
}

/* The buffer has room up to `to` when the frame that holds the byte so far before it is shown. */
static double room_s(const sci_pacer *pacer, int64_t to)
{
    const int64_t gone = to - pacer->params.buffer_bytes;
    return gone <= 0 ? pacer->params.start_s
                     : due_s(pacer, sci_script_frame_at(pacer->params.place, gone - 1));
}

static double later_half_s(const sci_pacer *pacer)
{
    const sci_pacer_params *params = &pacer->params;
    return params->start_s + (params->end_s - params->start_s) * LATER_HALF;
}

static bool make_room(sci_pacer *pacer)
{
    const size_t held = (size_t)(pacer->next_read - pacer->done_reads);
    if (held < pacer->capacity)
        return true;
    const size_t capacity = pacer->capacity ? pacer->capacity * 2 : 16;
    struct sci_arrival *grown = calloc(capacity, sizeof *grown);
    if (!grown)
        return false;
    for (int64_t i = pacer->done_reads; i < pacer->next_read; i++)
        grown[(size_t)i % capacity] = pacer->arrivals[(size_t)i % pacer->capacity];
    free(pacer->arrivals);
    pacer->arrivals = grown;
    pacer->capacity = capacity;
    return true;
}

bool sci_pacer_take(sci_pacer *pacer, int64_t bytes, double now_s, sci_pacer_read *read)
{
    if (!make_room(pacer))
        return false;
    *read = (sci_pacer_read){
        .number = pacer->next_read++, .from = pacer->next_byte, .to = pacer->next_byte + bytes};
    read->not_before_s = room_s(pacer, read->to);
    pacer->score.waits += now_s >= later_half_s(pacer) && read->not_before_s > now_s;
    pacer->arrivals[(size_t)read->number % pacer->capacity] = (struct sci_arrival){.to = read->to,
                                                                                   .at_s = NAN};
    pacer->next_byte = read->to;
    return true;
}

/* ---- what came when ---- */

/* A frame that is due at the very end is none of the run. */
static bool within(const sci_pacer *pacer, double due)
{
    const double rounding_s = 1e-6;
    return due < pacer->params.end_s - rounding_s;
}

static void judge(sci_pacer *pacer, double at_s, bool lost)
{
    sci_pacer_score *score = &pacer->score;
    const double due = due_s(pacer, pacer->frame), lead_s = due - at_s;
    pacer->frame++;
    if (!within(pacer, due))
        return;
    score->frames++;
    const bool late = lost || lead_s < 0;
    score->late_frames += late;
    score->stalls += late && !pacer->was_late;
    pacer->was_late = late;
    if (lost)
        return;
    score->worst_lateness_s = fmax(score->worst_lateness_s, -lead_s);
    score->least_lead_s = fmin(score->least_lead_s, lead_s);
    if (due >= later_half_s(pacer))
        sci_lead_add(&score->lead, due, lead_s);
}

/* All of the stream's bytes before those of this read are there, or lost. */
static void judge_up_to(sci_pacer *pacer, const struct sci_arrival *read)
{
    const int64_t to = read->to;
    pacer->frame_at_s = fmax(pacer->frame_at_s, read->at_s);
    pacer->frame_lost = pacer->frame_lost || read->lost;
    while (sci_script_end(pacer->params.place, pacer->frame) <= to) {
        judge(pacer, pacer->frame_at_s, pacer->frame_lost);
        /* The next frame begins in this read, or right behind it. */
        pacer->frame_at_s = read->at_s;
        pacer->frame_lost = read->lost;
    }
    if (pacer->frame > 0 && sci_script_end(pacer->params.place, pacer->frame - 1) == to) {
        pacer->frame_at_s = -INFINITY;
        pacer->frame_lost = false;
    }
}

static void settle(sci_pacer *pacer, int64_t number, double at_s, bool lost)
{
    struct sci_arrival *settled = &pacer->arrivals[(size_t)number % pacer->capacity];
    settled->at_s = at_s;
    settled->lost = lost;
    while (pacer->done_reads < pacer->next_read) {
        const struct sci_arrival
            *next = &pacer->arrivals[(size_t)pacer->done_reads % pacer->capacity];
        if (isnan(next->at_s))
            return;
        pacer->done_reads++;
        judge_up_to(pacer, next);
    }
}

void sci_pacer_arrived(sci_pacer *pacer, int64_t number, double at_s)
{
    settle(pacer, number, at_s, false);
}

void sci_pacer_lost(sci_pacer *pacer, int64_t number, double at_s)
{
    settle(pacer, number, at_s, true);
}

int64_t sci_pacer_overdue(const sci_pacer *pacer, double now_s, double *least_lead_s)
{
    int64_t frame = pacer->frame;
    *least_lead_s = pacer->score.least_lead_s;
    for (; within(pacer, due_s(pacer, frame)) && due_s(pacer, frame) < now_s; frame++)
        if (frame == pacer->frame)
            *least_lead_s = fmin(*least_lead_s, due_s(pacer, frame) - now_s);
    return frame - pacer->frame;
}

void sci_pacer_finish(sci_pacer *pacer, double now_s)
{
    while (within(pacer, due_s(pacer, pacer->frame)) && due_s(pacer, pacer->frame) <= now_s)
        judge(pacer, fmax(now_s, nextafter(due_s(pacer, pacer->frame), INFINITY)), false);
}
