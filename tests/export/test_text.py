"""Models as formulas and as JSON."""

import json
import math
import re
from functools import cache

import numpy as np
import pytest
from carried import (
    CLASSIFIERS,
    COUNTS,
    KINDS,
    NEW,
    REGRESSORS,
    UNEVEN,
    Kind,
    X,
    Y,
    fitted,
    largest_gap,
)

from sparsebayes import RVR, NegativeBinomial
from sparsebayes.export import formula, to_json
from sparsebayes.export.notation import escaped

WRITTEN_OUT = [
    *("rbf kernel", "fast", "linear and kernel", "linear", "powers", "linear kernel"),
    *("sigmoid kernel, fast", "laplacian kernel", "cauchy kernel", "sigmoid kernel", "poly kernel"),
    "varying noise, fast",
]
# The kernel of effects is described in words, which are no formula that Python reads. So these have
# another kernel than the default may choose.
OF_TARGETS = {
    "student": Kind(RVR("rbf", likelihood="student_t"), Y),
    "poisson": Kind(RVR("rbf", likelihood="poisson"), COUNTS),
    "negative binomial": Kind(RVR("rbf", likelihood=NegativeBinomial(dispersion=0.3)), COUNTS),
    "varying noise": Kind(RVR("rbf", likelihood="heteroscedastic"), UNEVEN),
}


@cache
def written_out(name):
    """A model whose formula has all numbers and signs."""
    if name not in OF_TARGETS:
        return fitted(name)
    kind = OF_TARGETS[name]
    return kind.estimator.fit(kind.inputs, kind.y)


def evaluated(text, inputs, latent="f"):
    """The formula, read by Python, at one row of two inputs."""
    text = re.sub(r"\n +", " ", text)
    lines = dict(line.split(" = ", 1) for line in text.splitlines() if " = " in line)

    def value(expression, **names):
        expression = expression.replace("^", "**").replace("v.x", "vx")
        expression = re.sub(r"\|([^|]*)\|", r"abs(\1)", expression)
        expression = re.sub(r"(?<=[\w)]) (?=[\w(])", " * ", expression)
        return eval(expression, {"exp": math.exp, "tanh": math.tanh, **names})

    vectors = {name: value(right) for name, right in lines.items() if re.fullmatch(r"v\d+", name)}
    x = dict(zip(("x0", "x1"), inputs, strict=True))

    def kernel(right):
        return lambda _, v: value(right, **x, vx0=v[0], vx1=v[1])

    kernels = {name[:-6]: kernel(right) for name, right in lines.items() if name[0] == "k"}
    return value(lines[f"{latent}(x)"], x=None, **x, **vectors, **kernels)


@pytest.mark.parametrize("name", [*WRITTEN_OUT, "student", "varying noise"])
def test_a_formula_of_seventeen_digits_is_the_model(name):
    model, new = written_out(name), KINDS[name].new
    text = formula(model, digits=17)
    found = [evaluated(text, row) for row in new]
    assert largest_gap(found, model.predict(new)) < 1e-9


@pytest.mark.parametrize("name", ["effects", "two classes, effects", "three classes, effects"])
def test_effects_are_described_in_words(name):
    text = formula(fitted(name))
    assert "E1 and E2 sums over inputs and pairs of them of effects" in text
    orders = fitted(name).to_portable().plain.columns[0].parameters["orders"]
    assert f"= {orders[0]:.4g} + E1 + {orders[1]:.4g} E2 + {orders[2]:.4g} exp(-(" in text


@pytest.mark.parametrize("name", ["poisson", "poisson, linear", "negative binomial"])
def test_the_formula_of_counts_is_their_logarithmic_mean(name):
    model = written_out(name)
    text = formula(model, digits=17)
    mean, std = model.predict(NEW, return_std=True)
    more = getattr(model.likelihood_, "dispersion", 0.0)
    spread = np.log((1.0 + (std / mean) ** 2 - 1.0 / mean) / (1.0 + more))
    found = [evaluated(text, row) for row in NEW]
    np.testing.assert_allclose(found, np.log(mean) - 0.5 * spread, rtol=1e-9)
    assert ("negative binomial" in text) == (more > 0.0)


@pytest.mark.parametrize("name", ["varying noise", "varying noise, fast"])
def test_the_formula_of_varying_noise_has_its_logarithmic_variance(name):
    text, plain = formula(written_out(name), digits=17), written_out(name).to_portable()
    assert "g(x) being uncertain" in text
    found = [evaluated(text, row, "g") for row in NEW]
    expected = plain.response.noise.at(NEW).mean[:, 0] + plain.response.log_mean
    np.testing.assert_allclose(found, expected, rtol=1e-9)


@pytest.mark.parametrize("name", KINDS)
def test_every_model_has_a_formula_and_its_latex_is_balanced(name):
    if name == "precomputed":
        assert formula(fitted(name)).startswith("f(x) = ")
        return
    assert fitted(name).formula() == formula(fitted(name))
    latex = formula(fitted(name), latex=True)
    assert latex.startswith("\\begin{align*}\n")
    assert latex.endswith("\n\\end{align*}")
    assert latex.count("{") == latex.count("}")
    assert latex.count("(") == latex.count(")")


