/*
 * How does my player read? A log of strace, of the player playing a clip, tells.
 *
 *     strace -f -ttt -T -y -e trace=openat,read,pread64,preadv,lseek,mmap,io_uring_enter \
 *         -o player.log PLAYER CLIP
 *     player_from_trace player.log [NAME]
 */
#include <stdio.h>
#include <streamcalc/streamcalc.h>

int main(int argc, char **argv)
{
    if (argc < 2 || argc > 3) {
        fprintf(stderr, "usage: player_from_trace LOG [END-OF-THE-CLIP'S-NAME]\n");
        return 2;
    }
    sc_error error = {0};
    sc_player_trace *trace = NULL;
    sc_player_trace_params params = {.media = argc == 3 ? argv[2] : NULL};
    if (sc_player_from_trace(argv[1], &params, &trace, &error) != SC_OK) {
        fprintf(stderr, "player_from_trace: %s\n", error.message);
        return 2;
    }
    printf("%s\n", trace->expression);
    printf("%s: %lld reads, %.1f MB in %.1f s, %.0f %% in order\n", trace->media,
           (long long)trace->reads, (double)trace->bytes / 1e6, trace->seconds,
           trace->in_order_share * 100);
    printf("%.0f %% of the bytes by reads of %lld, at most %d at once, of %d threads\n",
           trace->block_share * 100, (long long)trace->block_bytes, (int)trace->overlap,
           (int)trace->threads);
    if (trace->ahead_s > 0)
        printf("%.2f s ahead of a pace of %.1f MB/s\n", trace->ahead_s,
               trace->pace_bytes_per_s / 1e6);
    for (size_t i = 0; i < trace->finding_count; i++)
        printf("%s: %s\n", sc_severity_name(trace->findings[i].severity),
               trace->findings[i].message);
    sc_player_trace_free(&trace);
    return 0;
}
