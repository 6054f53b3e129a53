"""The reports on trust: what is lost against Gaussian processes with all rows, and peers."""

from __future__ import annotations

from collections.abc import Mapping
from statistics import median

from studies.beyond.report import NOTE, gaps, on_all, ratios, small_gaps, table
from studies.framework import sets
from studies.framework.experiment import Block, Table, Text, Verdict, cell

OURS = {"default": "default", "fast": '"fast"'}
REGRESSORS = {**OURS, "gp": "Gaussian process"}
ONE_WIDTH = "Gaussian process, one width"
CLASSIFIERS = {**REGRESSORS, "gp1": ONE_WIDTH, "svc": "SVC, Platt"}
SCORES = {
    "novelty": "default: `novelty`",
    "default": "default: predicted variance",
    "fast": '"fast": predicted variance',
    "gp": "Gaussian process: predicted variance",
    "nearest": "distance to the nearest training row",
}
SPECTRA = {**OURS, "dense": "projection, `fidelity=1000`", "gp": ONE_WIDTH}
SPECTRA |= {"columns": "`SparseBayesRegressor(Linear() + Bias())`", "pls": "PLS, components by CV"}
WIDTHS = {
    "ard": 'default, gamma="ard"',
    "learn": 'default, gamma="learn"',
    "gp1": ONE_WIDTH,
    "svm": "SVM by CV",
}
REGIONS = {"permuted": "permuted", "beyond": "beyond", "gap": "in the gap"}
OFF_DATA = (
    "Off the data are test rows whose columns are permuted, each for itself, and test rows moved "
    "outwards, to 1.5 times their distance from the centre. Friedman's inputs are independent, so "
    "that permuted rows are in the data there; those of friedman1-tied are not. The target of "
    "friedman3 jumps beyond the data."
)
Results = Mapping[str, dict]


def means(results: Results, quantity: str) -> dict[str, float]:
    """By set the mean over draws of a quantity, where it has one."""
    found = {name: sets.mean(results, name, quantity) for name in sets.names(results)}
    return {name: value for name, value in found.items() if value == value}


def with_medians(results: Results, kinds: dict[str, str], columns: dict[str, str]) -> Table:
    """One row for each set and kind of model, and for each kind the median over several sets."""
    made = table(results, kinds, columns)
    if len(sets.names(results)) < 2:
        return made
    rows = [
        ["median of sets", title, *(_median(results, f"{kind}_{key}") for key in columns)]
        for kind, title in kinds.items()
    ]
    filled = [row for row in rows if any(each != "-" for each in row[2:])]
    return made._replace(rows=[*made.rows, *filled])


def _median(results: Results, quantity: str) -> str:
    found = means(results, quantity)
    return f"{median(found.values()):.3g}" if found else "-"


def at_most(claim: str, found: dict[str, float], most: float, form: str = "{:.3g}") -> Verdict:
    """Whether a quantity is at most as large as a limit on all sets."""
    holds = {name: value <= most for name, value in found.items()}
    return on_all(claim, holds, {name: form.format(value) for name, value in found.items()})


def covers(results: Results, kind: str = "default") -> Verdict:
    """Whether 90 % intervals of the default hold about 90 % of test targets."""
    found = means(results, f"{kind}_coverage")
    return on_all(
        "default: 90 % intervals hold 85 to 95 % of test targets",
        {name: 85.0 <= value <= 95.0 for name, value in found.items()},
        {name: f"{value:.1f} %" for name, value in found.items()},
    )


def regression_report(results: Results) -> list[Block]:
    """What is lost against the Gaussian process, then the figures of each model itself."""
    over = {"over": "NLPD - GP: in the data"}
    over |= {f"{region}_over": title for region, title in REGIONS.items()}
    over |= {"coverage": "90 % coverage", "share": "vectors, % of rows"}
    own = {"error": "error", "loss": "NLPD", "coverage": "90 % coverage"}
    for region, title in REGIONS.items():
        own |= {f"{region}_loss": f"NLPD {title}", f"{region}_coverage": f"coverage {title}"}
    spread = {"std": "std: in the data"}
    spread |= {f"{region}_std": title for region, title in REGIONS.items()}
    lost = Text(
        "NLPD is minus the mean log density of targets, which are standardised. The Gaussian "
        "process has all rows and the same kernel, and the best evidence of three starts. In the "
        "data its NLPD is taken from that of the same test targets. Off the data, targets are "
        "taken from the process itself, so that the difference is a divergence and 0 the least."
    )
    return [
        lost,
        Text(OFF_DATA),
        with_medians(results, OURS, {**over, "covering": "covering rows, %"}),
        Text("Each model by itself; off the data where the truth is known."),
        table(results, REGRESSORS, {**own, "seconds": "s"}),
        Text(
            "The mean predicted standard deviation of targets, and the log evidence; that of a "
            "projection is of its dense model."
        ),
        table(results, REGRESSORS, {**spread, "evidence": "log evidence"}),
        small_gaps(
            "default: NLPD in the data at most 0.02 above that of the Gaussian process",
            means(results, "default_over"),
            0.02,
        ),
        *(_trusted(results, region, title) for region, title in REGIONS.items()),
        covers(results),
    ]


