#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Optuna's tree-structured Parzen estimator as a strategy of Dovetail.

    python3 -m venv venv && venv/bin/pip install optuna==5.0.0
    dovetail tune gmm:m=64,n=64,k=64 --log a.jsonl --strategy "exec:venv/bin/python docs/examples/optuna_tpe.py"

A point is made parameter by parameter, as Optuna's users define a space while it is searched: each one suggests a value
of the domain that it has after those before it. A size is an integer, the position in its domain; named choices are
categorical, one distribution for each domain that they have. The sampler has its defaults: multivariate, with running
trials, here 16 to 31, as constant liars. The default point is enqueued.
"""

import optuna

from search_protocol import domains_at, serve


class TpeOptimiser:
    def __init__(self, space):
        optuna.logging.set_verbosity(optuna.logging.ERROR)
        self.named = space.named
        self.start = domains_at(space.default)
        sampler = optuna.samplers.TPESampler(seed=space.seed)
        self.study = optuna.create_study(sampler=sampler)
        self.study.enqueue_trial({self.label(name, domain): domain.index(space.default[name])
                                  for name, domain in self.start[1].items()})

    def label(self, name, domain):
        return f"{name} of {domain}" if name in self.named else name

    def ask(self):
        trial = self.study.ask()
        point, domains = self.start
        for name in point:
            domain = domains[name]
            if len(domain) == 1:
                continue
            label = self.label(name, domain)
            if name in self.named:
                position = trial.suggest_categorical(label, range(len(domain)))
            else:
                position = trial.suggest_int(label, 0, len(domain) - 1)
            if point[name] != domain[position]:
                point, domains = domains_at({**point, name: domain[position]})
        return trial, point

    def tell(self, trial, seconds):
        if seconds is None:
            self.study.tell(trial, state=optuna.trial.TrialState.FAIL)
        else:
            self.study.tell(trial, seconds)


serve(TpeOptimiser)
