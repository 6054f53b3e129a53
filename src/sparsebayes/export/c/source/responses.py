"""C of each response; what users call is here."""

MEAN = """
/* The mean of each output. */
static inline void model_predict(const real x[MODEL_N_INPUTS], real mean[MODEL_N_OUTPUTS])
{
    int k;
    model_latent_mean(x, mean);
    for (k = 0; k < MODEL_N_OUTPUTS; ++k)
        mean[k] += model_offset[k];
}
"""
STD = """
/* The mean of each output and the standard deviation of a new target, noise included. */
static inline void model_predict_std(const real x[MODEL_N_INPUTS], real mean[MODEL_N_OUTPUTS],
                                     real std[MODEL_N_OUTPUTS])
{
    int k;
    model_latent(x, mean, std);
    for (k = 0; k < MODEL_N_OUTPUTS; ++k) {
        mean[k] += model_offset[k];
        std[k] = sqrt(std[k] + model_noise_variance[k]);
    }
}
"""
STD_OF_PROCESSES = """
/* The mean of each output and the standard deviation of a new target, noise included. */
static inline void model_predict_std(const real x[MODEL_N_INPUTS], real mean[MODEL_N_OUTPUTS],
                                     real std[MODEL_N_OUTPUTS])
{
    real variance[MODEL_N_PROCESSES];
    int k;
    model_latent(x, mean, variance);
    for (k = 0; k < MODEL_N_OUTPUTS; ++k) {
        mean[k] += model_offset[k];
        std[k] = sqrt(model_factor[k] * variance[model_process[k]] + model_noise_variance[k]);
    }
}
"""
# Means of doubles are those of Python; of floats, their squares are still finite.
COUNTS = """
/* A logarithm whose exponential does not overflow. */
static inline real model_capped(real value)
{
    const real most = sizeof(real) < 8 ? 40.0 : 300.0;
    return value < most ? value : most;
}

/* The mean of the logarithm of a mean count, and its variance. */
static inline void model_log_mean(const real *x, real *mean, real *variance)
{
    real processes[MODEL_N_PROCESSES];
    model_latent(x, mean, processes);
    *variance = model_factor[0] * processes[model_process[0]];
    *mean += model_count[0];
}

/* The mean of counts. */
static inline void model_predict(const real x[MODEL_N_INPUTS], real mean[MODEL_N_OUTPUTS])
{
    real variance;
    model_log_mean(x, mean, &variance);
    mean[0] = exp(model_capped(mean[0] + 0.5 * variance));
}
"""
STD_OF_COUNTS = """
/* The mean and the standard deviation of counts. */
static inline void model_predict_std(const real x[MODEL_N_INPUTS], real mean[MODEL_N_OUTPUTS],
                                     real std[MODEL_N_OUTPUTS])
{
    real variance, relative;
    model_log_mean(x, mean, &variance);
    mean[0] = exp(model_capped(mean[0] + 0.5 * variance));
    variance = model_capped(variance);
    relative = model_count[1] * exp(variance) + expm1(variance);
    std[0] = sqrt(mean[0]) * sqrt(1.0 + mean[0] * relative);
}
"""
STD_OF_VARYING = """
/* The mean and the standard deviation of a new target; the log variance of its noise is a model. */
static inline void model_predict_std(const real x[MODEL_N_INPUTS], real mean[MODEL_N_OUTPUTS],
                                     real std[MODEL_N_OUTPUTS])
{
    /* Variances of floats are finite too. */
    const real largest = sizeof(real) < 8 ? 80.0 : 700.0, least = model_varying[2];
    const real most = model_varying[3] < largest ? model_varying[3] : largest;
    real variance[MODEL_N_PROCESSES], noise[1], noise_variance[MODEL_NOISE_N_PROCESSES], size;
    model_latent(x, mean, variance);
    model_noise_latent(x, noise, noise_variance);
    size = model_varying[0] + noise[0];
    size += 0.5 * model_noise_factor[0] * noise_variance[model_noise_process[0]];
    size = size < most ? size : most;
    size = exp(size > least ? size : least) + model_varying[1];
    mean[0] += model_offset[0];
    std[0] = sqrt(model_factor[0] * variance[model_process[0]] + size);
}
"""
# 0.7071... is the root of a half, 0.6266... that of pi / 8, 0.3926... is pi / 8.
LEAST = """
/* The distribution function of the normal distribution. */
static inline real model_normal(real z)
{
    return 0.5 * erfc(-0.7071067811865476 * z);
}

/* The mean of 1 / (1 + exp(f)), f of N(|mean|, variance): the probability of the less probable. */
static inline real model_least(real mean, real variance)
{
    const real size = fabs(mean), std = sqrt(variance);
    const real wide = sqrt(1.0 + 0.39269908169872414 * variance);
    real least = model_normal(-0.6266570686577501 * size / wide);
    int j;
    for (j = 0; j < MODEL_N_NODES; ++j) {
        const real f = std * model_nodes[j] - size;
        const real small = exp(-fabs(f));
        const real sigmoid = (f < 0.0 ? small : 1.0) / (1.0 + small);
        least += model_shares[j] * (sigmoid - model_normal(0.6266570686577501 * f));
    }
    if (least > 0.5)
        return 0.5;
    return least > MODEL_TINY ? least : MODEL_TINY;
}
"""
TWO_CLASSES = """
/* The probabilities of both classes. */
static inline void model_predict_proba(const real x[MODEL_N_INPUTS],
                                       real probability[MODEL_N_CLASSES])
{
    real mean[1], variance[MODEL_N_PROCESSES], least;
    int best;
    model_latent(x, mean, variance);
    least = model_least(mean[0], model_factor[0] * variance[model_process[0]]);
    best = mean[0] > 0.0;
    probability[best] = 1.0 - least;
    probability[1 - best] = least;
}
"""
CLASS_OF_TWO = """
/* The number of the more probable class. */
static inline int model_predict_class(const real x[MODEL_N_INPUTS])
{
    real mean[1];
    model_latent_mean(x, mean);
    return mean[0] > 0.0;
}
"""
ORDERED = """
/* The probabilities of the classes, whose places in their order are in a table. */
static inline void model_predict_proba(const real x[MODEL_N_INPUTS],
                                       real probability[MODEL_N_CLASSES])
{
    real mean[1], variance[MODEL_N_PROCESSES], share[MODEL_N_CLASSES];
    real below = 0.0, above = 1.0, sum = 0.0;
    int k;
    model_latent(x, mean, variance);
    variance[0] = model_factor[0] * variance[model_process[0]];
    for (k = 0; k < MODEL_N_CLASSES; ++k) {
        const int last = k == MODEL_N_CLASSES - 1;
        const real distance = last ? 1.0 : model_cut_points[k] - mean[0];
        const real least = last ? 0.0 : model_least(distance, variance[0]);
        const real lower = distance > 0.0 ? 1.0 - least : least;
        const real upper = distance > 0.0 ? least : 1.0 - least;
        /* Of two differences that are the same, that of smaller numbers. */
        share[k] = distance > 0.0 ? above - upper : lower - below;
        share[k] = share[k] > MODEL_TINY ? share[k] : MODEL_TINY;
        sum += share[k];
        below = lower;
        above = upper;
    }
    for (k = 0; k < MODEL_N_CLASSES; ++k)
        probability[k] = share[model_place[k]] / sum;
}
"""
LARGEST = """
/* The number of the largest value; of equal ones the first. */
static inline int model_largest(const real values[MODEL_N_CLASSES])
{
    int k, best = 0;
    for (k = 1; k < MODEL_N_CLASSES; ++k)
        if (values[k] > values[best])
            best = k;
    return best;
}
"""
ONE_VS_REST = """
/* The probabilities of the less probable side, of each class against the others. */
static inline void model_against_others(const real *x, real *mean, real *least)
{
    real variance[MODEL_N_PROCESSES];
    int k;
    model_latent(x, mean, variance);
    for (k = 0; k < MODEL_N_CLASSES; ++k)
        least[k] = model_least(mean[k], model_factor[k] * variance[model_process[k]]);
}

/* The probabilities of the classes. */
static inline void model_predict_proba(const real x[MODEL_N_INPUTS],
                                       real probability[MODEL_N_CLASSES])
{
    real mean[MODEL_N_CLASSES], sum = 0.0;
    int k;
    model_against_others(x, mean, probability);
    for (k = 0; k < MODEL_N_CLASSES; ++k) {
        if (mean[k] > 0.0)
            probability[k] = 1.0 - probability[k];
        sum += probability[k];
    }
    for (k = 0; k < MODEL_N_CLASSES; ++k)
        probability[k] /= sum;
}

/* The number of the most probable class. */
static inline int model_predict_class(const real x[MODEL_N_INPUTS])
{
    real mean[MODEL_N_CLASSES], odds[MODEL_N_CLASSES];
    int k;
    model_against_others(x, mean, odds);
    /* Odds tell classes apart whose probabilities are both rounded to 1. */
    for (k = 0; k < MODEL_N_CLASSES; ++k) {
        const real least = odds[k];
        odds[k] = mean[k] > 0.0 ? (1.0 - least) / least : least / (1.0 - least);
    }
    return model_largest(odds);
}
"""
SOFTMAX = """
/* values = exp(values) / sum exp(values) */
static inline void model_softmax(real values[MODEL_N_CLASSES])
{
    real top = values[0], sum = 0.0;
    int k;
    for (k = 1; k < MODEL_N_CLASSES; ++k)
        top = values[k] > top ? values[k] : top;
    for (k = 0; k < MODEL_N_CLASSES; ++k) {
        values[k] = exp(values[k] - top);
        sum += values[k];
    }
    for (k = 0; k < MODEL_N_CLASSES; ++k)
        values[k] /= sum;
}
"""
SOFTMAX_OF_MEANS = """
/* The probabilities of the classes. */
static inline void model_predict_proba(const real x[MODEL_N_INPUTS],
                                       real probability[MODEL_N_CLASSES])
{
    model_latent_mean(x, probability);
    model_softmax(probability);
}
"""
CALIBRATED_SOFTMAX = """
/* The probabilities of the classes, less certain where the latent values are. */
static inline void model_predict_proba(const real x[MODEL_N_INPUTS],
                                       real probability[MODEL_N_CLASSES])
{
    real variance[MODEL_N_PROCESSES], unusual = 0.0, ratio;
    int k;
    model_latent(x, probability, variance);
    for (k = 0; k < MODEL_N_PROCESSES; ++k)
        unusual += model_contrast[k] * variance[k];
    if (unusual > model_usual[0]) {
        ratio = sqrt(model_usual[1] / (1.0 + model_usual[2] * unusual));
        for (k = 0; k < MODEL_N_CLASSES; ++k)
            probability[k] *= ratio;
    }
    model_softmax(probability);
}
"""
CLASS_OF_MEANS = """
/* The number of the most probable class. */
static inline int model_predict_class(const real x[MODEL_N_INPUTS])
{
    real mean[MODEL_N_CLASSES];
    model_latent_mean(x, mean);
    return model_largest(mean);
}
"""
INTEGRATED_BY_COVARIANCE = """
/* The probabilities of the classes, averaged over nodes of the latent values. */
static inline void model_predict_proba(const real x[MODEL_N_INPUTS],
                                       real probability[MODEL_N_CLASSES])
{
    real mean[MODEL_N_CLASSES], root[MODEL_N_CLASSES * MODEL_N_CLASSES], f[MODEL_N_CLASSES];
    int j, k, l;
    model_latent(x, mean, root);
    model_symmetric_root(root);
    model_zero(probability, MODEL_N_CLASSES);
    for (j = 0; j < MODEL_N_NODES; ++j) {
        const real *node = model_nodes + j * MODEL_N_CLASSES;
        for (k = 0; k < MODEL_N_CLASSES; ++k) {
            f[k] = mean[k];
            for (l = 0; l < MODEL_N_CLASSES; ++l)
                f[k] += root[k * MODEL_N_CLASSES + l] * node[l];
        }
        model_softmax(f);
        for (k = 0; k < MODEL_N_CLASSES; ++k)
            probability[k] += f[k] / (real)MODEL_N_NODES;
    }
}
"""
INTEGRATED_BY_VARIANCE = """
/* The probabilities of the classes, averaged over nodes of the latent values. */
static inline void model_predict_proba(const real x[MODEL_N_INPUTS],
                                       real probability[MODEL_N_CLASSES])
{
    real mean[MODEL_N_CLASSES], std[MODEL_N_PROCESSES], f[MODEL_N_CLASSES];
    int j, k;
    model_latent(x, mean, std);
    for (k = 0; k < MODEL_N_PROCESSES; ++k)
        std[k] = sqrt(std[k]);
    model_zero(probability, MODEL_N_CLASSES);
    for (j = 0; j < MODEL_N_NODES; ++j) {
        const real *node = model_nodes + j * MODEL_N_CLASSES;
        for (k = 0; k < MODEL_N_CLASSES; ++k)
            f[k] = mean[k] + std[k % MODEL_N_PROCESSES] * node[k];
        model_softmax(f);
        for (k = 0; k < MODEL_N_CLASSES; ++k)
            probability[k] += f[k] / (real)MODEL_N_NODES;
    }
}
"""
CLASS_OF_PROBABILITIES = """
/* The number of the most probable class. */
static inline int model_predict_class(const real x[MODEL_N_INPUTS])
{
    real probability[MODEL_N_CLASSES];
    model_predict_proba(x, probability);
    return model_largest(probability);
}
"""
