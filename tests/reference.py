"""The papers' formulas, written naively with N x N matrices. Nothing here knows the package."""

from __future__ import annotations

import mpmath
import numpy as np
from scipy.linalg import helmert
from scipy.optimize import minimize
from scipy.special import expit, gammaln, log_expit, log_softmax, psi, softmax


def marginal_covariance(design, weight_precision, noise_precision):
    """C = sigma^2 I + Phi A^-1 Phi'. [T01] (15); one noise precision, or one per row."""
    noise = np.broadcast_to(1.0 / np.asarray(noise_precision), len(design))
    return np.diag(noise) + (design / weight_precision) @ design.T


def log_evidence(design, target, weight_precision, noise_precision):
    """log N(t | 0, C), in double precision. [T01] (15)"""
    covariance = marginal_covariance(design, weight_precision, noise_precision)
    _, log_determinant = np.linalg.slogdet(covariance)
    energy = target @ np.linalg.solve(covariance, target)
    return -0.5 * (len(target) * np.log(2.0 * np.pi) + log_determinant + energy)


def exact_log_evidence(design, target, weight_precision, noise_precision, digits=60):
    """log N(t | 0, C) in `digits` digits, of the very numbers given, rounded to double at last."""
    with mpmath.workdps(digits):
        columns, t = mpmath.matrix(design.tolist()), mpmath.matrix(target.tolist())
        prior = mpmath.diag([1 / mpmath.mpf(float(alpha)) for alpha in weight_precision])
        noise = mpmath.eye(len(target)) / mpmath.mpf(float(noise_precision))
        lower = mpmath.cholesky(noise + columns * prior * columns.T)
        white = mpmath.lu_solve(lower, t)
        log_determinant = 2 * sum(mpmath.log(lower[i, i]) for i in range(len(target)))
        energy = (white.T * white)[0]
        return float(-(len(target) * mpmath.log(2 * mpmath.pi) + log_determinant + energy) / 2)


def gaussian_posterior(design, target, weight_precision, noise_precision):
    """Sigma = (beta Phi'Phi + A)^-1 and mu = beta Sigma Phi't. [T01] (12)-(13)"""
    hessian = noise_precision * design.T @ design + np.diag(weight_precision)
    covariance = np.linalg.inv(hessian)
    return noise_precision * covariance @ design.T @ target, covariance


def laplace_log_evidence(design, target, weight_precision):
    """Laplace's evidence of two classes. [T01] (24)-(25)"""
    return laplace(bernoulli, bernoulli, design[:, None], target, weight_precision)


def working_response(design, target, mode):
    """t_hat = Phi mu + B^-1 (t - y), and B. [T01] (27), as mended in the design"""
    probability = expit(design @ mode)
    curvature = probability * (1.0 - probability)
    return design @ mode + (target - probability) / curvature, curvature


def sparsity_and_quality(column, others, target, weight_precision, noise_precision):
    """s = phi'C^-1 phi and q = phi'C^-1 t, C without this column. [TF03]"""
    inverse = np.linalg.inv(marginal_covariance(others, weight_precision, noise_precision))
    return column @ inverse @ column, column @ inverse @ target


def log_gaussian(targets, covariance):
    """log N(t | 0, C), summed over targets (n, k)."""
    _, log_determinant = np.linalg.slogdet(2.0 * np.pi * covariance)
    energy = np.einsum("nk,nk->", targets, np.linalg.solve(covariance, targets))
    return -0.5 * (targets.shape[1] * log_determinant + energy)


