"""Loops of graphs: zeros are left out, what is shared is computed once, what is costly once."""

import numpy as np
import pytest
from carried import KINDS, QUICK, fitted
from graph_values import values

from sparsebayes.export.expressions import span
from sparsebayes.export.placement import COSTLY, LoopPlacement
from sparsebayes.model.graph import graph, in_order

FULL = np.arange(1.0, 31.0).reshape(5, 6)
TABLES = {
    "lower": np.tril(FULL),
    "upper": np.triu(FULL),
    "lower, from a later column": np.tril(FULL, 1),
    "upper, from a later row": np.triu(FULL.T, -1),
    "strictly lower": np.tril(FULL, -1),
    "strictly upper": np.triu(FULL, 2),
    "two matrices": np.stack([np.tril(FULL), np.tril(FULL, -1)]),
    "blocks": np.kron(np.eye(4), np.ones((3, 5))),
    "no number": np.zeros((3, 4)),
}


def whole(found, shape):
    """The table whose numbers are within bounds, one after the other."""
    table, rest = np.zeros(shape), list(found.values)
    for row, place in enumerate(np.ndindex(shape[:-1])):
        first, end = (
            int(bound[row]) if not isinstance(bound, str) else in_c(bound, place[-1])
            for bound in (found.first, found.end)
        )
        for column in range(first, end):
            table[(*place, column)] = rest.pop(0)
    assert not rest
    return table


def in_c(text, at):
    """What C makes of the text of a bound."""
    text = text.format(at=at).strip("()")
    if "?" not in text:
        return eval(text)
    test, rest = text.split("?")
    return eval(rest.split(":")[0] if eval(test) else rest.split(":")[1])


@pytest.mark.parametrize("name", TABLES)
def test_what_is_left_of_a_table_is_all_but_zeros(name):
    table = TABLES[name]
    found = span(table)
    np.testing.assert_array_equal(whole(found, table.shape), table)
    assert found.values.size < 0.75 * table.size


@pytest.mark.parametrize("table", [FULL, np.tril(FULL, 4), np.where(FULL == 9.0, 0.0, FULL)])
def test_a_table_of_few_zeros_is_kept(table):
    assert span(table) is None


def placed(name):
    outputs = graph(fitted(name).to_portable(), shared=True)
    return LoopPlacement({each: {each: node} for each, node in outputs.items()})


@pytest.mark.parametrize("name", QUICK)
def test_nothing_costly_is_computed_in_a_loop_that_it_does_not_depend_on(name):
    placement = placed(name)
    for node in placement.nodes:
        if node.kind == "map" and node.name in COSTLY and not placement.stored(node):
            (context,) = {path for path in placement.contexts[node] if path} or {()}
            assert {axis for _, axis in context} <= set(node.names)


@pytest.mark.parametrize("name", QUICK)
def test_loops_go_round_axes_that_are_there(name):
    placement = placed(name)
    for node in placement.nodes:
        if placement.stored(node):
            axes = [axis for _, axis in placement.path(node)]
            assert len(set(axes)) == len(axes)
            assert set(axes) >= set(node.names) - {node.name, node.axis}


@pytest.mark.parametrize("name", ["default", "two outputs", "varying noise", "each class"])
def test_columns_that_mean_and_error_bars_share_are_one_node(name):
    model, rows = fitted(name).to_portable(), KINDS[name].new
    apart, shared = graph(model), graph(model, shared=True)
    found, expected = values(shared, rows), values(apart, rows)
    for each in apart:
        np.testing.assert_allclose(found[each], expected[each], rtol=1e-12)
    n_costly = [sum(n.name == "exp" for n in in_order(g.values())) for g in (apart, shared)]
    assert n_costly[1] < n_costly[0]
