/** streamcalc/streamcalc.h: every public header of libstreamcalc. */
#ifndef STREAMCALC_STREAMCALC_H
#define STREAMCALC_STREAMCALC_H

#include <streamcalc/core.h>
#include <streamcalc/formats.h>
#include <streamcalc/measure.h>
#include <streamcalc/network.h>
#include <streamcalc/plan.h>
#include <streamcalc/play.h>
#include <streamcalc/player.h>
#include <streamcalc/probe.h>
#include <streamcalc/report.h>

#endif
