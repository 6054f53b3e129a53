"""[B06] Bishop (2006), Pattern Recognition and Machine Learning, section 7.2."""

from __future__ import annotations

import numpy as np
from sklearn.svm import NuSVR

from studies import models
from studies.framework.drawings import draw_band
from studies.framework.experiment import (
    Block,
    Experiment,
    Figure,
    Status,
    Table,
    Task,
    Text,
    Verdict,
    cell,
    draws,
)
from studies.framework.verdict import ONE_FIT_VECTORS, SKIPPED, judge
from studies.measures import rms

# The ten targets of the book's curve-fitting set, sin(2 pi x) + noise of 0.3 at equal steps.
_FIRST_FIVE = 0.349486, 0.830839, 1.007332, 0.971507, 0.133066
_LAST_FIVE = 0.166823, -0.848307, -0.445686, -0.563567, 0.261502
BOOK = np.array([*_FIRST_FIVE, *_LAST_FIVE])
POINTS = np.linspace(0.0, 1.0, 10)[:, None]
DENSE = np.linspace(0.0, 1.0, 200)[:, None]
WIDTHS = (0.1, 0.15, 0.2, 0.25, 0.3)
NOISE = 0.3
THIS_WIDTH = "0.2"
LEARNED = "learned"
# The keys of a result that have sizes.
BY_WIDTH = (*(f"{width:g}" for width in WIDTHS), LEARNED)


def _sine(x):
    return np.sin(2.0 * np.pi * x[:, 0])


def book_fit() -> dict:
    """Figure 7.9: the book's own ten points, and the fit for the picture."""
    model = models.paper_rvr(gamma=_gamma(float(THIS_WIDTH))).fit(POINTS, BOOK)
    mean, std = model.predict(DENSE, return_std=True)
    return {
        **_sizes(BOOK),
        "relevance": model.relevance_.tolist(),
        "mean": mean.tolist(),
        "std": std.tolist(),
    }


def sine_draw(seed: int) -> dict:
    """The fit of the book's ten inputs with noise drawn anew."""
    noise = np.random.default_rng(seed).normal(0.0, NOISE, len(POINTS))
    return _sizes(_sine(POINTS) + noise)


def _sizes(target) -> dict:
    """By width: relevance vectors, support vectors, noise, error of the mean; and width learned."""
    sizes = {f"{width:g}": _size(_gamma(width), target) for width in WIDTHS}
    return {**sizes, LEARNED: _size("learn", target)}


def _size(gamma, target) -> dict:
    model = models.paper_rvr(gamma=gamma).fit(POINTS, target)
    machine = NuSVR(gamma=model.gamma_).fit(POINTS, target)
    return {
        "rvm": len(model.relevance_),
        "svm": len(machine.support_),
        "noise": float(model.noise_std_),
        "error": rms(model.predict(DENSE), _sine(DENSE)),
    }


def _gamma(width: float) -> float:
    """The book's Gaussian is exp(-d^2 / (2 width^2))."""
    return 0.5 / width**2


def report_sine(results: dict[str, dict]) -> list[Block]:
    """The fit of the book's points, sizes by width, and over draws."""
    runs = [result for key, result in results.items() if key != "book"]
    book = results.get("book")
    blocks: list[Block] = [_sizes_table(book, runs)]
    if book:
        caption = f"Figure 7.9 here: the book's ten points, width {THIS_WIDTH}, mean ± one std."
        blocks += [Figure(lambda figure: _draw_fit(figure, book), caption)]
    text = (
        "The book does not give the width of its kernels, nor C and nu of its nu-SVM; here the "
        "latter are scikit-learn's defaults, 1 and 0.5. Gaussian kernels are "
        "exp(-d² / 2 width²); the last row learns the width from the evidence. The book's points "
        f"are one fit, with no draws to tell a standard error; verdicts take {ONE_FIT_VECTORS}."
    )
    over_draws = [run[THIS_WIDTH]["rvm"] for run in runs]
    claim = f"Three relevance vectors, other noise, width {THIS_WIDTH}"
    return [*blocks, Text(text), *_book_verdicts(book), judge(claim, 3, over_draws)]


