# SPDX-License-Identifier: Apache-2.0
"""Tables of results/ as Markdown."""

from statistics import geometric_mean

NOTHING = "–"


def lines_of(head, rows, left=1):
    """The first `left` columns are words, the others numbers."""
    lines = [head, ["---"] * left + ["---:"] * (len(head) - left), *rows]
    return ["|" + "|".join(cells) + "|" if cells is lines[1] else "| " + " | ".join(cells) + " |" for cells in lines]


def number(value, form):
    return NOTHING if value is None else format(value, form)


def mean(ratios):
    return number(geometric_mean(ratios) if ratios else None, ".2f")


def ratio_of(over, under):
    return over / under if over and under else None


def missing_of(expected, lines):
    """The expected lines that are not there, for a table's own test; printed with what was found."""
    missing = [line for line in expected if line not in lines]
    if missing:
        print("expected:\n" + "\n".join(missing) + "\nfound:\n" + "\n".join(lines))
    return missing
