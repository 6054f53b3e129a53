"""C of the test that a header has of itself."""

PROGRAM = """
#ifdef SPARSEBAYES_SELFTEST
#include <stdio.h>

ROWS

EXPECTED

ALLOWED

/* Compares what the functions say with what Python said; 0 if all is well. */
int main(void)
{
    real found[N_VALUES], worst = 0.0;
    int i, k, right = 1;
    for (i = 0; i < N_ROWS; ++i) {
        const real *x = model_test_rows + i * MODEL_N_INPUTS;
        CALLS
        for (k = 0; k < N_VALUES; ++k) {
            const real gap = fabs(found[k] - model_test_expected[i * N_VALUES + k]);
            const real error = gap / model_test_allowed[i * N_VALUES + k];
            right = right && error <= 1.0;
            worst = error > worst ? error : worst;
        }
    }
    printf("%s: the largest error is %g of what is allowed\\n", right ? "right" : "WRONG",
           (double)worst);
    return right ? 0 : 1;
}
#endif
"""