def _sizes_table(book: dict | None, runs: list[dict]) -> Table:
    rows = [["paper", "", "3", "7", "", "", "", ""]]
    for width in BY_WIDTH:
        own = [str(book[width]["rvm"]), str(book[width]["svm"])] if book else ["-", "-"]
        row = [
            cell([run[width][name] for run in runs], "{:.2f}")
            for name in ("rvm", "svm", "noise", "error")
        ]
        rows += [["here", width, *own, *row]]
    header = ["", "width", "book's points: RVM", "nu-SVM", "draws: RVM", "nu-SVM", "noise", "RMS"]
    note = f"Vectors; mean ± standard error over {len(runs)} draws; true noise {NOISE}."
    return Table(header, rows, note)


def _book_verdicts(book: dict | None) -> list[Verdict]:
    stated = {
        "rvm": ("three relevance vectors", 3),
        "svm": ("seven support vectors of a nu-SVM", 7),
    }
    return [
        _book_verdict(f"Figure 7.9: {words}, width {THIS_WIDTH}", number, name, book or {})
        for name, (words, number) in stated.items()
    ]


def _book_verdict(claim: str, number: int, name: str, book: dict) -> Verdict:
    """A verdict on the fit of one width, and on which widths have as many vectors as the book."""
    sizes = {width: book[width][name] for width in BY_WIDTH if width in book}
    values = [sizes[THIS_WIDTH]] if sizes else []
    verdict = judge(claim, number, values, error=ONE_FIT_VECTORS, form="{:.0f}")
    as_many = [width for width, size in sizes.items() if size == number]
    if not as_many:
        return verdict
    return verdict._replace(why=f"{verdict.why}; {number} with width {', '.join(as_many)}")


def _draw_fit(figure, book) -> None:
    axes = figure.subplots()
    axes.plot(DENSE[:, 0], _sine(DENSE), color="0.6", label="sin 2πx")
    draw_band(
        axes,
        DENSE[:, 0],
        book["mean"],
        POINTS[:, 0],
        BOOK,
        book["relevance"],
        std=book["std"],
        n_std=1.0,
    )
    axes.legend(frameon=False, fontsize=8)


# 7.2.2: two targets, one column of unit length at an angle to them.
TARGET = np.array([1.5, 1.5])
PRECISION = 4.0
ANGLES = (0.0, 30.0, 60.0, 75.0, 77.0, 80.0, 90.0)
LOG_ALPHA = np.linspace(-5.0, 10.0, 151)


def alignment(angle: float) -> dict:
    """Section 7.2.2: evidence of one column against its precision, (7.97)-(7.101), and a fit.

    l(alpha) = (log alpha - log(alpha + s) + q^2 / (alpha + s)) / 2 is what the column adds; with
    nothing else in the model s = beta phi'phi and q = beta phi't.
    """
    direction = np.pi / 4 + np.deg2rad(angle)
    column = np.array([np.cos(direction), np.sin(direction)])
    s, q = PRECISION * column @ column, PRECISION * column @ TARGET
    alpha = np.exp(LOG_ALPHA)
    gain = 0.5 * (LOG_ALPHA - np.log(alpha + s) + q**2 / (alpha + s))
    noise_std = PRECISION**-0.5
    model = models.linear(True, noise_std=noise_std, tol=1e-8)
    fitted = model.fit(column[:, None], TARGET).weight_precision_
    return {
        "angle": angle,
        "column": column.tolist(),
        "s": float(s),
        "q_squared": float(q**2),
        "optimum": float(s**2 / (q**2 - s)) if q**2 > s else None,
        "fitted": float(fitted[0]) if len(fitted) else None,
        "gain": gain.tolist(),
    }


