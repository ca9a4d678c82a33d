#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""OpenTuner's search as a strategy of Dovetail: techniques among which a bandit chooses by what they gained.

    python3 -m venv venv && venv/bin/pip install opentuner==0.8.8
    dovetail tune gmm:m=64,n=64,k=64 --log a.jsonl --strategy "exec:venv/bin/python docs/examples/opentuner_search.py"

A size is an integer parameter, the position among the values that it has anywhere in the space; named choices are an
enumeration. The technique is OpenTuner's default, AUCBanditMetaTechniqueA; its own options say that 16 trials run at
once. The search begins with the default point. Its database is in memory.

OpenTuner draws from sets, whose order is one of addresses and of strings' hashes: both are fixed here, so that a seed
gives the same run again.
"""

import argparse
import logging
import os
import random
import sys
import warnings

import opentuner
from opentuner import tuningrunmain
from opentuner.api import TuningRunManager
from opentuner.measurement import MeasurementInterface
from opentuner.resultsdb.models import Result
from opentuner.search import differentialevolution, manipulator

from search_protocol import serve

if os.environ.get("PYTHONHASHSEED") != "0":
    os.execve(sys.executable, [sys.executable, *sys.argv], {**os.environ, "PYTHONHASHSEED": "0"})
differentialevolution.PopulationMember.__hash__ = lambda member: hash(member.config.hash)


class PointsOfSpace(MeasurementInterface):
    def __init__(self, arguments, parameters, start):
        super().__init__(args=arguments, program_name="dovetail")
        self.parameters, self.start = parameters, start

    def manipulator(self):
        made = manipulator.ConfigurationManipulator()
        for parameter in self.parameters:
            made.add_parameter(parameter)
        return made

    def seed_configurations(self):
        return [self.start]

    def run(self, desired_result, input, limit):
        raise NotImplementedError("Dovetail measures")


class OpenTunerSearch:
    def __init__(self, space):
        random.seed(space.seed)
        logging.disable(logging.ERROR)  # techniques that wait for results say so
        warnings.simplefilter("ignore")  # SQLAlchemy's, of OpenTuner's use of it
        tuningrunmain.init_logging = lambda: None  # it writes opentuner.log into the current folder
        self.named, self.values, self.tickets = space.named, space.values(), []
        arguments = argparse.ArgumentParser(parents=opentuner.argparsers()).parse_args(
            ["--database=sqlite://", "--parallelism=16", "--pipelining=1", "--no-dups"])
        start = {name: self.encoded(name, space.default[name]) for name in self.values}
        parameters = [self.parameter(name, values) for name, values in self.values.items()]
        self.manager = TuningRunManager(PointsOfSpace(arguments, parameters, start), arguments)

    def parameter(self, name, values):
        if name in self.named:
            return manipulator.EnumParameter(name, values)
        return manipulator.IntegerParameter(name, 0, len(values) - 1)

    def encoded(self, name, value):
        return value if name in self.named else self.values[name].index(value)

    def ask(self):
        ticket = self.manager.get_next_desired_result()
        if ticket is None:
            return None
        point = {name: place if name in self.named else self.values[name][place]
                 for name, place in ticket.configuration.data.items()}
        return ticket, point

    def tell(self, ticket, seconds):
        result = Result(state="ERROR", time=float("inf")) if seconds is None else Result(time=seconds)
        self.manager.report_result(ticket, result)


serve(OpenTunerSearch)
