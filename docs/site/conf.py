# SPDX-License-Identifier: Apache-2.0
"""How Sphinx makes the site; run by scripts/docs, which says what it needs."""

import pathlib
import re

from pygments.lexers.special import TextLexer

ROOT = pathlib.Path(__file__).resolve().parents[2]

project = "Dovetail"
version = release = re.search(r"project\(.*?VERSION ([0-9.]+)", (ROOT / "CMakeLists.txt").read_text(), re.S).group(1)
extensions = ["myst_parser", "breathe"]
exclude_patterns = ["docs/site"]

# Headings have the anchors that a code host gives them.
myst_heading_anchors = 4
# The documents leave out lines of their examples with "…", which no lexer knows.
# The C++ domain parses no lambda, of which a default value may be one.
suppress_warnings = ["misc.highlighting_failure", "source_code_parser.cpp"]
highlight_language = "sh"

breathe_projects = {"dovetail": str(ROOT / "build/docs-site/doxygen/xml")}
breathe_default_project = "dovetail"
breathe_default_members = ("members", "undoc-members")
breathe_show_include = False

html_theme = "furo"  # light and dark by the reader's system; its fonts are the system's
html_title = f"Dovetail {version}"
html_copy_source = False
html_show_sphinx = False
html_show_copyright = False
html_static_path = ["static"]
html_css_files = ["site.css"]


def setup(app):
    """Blocks are fenced with what they are, as tests/docs checks it; these are shown as they stand."""
    for language in ("graph", "output", "spec", "suite", "synopsis", "trace"):
        app.add_lexer(language, TextLexer)
