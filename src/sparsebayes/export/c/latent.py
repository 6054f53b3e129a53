"""Latent values in C: columns, their means, and how uncertain they are."""

from __future__ import annotations

from dataclasses import dataclass, replace

from sparsebayes.export.c.formulas import BankCode, bank_codes, columns_code, functions
from sparsebayes.export.c.layout import Layout, layout_of
from sparsebayes.export.c.spread import SpreadCode, spread_code
from sparsebayes.export.c.writing import Style, Table
from sparsebayes.model.latent import Plain


@dataclass(frozen=True)
class LatentCode:
    """The latent values of a model, or of its noise, in C.

    Parameters
    ----------
    layout : where columns are
    banks : columns by formula
    spread : of the values
    """

    layout: Layout
    banks: list[BankCode]
    spread: SpreadCode

    def tables(self) -> list[Table]:
        """All that the code reads."""
        used = [] if self._all_used else [Table("model_used", self.layout.used)]
        whitened = self.spread.whitened
        columns = [table for bank in self.banks for table in bank.tables(bank.number in whitened)]
        weights = Table("model_weights", self.layout.plain.weights)
        return [*used, *columns, weights, *(self.spread.tables() if self.spread.needed else [])]

    @property
    def _all_used(self) -> bool:
        """Whether every input counts, as far as columns on points are concerned."""
        points = [bank.columns.items for bank in self.layout.banks if bank.columns.items.ndim == 2]
        return not points or len(self.layout.used) == points[0].shape[1]

    def macros(self) -> str:
        """Sizes, and which input a number stands for."""
        sizes = {
            "N_LATENTS": self.layout.plain.weights.shape[1],
            "N_MEAN": self.layout.n_mean,
            "N_COLUMNS": self.layout.n_all,
            "N_USED": len(self.layout.used),
            **self.spread.sizes(),
        }
        number = "(k)" if self._all_used else "model_used[k]"
        return f"{defined(sizes)}\n#define MODEL_INPUT(k) {number}"

    def code(self) -> str:
        """Functions; `model_latent` is what a response calls, or `model_latent_mean`."""
        parts = [*functions(self.banks, self.spread.whitened), columns_code(self.banks)]
        return "".join([*parts, self.spread.code()])


def latent_code(plain: Plain, wants: str, covers: bool, style: Style) -> LatentCode:
    """The latent values with what is wanted of their spread, and with novelty or without it."""
    layout = layout_of(plain, bool(wants) or covers)
    banks = bank_codes(layout, style)
    return LatentCode(layout, banks, spread_code(layout, banks, wants, covers))


def defined(sizes: dict[str, int]) -> str:
    """Macros."""
    return "\n".join(f"#define MODEL_{name} {size}" for name, size in sizes.items())


def of_noise(text: str) -> str:
    """The same C with names of its own, for a model of the noise beside that of the target."""
    return text.replace("model_", "model_noise_").replace("MODEL_", "MODEL_NOISE_")


def tables_of_noise(tables: list[Table]) -> list[Table]:
    """The same tables with such names."""
    return [replace(table, name=of_noise(table.name)) for table in tables]
