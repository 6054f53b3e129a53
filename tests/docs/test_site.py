"""The parts of the site's build: what it refuses, what it checks, and that nothing is left out."""

import ast
import importlib.util
import sys
from pathlib import Path

import pytest

import sparsebayes

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"


def part(path):
    """A module of the build, which is no package."""
    spec = importlib.util.spec_from_file_location(path.stem, path)
    module = importlib.util.module_from_spec(spec)
    sys.modules[path.stem] = module
    spec.loader.exec_module(module)
    return module


check_site = part(DOCS / "check_site.py")


def site(tmp_path, **pages):
    for name, text in pages.items():
        (tmp_path / f"{name}.html").write_text(text)
    return tmp_path


def test_links_that_lead_somewhere(tmp_path):
    root = site(
        tmp_path,
        a='<h1 id="top">A</h1><a href="b.html#there">b</a><a href="#top">up</a>',
        b='<p id="there"></p><a href="https://elsewhere.example">other site</a>',
    )
    assert check_site.findings(root) == []
    assert check_site.main(root) == 0


@pytest.mark.parametrize(
    ("page", "said"),
    [
        ('<a href="missing.html">', "no missing.html"),
        ('<a href="#missing">', "no #missing"),
        ('<img src="missing.png">', "no missing.png"),
        ('<script src="https://cdn.example/a.js"></script>', "loads https://cdn.example/a.js"),
        ('<script src="//cdn.example/a.js"></script>', "loads //cdn.example/a.js"),
        ('<link rel="stylesheet" href="https://cdn.example/a.css">', "loads https://cdn.example"),
        ('<img src="https://cdn.example/a.png">', "loads https://cdn.example/a.png"),
    ],
)
def test_what_is_wrong_is_said(tmp_path, page, said):
    (found,) = check_site.findings(site(tmp_path, a=page))
    assert said in found
    assert check_site.main(tmp_path) == 1


def test_styles_load_nothing_from_elsewhere(tmp_path):
    site(tmp_path, a="<p></p>")
    (tmp_path / "a.css").write_text('@import "https://cdn.example/b.css"; p { src: url(b.woff) }')
    assert check_site.findings(tmp_path) == ["a.css: loads https://cdn.example/b.css"]


def test_an_empty_folder_is_no_site(tmp_path):
    assert check_site.main(tmp_path) == 1


def test_the_version_is_the_same_everywhere():
    version = sparsebayes.__version__
    assert f"version: {version}\n" in (ROOT / "CITATION.cff").read_text()
    assert f"version = {{{version}}}" in (DOCS / "about" / "cite.md").read_text()
    assert f"\n## {version} (" in (ROOT / "CHANGELOG.md").read_text()


def test_the_oldest_versions_are_the_same_everywhere():
    page = (DOCS / "about" / "versions.md").read_text()
    makefile = (ROOT / "Makefile").read_text()
    for name, label in (("numpy", "NumPy"), ("scipy", "SciPy"), ("scikit-learn", "scikit-learn")):
        oldest = next(line for line in page.splitlines() if line.startswith(f"| {label} "))
        assert f"{name}=={oldest.split('|')[2].strip()}" in makefile


GALLERY = sorted((DOCS / "gallery").rglob("*.py"))


def test_the_gallery_is_large_enough():
    assert len(GALLERY) >= 15


def imported(path):
    """The names that a script imports."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    found = [node for node in ast.walk(tree) if isinstance(node, ast.ImportFrom | ast.Import)]
    return {name.name for node in found for name in node.names}


def test_every_public_name_is_used_in_the_gallery():
    used = {name for path in GALLERY for name in imported(path)}
    displays = {name for name in sparsebayes.diagnostics.__all__ if name.endswith("Display")}
    assert {*sparsebayes.__all__, *sparsebayes.plots.__all__, *displays} - used == set()


@pytest.mark.parametrize("path", GALLERY, ids=lambda path: path.stem)
def test_an_example_of_the_gallery_is_short_and_has_a_picture(path):
    text = path.read_text(encoding="utf-8")
    assert "plt.show()" in text
    assert len(text.splitlines()) <= 120


def test_every_page_of_the_gallery_has_a_section():
    for path in GALLERY:
        assert (path.parent / "GALLERY_HEADER.rst").exists(), path


offline = part(DOCS / "_ext" / "offline.py")


@pytest.mark.parametrize(
    ("event", "arguments"),
    [
        ("socket.getaddrinfo", ("elsewhere.example", 443)),
        ("socket.getaddrinfo", (b"elsewhere.example", 443)),
        ("socket.connect", (None, ("192.0.2.1", 80))),
        ("socket.connect", (None, ("2001:db8::1", 80, 0, 0))),
    ],
)
def test_a_build_that_asks_another_machine_ends(event, arguments):
    with pytest.raises(offline.NetworkError):
        offline.refuse(event, arguments)


@pytest.mark.parametrize(
    ("event", "arguments"),
    [
        ("socket.getaddrinfo", ("localhost", 80)),
        ("socket.getaddrinfo", (None, 80)),
        ("socket.connect", (None, ("127.0.0.1", 80))),
        ("socket.connect", (None, ("::1", 80, 0, 0))),
        ("socket.connect", (None, "/tmp/socket")),
        ("open", ("a file", "r", 0)),
    ],
)
def test_a_build_may_ask_its_own_machine(event, arguments):
    offline.refuse(event, arguments)
