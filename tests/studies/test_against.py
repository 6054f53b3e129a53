"""Two sources, timed in turns."""

from studies.speed.against import HERE, main


def test_a_source_is_timed_beside_itself(capsys):
    main([str(HERE), "--repeats", "1", "--only", "RVC(gamma=1), N=100"])
    head, _, row = capsys.readouterr().out.strip().splitlines()
    assert head == "| case | other, s | here, s | here / other |"
    name, *numbers = [cell.strip() for cell in row.strip("|").split("|")]
    assert name == "RVC(gamma=1), N=100"
    assert all(float(number) > 0.0 for number in numbers)
