"""`python docs/check_site.py build/site`: links that lead nowhere, pages that load from elsewhere.

A page may link to another site. It may not load anything from one: no script, style, font, picture.
"""

from __future__ import annotations

import re
import sys
from html.parser import HTMLParser
from os.path import normpath
from pathlib import Path
from urllib.parse import unquote, urlsplit

# What a browser loads without being asked: attribute by tag.
LOADED = {
    "script": "src",
    "img": "src",
    "iframe": "src",
    "source": "src",
    "video": "src",
    "audio": "src",
    "embed": "src",
    "object": "data",
}
LINKS_THAT_LOAD = {"stylesheet", "icon", "preload", "modulepreload", "prefetch", "manifest"}
IN_STYLES = re.compile(r"url\(\s*['\"]?([^'\")]+)|@import\s+['\"]([^'\"]+)")


class Page(HTMLParser):
    """What a page links to, what it loads, and which anchors it has."""

    def __init__(self, path: Path) -> None:
        super().__init__()
        self.links: list[str] = []
        self.loaded: list[str] = []
        self.anchors: set[str] = set()
        self.feed(path.read_text(encoding="utf-8"))

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Note every address and every anchor."""
        given = {name: value or "" for name, value in attrs}
        self.anchors |= {given[name] for name in ("id", "name") if name in given}
        if tag == "a" and given.get("href"):
            self.links.append(given["href"])
        if tag == "link" and LINKS_THAT_LOAD & set(given.get("rel", "").split()):
            self.loaded.append(given.get("href", ""))
        if tag in LOADED and given.get(LOADED[tag]):
            self.loaded.append(given[LOADED[tag]])


def findings(root: Path) -> list[str]:
    """A line for everything that is wrong."""
    root = root.resolve()
    found = [path for path in sorted(root.rglob("*.html")) if "_static" not in path.parts]
    pages = {path: Page(path) for path in found}
    said = [] if pages else [f"{root} has no pages"]
    for path, page in pages.items():
        name = path.relative_to(root)
        said += [f"{name}: loads {one}" for one in page.loaded if is_elsewhere(one)]
        local = [one for one in page.links + page.loaded if not is_elsewhere(one)]
        said += [f"{name}: no {one}" for one in local if not exists(one, path, pages)]
    for path in sorted(root.rglob("*.css")):
        found = IN_STYLES.findall(path.read_text(encoding="utf-8"))
        addresses = [one or other for one, other in found]
        said += [f"{path.name}: loads {one}" for one in addresses if is_elsewhere(one)]
    return said


def is_elsewhere(address: str) -> bool:
    """Whether an address names another machine, or something that is no file."""
    parts = urlsplit(address)
    return bool(parts.netloc) or parts.scheme not in ("", "data")


def exists(address: str, page: Path, pages: dict[Path, Page]) -> bool:
    """Whether a relative address leads to a file, and to an anchor of it."""
    parts = urlsplit(address)
    if parts.scheme == "data":
        return True
    target = Path(normpath(page.parent / unquote(parts.path))) if parts.path else page
    if target not in pages or not parts.fragment:
        return target.exists()
    return unquote(parts.fragment) in pages[target].anchors | {"top"}


def main(root: Path) -> int:
    """Print what is wrong; 1 if anything is."""
    said = findings(root)
    print(
        "\n".join(said)
        or f"{root}: every link leads somewhere, and nothing is loaded from elsewhere"
    )
    return 1 if said else 0


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1])))
