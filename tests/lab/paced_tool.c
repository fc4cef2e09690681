/* Prints how sc_measure_paced plays, for the lab tests: paced_tool PATH STREAMS RATE SECONDS
   [PLAYER] */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <streamcalc/measure.h>

int main(int argc, char **argv)
{
    sc_paced_params params = {0};
    sc_paced_run run;
    sc_error error = {0};
    if (argc < 5)
        return 2;
    params.streams = (int32_t)strtol(argv[2], NULL, 10);
    params.seconds = strtod(argv[4], NULL);
    sc_status status = sc_parse_rate(argv[3], &params.bits_per_s, &error);
    if (status == SC_OK && argc > 5)
        status = sc_player_parse(argv[5], &params.player, &error);
    if (status == SC_OK)
        status = sc_measure_paced(argv[1], &params, &run, &error);
    if (status != SC_OK) {
        printf("status=%s\n%s\n", sc_status_name(status), error.message);
        return 1;
    }
    printf("status=ok\nreads=%" PRId64 "\nlate=%" PRId64 "\nworst_s=%.3f\nleast_lead_s=%.3f\n"
           "slope=%.5f\nsustained=%d\ncold=%d\n",
           run.reads, run.late_reads, run.worst_lateness_s, run.least_lead_s, run.lead_slope,
           run.sustained, run.cold);
    return 0;
}
