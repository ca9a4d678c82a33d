#!/usr/bin/env python3
"""Draws the figures of this folder anew from their CSV files, with matplotlib.

  /usr/bin/python3 redraw.py           every figure as NAME-redrawn.pdf
  /usr/bin/python3 redraw.py time      this one
  /usr/bin/python3 redraw.py --png     as images
  /usr/bin/python3 redraw.py --width 3.3     inches: a column of a paper; without it 6.4
"""

import csv
import json
import os
import re
import sys
import textwrap

try:
    import matplotlib
except ImportError:
    sys.exit("redraw.py: matplotlib is missing; install python3-matplotlib, or `pip install matplotlib`")
matplotlib.use("Agg")
import matplotlib.pyplot as plt
from matplotlib.ticker import FuncFormatter, LogLocator, MaxNLocator, NullFormatter

HERE = os.path.dirname(os.path.abspath(__file__))
COLOURS = ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#6b4c9a", "#7f7f7f",
           "#8b4513", "#7f8f00"]
DASHES = ["-", (0, (4, 2)), (0, (1, 1)), (0, (5, 2, 1, 2)), (0, (3, 1)), (0, (2, 1, 1, 1)), (0, (7, 2)), (0, (2, 2))]
PLOTS = []


def rows_of(plot):
    with open(os.path.join(HERE, plot["name"] + ".csv"), newline="", encoding="utf-8") as file:
        return [{column: text_of(cell) for column, cell in row.items()} for row in csv.DictReader(file)]


# An apostrophe keeps spreadsheets from computing a name; a figure shows the name alone.
def text_of(cell):
    return cell[1:] if cell and re.match(r"'\s*[=+\-@\uff1d\uff0b\uff0d\uff20]", cell) else cell


def number(text):
    return float(text) if text else None


def names_in(rows, column):
    return list(dict.fromkeys(row[column] for row in rows))


def draw_lines(axes, plot, rows):
    colour = 0
    dots = []
    for name in names_in(rows, "series"):
        mine = [row for row in rows if row["series"] == name]
        points = [(number(row["x"]), number(row["y"])) for row in mine if row["x"] and row["y"]]
        band = [tuple(number(row[key]) for key in ("x", "low", "high"))
                for row in mine if row["low"]]
        if not points:
            levels = [number(row["y"]) for row in mine if row["y"]]
            for level in levels:
                axes.axhline(level, color="#5c5c5c", ls="--", lw=0.8, label=name or None)
            continue
        step = name in plot["steps"]
        xs, ys = zip(*points)
        if name in plot["dots"]:
            dots.append((xs, ys, name))
            continue
        line, dashes = COLOURS[colour % len(COLOURS)], DASHES[colour % len(DASHES)]
        colour += 1
        axes.plot(xs, ys, color=line, ls=dashes, drawstyle="steps-post" if step else "default", label=name)
        if band and plot["bands"]:
            xs, lows, highs = zip(*band)
            axes.fill_between(xs, lows, highs, color=line, alpha=0.18, lw=0,
                              step="post" if step else None)
    shown = axes.get_ylim() if colour else None  # slow trials do not stretch the axis
    for xs, ys, name in dots:
        axes.plot(xs, ys, ".", color="#7f7f7f", markersize=2, alpha=0.5, label=name)
    if shown:
        axes.set_ylim(*shown)
    axes.set_xscale("log" if plot["log_x"] else "linear")
    axes.set_yscale("log" if plot["log_y"] else "linear")
    axes.set_xlabel(plot["x"])
    axes.set_ylabel(plot["y"])
    axes.margins(x=0)
    for axis, log in ((axes.xaxis, plot["log_x"]), (axes.yaxis, plot["log_y"])):
        if log:  # 20 and 0.5, not 2 x 10^1; a range of less than a decade has ticks within it
            axis.set_major_locator(LogLocator(subs=(1, 2, 5)))
            axis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:g}"))
            axis.set_minor_formatter(NullFormatter())
            low, high = axis.get_view_interval()
            if high / low < 4:
                axis.set_major_locator(MaxNLocator(5))
    name_series(axes)