def inclusion(design, targets, active, weight_precision, noise_precision, constant=()):
    """The probability that each column has a part in targets (n, k), in units of their noise.

    Slot after slot, from densities of all targets. The noise precision is one, or one per row.
    """
    energy = np.broadcast_to(noise_precision, len(design)) @ design**2
    eligible = [j for j in range(design.shape[1]) if j not in constant]

    def slot(covariance, size):
        alone = log_gaussian(targets, covariance)
        factor = np.zeros(design.shape[1])
        for j in eligible:
            more = np.outer(design[:, j], design[:, j]) * size / energy[j]
            factor[j] = np.exp(log_gaussian(targets, covariance + more) - alone) / len(eligible)
        return factor / (1.0 + factor.sum())

    slots = []
    for i, column in enumerate(active):
        if column in eligible:
            kept = np.arange(len(active)) != i
            others = design[:, active[kept]], weight_precision[kept], noise_precision
            size = energy[column] / weight_precision[i]
            slots.append(slot(marginal_covariance(*others), size))
    whole = marginal_covariance(design[:, active], weight_precision, noise_precision)
    sizes, gains = [], []
    for j in set(eligible) - set(active):
        white = np.linalg.solve(whole, design[:, j])
        s, power = design[:, j] @ white, np.mean((white @ targets) ** 2)
        if power > s:
            sizes.append(energy[j] * (power - s) / s**2)
            gains.append(power / s - 1.0 - np.log(power / s))
    if gains:
        slots.append(slot(whole, sizes[np.argmax(gains)]))
    return 1.0 - np.prod(1.0 - np.array(slots), axis=0)


def bernoulli_predictive(mean, variance):
    """The integral of sigmoid(f) N(f | mean, variance), by the trapezium rule.

    The integrand is smooth and dies out at both ends, so the rule is exact to rounding.
    """
    grid = np.linspace(-12.0, 12.0, 24001)
    density = np.exp(-0.5 * grid**2) / np.sqrt(2.0 * np.pi)
    return float(expit(mean + np.sqrt(variance) * grid) @ density * (grid[1] - grid[0]))


# Any likelihood. A density gives, for rows with latent values (n, L), its logarithm (n,), the slope
# of that (n, L), and its curvature (n, L, L). An expanded design has a row for each latent value
# and a column for each weight (n, L, P).


def gaussian(target, latent):
    """Of one or several targets with noise of variance one, without normaliser."""
    residual = target.reshape(latent.shape) - latent
    curvature = np.broadcast_to(np.eye(latent.shape[1]), (*latent.shape, latent.shape[1]))
    return -0.5 * np.sum(residual**2, axis=1), residual, curvature


def bernoulli(target, latent):
    """Of a class, or of the probability of one. [T01] (23)"""
    probability = expit(latent)
    value = target * log_expit(latent[:, 0]) + (1.0 - target) * log_expit(-latent[:, 0])
    return value, target[:, None] - probability, (probability * (1.0 - probability))[:, :, None]


def _of_one(value, slope, curvature):
    """Of one latent value for each row, from arrays (n,)."""
    return value, slope[:, None], curvature[:, None, None]


def poisson(log_mean):
    """Of counts, or of counts and the logarithms of their exposures (n, 2)."""

    def density(target, latent):
        count, log_exposure = (target, 0.0) if target.ndim == 1 else target.T
        log_rate = latent[:, 0] + log_mean + log_exposure
        rate = np.exp(log_rate)
        return _of_one(count * log_rate - rate - gammaln(count + 1.0), count - rate, rate)

    return density


def negative_binomial(dispersion, log_mean):
    """Of counts with the variance m + dispersion m^2."""

    def density(target, latent):
        size, rate = 1.0 / dispersion, np.exp(latent[:, 0] + log_mean)
        share = rate / (rate + size)
        value = gammaln(target + size) - gammaln(size) - gammaln(target + 1.0)
        value += target * np.log(share) + size * np.log(1.0 - share)
        slope = target - (target + size) * share
        return _of_one(value, slope, (target + size) * share * (1.0 - share))

    return density


def student_t(df, scale, curvature="own"):
    """Of a target with Student-t noise; the curvature its own, the expected one, or that of EM."""

    def density(target, latent):
        square = ((target - latent[:, 0]) / scale) ** 2
        value = gammaln((df + 1) / 2) - gammaln(df / 2) - 0.5 * np.log(df * np.pi * scale**2)
        value = value - (df + 1) / 2 * np.log(1.0 + square / df)
        slope = (df + 1) * (target - latent[:, 0]) / (df * scale**2 * (1.0 + square / df))
        bent = {
            "own": (df + 1) * (df - square) / (df + square) ** 2,
            "expected": np.full_like(square, (df + 1) / (df + 3)),
            "em": (df + 1) / (df + square),
        }[curvature]
        return _of_one(value, slope, bent / scale**2)

    return density


