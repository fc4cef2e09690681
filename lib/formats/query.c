#include "formats/formats.h"

#include <string.h>

enum { EXPRESSION_MAX = 256, TOKEN_MAX = 64, RASTER_MAX = 32767, BARE_RATE_MAX = 300 };

static char lower(char c)
{
    return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* Between tokens. */
static bool is_space(char c)
{
    return c == ' ' || c == '\t' || c == ',';
}

/* Between the words of a name. */
static bool is_separator(char c)
{
    return is_space(c) || c == '-' || c == '_';
}

size_t sci_match_words(const char *text, const char *name)
{
    const char *at = text;
    for (const char *n = name; *n; n++) {
        if (is_separator(*n))
            continue;
        const char *before = at;
        while (at > text && is_separator(*at))
            at++;
        /* Two numbers are not one: "7 20" is no 720. */
        if (at > before && is_digit(before[-1]) && is_digit(*n) && !is_separator(n[-1]))
            return 0;
        if (lower(*at) != lower(*n))
            return 0;
        at++;
    }
    return !*at || is_space(*at) ? (size_t)(at - text) : 0;
}

/* ---- the subject: a family or a name ---- */

/* Take the family's names or title as the subject when it spells more of text than *longest. */
static void match_family(const char *text, const sci_format_family *family, size_t *longest,
                         sci_format_query *query)
{
    const char *const titles[] = {family->name, family->title};
    for (size_t i = 0; i < SCI_COUNT(titles); i++) {
        size_t length = sci_match_words(text, titles[i]);
        if (length <= *longest)
            continue;
        *longest = length;
        *query = (sci_format_query){.family = family, .kinds = UINT64_MAX};
    }
    for (size_t k = 0; k < family->kind_count; k++) {
        size_t length = sci_match_words(text, family->kinds[k].name);
        if (length <= *longest)
            continue;
        *longest = length;
        *query = (sci_format_query){.family = family, .kinds = UINT64_C(1) << k, .by_name = true};
    }
}

/* ---- rasters ---- */

static const struct {
    const char *word;
    sci_format_raster raster;
} raster_words[] = {{"hd", {1920, 1080}},     {"fhd", {1920, 1080}},    {"uhd", {3840, 2160}},
                    {"4k", {3840, 2160}},     {"uhd4k", {3840, 2160}},  {"4k uhd", {3840, 2160}},
                    {"2k", {2048, 1080}},     {"dci 2k", {2048, 1080}}, {"2k dci", {2048, 1080}},
                    {"dci 4k", {4096, 2160}}, {"4k dci", {4096, 2160}}, {"5k", {5120, 2700}},
                    {"6k", {6144, 3240}},     {"8k", {7680, 4320}},     {"uhd 8k", {7680, 4320}},
                    {"8k uhd", {7680, 4320}}, {"dci 8k", {8192, 4320}}, {"8k dci", {8192, 4320}},
                    {"full hd", {1920, 1080}}};

/* A height alone stands for the usual raster of that height, first. */
static const sci_format_raster usual_rasters[] = {
    {720, 480}, {720, 486}, {720, 576}, {1280, 720}, {1920, 1080}, {3840, 2160}, {7680, 4320}};

struct token {
    char text[TOKEN_MAX];
    size_t length; /* in the expression */
};

static bool take_number(const char **text, int32_t *number)
{
    int32_t value = 0;
    const char *at = *text;
    while (is_digit(*at) && value <= RASTER_MAX)
        value = value * 10 + (*at++ - '0');
    if (at == *text || value == 0 || value > RASTER_MAX)
        return false;
    *text = at;
    *number = value;
    return true;
}

static bool usual_raster(int32_t height, sci_format_raster *raster)
{
    for (size_t i = 0; i < SCI_COUNT(usual_rasters); i++)
        if (usual_rasters[i].height == height) {
            *raster = usual_rasters[i];
            return true;
        }
    return false;
}

/* ---- frame rates ---- */

/* Interlaced material is named by its fields: 50i is 25 frames, and 60i, 59.94i, 30i are all 29.97. */
static sc_rational frames_of_interlaced(sc_rational rate)
{
    double value = sc_rational_value(rate);
    if (value > 59.9 && value <= 60)
        return sci_fps[SCI_FPS_29_97];
    if (value > 30)
        rate = sci_rational_reduce((sc_rational){rate.num, rate.den * 2});
    return sci_rational_equal(rate, sci_fps[SCI_FPS_30]) ? sci_fps[SCI_FPS_29_97] : rate;
}

/* "25", "25p", "50i", "25fps", "@25". Without any of these signs a high number is rather a slip in a
   name ("prores 444"). */
static bool parse_rate(const char *text, sc_rational *rate, sci_scan *scan)
{
    char number[TOKEN_MAX];
    bool marked = *text == '@';
    text += marked;
    sci_copy(number, sizeof number, text);
    size_t length = strlen(number);
    if (length > 3 && strcmp(number + length - 3, "fps") == 0) {
        number[length - 3] = '\0';
        marked = true;
    } else if (length > 1 && (number[length - 1] == 'p' || number[length - 1] == 'i')) {
        *scan = number[length - 1] == 'i' ? SCI_SCAN_INTERLACED : SCI_SCAN_PROGRESSIVE;
        number[length - 1] = '\0';
        marked = true;
    }
    if (sc_parse_frame_rate(number, rate, NULL) != SC_OK ||
        (!marked && sc_rational_value(*rate) > BARE_RATE_MAX))
        return false;
    if (*scan == SCI_SCAN_INTERLACED)
        *rate = frames_of_interlaced(*rate);
    return true;
}

/* "1920x1080", "1080", "1080p", "1080i50", "1920x1080p25" */
static bool parse_raster(const char *text, sci_format_query *found)
{
    int32_t width, height;
    if (!take_number(&text, &width))
        return false;
    if (*text == 'x') {
        text++;
        if (!take_number(&text, &height))
            return false;
        found->raster = (sci_format_raster){(int16_t)width, (int16_t)height};
    } else if (usual_raster(width, &found->raster)) {
        found->any_width = true;
    } else {
        return false;
    }
    if (!*text)
        return true;
    if (*text != 'p' && *text != 'i')
        return false;
    found->scan = *text++ == 'i' ? SCI_SCAN_INTERLACED : SCI_SCAN_PROGRESSIVE;
    if (!*text)
        return true;
    sci_scan none = SCI_SCAN_ANY;
    if (!parse_rate(text, &found->frame_rate, &none) || none != SCI_SCAN_ANY)
        return false;
    if (found->scan == SCI_SCAN_INTERLACED)
        found->frame_rate = frames_of_interlaced(found->frame_rate);
    return true;
}

static bool parse_raster_words(const char *at, struct token *token, sci_format_query *found)
{
    size_t longest = 0;
    for (size_t i = 0; i < SCI_COUNT(raster_words); i++) {
        size_t length = sci_match_words(at, raster_words[i].word);
        if (length <= longest)
            continue;
        longest = length;
        found->raster = raster_words[i].raster;
        found->any_width = true;
    }
    if (longest)
        token->length = longest;
    return longest > 0;
}

/* ---- words of names: "prores hq" ---- */

static bool name_has_word(const char *name, const char *word)
{
    while (*name) {
        size_t length = 0;
        while (name[length] && !is_separator(name[length]))
            length++;
        size_t i = 0;
        while (i < length && lower(name[i]) == lower(word[i]))
            i++;
        if (length > 0 && i == length && !word[i])
            return true;
        name += length + (name[length] != '\0');
    }
    return false;
}

static uint64_t kinds_with_word(const sci_format_query *query, const char *word)
{
    uint64_t kinds = 0;
    for (size_t k = 0; k < query->family->kind_count; k++)
        if ((query->kinds >> k & 1) && name_has_word(query->family->kinds[k].name, word))
            kinds |= UINT64_C(1) << k;
    return kinds;
}

/* ---- the expression ---- */

static struct token next_token(const char *at)
{
    struct token token = {.length = 0};
    while (at[token.length] && !is_space(at[token.length]))
        token.length++;
    for (size_t i = 0; i < token.length && i < sizeof token.text - 1; i++)
        token.text[i] = lower(at[i]);
    return token;
}

/* What one token says, into found; true when it says anything. */
static bool parse_token(const char *at, const sci_format_query *query, struct token *token,
                        sci_format_query *found)
{
    *found = (sci_format_query){.kinds = query->kinds};
    if (token->length >= sizeof token->text)
        return false;
    if (parse_raster_words(at, token, found))
        return true;
    if (parse_raster(token->text, found))
        return true;
    *found = (sci_format_query){.kinds = query->kinds};
    uint64_t kinds = query->by_name ? 0 : kinds_with_word(query, token->text);
    if (kinds) {
        found->kinds = kinds;
        return true;
    }
    return parse_rate(token->text, &found->frame_rate, &found->scan);
}

/* Add what a token said. Returns what it says a second time, or NULL. */
static const char *merge(sci_format_query *query, const sci_format_query *found)
{
    if (found->raster.width && query->raster.width)
        return "raster";
    if (found->frame_rate.den && query->frame_rate.den)
        return "frame rate";
    if (found->scan && query->scan && found->scan != query->scan)
        return "kind of scan";
    if (found->raster.width) {
        query->raster = found->raster;
        query->any_width = found->any_width;
    }
    if (found->frame_rate.den)
        query->frame_rate = found->frame_rate;
    if (found->scan)
        query->scan = found->scan;
    query->kinds = found->kinds;
    return NULL;
}

static sc_status parse_rest(const char *expression, const char *at, sci_format_query *query,
                            sc_error *error)
{
    for (;;) {
        while (is_space(*at))
            at++;
        if (!*at)
            break;
        struct token token = next_token(at);
        sci_format_query found;
        if (!parse_token(at, query, &token, &found)) {
            char hint[SC_TEXT_MAX / 2];
            sci_format_suggest(expression, true, hint, sizeof hint);
            return sci_fail(error, SC_INVALID_ARGUMENT, 0, "formats.find", NULL,
                            "'%.*s' in '%s' is neither a raster (1920x1080, uhd) nor a frame rate "
                            "(25, 23.976, 50i) nor a part of a name%s",
                            (int)token.length, at, expression, hint);
        }
        const char *twice = merge(query, &found);
        if (twice)
            return sci_fail(error, SC_INVALID_ARGUMENT, 0, "formats.find", NULL,
                            "'%.*s' in '%s' gives a second %s; name one format", (int)token.length,
                            at, expression, twice);
        at += token.length;
    }
    if (query->scan == SCI_SCAN_INTERLACED && query->frame_rate.den)
        query->frame_rate = frames_of_interlaced(query->frame_rate);
    return SC_OK;
}

sc_status sci_format_query_parse(const char *expression, sci_format_query *query, sc_error *error)
{
    size_t longest = 0;
    const char *at = expression ? expression : "";
    while (is_space(*at))
        at++;
    if (!*at)
        return sci_fail(
            error, SC_INVALID_ARGUMENT, 0, "formats.find", NULL,
            "no format is named; write one like 'ProRes 422 HQ 3840x2160 25' or 'prores'");
    if (strlen(at) > EXPRESSION_MAX)
        return sci_fail(error, SC_INVALID_ARGUMENT, 0, "formats.find", NULL,
                        "the format '%.32s...' is longer than %d bytes", at, EXPRESSION_MAX);
    *query = (sci_format_query){.family = NULL};
    const sci_format_family *family;
    for (size_t f = 0; (family = sci_format_family_at(f)); f++)
        match_family(at, family, &longest, query);
    if (!longest) {
        char hint[SC_TEXT_MAX / 2];
        sci_format_suggest(at, false, hint, sizeof hint);
        return sci_fail(error, SC_NOT_FOUND, 0, "formats.find", NULL,
                        "no format or family of formats begins '%.80s'%s", at, hint);
    }
    return parse_rest(at, at + longest, query, error);
}
