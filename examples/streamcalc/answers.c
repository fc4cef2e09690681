#include "answers.h"

#include "table.h"
#include "text.h"

#include <stdlib.h>
#include <string.h>

struct answer_row {
    const sc_demand *demand;
    const sc_answer *answer; /* NULL: not planned */
    const char *section;
};

static const sc_answer *answer_at(const sc_plan *plan, size_t i)
{
    return plan && i < plan->answer_count ? &plan->answers[i] : NULL;
}

/* ---- headline ---- */

/* "rate: 117 of 118 MB/s of the link", without a full stop. */
static const char *limit_text(const sc_answer *answer)
{
    if (answer->limit.text && *answer->limit.text)
        return answer->limit.text;
    return sc_limit_kind_name(answer->limit.kind);
}

/* The gravest reason for a count that is not known, with what to do about it. */
static void describe_unknown(const sc_plan *plan, char *text, size_t size)
{
    snprintf(text, size, "the notes below say why");
    for (size_t i = 0; i < plan->finding_count; i++)
        if (plan->findings[i].severity == SC_SEVERITY_PROBLEM) {
            snprintf(text, size, "%s (--trust counts all the same)", plan->findings[i].message);
            return;
        }
}

/* The answer that the headline is about; NULL where the first row is one of a family. */
static const sc_answer *headline_answer(const struct wanted *wanted, const sc_plan *plan)
{
    return wanted->count && !wanted->notes[0].family ? answer_at(plan, 0) : NULL;
}

static void print_clean(FILE *out, int width, const char *first, const char *line)
{
    char clean[3 * 4096];
    text_wrap(out, width, first, text_clean(line, clean, sizeof clean));
}

void answers_print_headline(FILE *out, int width, const struct wanted *wanted, const sc_plan *plan,
                            const char *place)
{
    const sc_answer *answer = headline_answer(wanted, plan);
    char line[4096], reason[2048];
    if (!plan || wanted->count == 0)
        return;
    if (!answer) {
        snprintf(
            line, sizeof line,
            "How many streams play from %s depends on the format: %zu of them have a row each below.",
            place, wanted->count);
        print_clean(out, width, "", line);
        return;
    }
    describe_unknown(plan, reason, sizeof reason);
    long long safe = answer->safe;
    const char *plural = safe == 1 ? "stream" : "streams";
    if (answer->safe == SC_UNKNOWN)
        snprintf(line, sizeof line, "How many streams of %s play from %s is not known: %s.",
                 answer->format, place, reason);
    else if (answer->at_least)
        snprintf(
            line, sizeof line,
            "You can play at least %lld %s of %s from %s; the measurement ended before anything "
            "stopped the next one.",
            safe, plural, answer->format, place);
    else if (safe == 0)
        snprintf(line, sizeof line, "Not even one stream of %s plays safely from %s: %s.",
                 answer->format, place, limit_text(answer));
    else
        snprintf(line, sizeof line,
                 "You can play %lld %s of %s from %s; the %lld%s is stopped by %s.", safe, plural,
                 answer->format, place, safe + 1, text_ordinal(safe + 1), limit_text(answer));
    print_clean(out, width, "", line);
}

/* ---- requirement ---- */

/* The gravest verdict on any format is the verdict on all. */
enum verdict { VERDICT_MET, VERDICT_UNMEASURED, VERDICT_UNKNOWN, VERDICT_MISSED };

static enum verdict judge(const sc_answer *answer, int64_t require)
{
    if (answer->safe == SC_UNKNOWN)
        return VERDICT_UNKNOWN;
    if (answer->safe >= require)
        return VERDICT_MET;
    return answer->at_least ? VERDICT_UNMEASURED : VERDICT_MISSED;
}

