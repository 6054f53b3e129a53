"""
From a CSV to a reported result
===============================

How strong will a new mix of concrete be? This tutorial takes a table of real measurements, fits
``RVR``, judges it honestly, compares it with other methods, and ends with the sentence for the
paper. It takes about twenty minutes to read.
"""

# %%
# The data
# --------
#
# The table has 1030 samples of concrete by I.-C. Yeh (*Modeling of strength of high-performance
# concrete using artificial neural networks*, Cement and Concrete Research 28, 1998, 1797-1808). It
# is in the UCI Machine Learning Repository (doi 10.24432/C5PK67), under the licence CC BY 4.0;
# :download:`concrete.csv </tutorial/concrete.csv>` has it with shorter names of columns. Seven of
# them are the ingredients, in kg per cubic metre of concrete. ``age`` is in days, and the target
# ``compressive_strength`` in megapascal (MPa).

import subprocess
import sys
import tempfile
import textwrap
from pathlib import Path
from time import perf_counter

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from sklearn.ensemble import HistGradientBoostingRegressor
from sklearn.gaussian_process import GaussianProcessRegressor
from sklearn.gaussian_process.kernels import RBF, ConstantKernel, WhiteKernel
from sklearn.linear_model import RidgeCV
from sklearn.model_selection import GroupKFold, KFold, cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import FunctionTransformer, StandardScaler

import sparsebayes
from sparsebayes import RVR
from sparsebayes.diagnostics import RegressionCalibrationDisplay, calibration_report
from sparsebayes.plots import InputRelevanceDisplay

table = pd.read_csv("concrete.csv")
X = table.drop(columns="compressive_strength")
y = table["compressive_strength"]
print(f"{len(table)} rows, {int(table.isna().sum().sum())} missing values")
table.describe().loc[["min", "50%", "max"]].round(1)

# %%
# All columns are numbers, and none is missing. You need not scale them, since ``RVR`` learns
# scales.
#
# The trap
# --------
#
# The same mix was measured at several ages, and some rows are in the table twice. If you hold out
# random rows, most of them have a sister among the training rows. You then measure how well the
# model knows a mix that it has seen, at another age. But you want to know about a new mix. So hold
# out whole mixes: rows of equal ingredients stay together.

ingredients = [name for name in X.columns if name != "age"]
mix = X.groupby(ingredients).ngroup()
print(f"{mix.nunique()} mixes; {table.duplicated().sum()} rows are exact copies of another")

random_rows = KFold(5, shuffle=True, random_state=0)
whole_mixes = GroupKFold(5, shuffle=True, random_state=0)
boosting = HistGradientBoostingRegressor(random_state=0)
for name, folds, groups in (("random rows", random_rows, None), ("whole mixes", whole_mixes, mix)):
    scores = cross_val_score(
        boosting, X, y, cv=folds, groups=groups, scoring="neg_root_mean_squared_error"
    )
    print(f"{name} held out: boosting has an RMSE of {-scores.mean():.2f} MPa")

# %%
# The model is the same, and the second number is the true one.
#
# Fit
# ---
#
# A fifth of the mixes is put aside as a test. ``RVR()`` fits a Gaussian process to the others and
# keeps the vectors that it needs to predict nearly the same. There is nothing to set.

train, test = next(whole_mixes.split(X, y, mix))
X_train, y_train, X_test, y_test = X.iloc[train], y.iloc[train], X.iloc[test], y.iloc[test]
model = RVR().fit(X_train, y_train)
print(f"{len(model.relevance_)} vectors for {len(X_train)} rows, noise {model.noise_std_:.2f} MPa")

# %%
# Predict
# -------
#
# ``return_std=True`` gives a standard deviation for each row. It counts the noise, and what the
# model does not know of this mix.

mean, std = model.predict(X_test, return_std=True)
rmse = np.sqrt(np.mean((mean - y_test) ** 2))

figure, ax = plt.subplots(figsize=(5.5, 4.5), layout="constrained")
ax.errorbar(
    y_test, mean, 2 * std, fmt="o", ms=3, lw=0.6, color="C0", label="predicted mean ± 2 std"
)
ax.axline((40, 40), slope=1, color="0.2", ls=":", label="perfect")
ax.set(xlabel="measured strength, MPa", ylabel="predicted strength, MPa")
ax.set_title(f"{mix.iloc[test].nunique()} mixes that the model has not seen, RMSE {rmse:.1f} MPa")
ax.legend(fontsize=8)
plt.show()

# %%
# Compare
# -------
#
# A result needs a comparison, in the same folds. Ridge regression is the simplest model. It gets a
# second chance with the logarithm of the age, which an engineer would take. The Gaussian process
# has a scale for each input, which is one of the kernels that ``RVR`` chooses from. Boosting is
# what most people try first; by itself it has no error bars. The NLPD (negative log predictive
# density) judges means and error bars together; less is better.


