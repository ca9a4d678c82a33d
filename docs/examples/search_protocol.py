# SPDX-License-Identifier: Apache-2.0
"""What the adapters of other tools' optimisers share: the messages of docs/strategies.md, and the points told so far.

Two choices of values may come to be the same point (docs/strategies.md: what a domain lacks becomes the nearest value),
and an optimiser may ask for a point again. Such a question is answered from what is known, and costs no trial.
"""

import json
import random
import sys

SAMPLES = 300  # random points whose domains Space.values() looks at
REPEATS = 8  # after so many known points in a row a random one is proposed: an optimiser may have converged

_protocol = sys.stdout
sys.stdout = sys.stderr  # what an optimiser prints is no message


def send(message):
    print(json.dumps(message), file=_protocol, flush=True)


def receive():
    line = sys.stdin.readline()
    if not line:
        sys.exit(0)  # the search is over
    return json.loads(line)


def domains_at(point):
    """The point as it comes to be, and what each of its parameters may be, given those before it."""
    send({"type": "domains", "point": point})
    answer = receive()
    return answer["point"], answer["domains"]


class Space:
    def __init__(self, message):
        self.seed = message["seed"]
        self.default = message["default"]
        self.parameters = message["parameters"]
        self.named = {p["name"] for p in self.parameters if "labels" in p}  # choices without an order
        self.random = random.Random(self.seed)

    def random_point(self):
        """Any numbers from 0 to 1 make a point; what is mostly off stays off, as in random search."""
        return [0.0 if self.random.random() * 100 < p["off_percent"] else self.random.random()
                for p in self.parameters]

    def values(self):
        """name -> all its values at some random points, in order; without those that are no choice.

        For optimisers that want the values before they begin, where ours depend on the parameters before.
        """
        seen = {name: {value} for name, value in self.default.items()}
        for _ in range(SAMPLES):
            for name, domain in domains_at([self.random.random() for _ in self.parameters])[1].items():
                seen[name].update(domain)
        return {name: sorted(values) for name, values in seen.items() if len(values) > 1}


class Points:
    """What is known of points, and who waits for them."""

    def __init__(self, default, tell):
        self.tell = tell  # of a ticket: seconds, or None for a failure
        self.known = {}  # point -> seconds or None
        self.waiting = {tuple(default.values()): []}  # point -> tickets; the default one is the first trial

    def observe(self, observations):
        for seen in observations:
            key = tuple(seen["point"].values())
            self.known.setdefault(key, seen.get("seconds"))
            for ticket in self.waiting.pop(key, []):
                self.tell(ticket, self.known[key])

    def is_new(self, ticket, point):
        """Whether it must be proposed. If not, the ticket is told what is known, or waits for it."""
        key = tuple(domains_at(point)[0].values())
        if key in self.known:
            self.tell(ticket, self.known[key])
            return False
        is_first = key not in self.waiting
        self.waiting.setdefault(key, []).append(ticket)
        return is_first


def serve(make_optimiser):
    """make_optimiser(space) has ask() -> (ticket, point), None while it waits, and tell(ticket, seconds or None)."""
    space = Space(receive())
    optimiser = make_optimiser(space)
    points = Points(space.default, optimiser.tell)
    send({"type": "ready", "timeout_seconds": 600})
    while True:
        message = receive()
        if message["type"] == "tell":
            points.observe(message["observations"])
        elif message["type"] == "ask":
            chosen = [next_point(space, optimiser, points) for _ in range(message["count"])]
            send({"type": "propose", "points": chosen})


def next_point(space, optimiser, points):
    for _ in range(REPEATS):
        question = optimiser.ask()
        if question is None:
            break
        if points.is_new(*question):
            return question[1]
    return space.random_point()
