/* The search for the largest number of streams, against storages of which it is known. */
#include "play/search.h"
#include "test.h"

struct run {
    int32_t found, trials, confirmations;
};

/* Up to `truth` streams hold in short runs, up to `longer` in long ones. */
static struct run find(int32_t start, int32_t truth, int32_t longer, int32_t most)
{
    struct run run = {0};
    sci_search search;
    sci_search_begin(&search, start, 1, most);
    while (!search.over) {
        assert_true(search.next >= 1 && search.next <= most);
        assert_true(run.trials < 40);
        run.trials++;
        run.confirmations += search.confirming;
        sci_search_tell(&search, search.next <= (search.confirming ? longer : truth));
    }
    run.found = search.held;
    return run;
}

static void it_finds_the_largest_from_anywhere(void **state)
{
    (void)state;
    for (int32_t truth = 0; truth <= 64; truth++)
        for (int32_t start = 1; start <= 64; start++)
            assert_int_equal(find(start, truth, truth, 64).found, truth);
}

static void a_good_prediction_takes_three_runs(void **state)
{
    (void)state;
    for (int32_t truth = 1; truth < 64; truth++) {
        const struct run run = find(truth, truth, truth, 64);
        assert_int_equal(run.trials, 3); /* it holds, one more does not, it holds for long */
        assert_int_equal(run.confirmations, 1);
        assert_in_range(find(truth + 1, truth, truth, 64).trials, 3, 3);
    }
    assert_in_range(find(40, 3, 3, 256).trials, 1, 12);
}

static void what_does_not_hold_for_long_is_lowered(void **state)
{
    (void)state;
    const struct run run = find(10, 12, 10, 64);
    assert_int_equal(run.found, 10);
    assert_int_equal(run.confirmations, 3);
    assert_int_equal(find(5, 6, 0, 64).found, 0);
    assert_int_equal(find(1, 1, 1, 1).found, 1);
    assert_int_equal(find(1, 0, 0, 1).found, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(it_finds_the_largest_from_anywhere),
        cmocka_unit_test(a_good_prediction_takes_three_runs),
        cmocka_unit_test(what_does_not_hold_for_long_is_lowered),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
