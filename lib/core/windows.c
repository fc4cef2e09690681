#include "core/core.h"

const double sci_windows_s[SCI_WINDOW_COUNT] = {0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 4, 8, 16};
