"""A page with the model in it: what a browser makes of it, with and without scripts."""

import re
import shutil
import subprocess

import numpy as np
import pytest
from carried import KINDS, X, Y, fitted
from javascript import NODE

from sparsebayes import RVR
from sparsebayes.export import to_js
from sparsebayes.model.face import TableColumn, TableInputs
from sparsebayes.report import report

CHROMIUM = shutil.which("chromium")
QUIET = (
    *("--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run"),
    *("--disable-background-networking", "--disable-component-update", "--disable-sync"),
)
# What somebody does who moves the first slider to its end, and chooses the last text.
MOVED = """<script type="module">
const slider = document.querySelector("#try input");
slider.value = slider.max;
const choice = document.querySelector("#try select");
if (choice) choice.selectedIndex = choice.options.length - 1;
slider.dispatchEvent(new Event("input", { bubbles: true }));
</script>"""


def page_of_kind(name):
    kind = KINDS[name]
    return report(fitted(name), kind.inputs, kind.y, new=True)


def with_texts():
    """A model of a table, its rows, and its page."""
    random = np.random.default_rng(0)
    town, size = random.integers(0, 3, 90), random.normal(size=90)
    table = TableInputs(
        (TableColumn("</script>", ("Lille", "<b>", "__proto__")), TableColumn("size")), "price"
    )
    inputs = np.column_stack([np.eye(3)[town], size])
    target = np.array([1.0, 2.0, 4.0])[town] + size + 0.1 * random.normal(size=90)
    model = RVR().fit(inputs, target).to_portable()
    object.__setattr__(model.face, "table", table)
    return model, inputs, report(model, inputs, target, new=True)


def shown(page, folder, *, moved=False):
    """The page as a browser has it after its scripts."""
    if moved:
        page = re.sub(r"<meta http-equiv[^>]*>", "", page).replace("</body>", f"{MOVED}</body>")
    path = folder / "page.html"
    path.write_text(page, encoding="utf-8")
    own = (f"--user-data-dir={folder / 'browser'}", "--virtual-time-budget=2000", "--dump-dom")
    command = [CHROMIUM, *QUIET, *own, path.as_uri()]
    done = subprocess.run(command, capture_output=True, encoding="utf-8", timeout=120, check=True)
    return done.stdout


def said(dom, name="0"):
    """What stands where the model answers."""
    return re.search(rf'id="said-{name}"[^>]*>([^<]*)<', dom)[1]


def test_the_script_is_the_module_of_the_model(page_of):
    (script,) = page_of(page_of_kind("default")).scripts
    assert script.startswith("\n" + to_js(fitted("default")))


def test_a_model_that_is_large_or_of_python_has_no_script(page_of, monkeypatch):
    def bell(a, b):
        return np.exp(-np.sum((a[:, None] - b) ** 2, axis=2))

    for page in (
        report(RVR(kernel=bell).fit(X, Y), X, Y, new=True),
        page_of_kind("precomputed"),
    ):
        assert not page_of(page).scripts
    for limit in ("MOST_COLUMNS", "LONGEST"):
        with monkeypatch.context() as patch:
            patch.setattr(f"sparsebayes.report.live.{limit}", 10)
            page = page_of(page_of_kind("default"))
            assert not page.scripts
            assert "Try it" not in page.text


@pytest.mark.skipif(NODE is None, reason="node is not installed")
def test_the_script_has_the_grammar_of_a_module(page_of, tmp_path):
    for name in ("default", "three classes"):
        (script,) = page_of(page_of_kind(name)).scripts
        path = tmp_path / "script.mjs"
        path.write_text(script, encoding="utf-8")
        subprocess.run([NODE, "--check", path], check=True)


@pytest.mark.slow
@pytest.mark.skipif(CHROMIUM is None, reason="chromium is not installed")
def test_controls_appear_and_the_model_answers(tmp_path):
    model, inputs, page = with_texts()
    dom = shown(page, tmp_path)
    assert '<div id="try">' in dom
    before = said(dom)
    after = said(shown(page, tmp_path, moved=True))
    assert after != before
    row = [[0.0, 0.0, 1.0, inputs[:, 3].max()]]
    mean, std = (float(each[0]) for each in model.predict(row, return_std=True))
    found = [float(each) for each in after.split(" ± ")]
    np.testing.assert_allclose(found, [mean, std], rtol=0.05)


@pytest.mark.slow
@pytest.mark.skipif(CHROMIUM is None, reason="chromium is not installed")
def test_probabilities_have_bars_and_pictures_have_dots(tmp_path):
    dom = shown(page_of_kind("three classes"), tmp_path)
    shares = [float(said(dom, k).removesuffix(" %")) for k in range(3)]
    assert abs(sum(shares) - 100.0) < 0.2
    assert 0.0 <= float(said(dom, "novelty").removesuffix(" %")) <= 100.0
    assert dom.count("<circle") == 3 * 2


@pytest.mark.slow
@pytest.mark.skipif(CHROMIUM is None, reason="chromium is not installed")
def test_another_script_does_not_run(tmp_path):
    """The page tells browsers to run the model and nothing else; nothing is shown without it."""
    page = page_of_kind("default")
    other = page.replace("</body>", "<script>document.title = 'other'</script></body>")
    assert "<title>other" not in shown(other, tmp_path)
    changed = page.replace("let asked = false;", "let asked = false; ")
    assert '<div id="try" hidden' in shown(changed, tmp_path)