def ordered(cut_points):
    """Of classes in an order, by differences of sigmoids."""
    cuts = np.concatenate([[-np.inf], cut_points, [np.inf]])

    def density(target, latent):
        code = target.astype(int)
        above, below = expit(cuts[code + 1] - latent[:, 0]), expit(cuts[code] - latent[:, 0])
        slope = above + below - 1.0
        curvature = above * (1.0 - above) + below * (1.0 - below)
        return _of_one(np.log(above - below), slope, curvature)

    return density


def variances(log_mean):
    """Of squared errors, up to a constant."""

    def density(target, latent):
        variance = np.exp(latent[:, 0] + log_mean)
        value = -0.5 * (np.log(2.0 * np.pi * variance) + target / variance)
        return _of_one(value, 0.5 * (target / variance - 1.0), 0.5 * target / variance)

    return density


def classes(target, latent):
    """Of one of K classes, with W = diag(p) - p p'. [T01] (28), with a softmax"""
    label, probability = np.eye(latent.shape[1])[target.astype(int)], softmax(latent, axis=1)
    curvature = np.array([np.diag(p) - np.outer(p, p) for p in probability])
    return np.sum(label * log_softmax(latent, axis=1), axis=1), label - probability, curvature


def class_contrasts(target, latent):
    """The same, for the coordinates of K latent values that sum to zero (n, K - 1)."""
    basis = helmert(latent.shape[1] + 1).T
    value, slope, curvature = classes(target, latent @ basis.T)
    return value, slope @ basis, basis.T @ curvature @ basis


def resemblance(stiffness, held=False):
    """-KL(softmax(t) || softmax(f)) - stiffness / 2 c |f - t|^2, with c = 2 KL(p || even) / |t|^2.

    `held` is the same with the number tr W^2 / tr W in place of the curvature W of the first part.
    """

    def density(target, latent):
        n_classes = latent.shape[1] + 1
        basis = helmert(n_classes).T
        wanted, found = softmax(target @ basis.T, axis=1), softmax(latent @ basis.T, axis=1)
        even = np.sum(wanted * np.log(n_classes * wanted), axis=1)
        stiff = stiffness * 2.0 * even / np.sum(target**2, axis=1)
        apart, unit = latent - target, np.eye(n_classes - 1)
        value = np.sum(wanted * np.log(found / wanted), axis=1)
        value -= 0.5 * stiff * np.sum(apart**2, axis=1)
        slope = (wanted - found) @ basis - stiff[:, None] * apart
        curvature = np.array([basis.T @ (np.diag(p) - np.outer(p, p)) @ basis for p in found])
        if held:
            ratio = [np.trace(each @ each) / np.trace(each) for each in curvature]
            curvature = np.array(ratio)[:, None, None] * unit
        return value, slope, curvature + stiff[:, None, None] * unit

    return density


def tangents(pairs, latent):
    """The quadratic that touches the log density of two classes at +-xi. [BT00] (50)"""
    target, xi = pairs.T
    sign, size = 2.0 * target - 1.0, half_slope(xi)
    z = sign * latent[:, 0]
    value = log_expit(xi) + 0.5 * (z - xi) - size * (z**2 - xi**2)
    return value, (0.5 * sign - 2.0 * size * latent[:, 0])[:, None], 2.0 * size[:, None, None]


def with_mean_curvature(density):
    """The same density with the number tr W^2 / tr W in place of each curvature W."""

    def changed(target, latent):
        value, slope, curvature = density(target, latent)
        ratio = np.einsum("nij,nji->n", curvature, curvature) / np.einsum("nii->n", curvature)
        return value, slope, ratio[:, None, None] * np.eye(latent.shape[1])

    return changed


def taylor(density, at):
    """The quadratic that a log density is near latent values (n, L)."""

    def quadratic(target, latent):
        value, slope, curvature = density(target, at)
        step = latent - at
        bent = np.einsum("nij,nj->ni", curvature, step)
        return value + np.sum(step * (slope - 0.5 * bent), axis=1), slope - bent, curvature

    return quadratic


def frozen(density):
    """The quadratic at zero."""

    def quadratic(target, latent):
        return taylor(density, np.zeros_like(latent))(target, latent)

    return quadratic


