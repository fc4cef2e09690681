/* Files that play together as one clip: picture and sound in files of their own. */
#ifndef SCI_PROBE_TOGETHER_H
#define SCI_PROBE_TOGETHER_H

#include "probe/crew.h"

/* One clip of all parts, which were read but not measured, in the order given; count > 0. The first
   part that failed makes the clip fail. SC_OK, also where the clip failed: the parts are then gone,
   and *whole is the caller's. SC_CANCELLED or SC_NO_MEMORY: the parts are still there, and *whole is
   NULL. */
sc_status sci_together(sci_work **parts, size_t count, sci_media_limits limits,
                       sci_control *control, sci_work **whole);

#endif
