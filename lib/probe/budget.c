#include "probe/budget.h"

#include "core/core.h"

#include <time.h>

void sci_budget_open(sci_budget *budget, size_t pool_bytes)
{
    pthread_condattr_t attributes;
    *budget = (sci_budget){.left = pool_bytes};
    pthread_mutex_init(&budget->lock, NULL);
    pthread_condattr_init(&attributes);
    pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
    pthread_cond_init(&budget->freed, &attributes);
    pthread_condattr_destroy(&attributes);
}

void sci_budget_close(sci_budget *budget)
{
    pthread_cond_destroy(&budget->freed);
    pthread_mutex_destroy(&budget->lock);
}

/* ---- with the lock ---- */

static size_t pooled(size_t used)
{
    return used > SCI_SHARE_FREE_BYTES ? used - SCI_SHARE_FREE_BYTES : 0;
}

static bool is_outside(const sci_share *share)
{
    return share->lost || share->budget->large == share;
}

static void set_used(sci_share *share, size_t used)
{
    share->budget->left += pooled(share->used);
    share->budget->left -= pooled(used);
    share->used = used;
    pthread_cond_broadcast(&share->budget->freed);
}

static bool take_now(sci_share *share, size_t bytes)
{
    sci_budget *budget = share->budget;
    if (is_outside(share))
        return true;
    if (pooled(share->used + bytes) <= budget->left + pooled(share->used)) {
        set_used(share, share->used + bytes);
        return true;
    }
    if (budget->large)
        return false;
    set_used(share, 0);
    budget->large = share;
    return true;
}

static void put_back(sci_share *share)
{
    if (share->budget->large == share)
        share->budget->large = NULL;
    set_used(share, 0);
}

/* ---- a share ---- */

static struct timespec moment(int64_t ns)
{
    return (struct timespec){ns / 1000000000, ns % 1000000000};
}

bool sci_share_take(sci_share *share, size_t bytes, int64_t wait_ns)
{
    const int64_t start_ns = sci_now_ns();
    const struct timespec end = moment(start_ns + wait_ns);
    int late = 0;
    pthread_mutex_lock(&share->budget->lock);
    bool taken = take_now(share, bytes);
    while (!taken && late == 0) {
        late = pthread_cond_timedwait(&share->budget->freed, &share->budget->lock, &end);
        taken = take_now(share, bytes);
        if (taken || late)
            share->waited_ns += sci_now_ns() - start_ns;
    }
    pthread_mutex_unlock(&share->budget->lock);
    return taken;
}

void sci_share_give(sci_share *share, size_t bytes)
{
    pthread_mutex_lock(&share->budget->lock);
    if (!is_outside(share))
        set_used(share, bytes < share->used ? share->used - bytes : 0);
    pthread_mutex_unlock(&share->budget->lock);
}

void sci_share_end(sci_share *share)
{
    pthread_mutex_lock(&share->budget->lock);
    put_back(share);
    share->waited_ns = 0;
    pthread_mutex_unlock(&share->budget->lock);
}

void sci_share_lose(sci_share *share)
{
    pthread_mutex_lock(&share->budget->lock);
    put_back(share);
    share->lost = true;
    pthread_mutex_unlock(&share->budget->lock);
}

int64_t sci_share_waited_ns(const sci_share *share)
{
    pthread_mutex_lock(&share->budget->lock);
    const int64_t waited_ns = share->waited_ns;
    pthread_mutex_unlock(&share->budget->lock);
    return waited_ns;
}