def expanded_design(design, n_classes=1, n_outputs=1):
    """Weights are ordered by class, then by column, then by output."""
    classes, outputs = np.eye(n_classes), np.eye(n_outputs)
    return np.stack([np.kron(classes, np.kron(row, outputs)) for row in design])


def sums(density, expanded, target, row_weight, weights):
    """The log density of all rows, its gradient for the weights, and minus its Hessian."""
    value, slope, curvature = density(target, expanded @ weights)
    gradient = np.einsum("n,nlp,nl->p", row_weight, expanded, slope)
    bent = np.einsum("n,nlk,nkp->nlp", row_weight, curvature, expanded)
    return row_weight @ value, gradient, np.einsum("nlp,nlq->pq", expanded, bent)


def mode(density, expanded, target, row_weight, weight_precision, noise_precision=1.0):
    """The mode of beta log p(t | w) - 1/2 w'Aw, by a general optimiser, and its value there."""

    def loss(weights):
        value, gradient, _ = sums(density, expanded, target, row_weight, weights)
        value = noise_precision * value - 0.5 * weight_precision @ weights**2
        return -value, weight_precision * weights - noise_precision * gradient

    def hessian(weights):
        bent = sums(density, expanded, target, row_weight, weights)[2]
        return noise_precision * bent + np.diag(weight_precision)

    start, options = np.zeros(expanded.shape[2]), {"gtol": 1e-10}
    found = minimize(loss, start, jac=True, hess=hessian, method="trust-exact", options=options)
    return found.x, -found.fun


def log_volume(hessian, weight_precision):
    """1/2 log |A| - 1/2 log |A + H|: what a Gaussian integral adds to the log joint density."""
    whole = hessian + np.diag(weight_precision)
    return 0.5 * np.log(weight_precision).sum() - 0.5 * np.linalg.slogdet(whole)[1]


def laplace(density, held, expanded, target, weight_precision):
    """log p(t | w) p(w) at the mode, with the volume of a Gaussian of the curvature of `held`."""
    once = np.ones(len(target))
    weights, log_joint = mode(density, expanded, target, once, weight_precision)
    return log_joint + log_volume(sums(held, expanded, target, once, weights)[2], weight_precision)


# Several outputs, whose weights have the prior N(0, sigma_l^2 / alpha_i).


def outputs_log_evidence(design, targets, weight_precision, noise_std):
    """sum_l log N(t_l | 0, sigma_l^2 (I + Phi A^-1 Phi'))."""
    return sum(
        log_evidence(design, target, weight_precision / std**2, std**-2)
        for target, std in zip(targets.T, noise_std, strict=True)
    )


def best_noise_std(design, targets, weight_precision):
    """The sigma_l that make this largest: sigma_l^2 = t_l' (I + Phi A^-1 Phi')^-1 t_l / n."""
    white = np.linalg.solve(marginal_covariance(design, weight_precision, 1.0), targets)
    return np.sqrt(np.sum(targets * white, axis=0) / len(targets))


# Variational inference. A distribution Gamma(shape, rate) is the pair of these; rows count once.


def gamma_moments(shape, rate):
    """<x> and <ln x>. [BT00] (30)-(33)"""
    return shape / rate, psi(shape) - np.log(rate)


def expected_log_gamma(shape, rate, mean, mean_log):
    """<ln Gamma(x | shape, rate)> of an x with these moments. [BT00] (42), (43)"""
    return shape * np.log(rate) + (shape - 1.0) * mean_log - rate * mean - gammaln(shape)


def gamma_entropy(shape, rate):
    """-<ln Gamma(x | shape, rate)>. [BT00] (64); (45) and (46) lack its minus"""
    return -(shape - 1.0) * psi(shape) - np.log(rate) + shape + gammaln(shape)


def gaussian_entropy(covariance):
    """-<ln N(w | mean, covariance)>. [BT00] (44), (63)"""
    size = len(covariance)
    return 0.5 * size * (1.0 + np.log(2.0 * np.pi)) + 0.5 * np.linalg.slogdet(covariance)[1]


