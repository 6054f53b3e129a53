"""C of means, variances and novelty.

A word after a dollar sign stands for lines that depend on the model.
"""

WHITEN = """
/* v = R v in place; R is lower triangular, row after row. */
static inline void model_whiten(const real *white, int n, real *v)
{
    int i, j;
    for (i = n - 1; i >= 0; --i) {
        const real *row = white + i * (i + 1) / 2;
        real sum = 0.0;
        for (j = 0; j <= i; ++j)
            sum += row[j] * v[j];
        v[i] = sum;
    }
}

/* amplitude_p max(itself - |v|^2, 0) is added to the variance of each process p. */
static inline void model_add_left(real itself, const real *v, int n, const real *amplitude,
                                  real *variance)
{
    int j, p;
    for (j = 0; j < n; ++j)
        itself -= v[j] * v[j];
    for (p = 0; p < MODEL_N_PROCESSES && itself > 0.0; ++p)
        variance[p] += amplitude[p] * itself;
}
"""
KNOWN = """
/* |root_p' v|^2 is added to the variance of each process p; roots are upper triangular. */
static inline void model_add_known(const real *v, real *variance)
{
    const real *root = model_roots;
    int p, i, j;
    for (p = 0; p < MODEL_N_PROCESSES; ++p) {
        for (i = 0; i < (int)model_ranks[p]; ++i) {
            real sum = 0.0;
            for (j = i; j < MODEL_N_SPREAD; ++j)
                sum += *root++ * v[j];
            variance[p] += sum * sum;
        }
    }
}
"""
COVARIANCE = """
/* The covariance of the latent values. */
static inline void model_add_covariance(const real *v, real *covariance)
{
    const real *root = model_half;
    real half[MODEL_N_LATENTS];
    int i, j, k;
    for (i = 0; i < MODEL_N_HALF; ++i) {
        for (k = 0; k < MODEL_N_LATENTS; ++k) {
            half[k] = 0.0;
            for (j = 0; j < MODEL_N_SPREAD; ++j)
                half[k] += *root++ * v[j];
        }
        for (k = 0; k < MODEL_N_LATENTS; ++k)
            for (j = 0; j < MODEL_N_LATENTS; ++j)
                covariance[k * MODEL_N_LATENTS + j] += half[k] * half[j];
    }
}
"""
MEAN = """
static inline void model_zero(real *values, int n)
{
    for (; n > 0; --n)
        *values++ = 0.0;
}

/* Means of the latent values, from the columns. */
static inline void model_weigh(const real *phi, real *mean)
{
    const real *weight = model_weights;
    int j, k;
    model_zero(mean, MODEL_N_LATENTS);
    for (j = 0; j < MODEL_N_MEAN; ++j)
        for (k = 0; k < MODEL_N_LATENTS; ++k)
            mean[k] += *weight++ * phi[j];
}

/* Means of the latent values. */
static inline void model_latent_mean(const real *x, real *mean)
{
    real phi[MODEL_N_MEAN];
    model_mean_columns(x, phi);
    model_weigh(phi, mean);
}
"""
OF_OWN_COLUMNS = """
/* The columns of the error bars, whitened, from all columns; what they do not know of the
   processes is added to the variance. */
static inline void model_spread_columns(const real *x, const real *phi, real *v, real *variance)
{
    int i;
    for (i = 0; i < MODEL_N_SPREAD; ++i)
        v[i] = phi[model_order[i]];
    $CALLS
}
"""
LATENT = """
/* Means of the latent values, and $WHAT. */
static inline void model_latent(const real *x, real *mean, real *$WHAT)
{
    $DECLARATIONS
    model_mean_columns(x, phi);
    $MORE
    model_weigh(phi, mean);
    $ZERO
    model_zero($WHAT, $SIZE);
    $LEFT
    $ADD($FROM, $WHAT);
}
"""
NOVELTY = """
/* How far x is from what the model has seen: 0 is well known, 1 is entirely new. */
static inline real model_novelty(const real x[MODEL_N_INPUTS])
{
    real phi[MODEL_N_COLUMNS], v[MODEL_N_SPREAD], left[MODEL_N_PROCESSES], share = 0.0;
    int p;
    model_mean_columns(x, phi);
    $MORE
    model_zero(left, MODEL_N_PROCESSES);
    model_spread_columns(x, phi, v, left);
    $FORGET
    model_add_known(v, left);
    for (p = 0; p < MODEL_N_PROCESSES; ++p) {
        const real prior = $PRIOR;
        const real ratio = prior > 0.0 ? left[p] / prior : 1.0;
        share += ratio / (real)MODEL_N_PROCESSES;
    }
    return share < 1.0 ? share : 1.0;
}
"""
