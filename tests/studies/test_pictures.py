"""Pictures of the docs, from packed results."""

from studies import pictures


def test_every_picture_of_the_docs_is_drawn_from_packed_results(tmp_path):
    pictures.main(tmp_path)
    drawn = {path.name for path in tmp_path.iterdir()}
    assert drawn == {path.name for path in pictures.FOLDER.iterdir()}