def expected_log_weight_prior(mean, covariance, alpha, log_alpha):
    """<ln P(w | alpha)>. [BT00] (61); (41) has the sign of <ln alpha> wrong"""
    second_moment = mean**2 + np.diag(covariance)
    constant = -0.5 * len(mean) * np.log(2.0 * np.pi)
    return constant + 0.5 * np.sum(log_alpha) - 0.5 * alpha @ second_moment


def expected_log_likelihood(design, target, mean, covariance, tau, log_tau):
    """<ln P(t | w, tau)>. [BT00] (40)"""
    n = len(target)
    second_moment = covariance + np.outer(mean, mean)
    misfit = target @ target - 2.0 * mean @ design.T @ target
    misfit += np.trace(design @ second_moment @ design.T)
    return 0.5 * n * log_tau - 0.5 * n * np.log(2.0 * np.pi) - 0.5 * tau * misfit


def expected_log_tangents(design, target, mean, covariance, xi):
    """<ln F>: of tangents to the log likelihood of two classes, at +-xi. [BT00] (60)"""
    second_moment = np.diag(design @ (covariance + np.outer(mean, mean)) @ design.T)
    sign = 2.0 * target - 1.0
    inner = 0.5 * sign * (design @ mean) - 0.5 * xi
    return np.sum(log_expit(xi) + inner - half_slope(xi) * (second_moment - xi**2))


def half_slope(xi):
    """lambda(xi). [BT00] below (50)"""
    return np.tanh(0.5 * xi) / (4.0 * xi)


def weight_terms(mean, covariance, posterior, prior):
    """What Q(w) and Q(alpha) = Gamma(*posterior) add to a bound. [BT00] (61)-(64)"""
    shape, rate = np.broadcast_arrays(*posterior)
    alpha, log_alpha = gamma_moments(shape, rate)
    return (
        expected_log_weight_prior(mean, covariance, alpha, log_alpha)
        + np.sum(expected_log_gamma(*prior, alpha, log_alpha))
        + gaussian_entropy(covariance)
        + np.sum(gamma_entropy(shape, rate))
    )


def regression_bound(design, target, q_w, q_alpha, q_tau, p_alpha, p_tau):
    """The lower bound of log p(t). [BT00] (39)"""
    tau, log_tau = gamma_moments(*q_tau)
    return (
        expected_log_likelihood(design, target, *q_w, tau, log_tau)
        + weight_terms(*q_w, q_alpha, p_alpha)
        + expected_log_gamma(*p_tau, tau, log_tau)
        + gamma_entropy(*q_tau)
    )


def fixed_noise_bound(design, target, q_w, q_alpha, tau, p_alpha):
    """The same where the noise precision is known."""
    likelihood = expected_log_likelihood(design, target, *q_w, tau, np.log(tau))
    return likelihood + weight_terms(*q_w, q_alpha, p_alpha)


def classification_bound(design, target, q_w, q_alpha, xi, p_alpha):
    """The lower bound of log p(t) for two classes. [BT00] (59)"""
    likelihood = expected_log_tangents(design, target, *q_w, xi)
    return likelihood + weight_terms(*q_w, q_alpha, p_alpha)


def tangent_posterior(design, target, weight_precision, xi):
    """m and S of Q(w) for two classes. [BT00] (54)-(55)"""
    hessian = np.diag(weight_precision) + 2.0 * design.T @ np.diag(half_slope(xi)) @ design
    covariance = np.linalg.inv(hessian)
    return 0.5 * covariance @ design.T @ (2.0 * target - 1.0), covariance


def updated_alpha(mean, covariance, a, b):
    """Q(alpha), one rate per weight. [BT00] (25), (57)"""
    return a + 0.5, b + 0.5 * (mean**2 + np.diag(covariance))


def updated_tau(design, target, mean, covariance, c, d):
    """Q(tau). [BT00] (26), whose N + 1 is N for N targets, and (27)"""
    second_moment = covariance + np.outer(mean, mean)
    rate = d + 0.5 * target @ target - mean @ design.T @ target
    return c + 0.5 * len(target), rate + 0.5 * np.trace(design @ second_moment @ design.T)


def updated_xi(design, mean, covariance):
    """The best tangents. [BT00] (58)"""
    return np.sqrt(np.diag(design @ (covariance + np.outer(mean, mean)) @ design.T))
