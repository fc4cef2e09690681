#include <streamcalc/player.h>

#include "core/options.h"
#include "player/player.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const int64_t GIB = 1073741824;
static const int64_t BLOCK_MIN_BYTES = 4096;

enum { NORMAL = 2, IN_FLIGHT_MAX = 256, READ_AHEAD_MAX_S = 3600 };

/* In the order in which they are listed; NORMAL is the default. The block of a profile that reads
   by frame is what it reads where no clip is known. */
static const sc_player profiles[] = {
    {"tight", 1048576, 1, 0.35, 0.35, SC_READ_BLOCK, 0, SC_IO_ANY},
    {"small-reads", 131072, 2, 1, 1, SC_READ_BLOCK, 0, SC_IO_ANY},
    {"normal", 1048576, 2, 1, 1, SC_READ_BLOCK, 0, SC_IO_ANY},
    {"large-reads", 4194304, 2, 2, 1, SC_READ_BLOCK, 0, SC_IO_ANY},
    {"deep", 1048576, 4, 10, 1, SC_READ_BLOCK, 0, SC_IO_ANY},
    {"frame-reads", 1048576, 1, 1, 1, SC_READ_FRAME, 0, SC_IO_ANY},
};

static const sci_name mode_names[] = {{SC_READ_BLOCK, "block"}, {SC_READ_FRAME, "frame"}};

const char *sc_read_mode_name(sc_read_mode mode)
{
    const char *name = sci_name_of(mode_names, SCI_COUNT(mode_names), (int)mode);
    return name ? name : "block";
}

static const sci_name io_names[] = {
    {SC_IO_ANY, "any"}, {SC_IO_DIRECT, "direct"}, {SC_IO_BUFFERED, "buffered"}};
static const char custom[] = "custom";
static const char io_suffix[] = ",io="; /* behind a profile's name, with one of these */

const char *sc_io_name(sc_io io)
{
    const char *name = sci_name_of(io_names, SCI_COUNT(io_names), (int)io);
    return name ? name : "any";
}

const sc_player *sc_players(size_t *count)
{
    if (count)
        *count = SCI_COUNT(profiles);
    return profiles;
}

static const sc_player *profile_named(const char *name)
{
    for (size_t i = 0; i < SCI_COUNT(profiles); i++)
        if (strcmp(profiles[i].name, name) == 0)
            return &profiles[i];
    return NULL;
}

/* The length of a name without the ",io=buffered" that settle_name() puts behind it. */
static size_t bare_length(const char *name)
{
    const char *suffix = strstr(name, io_suffix);
    bool ours = suffix &&
                sci_value_of(io_names, SCI_COUNT(io_names), suffix + strlen(io_suffix), -1) >= 0;
    return ours ? (size_t)(suffix - name) : strlen(name);
}

static void bare_name(const sc_player *player, char name[SC_NAME_MAX])
{
    snprintf(name, SC_NAME_MAX, "%.*s", (int)bare_length(player->name), player->name);
}

/* All but the io, which any profile may have. */
static bool same_values(const sc_player *a, const sc_player *b)
{
    return a->block_bytes == b->block_bytes && a->in_flight == b->in_flight &&
           a->read_ahead_s == b->read_ahead_s && a->preroll_s == b->preroll_s &&
           a->mode == b->mode && a->buffer_cap_bytes == b->buffer_cap_bytes;
}

/* ---- options ---- */

/* Zero means the default in the struct, so an explicit zero has to be refused here. */
static sc_status zero(const char *what, sc_error *error)
{
    return sci_fail(error, SC_INVALID_ARGUMENT, 0, "player.parse", NULL, "%s must be more than 0",
                    what);
}

static sc_status set_bytes(const char *value, int64_t *bytes, sc_error *error)
{
    sc_status status = sc_parse_bytes(value, bytes, error);
    return status == SC_OK && *bytes == 0 ? zero("the size", error) : status;
}

static sc_status set_seconds(const char *value, double *seconds, sc_error *error)
{
    sc_status status = sc_parse_seconds(value, seconds, error);
    return status == SC_OK && *seconds <= 0 ? zero("the time", error) : status;
}

static sc_status set_block(void *target, const char *value, sc_error *error)
{
    return set_bytes(value, &((sc_player *)target)->block_bytes, error);
}

static sc_status set_buffer(void *target, const char *value, sc_error *error)
{
    return set_bytes(value, &((sc_player *)target)->buffer_cap_bytes, error);
}

