"""Links of docstrings to pages of this site: absolute for `help()`, relative on the site itself.

A docstring says `https://.../guide/scales.html`, with the address of `project.urls` in
pyproject.toml. Here such links lead to the page of this build, which may be on a disk without any
network, and have its title. One to a page that does not exist is a warning, and so an error.
"""

from __future__ import annotations

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.transforms.post_transforms import SphinxPostTransform
from sphinx.util import logging

log = logging.getLogger(__name__)


class PageLinks(SphinxPostTransform):
    """Make links to the published site relative."""

    default_priority = 9

    def run(self, **_: object) -> None:
        """All links of one page."""
        base = self.config.site_url.rstrip("/") + "/"
        for link in self.document.findall(nodes.reference):
            if link.get("refuri", "").startswith(base):
                self._localise(link, link["refuri"].removeprefix(base))

    def _localise(self, link: nodes.reference, rest: str) -> None:
        page, _, anchor = rest.partition("#")
        name = page.removesuffix(".html") or "index"
        if name not in self.env.found_docs:
            log.warning("no page is called %r", name, location=link)
            return
        if link.astext() == link["refuri"]:
            link.children = [nodes.Text(self.env.titles[name].astext())]
        here = self.app.builder.get_relative_uri(self.env.docname, name)
        link["refuri"] = f"{here}#{anchor}" if anchor else here
        link["internal"] = True
        link["classes"] = [one for one in link["classes"] if one != "external"]


def setup(app: Sphinx) -> dict[str, bool]:
    """Before links are written."""
    app.add_config_value("site_url", "", "env")
    app.add_post_transform(PageLinks)
    return {"parallel_read_safe": True}