@pytest.mark.parametrize(
    "name",
    [
        *("default", "powers", "two classes", "softmax", "cauchy kernel", "effects"),
        *("poisson", "negative binomial", "varying noise", "ordered"),
    ],
)
def test_matplotlib_can_set_every_line_of_the_latex(name):
    from matplotlib.mathtext import MathTextParser

    lines = formula(fitted(name), latex=True).splitlines()[1:-1]
    for line in lines:
        # What amsmath knows and mathtext does not: columns, line breaks, sizes of brackets.
        plain = re.sub(r"\{\}&|&|\\\\$", "", line)
        plain = re.sub(r"\\[bB]ig[lr]", "", plain)
        MathTextParser("path").parse(f"${plain}$")


def test_signs_stand_between_the_terms():
    text = formula(RVR(kernel="poly", degree=2, coef0=-0.5, gamma=1.0).fit(X, Y))
    assert " - 0.5)^2" in text
    assert "+ -" not in text
    assert "- -" not in text


def test_names_of_inputs_are_those_of_the_frame():
    pd = pytest.importorskip("pandas")
    frame = pd.DataFrame(X, columns=["temperature", "flow rate (m^3)"])
    text = formula(RVR().fit(frame, Y))
    assert "temperature" in text
    assert "[flow rate (m^3)]" in text
    assert r"\mathrm{flow\ rate\ (m\wedge 3)}" in formula(RVR().fit(frame, Y), latex=True)


@pytest.mark.parametrize("sign", list("_%&#${}"))
def test_signs_of_latex_in_names_are_escaped(sign):
    assert escaped(f"a{sign}b") == f"a\\{sign}b"


def test_names_break_no_line_and_no_command():
    assert escaped("a\nb") == r"a\ b"
    assert escaped("\\input") == r"\backslash input"
    assert "^" not in escaped("x^2")
    assert "~" not in escaped("x~y")


@pytest.mark.parametrize("digits", [0, 18, 2.5, "4"])
def test_digits_that_make_no_sense_are_refused(digits):
    with pytest.raises(ValueError, match="digits must be a whole number from 1 to 17"):
        formula(fitted("linear"), digits=digits)


def test_classes_are_named():
    assert "P(yes | x)" in formula(fitted("two classes"))
    assert "f_2 is of class 2" in formula(fitted("three classes"))


def test_classes_in_an_order_are_named_from_the_lowest():
    text, (cut,) = formula(fitted("ordered texts")), fitted("ordered texts").likelihood_.cut_points
    sign = "-" if cut > 0.0 else "+"
    assert f"P(yes or lower | x) = mean of 1 / (1 + exp(f(x) {sign} {abs(cut):.4g}))" in text
    assert "the highest class is no" in text
    assert r"P(y \leq \mathrm{yes} \mid \mathbf{x})" in formula(fitted("ordered texts"), latex=True)


# JSON.


def from_json(text, row):
    """Mean and standard deviation of a model with Gaussian kernels, by plain Python."""
    fields = json.loads(text)["model"]["fields"]
    plain, response = fields["plain"]["fields"], fields["response"]["fields"]

    def kernels(columns):
        own = columns["fields"]
        gamma = dict(own["parameters"]["mapping"])["gamma"]
        for centre in own["items"]:
            distance = sum(g * (x - c) ** 2 for g, x, c in zip(gamma, row, centre, strict=True))
            yield math.exp(-distance)

    (columns,) = plain["columns"]["tuple"]
    weights = [weight for (weight,) in plain["weights"]]
    mean = sum(w * phi for w, phi in zip(weights, kernels(columns), strict=True))
    spread = plain["spread"]["fields"]
    (covering,), (white,) = spread["columns"]["tuple"], spread["whiteners"]["tuple"]
    phi = list(kernels(covering))
    v = [sum(r * p for r, p in zip(row, phi, strict=True)) for row in white]
    (root,) = spread["roots"]["tuple"]
    known = [sum(v[i] * root[i][j] for i in range(len(v))) for j in range(len(root[0]))]
    left = spread["amplitude"][0][0] * max(1.0 - sum(each**2 for each in v), 0.0)
    variance = left + sum(each**2 for each in known) + response["noise_std"][0] ** 2
    return mean + response["offset"][0], math.sqrt(variance)


def test_json_is_all_that_another_language_needs():
    text, new = to_json(fitted("rbf kernel")), KINDS["rbf kernel"].new
    found = np.array([from_json(text, row) for row in new.tolist()])
    expected = np.column_stack(fitted("rbf kernel").predict(new, return_std=True))
    assert largest_gap(found, expected) < 1e-9


@pytest.mark.parametrize("name", [*REGRESSORS, *CLASSIFIERS])
def test_json_of_every_model_is_strict(name):
    def refuse(constant):
        raise AssertionError(constant)

    found = json.loads(to_json(fitted(name)), parse_constant=refuse)
    assert found["format"] == "sparsebayes"
    assert found["version"] == 1
