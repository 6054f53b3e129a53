"""Headers of many models in one C program: it prints what each of them says of some rows."""

import shutil
import subprocess
from pathlib import Path

import numpy as np

from sparsebayes.export.c import to_c

GCC, GXX = shutil.which("gcc"), shutil.which("g++")
STRICT = ("-Wall", "-Wextra", "-Wpedantic", "-Wconversion", "-Wdouble-promotion", "-Werror", "-Os")

# What is printed of a row, by the name of the function that gives it.
PRINTED = {
    "predict": ("N_OUTPUTS", "{name}_predict(x, out);"),
    "predict_std": ("2 * {NAME}_N_OUTPUTS", "{name}_predict_std(x, out, out + {NAME}_N_OUTPUTS);"),
    "predict_proba": ("N_CLASSES", "{name}_predict_proba(x, out);"),
    "predict_class": ("1", "out[0] = ({real}){name}_predict_class(x);"),
    "novelty": ("1", "out[0] = {name}_novelty(x);"),
}


def compiled(source, folder, options=(), compiler=GCC, language="c", standard="c99"):
    """The program of a C source; an error shows what the compiler said."""
    path, program = Path(folder) / f"source.{language}", Path(folder) / "program"
    path.write_text(source, encoding="utf-8")
    command = [compiler, f"-std={standard}", *STRICT, *options, path, "-o", program, "-lm"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert not done.returncode, done.stderr[:4000]
    return program


def run_own_test(header, folder):
    """The exit code of the header's own test, and what it prints."""
    program = compiled(header, folder, ("-DSPARSEBAYES_SELFTEST",))
    done = subprocess.run([program], capture_output=True, text=True, check=False)
    return done.returncode, done.stdout


def source(headers, rows, real):
    """A program that prints all answers of all headers, and runs their tests.

    `headers` and `rows` are by name; each line of the output is a name, a function, and numbers.
    """
    parts = ["#define SPARSEBAYES_SELFTEST"]
    for name, header in headers.items():
        parts += [f"#define main {name}_selftest", header, "#undef main"]
    parts += [_printing(name, header, rows[name], real) for name, header in headers.items()]
    calls = [f"    print_{name}();" for name in headers]
    return "\n".join([*parts, "int main(void)\n{", *calls, "    return 0;\n}\n"])


def _printing(name, header, rows, real):
    words = {"name": name, "NAME": name.upper(), "real": real}
    end = "f" if real == "float" else ""
    numbers = ", ".join(f"{value:.17e}{end}" for value in np.ravel(rows))
    lines = [
        f"static void print_{name}(void)\n{{",
        f"    static const {real} rows[] = {{{numbers}}};",
        f"    {real} out[64];\n    int i, k;",
        f"    for (i = 0; i < {len(rows)}; ++i) {{",
        f"        const {real} *x = rows + i * {words['NAME']}_N_INPUTS;",
    ]
    for function, (size, call) in PRINTED.items():
        if f" {name}_{function}(" in header.split("*/", 1)[1]:
            size = f"{words['NAME']}_{size}" if size.startswith("N_") else size.format(**words)
            lines += [
                f"        {call.format(**words)}",
                f'        printf("{name} {function}");',
                f"        for (k = 0; k < {size}; ++k)",
                '            printf(" %.17g", (double)out[k]);',
                '        printf("\\n");',
            ]
    return "\n".join(
        [*lines, "    }", f'    printf("{name} test ");', f"    {name}_selftest();\n}}"]
    )


def answers(program):
    """By header and function an array (n_rows, n_values); by header and "test" what it printed."""
    done = subprocess.run([program], capture_output=True, text=True, check=True)
    found = {}
    for line in done.stdout.splitlines():
        name, function, rest = line.split(" ", 2)
        if function == "test":
            found[name, function] = rest
        else:
            values = [float(each) for each in rest.split()]
            found.setdefault((name, function), []).append(values)
    return {key: rows if key[1] == "test" else np.array(rows) for key, rows in found.items()}


def one_model(model, rows, folder, **options):
    """What the header of one model says of rows, by function."""
    header = to_c(model, name="one", **options)
    real = options.get("precision", "double")
    program = compiled(source({"one": header}, {"one": rows}, real), folder)
    return {function: values for (_, function), values in answers(program).items()}
