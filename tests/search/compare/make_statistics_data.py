#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes data/statistics.json: what scipy says about small samples.

    python3 -m venv venv && venv/bin/pip install scipy
    venv/bin/python tests/search/compare/make_statistics_data.py > tests/search/compare/data/statistics.json
"""

import json
import sys

import numpy as np
import scipy
from scipy import stats


def wilcoxon_case(name, differences):
    differences = [float(d) for d in differences]
    nonzero = [d for d in differences if d != 0]
    # Every sign pattern, counted one by one where that is possible; ties and all.
    exact = len(nonzero) <= 16
    method = stats.PermutationMethod(n_resamples=np.inf) if exact else "asymptotic"
    if not exact and len(set(map(abs, nonzero))) == len(nonzero) and len(nonzero) <= 50:
        method = "exact"
    result = stats.wilcoxon(nonzero, zero_method="wilcox", correction=False, method=method)
    return {"name": name, "differences": differences, "statistic": float(result.statistic), "p": float(result.pvalue)}


def main():
    rng = np.random.default_rng(7)
    wilcoxon = [
        wilcoxon_case("nine without ties", [0.11, 0.05, -0.02, 0.2, 0.31, 0.07, -0.01, 0.16, 0.09]),
        wilcoxon_case("ten with ties", [1, 1, 2, 2, -1, 3, 3, 3, -2, 4]),
        wilcoxon_case("twelve with ties and zeros", [0, 1, 2, -1, 2, 0, 4, 5, -3, 3, 3, 6]),
        wilcoxon_case("all of one sign", [1, 2, 3, 4, 5, 6]),
        wilcoxon_case("thirty without ties", rng.normal(0.3, 1, 30)),
        wilcoxon_case("eighty without ties", rng.normal(0.2, 1, 80)),
        wilcoxon_case("ninety with ties", np.round(rng.normal(0.3, 2, 90))),
    ]
    table = np.round(rng.normal([0.2, 0.5, 0.4, 0.9], 0.3, (9, 4)), 2)
    tied = np.round(rng.normal([0.2, 0.3, 0.4], 0.4, (12, 3)), 1)
    friedman = []
    for scores in (table, tied):
        result = stats.friedmanchisquare(*scores.T)
        # the best (largest) score has rank 1
        ranks = stats.rankdata(-scores, axis=1).mean(axis=0)
        friedman.append(
            {
                "scores": scores.tolist(),
                "statistic": float(result.statistic),
                "p": float(result.pvalue),
                "ranks": ranks.tolist(),
            }
        )
    sample = rng.gamma(2.0, 1.0, 40)
    intervals = {}
    for method in ("percentile", "BCa"):
        interval = stats.bootstrap(
            (sample,), np.mean, n_resamples=200_000, batch=1000, method=method, rng=np.random.default_rng(1)
        ).confidence_interval
        intervals[method] = [float(interval.low), float(interval.high)]
    json.dump(
        {
            "scipy": scipy.__version__,
            "wilcoxon": wilcoxon,
            "friedman": friedman,
            "nemenyi_q05": [
                float(stats.studentized_range.ppf(0.95, k, np.inf) / np.sqrt(2)) for k in range(2, 21)
            ],
            "bootstrap": {"sample": sample.tolist(), **intervals},
        },
        sys.stdout,
        indent=1,
    )
    print()


if __name__ == "__main__":
    main()
