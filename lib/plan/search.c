#include "plan/plan.h"

int64_t sci_largest(sci_holds_fn holds, void *data, int64_t near, int64_t most)
{
    int64_t yes = 0, no = most + 1, step = 1;
    int64_t n = near < 1 ? 1 : near > most ? most : near;
    while (no - yes > 1) {
        const bool held = holds(data, n);
        *(held ? &yes : &no) = n;
        const bool open = held ? no > most : yes == 0;
        n = !open ? yes + (no - yes) / 2 : held ? yes + step : no - step;
        n = n <= yes ? yes + 1 : n >= no ? no - 1 : n;
        step *= 2;
    }
    return yes;
}