static sc_status set_in_flight(void *target, const char *value, sc_error *error)
{
    int64_t reads;
    int decimals;
    const char *rest = value;
    if (!sci_parse_decimal(&rest, &reads, &decimals) || decimals || *rest || reads < 1 ||
        reads > IN_FLIGHT_MAX)
        return sci_fail(error, SC_INVALID_ARGUMENT, 0, "player.parse", NULL,
                        "it is a whole number, 1 to %d", IN_FLIGHT_MAX);
    ((sc_player *)target)->in_flight = (int32_t)reads;
    return SC_OK;
}

static sc_status set_read_ahead(void *target, const char *value, sc_error *error)
{
    return set_seconds(value, &((sc_player *)target)->read_ahead_s, error);
}

static sc_status set_preroll(void *target, const char *value, sc_error *error)
{
    return set_seconds(value, &((sc_player *)target)->preroll_s, error);
}

static sc_status set_mode(void *target, const char *value, sc_error *error)
{
    int mode = sci_value_of(mode_names, SCI_COUNT(mode_names), value, -1);
    if (mode < 0)
        return sci_fail(error, SC_INVALID_ARGUMENT, 0, "player.parse", NULL,
                        "it is block or frame");
    ((sc_player *)target)->mode = (sc_read_mode)mode;
    return SC_OK;
}

static sc_status set_io(void *target, const char *value, sc_error *error)
{
    int io = sci_value_of(io_names, SCI_COUNT(io_names), value, -1);
    if (io < 0)
        return sci_fail(error, SC_INVALID_ARGUMENT, 0, "player.parse", NULL,
                        "it is any, direct or buffered");
    ((sc_player *)target)->io = (sc_io)io;
    return SC_OK;
}

static const sci_option options[] = {
    {"block", "block=256KiB", 0, false, set_block},
    {"in-flight", "in-flight=2", 0, false, set_in_flight},
    {"read-ahead", "read-ahead=1s", 0, false, set_read_ahead},
    {"preroll", "preroll=1s", 0, false, set_preroll},
    {"mode", "mode=frame", 0, false, set_mode},
    {"buffer", "buffer=8MiB", 0, false, set_buffer},
    {"io", "io=buffered", 0, false, set_io},
};
static const sci_option_table option_table = {"player", "player.parse", options,
                                              SCI_COUNT(options)};

/* ---- parse and resolve ---- */

/* The profile that text begins with, if it begins with a name; *rest is what follows. */
static sc_status leading_profile(const char *text, const sc_player **profile, const char **rest,
                                 sc_error *error)
{
    char name[SC_NAME_MAX], known[SC_TEXT_MAX] = "";
    size_t length = strcspn(text, ",=");
    *profile = NULL;
    *rest = text;
    if (text[length] == '=')
        return SC_OK;
    if (length < sizeof name) {
        memcpy(name, text, length);
        name[length] = '\0';
        *profile = profile_named(name);
    }
    if (*profile) {
        *rest = text[length] ? text + length + 1 : NULL;
        return SC_OK;
    }
    for (size_t i = 0; i < SCI_COUNT(profiles); i++)
        sci_append(known, sizeof known, ", ", profiles[i].name);
    return sci_fail(error, SC_NOT_FOUND, 0, "player.parse", NULL,
                    "there is no player '%.100s'; choose %s, or describe one like "
                    "block=256KiB,in-flight=1,read-ahead=1s",
                    text, known);
}

sc_status sc_player_parse(const char *text, sc_player *player, sc_error *error)
{
    const sc_player *profile;
    const char *rest;
    if (!player)
        return sci_fail(error, SC_INVALID_ARGUMENT, 0, "player.parse", NULL, "player is NULL");
    sc_status status = leading_profile(text && *text ? text : profiles[NORMAL].name, &profile,
                                       &rest, error);
    if (status != SC_OK)
        return status;
    sc_player parsed = {0};
    if (profile)
        parsed = *profile;
    /* A changed read-ahead brings its own default of the preroll. */
    parsed.preroll_s = 0;
    status = sci_options_apply(&option_table, rest, 0, &parsed, error);
    if (status == SC_OK)
        status = sc_player_resolve(&parsed, error);
    if (status == SC_OK)
        *player = parsed;
    return status;
}

static void fill_defaults(sc_player *player)
{
    char given[SC_NAME_MAX];
    bare_name(player, given);
    const sc_player *base = profile_named(given);
    if (!base)
        base = &profiles[NORMAL];
    else if (!player->block_bytes && !player->in_flight && !player->read_ahead_s)
        player->mode = base->mode;
    if (!player->block_bytes)
        player->block_bytes = base->block_bytes;
    if (!player->in_flight)
        player->in_flight = base->in_flight;
    if (player->read_ahead_s == 0)
        player->read_ahead_s = base->read_ahead_s;
    if (player->preroll_s == 0)
        player->preroll_s = fmin(player->read_ahead_s, 1);
}

