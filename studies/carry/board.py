"""A Cortex-M4 under qemu: programs for it are compiled, measured and run.

qemu counts instructions and not cycles: with `-icount shift=0` each takes one nanosecond of the
board's clock. How many of them a tick of the timer is, the program finds by a loop of known length.
"""

from __future__ import annotations

import re
import shutil
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from studies.framework.experiment import MissingDataError

# Start-up code, the timer and a way to print: semihosting hands texts to qemu.
BOARD = r"""
#include <stdint.h>
extern uint32_t stack_top, data_load, data_start, data_end, bss_start, bss_end;
int main(void);

static void ask_host(int what, const void *with)
{
    register int r0 __asm("r0") = what;
    register const void *r1 __asm("r1") = with;
    __asm volatile("bkpt 0xAB" : "+r"(r0) : "r"(r1) : "memory");
}

void say(const char *text) { ask_host(4, text); }

#define TIMER ((volatile uint32_t *)0xE000E010u)
uint32_t now(void) { return 0xFFFFFFu - TIMER[2]; }

void count(uint32_t n)
{
    __asm volatile("1: subs %0, %0, #1\n bne 1b" : "+r"(n) : : "cc");
}

void start(void)
{
    uint32_t *from = &data_load, *to;
    *(volatile uint32_t *)0xE000ED88u |= 0xFu << 20; /* the floating-point unit is on */
    __asm volatile("dsb\n isb");
    for (to = &data_start; to < &data_end;)
        *to++ = *from++;
    for (to = &bss_start; to < &bss_end;)
        *to++ = 0u;
    TIMER[1] = 0xFFFFFFu;
    TIMER[2] = 0u;
    TIMER[0] = 5u;
    main();
    ask_host(0x18, (const void *)0x20026);
    for (;;) {
    }
}

static void fault(void)
{
    say("fault\n");
    ask_host(0x18, (const void *)0x20023);
    for (;;) {
    }
}

__attribute__((section(".vectors"), used)) static const void *const vectors[] = {
    &stack_top, (const void *)start, (const void *)fault, (const void *)fault,
    (const void *)fault, (const void *)fault, (const void *)fault,
};
"""
# The same on the machine that the study runs on, without a timer.
HERE = r"""
#include <stdint.h>
#include <stdio.h>
void say(const char *text) { fputs(text, stdout); }
uint32_t now(void) { return 0u; }
void count(uint32_t n) { (void)n; }
"""
LINKER_SCRIPT = """
MEMORY
{
    FLASH (rx) : ORIGIN = 0, LENGTH = 4M
    RAM (rwx) : ORIGIN = 0x20000000, LENGTH = 4M
}
ENTRY(start)
SECTIONS
{
    .text : { KEEP(*(.vectors)) *(.text*) *(.rodata*) } > FLASH
    .ARM.exidx : { *(.ARM.exidx*) } > FLASH
    data_load = LOADADDR(.data);
    .data : { data_start = .; *(.data*) . = ALIGN(4); data_end = .; } > RAM AT > FLASH
    .bss : { bss_start = .; *(.bss*) *(COMMON) . = ALIGN(4); bss_end = .; } > RAM
    stack_top = ORIGIN(RAM) + LENGTH(RAM);
}
"""
CORTEX_M4 = ("-mcpu=cortex-m4", "-mthumb", "-mfloat-abi=hard", "-mfpu=fpv4-sp-d16")
SMALL = ("-std=gnu99", "-Os", "-Wall", "-Wextra", "-ffunction-sections", "-fdata-sections")
QEMU = (
    *("qemu-system-arm", "-machine", "mps2-an386", "-nographic", "-monitor", "none"),
    *("-serial", "none", "-semihosting-config", "enable=on,target=native"),
    *("-icount", "shift=0"),
)


@dataclass(frozen=True)
class Target:
    """Where programs run.

    Parameters
    ----------
    name : for people
    tools : what the names of compiler and size begin with
    options : of the compiler
    linking : more options, of the linker
    support : C that a program is linked with
    run : what is put before the path of a program
    """

    name: str
    tools: str
    options: tuple[str, ...]
    linking: tuple[str, ...]
    support: str
    run: tuple[str, ...]

    @property
    def there(self) -> bool:
        """Whether all tools are installed."""
        return all(map(shutil.which, (f"{self.tools}gcc", f"{self.tools}size", *self.run[:1])))

    def compiled(self, source: str, path: Path) -> Path:
        """The object file of a C source."""
        code, made = path.with_suffix(".c"), path.with_suffix(".o")
        code.write_text(source, encoding="utf-8")
        _run([f"{self.tools}gcc", *self.options, *SMALL, "-c", str(code), "-o", str(made)])
        return made

    def linked(self, objects: Sequence[Path], folder: Path, name: str) -> Path:
        """A program."""
        script, made = folder / "board.ld", folder / name
        script.write_text(LINKER_SCRIPT, encoding="utf-8")
        support = self.compiled(self.support, folder / "support")
        linking = [each.format(script=script) for each in self.linking]
        parts = [*map(str, objects), str(support), *linking, "-lm", "-o", str(made)]
        _run([f"{self.tools}gcc", *self.options, "-Wl,--gc-sections", *parts])
        return made

    def sizes(self, path: Path) -> tuple[int, int]:
        """Bytes of flash and of static memory of a program or an object file."""
        shown = _run([f"{self.tools}size", str(path)]).splitlines()[1]
        text, data, bss = map(int, shown.split()[:3])
        return text + data, data + bss

    def output(self, program: Path) -> list[str]:
        """What a program prints, by line."""
        return _run([*self.run, str(program)], seconds=120.0).splitlines()


ARM = Target(
    "Cortex-M4",
    "arm-none-eabi-",
    CORTEX_M4,
    ("-nostartfiles", "-T", "{script}", "--specs=nano.specs", "--specs=nosys.specs"),
    BOARD,
    (*QEMU, "-kernel"),
)
NATIVE = Target("this machine", "", (), (), HERE, ())


def target() -> Target:
    """A Cortex-M4 if there are its compiler and qemu, else this machine."""
    found = next((each for each in (ARM, NATIVE) if each.there), None)
    if found is None:
        raise MissingDataError(
            "no C compiler is installed; on Debian: gcc-arm-none-eabi, libnewlib-arm-none-eabi and "
            "qemu-system-arm, or gcc"
        )
    return found


def version(tool: str) -> str:
    """The version of a tool, "" if it is not there."""
    if shutil.which(tool) is None:
        return ""
    found = re.search(r"\d+\.\d+(\.\d+)?", _run([tool, "--version"]))
    return found.group() if found else ""


def _run(command: Sequence[str], seconds: float = 60.0) -> str:
    """What a command prints; an error has what it said."""
    done = subprocess.run(command, capture_output=True, text=True, timeout=seconds, check=False)
    if done.returncode:
        raise RuntimeError(f"{command[0]} failed: {done.stderr.strip()[-2000:]}")
    return done.stdout + done.stderr