def _trusted(results: Results, region: str, title: str) -> Verdict:
    claim = f"default: NLPD {title} at most 0.1 above that of the Gaussian process"
    return small_gaps(claim, means(results, f"default_{region}_over"), 0.1)


def classes_report(results: Results) -> list[Block]:
    """Error, loss, and what is said far from all data."""
    columns = {"error": "error, %", "loss": "log loss", "vectors": "vectors"}
    columns |= {"covering": "covering rows, %", "far_rate": "far: abs(p - base rate)"}
    columns |= {"far_half": "far: abs(p - 1/2)", "seconds": "s"}
    text = Text(
        "At most 300 training rows. Far are 20 rows in random directions, ten times the range of "
        "the data away. The first Gaussian process has a scale for each input; C and width of the "
        "SVC are chosen by 5-fold cross-validation."
    )
    return [
        text,
        with_medians(results, CLASSIFIERS, columns),
        small_gaps(
            "default: log loss at most 0.02 above that of a Gaussian process",
            gaps(results, "loss", "default", "gp"),
            0.02,
        ),
        small_gaps(
            "default: log loss at most that of an SVC with Platt's probabilities",
            gaps(results, "loss", "default", "svc"),
        ),
        at_most(
            "default: far from all data surer than the base rate by at most 0.05",
            means(results, "default_far_sure"),
            0.05,
        ),
    ]


def novelty_report(results: Results) -> list[Block]:
    """The area under the ROC curve of each score."""
    text = Text(
        "The area under the ROC curve: how often a row off the data has the higher score than a "
        f"test row; 0.5 is a guess. {OFF_DATA}"
    )
    claims = [
        small_gaps(
            f"default: `novelty` of rows {region} at most 0.02 below the variance of the process",
            gaps(results, region, "gp", "novelty"),
            0.02,
        )
        for region in ("permuted", "beyond")
    ]
    columns = {"permuted": "AUC permuted", "beyond": "AUC beyond"}
    return [text, with_medians(results, SCORES, columns), *claims]


def _ratio(results: Results, name: str, quantity: str) -> list[str]:
    """The mean ratio of errors, and the largest of any draw."""
    found = sets.values(results, name, quantity)
    return [cell(found), f"{max(found):.3g}" if found else "-"]


def spectra_report(results: Results) -> list[Block]:
    """Errors, also relative to the dense models on the same draw."""
    columns = {"error": "error, % of spread", "coverage": "90 % coverage", "vectors": "vectors"}
    columns |= {"covering": "covering rows, %", "loss": "NLPD", "seconds": "s"}
    header = ["set", "model"]
    header += ["error / dense", "worst draw", "error / GP", "worst draw"]
    rows = [
        [
            name,
            title,
            *_ratio(results, name, f"{kind}_ratio_dense"),
            *_ratio(results, name, f"{kind}_ratio_gp"),
        ]
        for name in sets.names(results)
        for kind, title in OURS.items()
    ]
    text = Text(
        "nir is simulated: five components with scatter, a baseline that drifts, and noise of "
        "1e-4; the target has noise of a thousandth of its spread. meats are the Tecator spectra, "
        "and their fat. 150 training rows, 100 wavelengths. Dense is the projection with fidelity "
        "1000."
    )
    worst = {
        name: max(sets.values(results, name, "default_ratio_dense")) for name in sets.names(results)
    }
    return [
        text,
        table(results, SPECTRA, columns),
        Table(header, rows, NOTE),
        at_most(
            "default: error at most 1.1 times that of the dense model on all draws", worst, 1.1
        ),
        covers(results),
    ]


def width_report(results: Results) -> list[Block]:
    """Error and loss of a scale for each input, of one for all, and of an SVM."""
    columns = {"error": "error", "loss": "loss", "coverage": "90 % coverage", "vectors": "vectors"}
    text = Text(
        "Errors are squared in regression (all-of-30, three-of-30, yield) and percent otherwise; "
        "losses NLPD of standardised targets, and log loss. The SVM has C, width and tube by "
        "5-fold cross-validation, and Platt's probabilities."
    )
    claims = [
        at_most(
            f"default: error at most 1.03 times that of {WIDTHS[other]}",
            ratios(results, "error", "ard", other),
            1.03,
        )
        for other in ("learn", "svm")
    ]
    return [
        text,
        table(results, WIDTHS, {**columns, "seconds": "s"}),
        *claims,
        covers(results, "ard"),
    ]
