"""A program that calls one function of a C header, and measures it."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from studies.carry.board import Target

REPEATS, COUNT = 20, 100_000

CALL = """
#include "model.h"
void call(const {real} *x, {real} *out);
void call(const {real} *x, {real} *out)
{{
    {call}
}}
"""
# Prints lines of a letter and bytes in hexadecimal: v values of a row, s bytes of the stack,
# c ticks of a loop of known length, t ticks of all calls, i ticks of calls that do nothing.
PROGRAM = r"""
#include <stdint.h>
typedef {real} real;
void say(const char *text);
uint32_t now(void);
void count(uint32_t n);
void call(const real *x, real *out);
void idle(const real *x, real *out);
static const real rows[] = {{{rows}}};

static void print(char kind, const void *what, unsigned n)
{{
    const unsigned char *bytes = what;
    char text[2 * 64 + 3];
    unsigned k;
    text[0] = kind;
    for (k = 0; k < n; ++k) {{
        text[2 * k + 1] = "0123456789abcdef"[bytes[k] >> 4];
        text[2 * k + 2] = "0123456789abcdef"[bytes[k] & 15];
    }}
    text[2 * n + 1] = '\n';
    text[2 * n + 2] = 0;
    say(text);
}}

static void print_stack(real *out)
{{
#ifdef __arm__
    const uint32_t pattern = 0x5AA55AA5u;
    volatile uint32_t *top, *low;
    uint32_t used;
    __asm volatile("mov %0, sp" : "=r"(top));
    for (low = top - 1; low > top - 4096; --low)
        *low = pattern;
    call(rows, out);
    for (++low; *low == pattern;)
        ++low;
    used = (uint32_t)((uintptr_t)top - (uintptr_t)low);
    print('s', &used, sizeof used);
#else
    (void)out;
#endif
}}

static void print_ticks(char kind, void (*function)(const real *, real *), real *out)
{{
    uint32_t start, ticks;
    int i, k;
    start = now();
    for (k = 0; k < {repeats}; ++k)
        for (i = 0; i < {n_rows}; ++i)
            function(rows + i * {n_inputs}, out);
    ticks = (now() - start) & 0xFFFFFFu;
    print(kind, &ticks, sizeof ticks);
}}

int main(void)
{{
    real out[{n_values}];
    uint32_t start, ticks;
    int i;
    for (i = 0; i < {n_rows}; ++i) {{
        call(rows + i * {n_inputs}, out);
        print('v', out, sizeof out);
    }}
    print_stack(out);
    start = now();
    count({count});
    ticks = (now() - start) & 0xFFFFFFu;
    print('c', &ticks, sizeof ticks);
    print_ticks('t', call, out);
    print_ticks('i', idle, out);
    return 0;
}}
"""
EMPTY = """
void {name}(const {real} *x, {real} *out);
void {name}(const {real} *x, {real} *out)
{{
    (void)x;
    (void)out;
}}
"""


def measure(
    board: Target,
    header: str,
    call: str,
    n_values: int,
    rows: np.ndarray,
    real: str,
    folder: Path,
) -> dict:
    """What a program that makes this call of a header measures on a board."""
    (folder / "model.h").write_text(header, encoding="utf-8")
    ending = "f" if real == "float" else ""
    words = {"real": real, "n_rows": len(rows), "n_inputs": rows.shape[1], "count": f"{COUNT}u"}
    words |= {"repeats": REPEATS, "n_values": n_values}
    words["rows"] = ", ".join(f"{value:.17e}{ending}" for value in rows.ravel())
    main = board.compiled(PROGRAM.format(**words), folder / "main")
    idle = board.compiled(EMPTY.format(name="idle", real=real), folder / "idle")
    text = CALL.format(real=real, call=call.format(real=real))
    model = board.compiled(text, folder / "model")
    nothing = board.compiled(EMPTY.format(name="call", real=real), folder / "nothing")
    program = board.linked([main, idle, model], folder, "program")
    without = board.linked([main, idle, nothing], folder, "without")
    own, whole, rest = (board.sizes(each) for each in (model, program, without))
    return {
        **printed(board.output(program), real),
        "own_flash": own[0],
        "flash": whole[0] - rest[0],
        "static": whole[1] - rest[1],
    }


def printed(lines: list[str], real: str) -> dict:
    """Values (n_rows, n_values), bytes of stack and instructions for each call."""
    found: dict[str, list[bytes]] = {}
    for line in lines:
        found.setdefault(line[:1], []).append(bytes.fromhex(line[1:]))
    kind = "<f4" if real == "float" else "<f8"
    values = np.array([np.frombuffer(each, dtype=kind) for each in found["v"]], dtype=float)
    number = {name: int.from_bytes(found[name][0], "little") for name in "scti" if name in found}
    if not number["c"]:
        return {"values": values, "stack": None, "instructions": None}
    per_tick = 2.0 * COUNT / number["c"]
    calls = REPEATS * len(values)
    instructions = (number["t"] - number["i"]) * per_tick / calls
    return {"values": values, "stack": number["s"], "instructions": instructions}