def report_alignment(results: dict[str, dict]) -> list[Block]:
    """The curves, the contours for a column that is aligned and one that is not, and a verdict."""
    cases = list(results.values())
    if not cases:
        return [_sparsity_verdict(cases)]
    rows = [_alignment_row(case) for case in cases]
    header = ["angle to t", "s", "q²", "best alpha, s² / (q² - s)", "alpha of the fit here"]
    note = f"One column of length 1, t = (1.5, 1.5), noise precision {PRECISION:g}."
    caption = (
        "Left: what the column adds to the log evidence against log alpha, dots at the best alpha. "
        "Right: one standard deviation of p(t | alpha) at the best alpha for columns at 0° and 90° "
        "(dashed: infinite), and t."
    )
    return [
        Figure(lambda figure: _draw_alignment(figure, cases), caption),
        Table(header, rows, note),
        _sparsity_verdict(cases),
    ]


def _alignment_row(case: dict) -> list[str]:
    numbers = [f"{case['angle']:g}°", f"{case['s']:.2f}", f"{case['q_squared']:.2f}"]
    return [*numbers, _precision(case["optimum"]), _precision(case["fitted"])]


def _precision(alpha: float | None) -> str:
    return "∞" if alpha is None else f"{alpha:.4g}"


def _sparsity_verdict(cases: list[dict]) -> Verdict:
    """Whether fits keep the column only if q^2 > s, and then at s^2 / (q^2 - s)."""
    claim = "A column that is poorly aligned with t (q² ≤ s) has its best alpha at infinity"
    if not cases:
        return Verdict(claim, Status.SKIPPED, SKIPPED)
    agree = sum(_agrees(case["optimum"], case["fitted"]) for case in cases)
    status = Status.REPRODUCED if agree == len(cases) else Status.NOT
    why = f"in {agree} of {len(cases)} cases the fit ends at the closed form's alpha, finite or not"
    return Verdict(claim, status, why)


def _agrees(optimum: float | None, fitted: float | None) -> bool:
    if optimum is None or fitted is None:
        return optimum is None and fitted is None
    return abs(fitted - optimum) <= 1e-3 * optimum


def _draw_alignment(figure, cases) -> None:
    left, right = figure.subplots(1, 2)
    for k, case in enumerate(cases):
        left.plot(LOG_ALPHA, case["gain"], color=f"C{k}", label=f"{case['angle']:g}°")
        if case["optimum"]:
            at = np.log(case["optimum"])
            left.plot(at, np.interp(at, LOG_ALPHA, case["gain"]), "o", color=f"C{k}")
    left.set(xlabel="log alpha", ylabel="gain in log evidence", ylim=(-2.0, 8.0))
    left.legend(frameon=False, fontsize=7)
    for case, colour in ((cases[0], "C0"), (cases[-1], f"C{len(cases) - 1}")):
        _draw_contours(right, case, colour)
    right.plot(*TARGET, "x", color="C3", ms=9, mew=2)
    right.set(xlabel="t₁", ylabel="t₂", aspect="equal")


def _draw_contours(axes, case, colour) -> None:
    """The ellipse of one standard deviation, and the direction of the column."""
    column, alpha = np.array(case["column"]), case["optimum"]
    covariance = np.eye(2) / PRECISION
    if alpha:
        covariance = covariance + np.outer(column, column) / alpha
    turn = np.linspace(0.0, 2.0 * np.pi, 100)
    root = np.linalg.cholesky(covariance)
    axes.plot(*(root @ np.array([np.cos(turn), np.sin(turn)])), "-" if alpha else "--", c=colour)
    axes.annotate("", column, (0, 0), arrowprops={"arrowstyle": "->", "color": colour})


def sine_tasks(quick: bool) -> list[Task]:
    """The book's points, and draws."""
    return [Task("book", book_fit), *draws(sine_draw, 50)(quick)]


def alignment_tasks(quick: bool) -> list[Task]:
    """A task for each angle."""
    return [Task(f"angle-{angle:02.0f}", alignment, (angle,)) for angle in ANGLES]


EXPERIMENTS: list[Experiment] = [
    Experiment(
        "b06-figure-7.9",
        "[B06] Figure 7.9",
        "Three relevance vectors on the sinusoidal set",
        sine_tasks,
        report_sine,
    ),
    Experiment(
        "b06-sparsity",
        "[B06] 7.2.2",
        "Why a column goes: its alignment with the targets",
        alignment_tasks,
        report_alignment,
    ),
]