/* The formats of one verdict with their counts, "DNxHR HQX 3840x2160 25 (2)", the first few. */
static void list_formats(const sc_plan *plan, enum verdict verdict, char *list, size_t size)
{
    enum { MOST = 4 };
    size_t count = 0, used = 0;
    *list = '\0';
    for (size_t i = 0; i < plan->answer_count; i++) {
        const sc_answer *answer = &plan->answers[i];
        char safe[32] = "";
        if (judge(answer, plan->require) != verdict || ++count > MOST)
            continue;
        if (answer->safe != SC_UNKNOWN)
            snprintf(safe, sizeof safe, " (%lld)", (long long)answer->safe);
        snprintf(list + used, size - used, "%s%s%s", used ? ", " : "", answer->format, safe);
        used = strlen(list);
    }
    if (count > MOST)
        snprintf(list + used, size - used, " and %zu more", count - MOST);
}

/* ">=8": the least of the counts that ended with the measurement. */
static void least_measured(const sc_plan *plan, char *text, size_t size)
{
    int64_t least = plan->require;
    for (size_t i = 0; i < plan->answer_count; i++)
        if (judge(&plan->answers[i], plan->require) == VERDICT_UNMEASURED)
            least = plan->answers[i].safe < least ? plan->answers[i].safe : least;
    snprintf(text, size, ">=%lld", (long long)least);
}

void answers_print_requirement(FILE *out, int width, const sc_plan *plan)
{
    static const struct {
        const char *before, *behind;
    } words[] = {[VERDICT_MET] = {"met", ""},
                 [VERDICT_UNMEASURED] = {"not shown: ", " is all that was measured"},
                 [VERDICT_UNKNOWN] = {"not shown: no count for ", ""},
                 [VERDICT_MISSED] = {"not met by ", ""}};
    enum verdict worst = VERDICT_MET;
    char list[1024] = "", line[2048];
    if (!plan || plan->require <= 0)
        return;
    for (size_t i = 0; i < plan->answer_count; i++) {
        enum verdict verdict = judge(&plan->answers[i], plan->require);
        worst = verdict > worst ? verdict : worst;
    }
    if (worst == VERDICT_UNMEASURED)
        least_measured(plan, list, sizeof list);
    else if (worst != VERDICT_MET)
        list_formats(plan, worst, list, sizeof list);
    snprintf(line, sizeof line, "requirement: %lld stream%s of every format: %s%s%s",
             (long long)plan->require, plan->require == 1 ? "" : "s", words[worst].before, list,
             words[worst].behind);
    print_clean(out, width, "", line);
}

/* ---- table ---- */

static void cell_format(const void *row, char *cell, size_t size)
{
    snprintf(cell, size, "%s", ((const struct answer_row *)row)->demand->name);
}

static void cell_megabits(const void *row, char *cell, size_t size)
{
    text_number((double)((const struct answer_row *)row)->demand->bits_per_s / 1e6, cell, size);
}

static void cell_megabytes(const void *row, char *cell, size_t size)
{
    text_number((double)((const struct answer_row *)row)->demand->bits_per_s / 8e6, cell, size);
}

static void print_count(char *cell, size_t size, int64_t count, bool at_least)
{
    if (count == SC_UNKNOWN)
        snprintf(cell, size, "-");
    else
        snprintf(cell, size, "%s%lld", at_least ? ">=" : "", (long long)count);
}

static void cell_safe(const void *row, char *cell, size_t size)
{
    const sc_answer *answer = ((const struct answer_row *)row)->answer;
    print_count(cell, size, answer ? answer->safe : SC_UNKNOWN, answer && answer->at_least);
}

static void cell_expected(const void *row, char *cell, size_t size)
{
    const sc_answer *answer = ((const struct answer_row *)row)->answer;
    print_count(cell, size, answer ? answer->expected : SC_UNKNOWN, answer && answer->at_least);
}

static void cell_naive(const void *row, char *cell, size_t size)
{
    const sc_answer *answer = ((const struct answer_row *)row)->answer;
    print_count(cell, size, answer ? answer->naive : SC_UNKNOWN, false);
}

