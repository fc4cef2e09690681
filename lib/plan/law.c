#include "plan/plan.h"

#include <math.h>

static const double TOLERANCE = 0.05; /* as far as two runs of a steady store lie apart */
enum { REACH = 4, TERMS_MAX = 3 };

static const sci_name law_names[] = {{SC_LAW_NONE, "none"},
                                     {SC_LAW_FLAT, "flat"},
                                     {SC_LAW_LATENCY, "latency"},
                                     {SC_LAW_SEEK, "seek"},
                                     {SC_LAW_CONTENTION, "contention"},
                                     {SC_LAW_COHERENCY, "coherency"}};

const char *sc_supply_law_name(sc_supply_law law)
{
    const char *name = sci_name_of(law_names, SCI_COUNT(law_names), (int)law);
    return name ? name : "none";
}

sc_supply_law sc_supply_law_from_name(const char *name)
{
    return (sc_supply_law)sci_value_of(law_names, SCI_COUNT(law_names), name, SC_LAW_NONE);
}

/* ---- one law: n / X(n) is a sum of terms ---- */

static double term(int i, double n)
{
    const double terms[TERMS_MAX] = {1, n - 1, n * (n - 1)};
    return terms[i];
}

static double law_bytes_per_s(const double weights[TERMS_MAX], double n)
{
    double sum = 0;
    for (int i = 0; i < TERMS_MAX; i++)
        sum += weights[i] * term(i, n);
    return n / sum;
}

/* Row by row, without a pivot: the matrix of a least squares is positive. */
static void eliminate(double rows[TERMS_MAX][TERMS_MAX + 1], int terms, double weights[TERMS_MAX])
{
    for (int k = 0; k < terms; k++)
        for (int i = k + 1; i < terms; i++) {
            const double factor = rows[i][k] / rows[k][k];
            for (int j = k; j <= TERMS_MAX; j++)
                rows[i][j] -= factor * rows[k][j];
        }
    for (int i = terms - 1; i >= 0; i--) {
        weights[i] = rows[i][TERMS_MAX];
        for (int j = i + 1; j < terms; j++)
            weights[i] -= rows[i][j] * weights[j];
        weights[i] /= rows[i][i];
    }
}

/* The first so many terms by least squares of the relative errors of the first so many points. False
   where no such law has them: a term that speeds readers up, or points that are all alike. */
static bool fit(const sc_storage *storage, size_t count, int terms, double weights[TERMS_MAX])
{
    double rows[TERMS_MAX][TERMS_MAX + 1] = {0};
    for (size_t p = 0; p < count; p++) {
        const double n = storage->points[p].readers;
        const double rate = storage->points[p].mean_bytes_per_s / n;
        for (int i = 0; i < terms; i++) {
            for (int j = 0; j < terms; j++)
                rows[i][j] += term(i, n) * rate * term(j, n) * rate;
            rows[i][TERMS_MAX] += term(i, n) * rate;
        }
    }
    for (int i = 0; i < TERMS_MAX; i++)
        weights[i] = 0;
    eliminate(rows, terms, weights);
    for (int i = 0; i < terms; i++)
        if (!(weights[i] >= 0 && isfinite(weights[i])))
            return false;
    return weights[0] > 0;
}

static bool is_near(const sc_storage *storage, const double weights[TERMS_MAX])
{
    for (size_t p = 0; p < storage->point_count; p++) {
        const sc_supply_point *point = &storage->points[p];
        const double error = law_bytes_per_s(weights, point->readers) - point->mean_bytes_per_s;
        if (!(fabs(error) <= TOLERANCE * point->mean_bytes_per_s))
            return false;
    }
    return true;
}

/* ---- the law of a storage ---- */

/* Within 5 % over two doublings. */
static bool is_flat(const sc_storage *storage)
{
    double low = HUGE_VAL, high = 0;
    int32_t last = storage->points[storage->point_count - 1].readers;
    size_t i = storage->point_count;
    while (i-- > 0) {
        const sc_supply_point *point = &storage->points[i];
        low = fmin(low, point->mean_bytes_per_s);
        high = fmax(high, point->mean_bytes_per_s);
        if ((int64_t)point->readers * 4 <= last)
            return low >= (1 - TOLERANCE) * high && high > 0;
    }
    return false;
}

