"""What all kinds of carried models and all golden cases say, before and after a move of code.

`cd tests && python frozen.py write FILE` stores it with all digits, and `python frozen.py compare
FILE` prints the largest gap of each form. A form is the estimator, its file, C, ONNX (doubles and
floats each) and SQL in SQLite and DuckDB; of the golden cases there are the numbers of the fits.
"""

import pickle
import sys
import tempfile
import warnings
from pathlib import Path

import numpy as np
from c_programs import answers, compiled, source
from carried import KINDS, fitted
from golden.cases import CASES, case, numbers
from sql_databases import by_duckdb, by_sqlite
from sql_databases import numbers as as_table

from sparsebayes import load
from sparsebayes.export import to_c, to_onnx, to_sql
from sparsebayes.model import NotPortableError

ASKED = ("predict", "predict_quantiles", "predict_log_proba", "decision_function", "novelty")


def of_model(model, rows):
    """What a model says of rows, by method."""
    found = {}
    for name in ASKED:
        if name == "predict" and not hasattr(model, "classes_"):
            found["mean"], found["std"] = model.predict(rows, return_std=True)
        elif hasattr(model, name):
            try:
                found[name] = np.asarray(getattr(model, name)(rows))
            except AttributeError:
                found[name] = "none"
    return found


def of_file(model, rows):
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "model.sbm"
        model.save(path)
        loaded = load(path)
        return {"plain": of_model(loaded, rows), "back": of_model(loaded.to_estimator(), rows)}


def of_onnx(model, rows, **options):
    import onnxruntime

    proto = to_onnx(model, **options)
    session = onnxruntime.InferenceSession(
        proto.SerializeToString(), providers=["CPUExecutionProvider"]
    )
    (given,) = session.get_inputs()
    kind = np.float32 if given.type == "tensor(float)" else np.float64
    names = [each.name for each in session.get_outputs()]
    return dict(zip(names, session.run(None, {given.name: rows.astype(kind)}), strict=True))


def of_sql(model, rows, run, dialect):
    names, found = run(as_table(rows), to_sql(model, "t", keep=["id"], dialect=dialect))
    ordered = sorted(found)
    return {name: np.array([row[k] for row in ordered]) for k, name in enumerate(names)}


def of_c(models, precision):
    """All headers in one program: by kind and function."""
    headers, rows, places = {}, {}, {}
    for place, (name, model) in enumerate(models.items()):
        try:
            headers[f"m{place}"] = to_c(model, name=f"m{place}", precision=precision)
        except NotPortableError:
            continue
        rows[f"m{place}"], places[f"m{place}"] = KINDS[name].new, name
    real = precision
    with tempfile.TemporaryDirectory() as folder:
        found = answers(compiled(source(headers, rows, real), folder))
    return {(places[key[0]], key[1]): value for key, value in found.items() if key[1] != "test"}


def tried(function, *arguments, **options):
    """The answer, or the words of a refusal."""
    try:
        return function(*arguments, **options)
    except (NotPortableError, AttributeError) as error:
        return f"{type(error).__name__}: {str(error)[:60]}"


def everything():
    models = {name: fitted(name) for name in KINDS}
    found = {}
    for name, model in models.items():
        rows = np.asarray(KINDS[name].new)
        found[name, "estimator"] = of_model(model, rows)
        found[name, "file"] = tried(of_file, model, rows)
        for precision in ("double", "float"):
            found[name, f"onnx {precision}"] = tried(of_onnx, model, rows, precision=precision)
        found[name, "sqlite"] = tried(of_sql, model, rows, by_sqlite, "sqlite")
        found[name, "duckdb"] = tried(of_sql, model, rows, by_duckdb, "duckdb")
    for precision in ("double", "float"):
        for (name, function), values in of_c(models, precision).items():
            found[name, f"c {precision} {function}"] = values
    for name in CASES:
        found[name, "golden"] = numbers(case(name))
    return found


def flat(value, path=()):
    """Leaves of nested dictionaries, by path."""
    if isinstance(value, dict):
        for key, each in value.items():
            yield from flat(each, (*path, *(key if isinstance(key, tuple) else (key,))))
    else:
        yield path, value


def gap(found, expected):
    """The largest difference, relative to the largest number of the array."""
    try:
        found, expected = (np.asarray(each, dtype=float) for each in (found, expected))
    except (TypeError, ValueError):
        return 0.0 if np.array_equal(found, expected) else np.inf
    if found.shape != expected.shape:
        return np.inf
    same = (found == expected) | (np.isnan(found) & np.isnan(expected))
    size = np.abs(np.where(np.isfinite(expected), expected, 0.0)).max(initial=1e-300)
    apart = np.where(same, 0.0, np.abs(found - expected))
    return float(np.max(apart / size, initial=0.0))


def compare(found, expected):
    """Print the largest gap of each form; more than 1e-10 by name."""
    found, expected = dict(flat(found)), dict(flat(expected))
    worst, wrong = {}, []
    for path in expected.keys() | found.keys():
        if path not in found or path not in expected:
            wrong.append((np.inf, path, "missing" if path not in found else "new"))
            continue
        own = gap(found[path], expected[path])
        form = path[1].split(" predict")[0]
        worst[form] = max(worst.get(form, 0.0), own)
        if not own <= (1e-10 if "float" not in form else 1e-5):
            wrong.append((own, path, ""))
    for form, own in sorted(worst.items()):
        print(f"{form:20} {own:.1e}")
    for own, path, word in sorted(wrong, key=lambda each: -each[0])[:60]:
        print(f"{own:.1e} {' | '.join(map(str, path))} {word}")
    return not wrong


def main():
    warnings.simplefilter("ignore")
    how, path = sys.argv[1], Path(sys.argv[2])
    found = everything()
    if how == "write":
        path.write_bytes(pickle.dumps(found))
        print(f"{len(list(flat(found)))} answers")
        return 0
    return 0 if compare(found, pickle.loads(path.read_bytes())) else 1


if __name__ == "__main__":
    sys.exit(main())
