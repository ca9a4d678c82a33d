#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Kernel Tuner's optimisers as a strategy of Dovetail.

    python3 -m venv venv && venv/bin/pip install kernel_tuner==1.5.0
    dovetail tune gmm:m=64,n=64,k=64 --log a.jsonl \\
        --strategy "exec:venv/bin/python docs/examples/kernel_tuner_search.py genetic_algorithm"

The word behind it is one of genetic_algorithm (where there is none), simulated_annealing, dual_annealing, pso,
firefly_algorithm, with its default options. A parameter has the values that it has anywhere in the space; Kernel Tuner
would list all their combinations, of which there are up to 10^19, so that ProductSpace draws from them instead.

These optimisers call a cost function and go on when it returns. Each therefore runs in a thread of its own, which moves
only while ours stands still, so that runs can be repeated. Where it waits and more points are wanted, another run of the
same optimiser begins beside it: two or three for one with a population, some thirty for one that asks for single points.
"""

import importlib
import math
import queue
import random
import sys
import threading

import numpy
from kernel_tuner.interface import Options
from kernel_tuner.util import RuntimeFailedConfig, TuningBudget

from search_protocol import serve


class ProductSpace:
    """What the optimisers ask of kernel_tuner.searchspace.Searchspace, where every combination of values is legal."""

    def __init__(self, values):
        self.tune_params = values
        self.params_values = tuple(map(tuple, values.values()))
        self.size = math.prod(map(len, self.params_values))

    def is_param_config_valid(self, config):
        return True

    def get_random_sample(self, count):
        return [tuple(map(random.choice, self.params_values)) for _ in range(count)]

    def get_random_neighbor(self, config, neighbor_method):
        places = [values.index(value) for values, value in zip(self.params_values, config)]
        if neighbor_method == "Hamming":
            changed = random.randrange(len(places))
            others = [k for k in range(len(self.params_values[changed])) if k != places[changed]]
            places[changed] = random.choice(others)
        else:  # adjacent: a step up or down, or none, of each
            places = [min(max(place + random.choice((-1, 0, 1)), 0), len(values) - 1)
                      for place, values in zip(places, self.params_values)]
        return tuple(values[place] for values, place in zip(self.params_values, places))


class Run:
    """One run of an optimiser, and the runner that Kernel Tuner's cost function calls."""

    def __init__(self, tune, space, start):
        self.asked, self.told = queue.Queue(), queue.Queue()
        options = Options(strategy_options=Options(x0=start), objective=["time"], objective_higher_is_better=[False],
                          budget=TuningBudget(), verbose=False, tune_params=space.tune_params)
        threading.Thread(target=self.begin, args=(tune, space, options), daemon=True).start()
        self.stop_for_results()

    def begin(self, tune, space, options):
        tune(space, self, options)
        self.asked.put([])  # it ended

    def run(self, configs, options):
        self.asked.put(list(configs))
        return self.told.get()

    def add_strategy_time(self, seconds):
        pass

    def stop_for_results(self):
        self.configs = self.asked.get()
        self.results, self.next, self.missing = [None] * len(self.configs), 0, len(self.configs)

    def tell(self, position, seconds):
        self.results[position] = {"__error__": RuntimeFailedConfig()} if seconds is None else {"time": seconds}
        self.missing -= 1
        if self.missing == 0:
            self.told.put(self.results)
            self.stop_for_results()


class KernelTunerSearch:
    def __init__(self, space):
        random.seed(space.seed)
        numpy.random.seed(space.seed % 2**32)
        name = sys.argv[1] if len(sys.argv) > 1 else "genetic_algorithm"
        self.tune = importlib.import_module("kernel_tuner.strategies." + name).tune
        self.space = ProductSpace(space.values())
        self.start = [space.default[parameter] for parameter in self.space.tune_params]
        self.runs = []

    def ask(self):
        self.runs = [run for run in self.runs if run.configs]
        run = next((run for run in self.runs if run.next < len(run.configs)), None)
        if run is None:
            # The first one begins with the default point, the others with points of their own.
            start = self.start if not self.runs else list(self.space.get_random_sample(1)[0])
            run = Run(self.tune, self.space, start)
            self.runs.append(run)
        run.next += 1
        return (run, run.next - 1), dict(zip(self.space.tune_params, run.configs[run.next - 1]))

    def tell(self, ticket, seconds):
        run, position = ticket
        run.tell(position, seconds)


serve(KernelTunerSearch)
