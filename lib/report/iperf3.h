/* The import of what iperf3 -J printed. */
#ifndef SCI_REPORT_IPERF3_H
#define SCI_REPORT_IPERF3_H

#include "core/core.h"

/* Whether a text is a result of iperf3. */
bool sci_iperf3_recognised(const char *text, size_t length);

#endif
