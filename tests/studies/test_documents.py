"""Tables in documents: written between markers, and the same as the packed results."""

import pytest

from studies import command, tables
from studies.framework.documents import documents, rewritten, update
from studies.framework.origin import ROOT

TEXT = """# A page

<!-- studies: known -->
old
<!-- end -->

<!-- studies: unknown 2 -->
stays
<!-- end -->
"""


def block(name):
    return {"known": "| new |\n"}.get(name)


@pytest.fixture
def root(tmp_path):
    (tmp_path / "docs").mkdir()
    (tmp_path / "README.md").write_text("no markers")
    (tmp_path / "docs" / "page.md").write_text(TEXT)
    return tmp_path


def test_only_what_is_between_known_markers_changes():
    new = TEXT.replace("old", "| new |")
    assert rewritten(TEXT, block) == new
    assert rewritten(new, block) == new


def test_differences_are_shown_and_written(root):
    shown = update(root, block, check=True)
    assert "-old" in shown
    assert "+| new |" in shown
    assert (root / "docs" / "page.md").read_text() == TEXT
    assert update(root, block, check=False) == ["wrote docs/page.md"]
    assert update(root, block, check=True) == []


def test_a_wrong_number_of_a_table_is_told(root, capsys):
    (root / "README.md").write_text("<!-- studies: t01-figure-1 7 -->\n<!-- end -->")
    assert command.main(["tables", "--check", "--root", str(root)]) == 2
    assert "there is no table '7'" in capsys.readouterr().err


def test_a_marker_of_no_study_is_told(root, capsys):
    assert command.main(["tables", "--root", str(root)]) == 2
    assert "no study or table is called 'known'" in capsys.readouterr().err
    assert (root / "docs" / "page.md").read_text() == TEXT


def test_every_marker_has_an_end():
    for path in documents(ROOT):
        text = path.read_text(encoding="utf-8")
        assert text.count("<!-- studies: ") == text.count("<!-- end -->")


def test_every_short_table_stands_in_a_document():
    """Its numbers are then compared with the packed results, below."""
    text = "\n".join(path.read_text(encoding="utf-8") for path in documents(ROOT))
    assert not [name for name in tables.TABLES if f"<!-- studies: {name} -->" not in text]


def test_tables_of_readme_and_docs_are_those_of_the_packed_results(capsys):
    code = command.main(["tables", "--check"])
    assert code == 0, capsys.readouterr().out