static void cell_limit(const void *row, char *cell, size_t size)
{
    const sc_answer *answer = ((const struct answer_row *)row)->answer;
    bool bound = answer && answer->limit.kind != SC_LIMIT_NONE;
    snprintf(cell, size, "%s", bound ? limit_text(answer) : "-");
}

static void cell_limit_kind(const void *row, char *cell, size_t size)
{
    const sc_answer *answer = ((const struct answer_row *)row)->answer;
    bool bound = answer && answer->limit.kind != SC_LIMIT_NONE;
    snprintf(cell, size, "%s", bound ? sc_limit_kind_name(answer->limit.kind) : "-");
}

static const char *section_of(const void *row)
{
    return ((const struct answer_row *)row)->section;
}

static const table_column columns[] = {
    {"format", false, cell_format, NULL, 3, false},
    {"Mb/s", true, cell_megabits, NULL, 2, false},
    {"MB/s", true, cell_megabytes, NULL, 1, false},
    {"safe", true, cell_safe, NULL, 3, false},
    {"expected", true, cell_expected, NULL, 2, true},
    {"naive", true, cell_naive, NULL, 2, false},
    {"stopped by", false, cell_limit, cell_limit_kind, 3, false}};

/* Headings only where there is more than one kind of rows, or where clips were counted. */
static const char *section_name(const struct wanted *wanted, size_t i, const char *found)
{
    switch (wanted->notes[i].origin) {
    case WANTED_FOUND:
        return found;
    case WANTED_USUAL:
        return "usual formats";
    default:
        return wanted->notes[0].origin != WANTED_ASKED ||
                       wanted->notes[wanted->count - 1].origin != WANTED_ASKED
                   ? "asked for"
                   : "";
    }
}

void answers_print_table(FILE *out, int width, const struct wanted *wanted, const sc_plan *plan)
{
    enum { MOST_FOUND = 20 };
    size_t count = 0, found_count = 0;
    char found[64];
    struct answer_row *rows = calloc(wanted->count + 1, sizeof *rows);
    if (!rows) {
        fprintf(out, "%s\n", sc_status_text(SC_NO_MEMORY));
        return;
    }
    snprintf(found, sizeof found, "found here (%zu clip%s)", wanted->clip_count,
             wanted->clip_count == 1 ? "" : "s");
    for (size_t i = 0; i < wanted->count; i++)
        if (wanted->notes[i].origin != WANTED_FOUND || ++found_count <= MOST_FOUND)
            rows[count++] = (struct answer_row){&wanted->demands[i], answer_at(plan, i),
                                                section_name(wanted, i, found)};
    text_table table = {columns, COUNT_OF(columns), rows, sizeof *rows, count, section_of};
    table_print(out, &table, width);
    if (found_count > MOST_FOUND)
        fprintf(out, "%zu more formats were found; --json lists them all\n",
                found_count - MOST_FOUND);
    free(rows);
}

/* ---- details ---- */

static const char *base_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash && slash[1] ? slash + 1 : path;
}

/* "9 clips, the most demanding is A003.mov"; empty for what was not found. A single clip is named
   only where there is more to say of it. */
static void describe_clips(const struct wanted *wanted, size_t i, char *text, size_t size)
{
    size_t clips = wanted->notes[i].clips;
    if (clips > 1)
        snprintf(text, size, "%zu clips, the most demanding is %s", clips,
                 base_name(wanted->demands[i].clip));
    else if (clips == 1)
        snprintf(text, size, "%s", base_name(wanted->demands[i].clip));
}

/* "the 8th stream is stopped by ..."; empty where nothing stops it, where the headline said it, and
   where the table says enough. */
static void describe_limit(const struct wanted *wanted, size_t i, const sc_answer *answer,
                           char *text, size_t size)
{
    if ((i == 0 && !wanted->notes[0].family) || !answer || answer->safe == SC_UNKNOWN ||
        answer->limit.kind == SC_LIMIT_NONE)
        return;
    if (answer->limit.kind == SC_LIMIT_RATE && wanted->notes[i].origin != WANTED_FOUND)
        return;
    long long next = (long long)answer->safe + 1;
    snprintf(text, size, "the %lld%s stream is stopped by %s", next, text_ordinal(next),
             limit_text(answer));
}

