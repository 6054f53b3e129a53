"""The variance of latent values, and novelty, in C."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from sparsebayes.export.c.formulas import BankCode
from sparsebayes.export.c.layout import Layout, same_formula
from sparsebayes.export.c.source import spread as c
from sparsebayes.export.c.writing import Table

# What is computed of the spread: who adds it up, and how many numbers it has.
WANTED = {
    "variance": ("model_add_known", "MODEL_N_PROCESSES"),
    "covariance": ("model_add_covariance", "MODEL_N_LATENTS * MODEL_N_LATENTS"),
}


@dataclass(frozen=True)
class Group:
    """Columns of the spread of one formula: their place, their bank, their whitener or None."""

    first: int
    n: int
    bank: BankCode
    white: np.ndarray | None
    amplitude: np.ndarray

    @property
    def values(self) -> str:
        """Where they are."""
        return f"v + {self.first}" if self.first else "v"


@dataclass(frozen=True)
class SpreadCode:
    """The spread in C.

    Parameters
    ----------
    layout : where columns are
    groups : of the columns of the spread, if it has its own
    wants : "variance" of the processes, "covariance" of the latent values, or "" for neither
    covers : whether there is a novelty
    """

    layout: Layout
    groups: list[Group]
    wants: str
    covers: bool

    @property
    def needed(self) -> bool:
        """Whether anything of the spread is there."""
        return bool(self.wants) or self.covers

    @property
    def whitened(self) -> set[int]:
        """Numbers of the banks that are processes."""
        return {group.bank.number for group in self.groups if group.white is not None}

    def sizes(self) -> dict[str, int]:
        """Macros."""
        if not self.needed:
            return {}
        roots = self.layout.plain.spread.roots
        found = {"N_PROCESSES": len(roots), "N_SPREAD": self.layout.n_spread}
        return {**found, "N_HALF": roots[0].shape[1]} if self.wants == "covariance" else found

    def tables(self) -> list[Table]:
        """Everything that only error bars need."""
        roots = self.layout.plain.spread.roots
        found = []
        if self.wants == "variance" or self.covers:
            triangles = [np.asarray(np.linalg.qr(root.T, mode="r")) for root in roots]
            packed = [own[np.triu_indices_from(own)] for own in triangles]
            ranks = np.array([len(own) for own in triangles], dtype=np.int64)
            found += [Table("model_ranks", ranks), Table("model_roots", np.concatenate(packed))]
        if self.wants == "covariance":
            found.append(Table("model_half", np.stack([root.T for root in roots], axis=1)))
        if self.groups and self.layout.order is not None:
            found.append(Table("model_order", self.layout.order))
        for k, group in enumerate(self.groups):
            if group.white is not None:
                found += [
                    Table(f"model_white_{k}", group.white[np.tril_indices(group.n)]),
                    Table(f"model_amplitude_{k}", group.amplitude),
                ]
        return found

    def code(self) -> str:
        """All functions of the spread, and the mean."""
        parts = [c.MEAN]
        if self.groups:
            parts += [c.WHITEN, self._of_own_columns()]
        if self.wants == "variance" or self.covers:
            parts.append(c.KNOWN)
        if self.wants == "covariance":
            parts.append(c.COVARIANCE)
        if self.wants:
            parts.append(self._latent())
        if self.covers:
            parts.append(self._novelty())
        return "".join(parts)

    @property
    def n_stacked(self) -> int:
        """Numbers on the stack for columns."""
        own = self.layout.n_spread + len(self.layout.plain.spread.roots) if self.groups else 0
        return self.layout.n_all + own

    def _of_own_columns(self) -> str:
        calls = []
        for k, group in enumerate(self.groups):
            if group.white is not None:
                calls += [
                    f"model_whiten(model_white_{k}, {group.n}, {group.values});",
                    f"model_add_left({group.bank.itself()}, {group.values}, {group.n}, "
                    f"model_amplitude_{k}, variance);",
                ]
        if not any("(x" in call for call in calls):
            calls.append("(void)x;")
        return _filled(c.OF_OWN_COLUMNS, {"CALLS": "\n    ".join(calls)})

    def _more(self) -> str:
        more = any(bank.n_more for bank in self.layout.banks)
        return "model_more_columns(x, phi);" if more else ""

    def _latent(self) -> str:
        add, size = WANTED[self.wants]
        declarations, zero, left, source = "real phi[MODEL_N_COLUMNS];", "", "", "phi"
        if self.groups:
            declarations, source = "real phi[MODEL_N_COLUMNS], v[MODEL_N_SPREAD];", "v"
            left = "model_spread_columns(x, phi, v, variance);"
        if self.groups and self.wants == "covariance":
            # Whitening gives a variance besides, which a covariance does without.
            declarations += "\n    real variance[MODEL_N_PROCESSES];"
            zero = "model_zero(variance, MODEL_N_PROCESSES);"
        words = {"DECLARATIONS": declarations, "MORE": self._more(), "ZERO": zero}
        words |= {"SIZE": size, "LEFT": left, "ADD": add, "FROM": source, "WHAT": self.wants}
        return _filled(c.LATENT, words)

    def _novelty(self) -> str:
        forget = [
            f"model_zero({group.values}, {group.n});"
            for group in self.groups
            if group.white is None
        ]
        prior = [
            f"model_amplitude_{k}[p] * {group.bank.itself()}"
            for k, group in enumerate(self.groups)
            if group.white is not None
        ]
        words = {"MORE": self._more(), "FORGET": "\n    ".join(forget), "PRIOR": " + ".join(prior)}
        return _filled(c.NOVELTY, words)


def _filled(text: str, words: dict[str, str]) -> str:
    """The text with its $words; lines that become empty are left out."""
    for word, other in words.items():
        text = text.replace(f"    ${word}\n", f"    {other}\n" if other else "")
        text = text.replace(f"${word}", other)
    return text


def spread_code(layout: Layout, banks: list[BankCode], wants: str, covers: bool) -> SpreadCode:
    """The spread of a model; its own columns are left out unless something needs them."""
    spread = layout.plain.spread
    groups: list[Group] = []
    if (wants or covers) and spread.columns is not None and spread.amplitude is not None:
        first = 0
        parts = zip(spread.columns, spread.whiteners, spread.amplitude, strict=True)
        for columns, white, amplitude in parts:
            bank = next(each for each in banks if same_formula(each.bank.columns, columns))
            groups.append(Group(first, columns.n_columns, bank, white, amplitude))
            first += columns.n_columns
    return SpreadCode(layout, groups, wants, covers)