# Above the axes, so that no line is covered.
def name_series(axes):
    handles, names = axes.get_legend_handles_labels()
    if len(handles) < 2:
        return
    longest = max(len(name) for name in names)
    columns = max(1, int((axes.figure.get_figwidth() - 0.6) / (0.052 * longest + 0.35)))
    rows = -(-len(names) // columns)
    axes.figure.set_figheight(axes.figure.get_figheight() + 0.16 * (rows - 1))
    axes.legend(frameon=False, fontsize="small", loc="lower left", bbox_to_anchor=(0, 1), borderpad=0,
                ncols=min(columns, len(names)), handlelength=2.4, columnspacing=1.2)


def draw_bars(axes, plot, rows):
    labels, series = names_in(rows, "label"), names_in(rows, "series")
    at = {(row["label"], row["series"]): number(row["value"]) or 0 for row in rows}
    stacked = plot["kind"] == "stacked"
    left = [0.0] * len(labels)
    height = 0.8 if stacked else 0.8 / len(series)
    for index, name in enumerate(series):
        values = [at.get((label, name), 0) for label in labels]
        ys = [i if stacked else i - 0.4 + height * (index + 0.5) for i in range(len(labels))]
        axes.barh(ys, values, height, left=left if stacked else None,
                  color=COLOURS[index % len(COLOURS)], label=name)
        if stacked:
            left = [a + b for a, b in zip(left, values)]
    axes.set_yticks(range(len(labels)), labels, fontsize="small")
    axes.invert_yaxis()
    finish_rows(axes, plot)
    name_series(axes)


def draw_intervals(axes, plot, rows):
    for index, row in enumerate(rows):
        value, low, high = (number(row[key]) for key in ("value", "low", "high"))
        axes.errorbar(value, index, xerr=[[max(value - low, 0)], [max(high - value, 0)]], fmt="o",
                      capsize=4, color=COLOURS[0])
    axes.set_yticks(range(len(rows)), [row["label"] for row in rows])
    axes.invert_yaxis()
    finish_rows(axes, plot)


def finish_rows(axes, plot):
    axes.set_xlabel("\n".join(textwrap.wrap(plot["x"], int(11 * axes.figure.get_figwidth()))))
    if "reference" in plot:
        axes.axvline(plot["reference"], color="black", linewidth=0.8)


def draw_ranks(axes, plot, rows):
    difference = number(rows.pop()["rank"])
    ranks = [number(row["rank"]) for row in rows]
    for index, row in enumerate(rows):
        axes.plot(ranks[index], -1 - 0.5 * index, "o", color=COLOURS[0])
        axes.text(ranks[index] + 0.3, -1 - 0.5 * index, f"{row['label']} ({ranks[index]:.2f})",
                  va="center")
    for index, pair in enumerate(plot["tied"]):
        first, last = (int(word) for word in pair.split())
        axes.plot([ranks[first], ranks[last]], [-0.3 - 0.15 * index] * 2, color=COLOURS[1], lw=3)
    axes.plot([1, 1 + difference], [0.4, 0.4], color="black")
    axes.text(1, 0.55, f"critical difference {difference:.2f}")
    axes.set_xlim(0.8, max(len(rows), 1 + difference) + 1.2)
    axes.set_yticks([])
    axes.set_xlabel("average rank (1: best)")


DRAW = {"lines": draw_lines, "bars": draw_bars, "stacked": draw_bars, "intervals": draw_intervals,
        "ranks": draw_ranks}


def main():
    ending = "png" if "--png" in sys.argv else "pdf"
    arguments = sys.argv[1:]
    width = 6.4
    if "--width" in arguments:
        at = arguments.index("--width")
        try:
            width = float(arguments[at + 1])
        except (IndexError, ValueError):
            sys.exit("redraw.py: --width needs inches, as in --width 3.3")
        del arguments[at:at + 2]
    wanted = [word for word in arguments if not word.startswith("-")]
    plt.rcParams["font.size"] = 10 if width >= 5 else 8
    for plot in PLOTS:
        if wanted and plot["name"] not in wanted:
            continue
        rows = rows_of(plot)
        if not rows:
            continue
        tall = plot["kind"] in ("bars", "stacked", "intervals")
        height = max(2.2, 0.22 * len(names_in(rows, "label")) + 1) if tall else 2.8
        figure, axes = plt.subplots(figsize=(width, height), layout="constrained")
        DRAW[plot["kind"]](axes, plot, rows)
        axes.spines[["top", "right"]].set_visible(False)
        figure.savefig(os.path.join(HERE, f"{plot['name']}-redrawn.{ending}"), dpi=150,
                       bbox_inches="tight")
        plt.close(figure)


if __name__ == "__main__":
    main()
