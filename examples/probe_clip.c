/*
 * What must storage deliver so that a clip plays? Its rate and its arrival curve: the most bytes
 * that fall due in any window of a length.
 *
 *     probe_clip CLIP
 */
#include <stdio.h>
#include <streamcalc/streamcalc.h>

static void print_clip(const sc_clip *clip)
{
    char format[SC_NAME_MAX];
    sc_clip_format(clip, format, sizeof format);
    printf("%s: %.1f Mb/s over %.1f s, known from %s\n", format,
           (double)clip->demand_bits_per_s / 1e6, clip->duration_s, sc_source_name(clip->source));
    printf("%12s %14s %10s\n", "window (s)", "most bytes", "Mb/s");
    for (int32_t i = 0; i < clip->curve.count; i++)
        printf("%12.3f %14lld %10.1f\n", clip->curve.window_s[i],
               (long long)clip->curve.max_bytes[i],
               (double)clip->curve.max_bytes[i] * 8 / clip->curve.window_s[i] / 1e6);
}

int main(int argc, char **argv)
{
    if (argc != 2) {
        fprintf(stderr, "usage: probe_clip CLIP\n");
        return 2;
    }
    sc_error error = {0};
    sc_probe *probe = NULL;
    const char *paths[] = {argv[1]};
    sc_status status = sc_probe_many(paths, 1, NULL, &probe, &error);
    if (status == SC_OK)
        print_clip(&probe->clips[0]);
    else
        fprintf(stderr, "probe_clip: %s: %s\n", argv[1], error.message);
    sc_probe_free(&probe);
    return status == SC_OK ? 0 : 2;
}
