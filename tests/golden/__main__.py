"""Store what the cases say now: `cd tests && python -m golden`. A change that needs it says why."""

from __future__ import annotations

import json
import warnings
from pathlib import Path

from sklearn.exceptions import ConvergenceWarning

from golden.cases import CASES, case, numbers


def rounded(value):
    """Floats to twelve digits, in lists of any depth."""
    if isinstance(value, list):
        return [rounded(each) for each in value]
    return float(f"{value:.12g}") if isinstance(value, float) else value


def main() -> None:
    """Write the file."""
    warnings.simplefilter("ignore", ConvergenceWarning)
    found = {
        name: {what: rounded(value) for what, value in numbers(case(name)).items()}
        for name in CASES
    }
    path = Path(__file__).with_name("numbers.json")
    lines = ",\n".join(f"{json.dumps(name)}: {json.dumps(said)}" for name, said in found.items())
    path.write_text(f"{{\n{lines}\n}}\n", encoding="utf-8")


if __name__ == "__main__":
    main()
