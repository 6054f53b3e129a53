"""How the site is built: `make docs`."""

import sys
import tomllib
from pathlib import Path

import matplotlib

import sparsebayes

matplotlib.use("Agg")

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE / "_ext"))

PROJECT = tomllib.loads((HERE.parent / "pyproject.toml").read_text(encoding="utf-8"))["project"]

project = "sparsebayes"
author = copyright = "the sparsebayes developers"
version = release = sparsebayes.__version__

extensions = [
    "offline",
    "local_mathjax",
    "matplotlib.sphinxext.plot_directive",
    "own_members",
    "page_links",
    "sample_report",
    "numpydoc",
    "myst_parser",
    "sphinx.ext.autodoc",
    "sphinx.ext.autosummary",
    "sphinx.ext.mathjax",
    "sphinx_copybutton",
    "sphinx_design",
    "sphinx_gallery.gen_gallery",
]
exclude_patterns = ["gallery", "tutorial", "_templates", "sg_execution_times.rst"]
templates_path = ["_templates"]
html_static_path = ["_static"]

# Pages are Markdown, and headings of three levels can be linked to.
myst_enable_extensions = ["colon_fence", "deflist", "dollarmath", "tasklist"]
myst_heading_anchors = 3
suppress_warnings = ["config.cache"]  # functions in the settings of the gallery

# The reference: one page for each public name, from its docstring. A name in backticks is a link
# where there is something to link to.
default_role = "py:obj"
autosummary_generate = True
autodoc_typehints = "none"
numpydoc_show_class_members = False
numpydoc_class_members_toctree = False

# Where docstrings say the pages are; see _ext/page_links.py.
site_url = PROJECT["urls"]["Documentation"]

# Pictures of pages are drawn by scripts beside them, when the site is built.
plot_basedir = str(HERE)
plot_formats = [("png", 150)]
plot_html_show_formats = False
plot_html_show_source_link = False

copybutton_prompt_text = r">>> |\.\.\. |\$ "
copybutton_prompt_is_regexp = True

sphinx_gallery_conf = {
    "examples_dirs": ["gallery", "tutorial"],
    "gallery_dirs": ["auto_gallery", "auto_tutorial"],
    "filename_pattern": r"\.py$",
    "subsection_order": [
        f"gallery/{name}"
        for name in ("start", "uncertainty", "choosing", "columns", "targets", "elsewhere")
    ],
    "within_subsection_order": "ExampleTitleSortKey",
    "doc_module": ("sparsebayes",),
    "backreferences_dir": "reference/examples_of",
    "inspect_global_variables": True,
    "write_computation_times": False,
    "show_memory": False,
    "show_signature": False,
    "remove_config_comments": True,
    "download_all_examples": False,
    "parallel": 2,
}

html_theme = "pydata_sphinx_theme"
html_title = "sparsebayes"
html_logo = "_static/logo.svg"
html_favicon = "_static/logo.svg"
html_css_files = ["site.css"]
html_show_sourcelink = False
html_sidebars = {"start": []}
html_copy_source = False
html_context = {"default_mode": "auto"}
html_theme_options = {
    "logo": {"text": "sparsebayes"},
    "header_links_before_dropdown": 6,
    "navbar_align": "left",
    "show_toc_level": 2,
    # Pages of tables need the room.
    "secondary_sidebar_items": {
        "**": ["page-toc"],
        **{f"measured/{page.stem}": [] for page in (HERE / "measured").glob("*.md")},
    },
    "footer_start": ["copyright"],
    "footer_end": [],
    "pygments_light_style": "tango",
    "pygments_dark_style": "monokai",
}