static sc_status out_of_range(const char *what, sc_error *error)
{
    return sci_fail(error, SC_INVALID_ARGUMENT, 0, "player.resolve", NULL, "the player's %s", what);
}

static sc_status check_ranges(const sc_player *player, sc_error *error)
{
    if (player->block_bytes < BLOCK_MIN_BYTES || player->block_bytes > GIB)
        return out_of_range("block must be 4 KiB to 1 GiB", error);
    if (player->in_flight < 1 || player->in_flight > IN_FLIGHT_MAX)
        return out_of_range("reads in flight must be 1 to 256", error);
    if (!(player->read_ahead_s > 0 && player->read_ahead_s <= READ_AHEAD_MAX_S))
        return out_of_range("read-ahead must be more than 0 and at most 3600 s", error);
    if (!(player->preroll_s > 0 && player->preroll_s <= player->read_ahead_s))
        return out_of_range("preroll must be more than 0 and at most its read-ahead", error);
    if (player->mode != SC_READ_BLOCK && player->mode != SC_READ_FRAME)
        return out_of_range("mode must be block or frame", error);
    if (player->io < SC_IO_ANY || player->io > SC_IO_BUFFERED)
        return out_of_range("io must be any, direct or buffered", error);
    if (player->buffer_cap_bytes < 0)
        return out_of_range("buffer must not be negative", error);
    int64_t in_flight_bytes = player->mode == SC_READ_FRAME
                                  ? 0
                                  : player->in_flight * player->block_bytes;
    if (player->buffer_cap_bytes &&
        player->buffer_cap_bytes < in_flight_bytes + player->block_bytes)
        return out_of_range("buffer must hold its reads in flight and one block more", error);
    return SC_OK;
}

/* "normal", "custom", "deep,io=buffered"; a name of the caller's own stays. */
static void settle_name(sc_player *player)
{
    const char *io = player->io == SC_IO_ANY ? "" : sc_io_name(player->io);
    char name[SC_NAME_MAX];
    bare_name(player, name);
    if (!name[0] || profile_named(name))
        sci_copy(name, sizeof name, custom);
    for (size_t i = 0; i < SCI_COUNT(profiles); i++)
        if (same_values(player, &profiles[i]))
            sci_copy(name, sizeof name, profiles[i].name);
    if (strcmp(name, custom) == 0 || profile_named(name))
        snprintf(player->name, sizeof player->name, "%.64s%s%s", name, *io ? io_suffix : "", io);
}

sc_status sc_player_resolve(sc_player *player, sc_error *error)
{
    if (!player)
        return sci_fail(error, SC_INVALID_ARGUMENT, 0, "player.resolve", NULL, "player is NULL");
    if (!memchr(player->name, '\0', sizeof player->name))
        return out_of_range("name is not terminated", error);
    sc_player resolved = *player;
    fill_defaults(&resolved);
    sc_status status = check_ranges(&resolved, error);
    if (status != SC_OK)
        return status;
    settle_name(&resolved);
    *player = resolved;
    return SC_OK;
}

static int64_t at_least(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

int64_t sci_player_read_bytes(const sc_player *player, int64_t largest_frame_bytes)
{
    return player->mode == SC_READ_FRAME && largest_frame_bytes > 0 ? largest_frame_bytes
                                                                    : player->block_bytes;
}

int64_t sc_player_buffer_bytes(const sc_player *player, int64_t bits_per_s,
                               int64_t largest_frame_bytes)
{
    const double most = 9e18;
    if (!player)
        return SC_UNKNOWN;
    int64_t block = sci_player_read_bytes(player, largest_frame_bytes);
    int64_t ahead = llround(fmin(player->read_ahead_s * (double)bits_per_s / 8, most));
    int64_t in_flight, buffer;
    if (__builtin_mul_overflow(block, (int64_t)player->in_flight, &in_flight))
        in_flight = INT64_MAX;
    buffer = at_least(at_least(ahead, largest_frame_bytes), in_flight);
    if (__builtin_add_overflow(buffer, block, &buffer))
        buffer = INT64_MAX;
    return player->buffer_cap_bytes && player->buffer_cap_bytes < buffer ? player->buffer_cap_bytes
                                                                         : buffer;
}
