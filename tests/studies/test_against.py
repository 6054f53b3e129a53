"""Two sources, timed in turns, and what their models are worth."""

import pytest

from studies.speed import profile, quality
from studies.speed.against import HERE, main

pytestmark = pytest.mark.slow


@pytest.mark.long
def test_a_source_is_timed_beside_itself(capsys):
    main([str(HERE), "--repeats", "1", "--only", "RVC(gamma=1), N=100"])
    head, _, row = capsys.readouterr().out.strip().splitlines()
    assert head == "| case | other, s | here, s | here / other |"
    name, *numbers = [cell.strip() for cell in row.strip("|").split("|")]
    assert name == "RVC(gamma=1), N=100"
    assert all(float(number) > 0.0 for number in numbers)


@pytest.mark.long
def test_a_source_is_worth_as_much_as_itself(capsys):
    quality.main([str(HERE), "--draws", "1", "--only", "sinc-gaussian"])
    *_, row, error, vectors, _, loss, lower, _ = capsys.readouterr().out.strip().splitlines()
    assert row.startswith("| sinc-gaussian |")
    assert error == "error, geometric mean of ratios: 1.000"
    assert vectors == "vectors, geometric mean of ratios: 1.000"
    assert loss == "loss, mean difference: 0.0000"
    assert lower == "dense evidence lower by more than 0.5: 0.000 of 1"


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")  # sixty rows are few
def test_where_the_time_of_a_fit_goes(capsys):
    profile.main(["--sizes", "60"])
    printed = capsys.readouterr().out
    assert "N = 60:" in printed
    learning = float(printed.split("| learning scales | ")[1].split(" |")[0])
    assert 0.1 < learning < 0.95
    assert "| 60 | " in printed
