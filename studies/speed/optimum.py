"""Where "fast" ends, against full MacKay re-estimation and with a price on columns."""

from __future__ import annotations

from functools import partial

import numpy as np

from studies import models
from studies.data.samples import Sample, sample
from studies.framework.experiment import Block, Experiment, Table, Task
from studies.framework.sets import mean_of, pooled
from studies.speed.measure import GAMMAS, error_and_loss, interleaved

PRICES = (0.5, 1.0, 2.0)
PRICED = tuple(f"min_gain={price:g}" for price in PRICES)
# Set -> sizes of the training set that are given.
SETS: dict[str, dict] = {
    "friedman1": {},
    "friedman2": {},
    "friedman3": {},
    "friedman1-large": {"n_train": 1000},
    "friedman3-large": {"n_train": 1000},
    **{
        name: {}
        for name in (
            *("sinc-gaussian", "waveform", "boston", "motorcycle"),
            *("ripley", "pima", "banana", "heart"),
        )
    },
}
N_DRAWS = 4
NOISE_GAMMAS = (0.1, 1.0, 10.0, 1000.0)


def optimum_draw(name: str, seed: int, relative=GAMMAS) -> dict:
    """All methods at each width of one draw."""
    one = sample(name.removesuffix("-large"), seed, **SETS[name])
    return {"rows": [optimum_row(one, each) for each in relative]}


def optimum_row(one: Sample, relative: float) -> dict:
    """All methods at one width, in turn."""
    make = partial(models.machine, one.is_regression, gamma=one.gamma(relative))
    makers = {"fast": make, "mackay": partial(make, "mackay")}
    for name, price in zip(PRICED, PRICES, strict=True):
        makers[name] = partial(make, "fast", {"min_gain": price})
    row: dict = {"n": len(one.y), "width": relative}
    for name, (model, seconds) in interleaved(makers, one.X, one.y, 1).items():
        row[name] = {
            "seconds": seconds,
            "columns": len(model.weights_),
            "evidence": float(model.log_evidence_),
            "outcome": model.outcome_.name,
            **error_and_loss(model, one),
        }
    return row


def optimum_tasks(quick: bool) -> list[Task]:
    """A task for each draw of each set; one small set at one width if quick."""
    if quick:
        return [Task("sinc-gaussian-000", optimum_draw, ("sinc-gaussian", 0, GAMMAS[2:3]))]
    return [
        Task(f"{name}-{seed:03}", optimum_draw, (name, seed))
        for seed in range(N_DRAWS)
        for name in SETS
    ]


def optimum_report(results: dict[str, dict]) -> list[Block]:
    """A row for each method, against MacKay's."""
    rows = [row for result in results.values() for row in result["rows"]]
    header = ["", "evidence within 0.5 or above", "mean difference", "worst"]
    header += ["error ratio", "loss", "columns", "times faster"]
    note = f"{len(rows)} cases: each line against full MacKay re-estimation."
    return [Table(header, [_compared(rows, name) for name in ("fast", *PRICED)], note)]


def _compared(rows: list[dict], method: str, base: str = "mackay") -> list[str]:
    pairs = [(row[method], row[base], row["n"]) for row in rows]
    gap = np.array([a["evidence"] - b["evidence"] for a, b, _ in pairs])
    error = [np.log(a["error"] / b["error"]) for a, b, _ in pairs]
    loss = [a["loss"] - b["loss"] for a, b, _ in pairs]
    columns = [a["columns"] / max(1, b["columns"]) for a, b, _ in pairs]
    speed: dict[int, list[float]] = {}
    for a, b, n in pairs:
        speed.setdefault(n, []).append(b["seconds"] / a["seconds"])
    return [
        method,
        f"{np.mean(gap >= -0.5):.1%}",
        f"{gap.mean():+.2f}",
        f"{gap.min():.2f}",
        f"{np.exp(np.mean(error)):.3f}",
        f"{np.mean(loss):+.4f}",
        f"{np.mean(columns):.3f}",
        ", ".join(f"{np.median(ratio):.1f} (N={n})" for n, ratio in sorted(speed.items())),
    ]


def noise_draw(seed: int, gammas=NOISE_GAMMAS) -> dict:
    """Columns kept on pure noise, of 100 kernels and a bias."""
    random = np.random.default_rng(seed)
    X, y = random.normal(size=(100, 2)), random.normal(size=100)
    return {"rows": [{"gamma": gamma, **_kept(X, y, gamma)} for gamma in gammas]}


def _kept(X, y, gamma: float) -> dict:
    return {
        f"{price:g}": len(models.rvr("fast", {"min_gain": price}, gamma=gamma).fit(X, y).weights_)
        for price in (0.0, *PRICES)
    }


def noise_tasks(quick: bool) -> list[Task]:
    """A task for each draw."""
    more = ((1.0,),) if quick else ()
    return [
        Task(f"draw-{seed:02}", noise_draw, (seed, *more)) for seed in range(1 if quick else 20)
    ]


def noise_report(results: dict[str, dict]) -> list[Block]:
    """Means by width and price."""
    prices = [f"{price:g}" for price in (0.0, *PRICES)]
    rows = [
        [f"{gamma:g}", *(mean_of(group, price, "{:.1f}") for price in prices)]
        for (gamma,), group in pooled(results, ["gamma"]).items()
    ]
    header = ["gamma", *(f"`min_gain={price}`" for price in prices)]
    return [Table(header, rows, f"Columns kept, means over {len(results)} draws.")]


EXPERIMENTS = [
    Experiment(
        name="speed-optimum",
        source="speed",
        title="Evidence, error and time of fast against full re-estimation",
        tasks=optimum_tasks,
        report=optimum_report,
    ),
    Experiment(
        name="speed-noise",
        source="speed",
        title="Columns that are kept on pure noise, by price",
        tasks=noise_tasks,
        report=noise_report,
    ),
]