def with_log_age(rows):
    return rows.assign(age=np.log(rows["age"]))


kernel = ConstantKernel() * RBF(np.ones(X.shape[1])) + WhiteKernel(0.1)
ridge = RidgeCV(np.logspace(-3, 3, 13))
methods = {
    "RVR": RVR(),
    "Gaussian process": make_pipeline(
        StandardScaler(), GaussianProcessRegressor(kernel, normalize_y=True)
    ),
    "boosting": boosting,
    "ridge": make_pipeline(StandardScaler(), ridge),
    "ridge, log age": make_pipeline(FunctionTransformer(with_log_age), StandardScaler(), ridge),
}
scores, off = [], []
for name, method in methods.items():
    for fold, (rows, held_out) in enumerate(whole_mixes.split(X, y, mix)):
        X_new, y_new, began = X.iloc[held_out], y.iloc[held_out], perf_counter()
        method.fit(X.iloc[rows], y.iloc[rows])
        score = {"method": name, "fold": fold, "seconds": perf_counter() - began}
        score["RMSE"] = np.sqrt(np.mean((method.predict(X_new) - y_new) ** 2))
        if name in ("RVR", "Gaussian process"):
            report = calibration_report(method, X_new, y_new, levels=[0.9])
            score |= {"NLPD": report.nlpd, "in 90 % intervals": report.coverage[0]}
        if name == "RVR":  # errors in predicted standard deviations, for later
            fold_mean, fold_std = method.predict(X_new, return_std=True)
            off.extend(np.abs(y_new - fold_mean) / fold_std)
        scores.append(score)
scores = pd.DataFrame(scores)
summary = scores.drop(columns="fold").groupby("method", sort=False).mean()
summary.round(2).astype(object).where(summary.notna(), "-")

# %%
# Differences between folds are large, so compare methods fold by fold. The mean difference to
# ``RVR`` and its standard error say whether a difference is more than chance.

by_fold = scores.pivot(index="fold", columns="method", values="RMSE")
difference = by_fold.drop(columns="RVR").sub(by_fold["RVR"], axis=0)
for name in difference:
    error = difference[name].std() / np.sqrt(len(difference))
    print(f"{name} minus RVR: {difference[name].mean():+.2f} ± {error:.2f} MPa")

# %%
# ``RVR`` has the lowest error, the Gaussian process and boosting are close, and the linear models
# are behind. But the error alone does not decide. ``RVR`` predicts with fewer vectors than the
# process, which keeps all rows. It has error bars, which boosting lacks. And it answers the
# questions below.
#
# Which inputs matter?
# --------------------
#
# ``input_relevance_`` is the share of the prediction's variance that an input has a part in. Inputs
# act together, so the sum can be more than 1. :doc:`/guide/effects` shows what each of them does.

figure, ax = plt.subplots(figsize=(6.5, 3.2), layout="constrained")
InputRelevanceDisplay.from_estimator(model, ax=ax)
plt.show()

# %%
# The effect of age
# -----------------
#
# Three test mixes that were measured often, and what the model says of them at all ages. It has
# seen none of these mixes. The points of a mix tend to lie on one side of the curve: if a mix is
# misjudged, it is misjudged at all ages.
#
# Blue curves are wavy, and rise again where there are few measurements. Concrete hardens quickly
# at first and slowly later, so the logarithm of the age is the better input. With it the curves
# are as they should be (orange), and the error on the test mixes is no larger. A model with
# error bars does not replace what you know of your field.

by_log_age = make_pipeline(FunctionTransformer(with_log_age), RVR()).fit(X_train, y_train)
rmse_log = np.sqrt(np.mean((by_log_age.predict(X_test) - y_test) ** 2))
print(f"RMSE with age in days {rmse:.2f} MPa, with its logarithm {rmse_log:.2f} MPa")

often = mix.iloc[test].value_counts().index[:3]
days = np.linspace(1, 120, 200)
figure, axes = plt.subplots(1, 3, figsize=(9, 3.5), sharey=True, layout="constrained")
for ax, number in zip(axes, often, strict=True):
    of_mix = X_test[mix.iloc[test] == number]
    curve = pd.concat([of_mix.iloc[[0]]] * len(days)).assign(age=days)
    for fitted, name, colour in ((model, "days", "C0"), (by_log_age, "log days", "C1")):
        curve_mean, curve_std = fitted.predict(curve, return_std=True)
        low, high = curve_mean - 2 * curve_std, curve_mean + 2 * curve_std
        ax.fill_between(days, low, high, color=colour, alpha=0.15, lw=0)
        ax.plot(days, curve_mean, color=colour, label=f"{name}, mean ± 2 std")
    ax.plot(of_mix["age"], y_test[of_mix.index], "o", color="0.3", ms=4, label="measured")
    ax.set(xlabel="age, days", xlim=(0, 120))
    first = of_mix.iloc[0]
    ax.set_title(f"{first['cement']:.0f} kg cement, {first['water']:.0f} kg water", fontsize=10)
