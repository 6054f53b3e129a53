"""
A model on a microcontroller
============================

``to_c`` writes a fitted model as one C header: small constant tables, no memory to allocate, and
no library but ``math.h``. Its answers, error bars included, are those of Python up to rounding.
"""

# %%
# The state of charge of a battery, from its voltage and its temperature: 300 simulated measurements
# with a noise of two percent.

import re
import shutil
import subprocess
import tempfile
from functools import partial
from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np

from sparsebayes import RVR
from sparsebayes.export import to_c

random = np.random.default_rng(0)
volt, celsius = random.uniform(3.2, 4.1, 300), random.uniform(-10.0, 45.0, 300)
charge = 100.0 / (1.0 + np.exp(-9.0 * (volt - 3.75 + 0.003 * (celsius - 25.0))))
charge += random.normal(0.0, 2.0, 300)
X = np.column_stack([volt, celsius])

# %%
# Error bars that grow away from the data need covering rows, which take most of the tables.
# ``drop_covering`` leaves them out. Inside the range of the measurements the error bars stay about
# the same; outside of it they are too small, so the firmware should check that range itself.

model = RVR().fit(X, charge)
whole = to_c(model, precision="float")
model.drop_covering()
header = to_c(model, name="charge", precision="float")
print(f"{len(model.relevance_)} vectors, noise {model.noise_std_:.2f} %")
for name, text in (("with covering rows", whole), ("without", header)):
    print(name + ":", re.search(r"Constant tables: \d+ bytes of flash", text).group())
print(re.search(r"Single precision .*", header).group())

# %%
# A small program reads rows, and writes mean and standard deviation. The header can also test
# itself: it compares itself with what Python said of a few rows.

PROGRAM = r"""
#include <stdio.h>
#include "charge.h"
int main(void) {
    float x[CHARGE_N_INPUTS], mean[1], std[1];
    while (scanf("%f %f", &x[0], &x[1]) == 2) {
        charge_predict_std(x, mean, std);
        printf("%.9g %.9g\n", mean[0], std[0]);
    }
    return 0;
}
"""
SELF_TEST = "gcc -std=c99 -Os -DSPARSEBAYES_SELFTEST -x c charge.h -x none -lm -o test"

grid, temperatures = np.linspace(3.2, 4.1, 200), (0.0, 20.0, 40.0)
rows = np.array([(v, t) for t in temperatures for v in grid])
mean, std = model.predict(rows, return_std=True)
in_c = None
if shutil.which("gcc"):
    with tempfile.TemporaryDirectory() as folder:
        run = partial(subprocess.run, cwd=folder, check=True, capture_output=True, text=True)
        (Path(folder) / "charge.h").write_text(header)
        (Path(folder) / "main.c").write_text(PROGRAM)
        run(SELF_TEST.split())
        print("self-test:", run("./test").stdout.strip())
        run(["gcc", "-std=c99", "-Os", "main.c", "-lm", "-o", "main"])
        told = run("./main", input="\n".join(f"{v:.9g} {t:.9g}" for v, t in rows)).stdout
    in_c = np.array(told.split(), dtype=float).reshape(-1, 2)
    print(f"means differ by at most {np.abs((in_c[:, 0] - mean) / std).max():.1e} std,")
    print(f"standard deviations by {np.abs(in_c[:, 1] / std - 1.0).max():.1e} of themselves")
else:
    print("there is no gcc here, so the picture has the curves of Python only")

# %%
# The curve at three temperatures, and how far C with floats is from Python with doubles. Weights of
# wide kernels are large and nearly cancel, so floats lose some digits. A warning says so where that
# is more than a thousandth of the standard deviation, and ``precision="double"`` is the remedy.

figure, (left, right) = plt.subplots(1, 2, figsize=(9, 3.5), layout="constrained")
left.plot(volt, charge, ".", color="0.7", ms=3, label="measured")
for k, (at, colour) in enumerate(zip(temperatures, ("C0", "0.4", "C1"), strict=True)):
    part = slice(200 * k, 200 * (k + 1))
    low, high = mean[part] - 2 * std[part], mean[part] + 2 * std[part]
    left.fill_between(grid, low, high, color=colour, alpha=0.2, lw=0)
    left.plot(grid, mean[part], color=colour, label=f"{at:g} °C, ± 2 std")
    if in_c is not None:
        difference = (in_c[part, 0] - mean[part]) / std[part]
        right.plot(grid, 1000 * difference, color=colour, lw=1, label=f"{at:g} °C")
left.set(xlabel="voltage, V", ylabel="state of charge, %")
left.legend(fontsize=8)
right.set(xlabel="voltage, V", ylabel="C minus Python, thousandths of the std", ylim=(-1, 1))
right.set_visible(in_c is not None)
plt.show()