static void print_format_detail(FILE *out, int width, const struct wanted *wanted, size_t i,
                                const sc_answer *answer)
{
    char clips[2 * SC_PATH_MAX] = "", limit[1024] = "", line[4096];
    describe_clips(wanted, i, clips, sizeof clips);
    describe_limit(wanted, i, answer, limit, sizeof limit);
    if (wanted->notes[i].clips < 2 && !*limit)
        return;
    snprintf(line, sizeof line, "%s: %s%s%s", wanted->demands[i].name, clips,
             *clips && *limit ? "; " : "", limit);
    print_clean(out, width, "  ", line);
}

void answers_print_headroom(FILE *out, int width, const struct wanted *wanted, const sc_plan *plan)
{
    const sc_answer *answer = headline_answer(wanted, plan);
    char line[1024], refill[32];
    if (!answer || answer->safe <= 0 || answer->headroom < 0)
        return;
    int length = snprintf(line, sizeof line, "With %lld x %s, %.0f %% of the supply stays free: ",
                          (long long)answer->safe, answer->format, answer->headroom * 100);
    size_t used = length > 0 && (size_t)length < sizeof line ? (size_t)length : 0;
    if (answer->refill_s < 0)
        snprintf(line + used, sizeof line - used,
                 "after a stall the buffers never fill again; one stream less is safer.");
    else
        snprintf(line + used, sizeof line - used,
                 "after a stall the buffers need %s to fill again.",
                 text_seconds(answer->refill_s, refill, sizeof refill));
    print_clean(out, width, "  ", line);
}

void answers_print_details(FILE *out, int width, const struct wanted *wanted, const sc_plan *plan)
{
    enum { MOST = 8 }; /* formats with a line of their own; the table and JSON have all */
    for (size_t i = 0; i < wanted->count && i < MOST; i++)
        if (wanted->notes[i].origin != WANTED_USUAL)
            print_format_detail(out, width, wanted, i, answer_at(plan, i));
}

/* "14 x HEVC Main 10 3840x2160 25 and 9 x H.264 High 1920x1080 25", the first few that gain. */
static void list_likely(const sc_plan *plan, char *list, size_t size)
{
    enum { MOST = 4 };
    size_t count = 0, used = 0;
    *list = '\0';
    for (size_t i = 0; i < plan->answer_count; i++) {
        const sc_answer *answer = &plan->answers[i];
        if (answer->likely <= answer->safe || ++count > MOST)
            continue;
        snprintf(list + used, size - used, "%s%lld x %s", used ? ", " : "",
                 (long long)answer->likely, answer->format);
        used = strlen(list);
    }
    if (count > MOST)
        snprintf(list + used, size - used, " and %zu formats more", count - MOST);
}

void answers_print_likely(FILE *out, int width, const sc_plan *plan)
{
    char list[1024], line[2048];
    if (!plan)
        return;
    list_likely(plan, list, sizeof list);
    if (plan->mix.safe == SC_VERDICT_BREAKS && plan->mix.likely == SC_VERDICT_HOLDS)
        snprintf(list, sizeof list, "all of them together");
    if (!*list)
        return;
    snprintf(line, sizeof line,
             "Likely beyond what is safe, where streams begin anywhere in their clips: %s. In a "
             "minute of play the storage's worst moments are enough with a probability of %.6g %% "
             "or more.",
             list, plan->likely_probability * 100);
    print_clean(out, width, "  ", line);
}

bool answers_hold(const sc_plan *plan, int64_t require)
{
    for (size_t i = 0; i < plan->answer_count; i++)
        if (plan->answers[i].safe < require)
            return false;
    return true;
}