axes[0].set_ylabel("strength, MPa")
figure.legend(*axes[0].get_legend_handles_labels(), loc="outside lower center", ncols=3)
plt.show()

# %%
# Is it calibrated?
# -----------------
#
# A 90 % interval should hold 90 % of new measurements. ``calibration_report`` compares levels with
# what happened. It is best to look at the curve as well.

report = calibration_report(model, X_test, y_test)
print(report)
RegressionCalibrationDisplay.from_report(report)
plt.show()

# %%
# Error bars are somewhat too small here, those of the Gaussian process as well (see the table of
# the comparison). Rows of one mix share an error, and both models take the noise of all rows as
# independent. Say so when you report the result. If you need intervals that hold, widen them by the
# factor that held-out mixes ask for.

factor = np.quantile(off, 0.9) / 1.645
print(f"bars that are {factor:.2f} times as wide hold 90 % of held-out measurements")

# %%
# Is a new mix like the data?
# ---------------------------
#
# ``novelty`` is 0 for a row that the data say all about, and 1 for one that they say nothing about.
# Test rows of higher novelty have larger errors. A mix that nobody makes has a wide error
# bar, and a novelty far above theirs.

novelty, error = model.novelty(X_test), np.abs(mean - y_test)
upper = novelty > np.median(novelty)
print(f"mean error of the less novel half {error[~upper].mean():.1f} MPa,")
print(f"of the more novel half {error[upper].mean():.1f} MPa")
odd = X_test.iloc[[0]].assign(cement=900.0, water=60.0)
odd_mean, odd_std = model.predict(odd, return_std=True)
print(f"odd mix: {odd_mean[0]:.0f} ± {odd_std[0]:.0f} MPa, novelty {model.novelty(odd)[0]:.2f}")

# %%
# Save, and write the report page
# -------------------------------
#
# The file has no pickle in it, and ``sparsebayes.load`` reads it without scikit-learn. The page has
# what you have seen here, and more: errors, calibration, inputs, vectors, and what speaks against
# the model. ``new=True`` says that these rows are new to the model. Without it the page would
# cross-validate the rows you give it, by random rows, which is the trap again.

folder = tempfile.TemporaryDirectory()
here = Path(folder.name)
model.save(here / "concrete.sbm")
loaded = sparsebayes.load(here / "concrete.sbm")
print(f"the loaded model differs by at most {np.abs(loaded.predict(X_test) - mean).max():.0e} MPa")
model.report(X_test, y_test, here / "report.html", new=True, title="Strength of new mixes")
print(f"a page of {(here / 'report.html').stat().st_size / 1000:.0f} kB")

# %%
# The same without Python
# -----------------------
#
# The command ``sparsebayes`` does it in three lines. ``--folds 0`` leaves out its own
# cross-validation, which is by random rows, too.

table.iloc[train].to_csv(here / "train.csv", index=False)
table.iloc[test].to_csv(here / "test.csv", index=False)
for line in (
    "fit train.csv --target compressive_strength --folds 0",
    "predict model.sbm test.csv --std --novelty -o predicted.csv",
    "report model.sbm test.csv --new",
):
    command = [sys.executable, "-m", "sparsebayes", *line.split()]
    done = subprocess.run(command, cwd=here, check=True, capture_output=True, text=True)
    print(f"$ sparsebayes {line}\n{done.stdout}")
predicted = pd.read_csv(here / "predicted.csv")
folder.cleanup()
predicted.iloc[:3, -4:].round(2)

# %%
# What to write in the paper
# --------------------------
#
# Say what was held out, give the error with its spread over folds, compare in the same folds, and
# say whether the error bars hold.

of_fold, of_method = by_fold["RVR"], by_fold.mean()
first, second, third = (X.columns[k] for k in np.argsort(-model.input_relevance_)[:3])
sentence = (
    f"Strength was predicted by relevance vector regression (sparsebayes "
    f"{sparsebayes.__version__}, defaults) from {X.shape[1]} inputs. In 5-fold cross-validation "
    f"over whole mixes ({mix.nunique()} mixes, {len(X)} samples) the RMSE was "
    f"{of_fold.mean():.1f} ± {of_fold.std():.1f} MPa (mean and standard deviation over folds), "
    f"against {of_method['Gaussian process']:.1f} MPa of a Gaussian process, "
    f"{of_method['boosting']:.1f} MPa of gradient boosting and {of_method['ridge, log age']:.1f} "
    f"MPa of ridge regression with the logarithm of the age. The 90 % prediction intervals held "
    f"{summary.loc['RVR', 'in 90 % intervals']:.0%} of the held-out measurements. The inputs that "
    f"mattered most were {first}, {second} and {third}."
)
print(textwrap.fill(sentence.replace("_", " "), 90))
