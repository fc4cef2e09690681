/* Whether a point's throughput was steady: its spread, its trend, and the times in which nothing
   came. Pure. */
#ifndef SCI_MEASURE_VARIATION_H
#define SCI_MEASURE_VARIATION_H

#include <streamcalc/measure.h>

typedef struct sci_variation {
    bool known; /* the series has windows enough */
    double
        spread; /* between the 5 % and the 95 % quantile of the windows, as a share of the median */
    double trend;   /* rise of the fitted line over the whole point, as a share of the mean */
    double fit;     /* r^2 of that line: share of the variance that it explains */
    int32_t stalls; /* times without a byte that blocks of that size do not explain */
    double longest_stall_s; /* 0: none */
} sci_variation;

/* Windows hold twenty blocks or more, so that whole blocks make no spread by themselves. */
sci_variation sci_variation_of(const sc_supply_point *point, int64_t block_bytes);

/* Where the throughput would be told apart from chance: thresholds of the findings. */
bool sci_variation_is_wide(const sci_variation *variation);
bool sci_variation_has_trend(const sci_variation *variation);

#endif
