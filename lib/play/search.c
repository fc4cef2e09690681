#include "play/search.h"

void sci_search_begin(sci_search *search, int32_t start, int32_t least, int32_t most)
{
    *search = (sci_search){.least = least,
                           .most = most,
                           .next = start,
                           .step = 1,
                           .held = least - 1,
                           .failed = most + 1};
}

static int32_t within(const sci_search *search, int32_t value)
{
    return value < search->least ? search->least : value > search->most ? search->most : value;
}

/* Outwards from the start by steps that double, until both sides are known; then between them. */
static int32_t between(sci_search *search, bool sustained)
{
    const bool open_above = search->failed > search->most && search->held >= search->least;
    const bool open_below = search->held < search->least;
    if (!open_above && !open_below)
        return search->held + (search->failed - search->held) / 2;
    const int32_t next = within(search, search->next + (sustained ? search->step : -search->step));
    search->step *= 2;
    return next;
}

static void narrow(sci_search *search)
{
    if (search->failed - search->held > 1)
        return;
    search->over = search->held < search->least;
    search->confirming = true;
    search->next = search->held;
}

static void tell_confirmation(sci_search *search, bool sustained)
{
    if (sustained) {
        search->over = true;
        return;
    }
    search->failed = search->held;
    search->held--;
    narrow(search);
}

void sci_search_tell(sci_search *search, bool sustained)
{
    if (search->confirming) {
        tell_confirmation(search, sustained);
        return;
    }
    if (sustained)
        search->held = search->next;
    else
        search->failed = search->next;
    search->next = between(search, sustained);
    narrow(search);
}
