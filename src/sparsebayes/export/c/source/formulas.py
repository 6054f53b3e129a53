"""C of the columns of each formula.

`x` are all inputs; MODEL_INPUT(k) is the number of the k-th that counts. Tables have a row of
MODEL_N_USED numbers for each column.
"""

DISTANCE = """
/* sum_k gamma_k (x_k - c_k)^2 */
static inline real model_distance(const real *x, const real *gamma, const real *c)
{
    real sum = 0.0;
    int k;
    for (k = 0; k < MODEL_N_USED; ++k) {
        const real gap = x[MODEL_INPUT(k)] - c[k];
        sum += gamma[k] * gap * gap;
    }
    return sum;
}
"""
DOT = """
/* sum_k x_k c_k */
static inline real model_dot(const real *x, const real *c)
{
    real sum = 0.0;
    int k;
    for (k = 0; k < MODEL_N_USED; ++k)
        sum += x[MODEL_INPUT(k)] * c[k];
    return sum;
}
"""
POWER = """
/* base^exponent */
static inline real model_power(real base, int exponent)
{
    real value = 1.0;
    for (; exponent > 0; exponent /= 2) {
        if (exponent % 2)
            value *= base;
        base *= base;
    }
    return value;
}
"""
GAUSSIAN = """
/* exp(-sum_k gamma_k (x_k - c_k)^2) */
static inline void model_gaussian(const real *x, const real *gamma, const real *c, int n, real *out)
{
    for (; n > 0; --n, c += MODEL_N_USED)
        *out++ = exp(-model_distance(x, gamma, c));
}
"""
CAUCHY = """
/* 1 / (1 + sum_k gamma_k (x_k - c_k)^2) */
static inline void model_cauchy(const real *x, const real *gamma, const real *c, int n, real *out)
{
    for (; n > 0; --n, c += MODEL_N_USED)
        *out++ = 1.0 / (1.0 + model_distance(x, gamma, c));
}
"""
LAPLACIAN = """
/* exp(-sum_k gamma_k |x_k - c_k|) */
static inline void model_laplacian(const real *x, const real *gamma, const real *c, int n,
                                   real *out)
{
    for (; n > 0; --n, c += MODEL_N_USED) {
        real sum = 0.0;
        int k;
        for (k = 0; k < MODEL_N_USED; ++k)
            sum += gamma[k] * fabs(x[MODEL_INPUT(k)] - c[k]);
        *out++ = exp(-sum);
    }
}
"""
MATERN12 = """
/* exp(-r), r^2 = sum_k gamma_k (x_k - c_k)^2 */
static inline void model_matern12(const real *x, const real *gamma, const real *c, int n, real *out)
{
    for (; n > 0; --n, c += MODEL_N_USED) {
        const real r = sqrt(model_distance(x, gamma, c));
        *out++ = exp(-r);
    }
}
"""
MATERN32 = """
/* (1 + r) exp(-r), r^2 = 3 sum_k gamma_k (x_k - c_k)^2 */
static inline void model_matern32(const real *x, const real *gamma, const real *c, int n, real *out)
{
    for (; n > 0; --n, c += MODEL_N_USED) {
        const real r = sqrt(3.0 * model_distance(x, gamma, c));
        *out++ = (1.0 + r) * exp(-r);
    }
}
"""
MATERN52 = """
/* (1 + r + r^2 / 3) exp(-r), r^2 = 5 sum_k gamma_k (x_k - c_k)^2 */
static inline void model_matern52(const real *x, const real *gamma, const real *c, int n, real *out)
{
    for (; n > 0; --n, c += MODEL_N_USED) {
        const real r = sqrt(5.0 * model_distance(x, gamma, c));
        *out++ = (1.0 + r * (1.0 + r / 3.0)) * exp(-r);
    }
}
"""
LINEAR = """
/* sum_k (x_k - middle_k) c_k, where c_k = gamma_k (centre_k - middle_k) */
static inline void model_linear(const real *x, const real *middle, const real *c, int n, real *out)
{
    for (; n > 0; --n, c += MODEL_N_USED) {
        real sum = 0.0;
        int k;
        for (k = 0; k < MODEL_N_USED; ++k)
            sum += (x[MODEL_INPUT(k)] - middle[k]) * c[k];
        *out++ = sum;
    }
}
"""
POLYNOMIAL = """
/* (sum_k x_k c_k + coef0)^degree, where c_k = gamma_k centre_k */
static inline void model_polynomial(const real *x, real coef0, int degree, const real *c, int n,
                                    real *out)
{
    for (; n > 0; --n, c += MODEL_N_USED)
        *out++ = model_power(model_dot(x, c) + coef0, degree);
}
"""
SIGMOID = """
/* tanh(sum_k x_k c_k + coef0), where c_k = gamma_k centre_k */
static inline void model_sigmoid(const real *x, real coef0, const real *c, int n, real *out)
{
    for (; n > 0; --n, c += MODEL_N_USED)
        *out++ = tanh(model_dot(x, c) + coef0);
}
"""
LINEAR_SPLINE = """
/* prod_k (1 + x c + x c min(x, c) - (x + c) / 2 min(x, c)^2 + min(x, c)^3 / 3) */
static inline void model_linear_spline(const real *x, const real *c, int n, real *out)
{
    for (; n > 0; --n, c += MODEL_N_USED) {
        real product = 1.0;
        int k;
        for (k = 0; k < MODEL_N_USED; ++k) {
            const real a = x[MODEL_INPUT(k)];
            const real low = a < c[k] ? a : c[k];
            product *= 1.0 + a * c[k] * (1.0 + low) - 0.5 * (a + c[k]) * low * low
                       + low * low * low / 3.0;
        }
        *out++ = product;
    }
}
"""
INPUTS = """
/* Inputs by their numbers. */
static inline void model_inputs(const real *x, const uint16_t *number, int n, real *out)
{
    for (; n > 0; --n)
        *out++ = x[*number++];
}
"""
CONSTANT = """
static inline void model_constant(int n, real *out)
{
    for (; n > 0; --n)
        *out++ = 1.0;
}
"""
PRODUCTS = """
/* prod_k x_k^power_k */
static inline void model_products(const real *x, const uint16_t *power, int n, real *out)
{
    for (; n > 0; --n, power += MODEL_N_USED) {
        real product = 1.0;
        int k;
        for (k = 0; k < MODEL_N_USED; ++k)
            product *= model_power(x[MODEL_INPUT(k)], (int)power[k]);
        *out++ = product;
    }
}
"""
WEIGHTED_SQUARES = """
/* sum_k gamma_k x_k^2 */
static inline real model_weighted_squares(const real *x, const real *gamma)
{
    real sum = 0.0;
    int k;
    for (k = 0; k < MODEL_N_USED; ++k)
        sum += gamma[k] * x[MODEL_INPUT(k)] * x[MODEL_INPUT(k)];
    return sum;
}
"""
SPLINE_ITSELF = """
/* prod_k (1 + x_k^2 + x_k^3 / 3) */
static inline real model_spline_itself(const real *x)
{
    real product = 1.0;
    int k;
    for (k = 0; k < MODEL_N_USED; ++k) {
        const real a = x[MODEL_INPUT(k)];
        product *= 1.0 + a * a + a * a * a / 3.0;
    }
    return product;
}
"""
