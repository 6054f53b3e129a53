"""The columns of a dense model of many rows: those that add something, whitened and as they are."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np
from scipy.linalg import block_diag, lapack

from sparsebayes.columns import NO_ROW, AnyColumns, Columns, JoinedColumns
from sparsebayes.dense.fit import chosen_columns
from sparsebayes.dense.model import Budget
from sparsebayes.dense.whitened import WhitenedColumns
from sparsebayes.problem import Problem

# What centres may leave of the variance of the process anywhere, in parts of the noise and times
# the number of rows: with more rows less of it can be told from noise. And its least and most.
UNSEEN_TIMES_ROWS, LEAST_UNSEEN, MOST_UNSEEN = 10.0, 1e-6, 1e-3


def budget_of(n_rows: float) -> Budget:
    """How large the dense model of so many rows may be: it may have all centres that there are."""
    unseen = float(np.clip(UNSEEN_TIMES_ROWS / n_rows, LEAST_UNSEEN, MOST_UNSEEN))
    return Budget(most_centres=10**6, work=np.inf, unseen=unseen)


class Chosen(NamedTuple):
    """The columns of a dense model.

    Attributes
    ----------
    white : whitened
    candidates : the same columns as they are, in the order of `white`
    """

    white: JoinedColumns
    candidates: AnyColumns


def choose_columns(problem: Problem, settings: np.ndarray, n_rows: float) -> Chosen:
    """The columns that the dense model of so many rows has, those that add nothing left out.

    Parameters
    ----------
    problem : with a sample of the rows
    settings : of the dense model (n_settings,)
    """
    numbered = JoinedColumns(tuple(_numbered(kind) for kind in problem.columns.kinds))
    parts = chosen_columns(replace(problem, columns=numbered), settings, budget_of(n_rows))
    positions = [
        np.arange(part.n_columns) if _is_plain(part.kind) else part.kind.centre_rows
        for part in parts
    ]
    white = tuple(
        replace(part, kind=replace(part.kind, centre_rows=kind.centre_rows[own]))
        for part, kind, own in zip(parts, problem.columns.kinds, positions, strict=True)
    )
    starts = np.cumsum([0, *(kind.n_columns for kind in problem.columns.kinds)])
    places = [start + own for start, own in zip(starts, positions, strict=False)]
    return Chosen(JoinedColumns(white), problem.columns.keep(np.concatenate(places)))


def _is_plain(kind: Columns) -> bool:
    """Whether columns have no centre."""
    return not kind.n_columns or bool(kind.centre_rows[0] == NO_ROW)


def _numbered(kind: Columns) -> Columns:
    """The columns of a kernel, numbered one by one in place of their rows."""
    return kind if _is_plain(kind) else replace(kind, centre_rows=np.arange(kind.n_columns))


def unwhitened(columns: JoinedColumns, mean: np.ndarray) -> np.ndarray:
    """Weights of the columns as they are, R'm, from those of whitened ones (m, k)."""
    return np.concatenate(
        [
            own if part.whitener is None else part.whitener.T @ own
            for part, own in _split(columns, mean)
        ]
    )


def whitened_score(columns: JoinedColumns, score: np.ndarray) -> np.ndarray:
    """The gradient for the weights of whitened columns, from that for those as they are (m, k)."""
    return np.concatenate(
        [
            own if part.whitener is None else part.whitener @ own
            for part, own in _split(columns, score)
        ]
    )


def _split(columns: JoinedColumns, rows: np.ndarray) -> list[tuple[WhitenedColumns, np.ndarray]]:
    ends = np.cumsum([part.n_columns for part in columns.parts])[:-1]
    return list(zip(columns.parts, np.split(rows, ends), strict=True))


def first_of_each(columns: Any, most: int) -> np.ndarray:
    """Positions of the first whitened columns of each kind, and of all that are not whitened."""
    sizes = [part.n_columns if part.whitener is None else most for part in columns.parts]
    starts = np.cumsum([0, *(part.n_columns for part in columns.parts)])
    own = zip(starts, columns.parts, sizes, strict=False)
    return np.concatenate([start + np.arange(min(p.n_columns, size)) for start, p, size in own])


def colouring(columns: JoinedColumns) -> np.ndarray:
    """L' of each kind: the columns as they are are V L', as those of V are C R' with R = L^-1."""
    return block_diag(
        *(
            np.eye(part.n_columns)
            if part.whitener is None
            else lapack.dtrtri(np.asfortranarray(part.whitener), lower=1)[0].T
            for part in columns.parts
        )
    )
