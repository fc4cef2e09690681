#include "play/script.h"

#include <math.h>
#include <stdlib.h>

/* A loop of equal frames, so that their rounding adds up to the rate. */
enum { EQUAL_FRAMES = 1000 };

static bool allocate(sci_script *script, size_t count)
{
    script->count = count;
    script->ends = calloc(count, sizeof *script->ends);
    script->due_s = calloc(count, sizeof *script->due_s);
    return script->ends && script->due_s;
}

bool sci_frames_are_sound(const sc_frames *frames)
{
    bool some = false;
    if (!frames || frames->count == 0)
        return true;
    for (size_t k = 0; k < frames->count; k++) {
        const double before_s = k ? frames->due_s[k - 1] : 0;
        if (frames->bytes[k] < 0 || !(frames->due_s[k] >= before_s))
            return false;
        some = some || frames->bytes[k] > 0;
    }
    return some && isfinite(frames->duration_s) &&
           frames->duration_s > frames->due_s[frames->count - 1];
}

static int64_t largest_of(const sci_script *script)
{
    int64_t largest = script->ends[0];
    for (size_t k = 1; k < script->count; k++)
        if (script->ends[k] - script->ends[k - 1] > largest)
            largest = script->ends[k] - script->ends[k - 1];
    return largest;
}

static bool take_frames(sci_script *script, const sc_frames *frames)
{
    int64_t bytes = 0;
    if (!allocate(script, frames->count))
        return false;
    for (size_t k = 0; k < frames->count; k++) {
        bytes += frames->bytes[k];
        script->ends[k] = bytes;
        script->due_s[k] = frames->due_s[k];
    }
    script->loop_s = frames->duration_s;
    return true;
}

static bool make_equal(sci_script *script, const sc_demand *demand)
{
    const double usual_frames_per_s = 25;
    const sc_rational rate = demand->frame_rate;
    const double frames_per_s = rate.num > 0 && rate.den > 0 ? (double)rate.num / (double)rate.den
                                                             : usual_frames_per_s;
    const double frame_bytes = (double)demand->bits_per_s / 8 / frames_per_s;
    if (!allocate(script, EQUAL_FRAMES))
        return false;
    for (size_t k = 0; k < EQUAL_FRAMES; k++) {
        script->ends[k] = (int64_t)llround((double)(k + 1) * frame_bytes);
        script->due_s[k] = (double)k / frames_per_s;
    }
    script->loop_s = EQUAL_FRAMES / frames_per_s;
    return true;
}

sci_script *sci_script_new(const sc_demand *demand, const sc_frames *frames)
{
    const bool kept = frames && frames->count > 0;
    sci_script *script = calloc(1, sizeof *script);
    if (!script)
        return NULL;
    atomic_store(&script->users, 1);
    if (kept ? take_frames(script, frames) : make_equal(script, demand))
        script->largest_bytes = largest_of(script);
    else
        sci_script_release(&script);
    return script;
}

sci_script *sci_script_share(sci_script *script)
{
    atomic_fetch_add(&script->users, 1);
    return script;
}

void sci_script_release(sci_script **script)
{
    if (*script && atomic_fetch_sub(&(*script)->users, 1) == 1) {
        free((*script)->ends);
        free((*script)->due_s);
        free(*script);
    }
    *script = NULL;
}

/* ---- a stream's view ---- */

/* Whole loops before a frame counted from the start of the loop, and the frame within its own. */
static int64_t split(const sci_script *script, int64_t frame, size_t *within)
{
    *within = (size_t)(frame % (int64_t)script->count);
    return frame / (int64_t)script->count;
}

static int64_t loop_bytes(const sci_script *script)
{
    return script->ends[script->count - 1];
}

static int64_t bytes_before_first(sci_script_place place)
{
    return place.first ? place.script->ends[place.first - 1] : 0;
}

double sci_script_due_s(sci_script_place place, int64_t frame)
{
    size_t within;
    const int64_t loops = split(place.script, frame + (int64_t)place.first, &within);
    return (double)loops * place.script->loop_s + place.script->due_s[within] -
           place.script->due_s[place.first];
}

int64_t sci_script_end(sci_script_place place, int64_t frame)
{
    size_t within;
    const int64_t loops = split(place.script, frame + (int64_t)place.first, &within);
    return loops * loop_bytes(place.script) + place.script->ends[within] -
           bytes_before_first(place);
}

int64_t sci_script_frame_at(sci_script_place place, int64_t byte)
{
    const sci_script *script = place.script;
    const int64_t at = byte + bytes_before_first(place);
    const int64_t loops = at / loop_bytes(script), within = at % loop_bytes(script);
    size_t low = 0, high = script->count - 1; /* the first frame that ends behind the byte */
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (script->ends[middle] > within)
            high = middle;
        else
            low = middle + 1;
    }
    return loops * (int64_t)script->count + (int64_t)low - (int64_t)place.first;
}
