#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes data/score.json: what the Python package autotuning_methodology says about a small data set.

    python3 -m venv venv && venv/bin/pip install autotuning_methodology==1.1.0
    venv/bin/python tests/search/compare/make_score_data.py > tests/search/compare/data/score.json

Two made-up spaces, three strategies of twelve runs each. Everything that is recorded comes from the
package's own functions. Its default curve over time is bagged with an unseeded generator, so that its
scores differ from call to call: of those the mean over 20 seeds and their spread are recorded, and of
everything that is deterministic the exact numbers.
"""

import importlib.metadata
import json
import sys
import tempfile
import warnings
from pathlib import Path

import numpy as np
from autotuning_methodology.baseline import RandomSearchCalculatedBaseline
from autotuning_methodology.caching import ResultsDescription
from autotuning_methodology.curves import StochasticOptimizationAlgorithm, get_indices_in_distribution
from autotuning_methodology.report_experiments import get_strategies_aggregated_performance
from autotuning_methodology.runner import write_results
from autotuning_methodology.searchspace_statistics import SearchspaceStatistics

warnings.filterwarnings("ignore")

TIME_KEYS = ["compilation", "runtimes", "validation"]
CUTOFF_START, CUTOFF_END = 0.01, 0.95
RESOLUTION = 60
RUNS = 12
BAGGING_SEEDS = 20


def make_space(rng, size, invalid_share):
    """Points with a kernel time (None: invalid) and a cost; some kernel times are equal."""
    seconds = np.round(1e-4 * (1 + rng.gamma(2.0, 0.6, size)), 7)
    cost = np.round(0.02 + 0.02 * rng.random(size) + 40 * seconds, 5)
    invalid = rng.random(size) < invalid_share
    invalid[np.argmin(seconds)] = False
    return [
        {"seconds": None if bad else float(s), "cost": float(c if not bad else c / 2)}
        for s, c, bad in zip(seconds, cost, invalid)
    ]


def make_run(rng, space, bias, length):
    """Indices of distinct points; a larger bias draws fast points earlier."""
    worst = max(p["seconds"] for p in space if p["seconds"] is not None)
    rank = np.array([p["seconds"] if p["seconds"] is not None else worst for p in space])
    weight = np.exp(-bias * (rank - rank.min()) / (np.median(rank) - rank.min()))
    keys = rng.random(len(space)) ** (1 / weight)
    return [int(i) for i in np.argsort(-keys)[:length]]


def t4_result(point):
    valid = point["seconds"] is not None
    return {
        "configuration": {},
        "times": {"compilation": 0.75 * point["cost"], "runtimes": [0.25 * point["cost"]], "validation": 0.0},
        "invalidity": "correct" if valid else "compile",
        "correctness": 1 if valid else 0,
        "measurements": [{"name": "time", "value": point["seconds"] if valid else "InvalidConfig", "unit": "s"}],
    }


def statistics_of(space, folder):
    path = folder / "space.json"
    path.write_text(
        json.dumps(
            {
                "schema_version": "1.0.0",
                "metadata": {"timeunit": "seconds"},
                "results": [t4_result(p) for p in space],
            }
        )
    )
    return SearchspaceStatistics("made_up", "none", True, TIME_KEYS, ["time"], path)


def curve_of(name, runs, space, folder):
    description = ResultsDescription(folder, "made_up", "none", name, name, True, TIME_KEYS, ["time"], True)
    write_results([[t4_result(space[i]) for i in run] for run in runs], description)
    return StochasticOptimizationAlgorithm(description)


def pooled_curve(curve, time_range, dist):
    """The isotonic regression over all runs, as the first half of get_curve_over_time computes it."""
    times, values, stop_time, _, _ = curve._get_curve_over_time_values_in_range(time_range)
    indices = get_indices_in_distribution(values, dist)
    fitted = curve.get_isotonic_curve(times, indices, time_range, ymin=indices.min(), ymax=indices.max())
    result = dist[np.clip(np.array(np.round(fitted), dtype=int), 0, len(dist) - 1)]
    if stop_time < time_range[-1]:
        stop = int(np.nonzero(time_range > stop_time)[0][0])
        result[stop:] = result[stop]
    return result, fitted


def main():
    rng = np.random.default_rng(20240)
    spaces = [make_space(rng, 420, 0.12), make_space(rng, 300, 0.0)]
    biases = {"random": 0.0, "biased": 0.8, "strong": 2.5}
    lengths = [150, 110]
    expected_spaces, data, runs_of = [], [], []
    for number, (space, length) in enumerate(zip(spaces, lengths)):
        folder = Path(tempfile.mkdtemp())
        statistics = statistics_of(space, folder)
        dist = statistics.objective_performances_total_sorted
        first, last, first_time, last_time = statistics.cutoff_point_fevals_time_start_end(CUTOFF_START, CUTOFF_END)
        fevals = np.arange(first, last + 1)
        times = np.linspace(first_time, last_time, RESOLUTION)
        baseline = RandomSearchCalculatedBaseline(statistics)
        runs, curves, expected = {}, [], {}
        for name, bias in biases.items():
            # runs of unequal lengths; some end before the budget does
            runs[name] = [make_run(rng, space, bias, length - 9 * (r % 4)) for r in range(RUNS)]
            curve = curve_of(name, runs[name], space, folder / name)
            curves.append(curve)
            pooled, fitted = pooled_curve(curve_of(name, runs[name], space, folder / (name + "2")), times, dist)
            median = curve.get_curve_over_time(
                times, dist=dist, confidence_level=0.95, return_split=False, use_bagging=False
            )[2]
            over_fevals = curve.get_curve_over_fevals(fevals, dist=dist, confidence_level=0.95, return_split=False)[2]
            standardised = [
                baseline.get_standardised_curve(times, pooled, "time"),
                baseline.get_standardised_curve(times, median, "time"),
                baseline.get_standardised_curve(fevals, over_fevals, "fevals"),
            ]
            expected[name] = {
                "fitted_indices": fitted.tolist(),
                "pooled_over_time": pooled.tolist(),
                "median_over_time": median.tolist(),
                "median_over_evaluations": over_fevals.tolist(),
                "pooled_score": float(np.mean(standardised[0])),
                "median_score": float(np.mean(standardised[1])),
                "evaluations_score": float(np.mean(standardised[2])),
                "standardised_pooled": standardised[0].tolist(),
            }
        data.append((baseline, curves, statistics, times, fevals))
        runs_of.append(runs)
        expected_spaces.append(
            {
                "optimum": float(statistics.total_performance_absolute_optimum()),
                "median": float(statistics.total_performance_median()),
                "cutoff_seconds": float(statistics.cutoff_point(CUTOFF_END)[0]),
                "mean_cost_per_evaluation": float(statistics.get_time_per_feval("mean_per_feval")),
                "median_cost": float(statistics.total_time_median()),
                "first_evaluations": int(first),
                "last_evaluations": int(last),
                "first_seconds": float(first_time),
                "last_seconds": float(last_time),
                "random_over_evaluations": baseline.get_curve(fevals, "fevals").tolist(),
                "random_over_time": baseline.get_curve(times, "time").tolist(),
                "strategies": expected,
            }
        )
    bagged = []
    for seed in range(BAGGING_SEEDS):
        np.random.seed(seed)
        performance = get_strategies_aggregated_performance(data, 0.95)[0]
        bagged.append([float(np.mean(p)) for p in performance])
    aggregate = {
        name: {
            "pooled_score": float(
                np.mean(
                    np.mean([e["strategies"][name]["standardised_pooled"] for e in expected_spaces], axis=0)
                )
            ),
            "bagged_mean": float(np.mean([b[s] for b in bagged])),
            "bagged_deviation": float(np.std([b[s] for b in bagged])),
        }
        for s, name in enumerate(biases)
    }
    for expected in expected_spaces:
        for strategy in expected["strategies"].values():
            del strategy["standardised_pooled"]
    json.dump(
        {
            "autotuning_methodology": importlib.metadata.version("autotuning_methodology"),
            "cutoff_start": CUTOFF_START,
            "cutoff_end": CUTOFF_END,
            "resolution": RESOLUTION,
            "spaces": [
                {
                    "seconds": [p["seconds"] for p in space],
                    "cost_seconds": [p["cost"] for p in space],
                    "runs": runs,
                    "expected": expected,
                }
                for space, runs, expected in zip(spaces, runs_of, expected_spaces)
            ],
            "aggregate": aggregate,
        },
        sys.stdout,
        separators=(",", ":"),
    )
    print()


if __name__ == "__main__":
    main()
