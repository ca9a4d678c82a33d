#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""A strategy of one's own: changes one parameter of the fastest point so far.

    dovetail tune gmm:m=64,n=64,k=64 --log a.jsonl --strategy "exec:python3 docs/examples/hill_climb.py"

docs/strategies.md describes the messages. stdout is the protocol; print to stderr to say something.
"""

import json
import random
import sys


def send(message):
    print(json.dumps(message), flush=True)


def receive():
    line = sys.stdin.readline()
    if not line:
        sys.exit(0)  # the search is over
    return json.loads(line)


def random_point(parameters, rng):
    """Any numbers from 0 to 1 make a point; what is mostly off stays off, as in random search."""
    return [0.0 if rng.random() * 100 < p["off_percent"] else rng.random() for p in parameters]


def changed(point, rng):
    send({"type": "domains", "point": point})
    domains = receive()["domains"]
    name = rng.choice([name for name, values in domains.items() if len(values) > 1])
    return {**point, name: rng.choice([v for v in domains[name] if v != point[name]])}


def main():
    space = receive()
    rng = random.Random(space["seed"])
    send({"type": "ready"})
    best_seconds, best_point = float("inf"), None
    while True:
        message = receive()
        if message["type"] == "tell":
            for seen in message["observations"]:
                if seen["status"] == "ok" and seen["seconds"] < best_seconds:
                    best_seconds, best_point = seen["seconds"], seen["point"]
        elif message["type"] == "ask":
            points = []
            for _ in range(message["count"]):
                if best_point is None or rng.random() < 0.3:
                    points.append(random_point(space["parameters"], rng))
                else:
                    points.append(changed(best_point, rng))
            send({"type": "propose", "points": points})


main()
