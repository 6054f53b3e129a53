"""Pages, taken apart."""

import base64
import hashlib
import re
from html.parser import HTMLParser
from xml.etree import ElementTree

import pytest

# Elements of HTML that have no end.
ALONE = {"meta", "br", "input"}


class Page(HTMLParser):
    """A page: whether elements end where they should, its headings, texts, names and references."""

    def __init__(self, text):
        super().__init__()
        self.source, self.open, self.tags, self.wrong = text, [], [], []
        self.ids, self.references, self.words, self.levels = [], [], [], []
        self.feed(text)
        self.close()

    def handle_starttag(self, tag, attrs):
        self.handle_startendtag(tag, attrs)
        if tag not in ALONE:
            self.open.append(tag)

    def handle_startendtag(self, tag, attrs):
        self.tags.append(tag)
        for name, value in attrs:
            if name == "id":
                self.ids.append(value)
            if name in ("href", "src", "xlink:href", "action", "data"):
                self.references.append(value)
            if name.startswith("on"):
                self.wrong.append(f"{tag} has {name}")
            self.references += re.findall(r"url\(([^)]*)\)", value or "")
        if re.fullmatch("h[1-6]", tag):
            self.levels.append(int(tag[1]))

    def handle_endtag(self, tag):
        if not self.open or self.open.pop() != tag:
            self.wrong.append(f"</{tag}> ends nothing")

    def handle_data(self, data):
        if not self.open or self.open[-1] not in ("style", "script"):
            self.words.append(data)

    @property
    def text(self):
        return " ".join(" ".join(self.words).split())

    @property
    def scripts(self):
        return re.findall(r"<script[^>]*>(.*?)</script>", self.source, re.DOTALL)

    def check_script(self):
        """There is no script but the model, and a browser is told to run no other."""
        policy = re.search(r'"Content-Security-Policy" content="([^"]*)"', self.source)[1]
        allowed = {"default-src": ["'none'"], "style-src": ["'unsafe-inline'"]}
        assert self.tags.count("script") == len(self.scripts) <= 1
        for script in self.scripts:
            assert script.startswith("\n/*\n * A fitted ")
            assert not re.search(
                r"\bimport\b(?! \{ predict \})|fetch|XMLHttp|eval|innerHTML", script
            )
            digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
            allowed["script-src"] = [f"'sha256-{digest}'"]
            assert '<div id="try" hidden>' in self.source
        found = {name: rest for name, *rest in map(str.split, policy.split(";"))}
        assert found == allowed | {"base-uri": ["'none'"]}

    @property
    def pictures(self):
        found = re.findall(r"<svg.*?</svg>", self.source, re.DOTALL)
        return [ElementTree.fromstring(each) for each in found]

    def check(self):
        """Everything that holds for every page."""
        assert self.wrong == []
        assert self.open == []
        assert self.source.startswith("<!DOCTYPE html>")
        assert '<html lang="en">' in self.source
        assert not {"img", "link", "iframe", "object", "embed", "form"} & set(self.tags)
        self.check_script()
        written = re.sub(r"<code>.*?</code>|http-equiv", "", self.source, flags=re.DOTALL)
        assert "http" not in written
        assert len(set(self.ids)) == len(self.ids)
        assert all(each.startswith("#") and each[1:] in self.ids for each in self.references)
        assert self.levels[0] == 1
        assert self.levels.count(1) == 1
        steps = zip(self.levels, self.levels[1:], strict=False)
        assert all(later <= earlier + 1 for earlier, later in steps)
        assert all(each.get("role") == "img" and each.get("aria-label") for each in self.pictures)
        assert len(self.source) < 500_000
        for key in ("summary", "calibration", "predictions", "inputs", "vectors", "fit", "use"):
            assert key in self.ids
        return self


@pytest.fixture
def page_of():
    """From the text of a page to its parts, checked."""
    return lambda text: Page(text).check()