/* Of two terms b / (b/R + (1 - 1/n) t) falls from one reader on, Gunther's law without coherency
   rises. */
static sc_supply_law name_terms(const double weights[TERMS_MAX], int terms)
{
    if (terms == 1)
        return SC_LAW_LATENCY;
    if (terms == 2)
        return weights[1] >= weights[0] ? SC_LAW_SEEK : SC_LAW_CONTENTION;
    return SC_LAW_COHERENCY;
}

/* With fewer points it cannot be told from one of three terms that is near its top. */
static bool is_told(sc_supply_law law, size_t before)
{
    return law != SC_LAW_CONTENTION || before > TERMS_MAX;
}

/* The fewest terms that foretell the last doubling from the points before it, which must be more
   than the terms, and that have all points when they are fitted to all of them. */
static sc_supply_law find_terms(const sc_storage *storage, double weights[TERMS_MAX])
{
    const int64_t last = storage->points[storage->point_count - 1].readers;
    size_t before = 0;
    while ((int64_t)storage->points[before].readers * 2 <= last)
        before++;
    for (int terms = 1; terms <= TERMS_MAX && before > (size_t)terms; terms++)
        if (fit(storage, before, terms, weights) && is_near(storage, weights) &&
            fit(storage, storage->point_count, terms, weights) && is_near(storage, weights) &&
            is_told(name_terms(weights, terms), before))
            return name_terms(weights, terms);
    return SC_LAW_NONE;
}

sci_law sci_law_find(const sc_storage *storage)
{
    const sc_supply_point *last = &storage->points[storage->point_count - 1];
    sci_law law = {.last = last->readers, .reach = SCI_STREAMS_MAX, .part = 1};
    if (is_flat(storage)) {
        law.kind = SC_LAW_FLAT;
        return law;
    }
    law.kind = find_terms(storage, law.weights);
    law.reach = law.kind == SC_LAW_NONE ? law.last : law.last * REACH;
    if (law.kind != SC_LAW_NONE)
        law.part = fmin(1, law_bytes_per_s(law.weights, law.last) / last->mean_bytes_per_s);
    return law;
}

double sci_law_part(const sci_law *law, int64_t n, bool *capped)
{
    const double change = law->kind == SC_LAW_FLAT ? 1
                                                   : law_bytes_per_s(law->weights, (double)n) /
                                                         law_bytes_per_s(law->weights, law->last);
    *capped = change > 1 + TOLERANCE;
    return law->part * fmin(1, change);
}

/* ---- in the plan ---- */

static int64_t most_streams(const sc_plan *plan)
{
    int64_t most = plan->mix.streams;
    for (size_t i = 0; i < plan->answer_count; i++) {
        const sc_answer *answer = &plan->answers[i];
        most = answer->safe > most ? answer->safe : most;
        most = answer->expected > most ? answer->expected : most;
    }
    for (size_t i = 0; i < plan->mix.part_count; i++) {
        const sc_mix_part *part = &plan->mix.parts[i];
        const int64_t more = part->more > part->more_expected ? part->more : part->more_expected;
        most = plan->mix.streams + more > most ? plan->mix.streams + more : most;
    }
    return most;
}

bool sci_plan_add_law(sc_plan *plan, const sci_law *law, sci_findings *findings)
{
    static const char *const texts[] = {
        [SC_LAW_FLAT] = "stay as flat as it was up to there",
        [SC_LAW_LATENCY] = "stay as it was there at least: it grew with the number of readers",
        [SC_LAW_SEEK] = "go on falling as that of a disk that seeks from reader to reader",
        [SC_LAW_CONTENTION] = "stay as it was there at least: it grew, if ever less",
        [SC_LAW_COHERENCY] = "follow Gunther's scalability law, and not to grow"};
    const int64_t most = most_streams(plan);
    plan->law = law->kind;
    if (law->kind == SC_LAW_NONE || most <= law->last)
        return true;
    const bool far = most > law->last * REACH;
    return sci_finding_add(findings, "extrapolated", far ? SC_SEVERITY_WARNING : SC_SEVERITY_NOTE,
                           "beyond %d readers, the most that were measured, throughput is taken to "
                           "%s%s",
                           (int)law->last, texts[law->kind],
                           far ? "; counts above four times as many stand on nothing else" : "");
}
