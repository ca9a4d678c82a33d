# SPDX-License-Identifier: Apache-2.0
"""The suites of scripts/suites."""

import os

FOLDER = os.path.join(os.path.dirname(os.path.abspath(__file__)), "suites")


def operators_of(suite):
    """Specs by name, in the file's order."""
    with open(os.path.join(FOLDER, suite + ".txt"), encoding="utf-8") as file:
        pairs = (line.partition("=") for line in file if not line.startswith("#"))
        return {name.strip(): spec.strip() for name, _, spec in pairs if spec}
