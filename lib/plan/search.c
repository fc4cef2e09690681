#include "plan/plan.h"

int64_t sci_largest(sci_holds_fn holds, void *data, int64_t near, int64_t most)
{
    int64_t yes = 0, no = most + 1, step = 1;
    int64_t n = near < 1 ? 1 : near > most ? most : near;
    while (no - yes > 1) {
        const bool held = holds(data, n);
        *(held ? &yes : &no) = n;
        const bool open = held ? no > most : yes == 0;
        n = !open ? yes + (no - yes) / 2 : held ? yes + step : no - step;
        n = n <= yes ? yes + 1 : n >= no ? no - 1 : n;
        step *= 2;
    }
    return yes;
}

/* ---- of streams that need the same ---- */

/* Streams beyond those that were looked at one by one. */
struct beyond {
    const sci_mix *mix;
    int64_t from;
};

static bool holds_beyond(void *data, int64_t more)
{
    const struct beyond *beyond = data;
    return sci_mix_holds_at(beyond->mix, beyond->from + more, NULL);
}

/* Up to the last measured point each n is looked at, for supply may fall and rise there. Behind it supply never rises, so a constraint that is broken
   once stays broken, and halving finds the edge. */
int64_t sci_mix_largest(const sci_mix *mix, sci_breach *breach)
{
    struct beyond beyond = {mix, 0};
    const int64_t measured = sci_supply_measured(&mix->supply);
    while (beyond.from < measured && sci_mix_holds_at(mix, beyond.from + 1, breach))
        beyond.from++;
    const int64_t holds = beyond.from +
                          sci_largest(holds_beyond, &beyond, 1, SCI_STREAMS_MAX - beyond.from);
    if (holds < SCI_STREAMS_MAX)
        sci_mix_holds_at(mix, holds + 1, breach);
    return holds;
}
