#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Validates what `--json` of each verb prints against docs/schemas, with Python's jsonschema.

    schemas_test.py DOVETAIL SCHEMAS            ends with 77 where jsonschema is not installed
    schemas_test.py DOVETAIL SCHEMAS --keep DIR and keeps the outputs there

The schemas name every field and allow no other, so neither a new field nor one that is gone passes.
"""
import json
import pathlib
import shutil
import signal
import subprocess
import sys
import tempfile
import time

try:
    import jsonschema
except ImportError:
    print("needs python3-jsonschema")
    sys.exit(77)

SPEC = "gmm:m=16,n=16,k=16"
GRAPH = """graph tiny
input x: f32[1,4,8,8]
input w: f32[8,4,3,3]
input v: f32[8,8,1,1]
node conv = complex c2d:ci=4,co=8,h=8,w=8,k=3,p=1 (x, w) -> t: f32[1,8,8,8]
node relu = elementwise Relu (t) -> u: f32[1,8,8,8]
node second = complex c2d:ci=8,co=8,h=8,w=8,k=1 (u, v) -> y: f32[1,8,8,8]
output y
"""
BUFFERS = "id,lower,upper,size\na,0,2,64\nb,1,3,32\n"

# name of the output, exit code, arguments
COMMANDS = [
    ("tune", 0, ["tune", "tiny.graph", "--trials", "3", "--cost-model", "random", "--log", "n.jsonl"]),
    ("tune_two", 0, ["tune", "tiny.graph", "other.graph", "--trials", "2", "--log", "two.jsonl"]),
    ("log_best_two", 0, ["log", "best", "two.jsonl"]),
    ("replay_two", 0, ["replay", "tiny.graph", "other.graph", "--log", "two.jsonl"]),
    ("tune_spec", 0, ["tune", SPEC, "--trials", "6", "--log", "g.jsonl"]),
    ("dry_run", 0, ["tune", "tiny.graph", "--dry-run"]),
    ("dry_run_of_log", 0, ["tune", SPEC, "--dry-run", "--log", "g.jsonl", "--append"]),
    ("dry_run_of_resumed", 0, ["tune", SPEC, "--trials", "9", "--dry-run", "--log", "g.jsonl", "--resume"]),
    ("replay", 0, ["replay", "tiny.graph", "--log", "n.jsonl"]),
    ("replay_spec", 0, ["replay", SPEC, "--log", "g.jsonl"]),
    ("run", 0, ["run", "tiny.graph", "--log", "n.jsonl", "--variant", "default,global"]),
    ("run_again", 0, ["run", "tiny.graph", "--log", "n.jsonl", "--profile", "profile.json"]),
    ("run_spec", 0, ["run", SPEC, "--outputs", "out"]),
    ("bench", 0, ["bench", SPEC, "--log", "g.jsonl", "--against", "none", "--beside", "default=none"]),
    ("bench_file", 0, ["bench", SPEC, "--log", "g.jsonl", "--against", "peer.json"]),
    ("build", 0, ["build", "tiny.graph", "--log", "n.jsonl", "--dry-run"]),
    ("show_text", 0, ["show", SPEC, "--what", "nest"]),
    ("show_features", 0, ["show", SPEC, "--what", "features"]),
    ("show_kernels", 0, ["show", SPEC, "--what", "kernels", "--target", "opencl:profile=h200.profile"]),
    ("show_tasks", 0, ["show", "tiny.graph", "--what", "tasks"]),
    ("show_layout", 0, ["show", "tiny.graph", "--what", "layout", "--log", "n.jsonl"]),
    ("log_head", 0, ["log", "head", "n.jsonl", "g.jsonl"]),
    ("log_best", 0, ["log", "best", "n.jsonl", "g.jsonl"]),
    ("log_head_unfinished", 0, ["log", "head", "i.jsonl"]),
    ("log_stats", 0, ["log", "stats", "n.jsonl", "g.jsonl"]),
    ("log_verify", 0, ["log", "verify", "n.jsonl"]),
    ("log_distill", 0, ["log", "distill", "n.jsonl", "-o", "d.jsonl"]),
    ("log_head_distilled", 0, ["log", "head", "d.jsonl"]),
    ("bruteforce", 0, ["bruteforce", SPEC, "--points", "60", "-o", "spaces/gmm"]),
    ("pretrain", 0, ["pretrain", "spaces/gmm/space.json.gz", "-o", "a.agent", "--trials", "4"]),
    ("compare", 0, ["compare", "--strategies", "random@none,annealing@none", "--simulate", "measured",
                    "--seeds", "2", "--trials", "60", "-o", "cmp"]),
    ("report", 0, ["report", "g.jsonl", "-o", "g.html", "--figures", "figures"]),
    ("plan", 0, ["plan", "buffers.csv", "--pool", "fast:size=4096"]),
    ("doctor", 0, ["doctor"]),
]


def mistakes_of(schemas, text):
    """Mistakes of one output; the schema that it names decides."""
    result = json.loads(text)
    keys = list(result)
    if keys[0] != "schema":
        return [f"its first field is {keys[0]}, expected schema"]
    path = schemas / f"{result['schema']}.schema.json"
    if not path.exists():
        return [f"{path} is not there"]
    validator = jsonschema.Draft7Validator(json.loads(path.read_text()))
    return [f"{'.'.join(map(str, e.absolute_path))}: {e.message[:300]}" for e in validator.iter_errors(result)]


def without_meaning(schema, path="$"):
    """Places of a schema where a field says nothing of itself, or unknown fields would pass."""
    found = []
    if "properties" in schema and schema.get("additionalProperties", True) is not False:
        found.append(f"{path} allows unknown fields")
    for name, field in schema.get("properties", {}).items():
        if name != "schema" and "description" not in field:
            found.append(f"{path}.{name} has no description")
        found += without_meaning(field, f"{path}.{name}")
    for part in ("items", "additionalProperties"):
        if isinstance(schema.get(part), dict):
            found += without_meaning(schema[part], f"{path}[]")
    return found


def mistakes_of_dry_run(dovetail, folder):
    """A dry run of a small budget says so, is refused a log as a campaign is, and leaves nothing behind."""
    before = sorted(folder.iterdir())
    budget = ["--schedule", "gradient", "--total-trials", "5", "--log", "none.jsonl"]
    done = subprocess.run([dovetail, "tune", "tiny.graph", "--dry-run", *budget], cwd=folder, capture_output=True,
                          text=True)
    if done.returncode != 0 or "is little for" not in done.stderr or "suggested" not in done.stdout:
        yield f"exit code {done.returncode}: {done.stdout} {done.stderr}"
    short = subprocess.run([dovetail, "tune", "tiny.graph", "--dry-run", "--schedule", "gradient", "--total-seconds",
                            "1"], cwd=folder, capture_output=True, text=True)
    if "--total-seconds 1 may be little for 2 tasks" not in short.stderr:
        yield f"of a second: {short.stdout} {short.stderr}"
    for again, error in ([], "use --resume to continue it"), (["--resume", "--seed", "7"], "seed is 0 in the log, 7 now"):
        refused = subprocess.run([dovetail, "tune", SPEC, "--dry-run", "--log", "i.jsonl", *again], cwd=folder,
                                 capture_output=True, text=True)
        if refused.returncode != 1 or error not in refused.stderr:
            yield f"with {again}: exit code {refused.returncode}: {refused.stdout} {refused.stderr}"
    if sorted(folder.iterdir()) != before:
        yield "it wrote a file"


def mistakes_of_facts(results):
    """What scripts rely on beyond the form of the outputs."""
    names = [task["name"] for task in results["tune"]["tasks"]]
    run = results["run_again"]["rows"][0]
    states = [campaign["state"] for campaign in results["log_head"]["campaigns"]]
    facts = {
        "names of tasks are unique": len(set(names)) == len(names),
        "a whole campaign is not interrupted": not results["tune"]["interrupted"],
        "an interrupted one says so": results["interrupted"]["interrupted"],
        "the kept network runs, each region by a record or as kept": run["variant"] == "global" and run["kept"]
            and run["match"] in ("exact", "network") and run["regions"]
            and all(bool(region["record"]) != (region["match"] == "network") for region in run["regions"]),
        "calls are counted by their matches": all(
            sum(region["match"] == match for region in run["regions"]) == run[count]
            for match, count in (("exact", "recorded"), ("network", "of_network"))),
        "times lie in their intervals": all(task["seconds_interval"][0] <= task["seconds"] <= task["seconds_interval"][1]
            for of in (results["replay"]["tasks"], results["bench"]["rows"], results["run_again"]["rows"]) for task in of),
        "networks are told apart": [network["model"] for network in results["tune_two"]["networks"]]
            == ["tiny.graph", "other.graph"] and "network" in results["tune"],
        "a dry run counts trials": results["dry_run"]["trials"] == 1000 * len(results["dry_run"]["tasks"]),
        "a dry run of a resumed campaign counts its trials": results["dry_run_of_resumed"]["known_trials"] > 0,
        "a dry run goes by the log": results["dry_run_of_log"]["seconds_per_trial_from"] == "log"
            and results["dry_run"]["seconds_per_trial_from"] == "assumed",
        "whole campaigns are finished": states == ["finished", "finished"],
        "a distilled campaign is one": results["log_head_distilled"]["campaigns"][0]["state"] == "distilled",
        "an interrupted one is unfinished": results["log_head_unfinished"]["campaigns"][0]["state"] == "unfinished",
    }
    return [f"not so: {fact}" for fact, holds in facts.items() if not holds]


def interrupted(dovetail, folder):
    """The output of a campaign that gets Ctrl-C once its log has a few trials."""
    arguments = ["tune", SPEC, "--trials", "100000", "--log", "i.jsonl", "--json"]
    log = folder / "i.jsonl"
    with subprocess.Popen([dovetail, *arguments], cwd=folder, stdout=subprocess.PIPE, text=True,
                          stderr=subprocess.DEVNULL) as campaign:
        while campaign.poll() is None and not (log.exists() and log.read_text().count("\n") > 3):
            time.sleep(0.1)
        campaign.send_signal(signal.SIGINT)
        return campaign.communicate()[0]


def check(dovetail, schemas, folder):
    failed, results = [], {}
    (folder / "tiny.graph").write_text(GRAPH)
    (folder / "other.graph").write_text(GRAPH.replace("graph tiny", "graph other"))
    (folder / "buffers.csv").write_text(BUFFERS)
    # A committed space: the clock is simulated, so that no noise of this machine is in it.
    (folder / "measured").mkdir()
    (folder / "measured" / "gmm").symlink_to(schemas.parent.parent / "results" / "spaces" / "first" / "gmm")
    (folder / "h200.profile").symlink_to(schemas.parent / "examples" / "h200.profile")
    (folder / "peer.json").write_text(json.dumps([{"spec": SPEC, "peer": "other", "seconds": 1e-6}]))
    results["interrupted"] = json.loads(text := interrupted(dovetail, folder))
    failed += [f"interrupted: {mistake}" for mistake in mistakes_of(schemas, text)]
    failed += [f"dry run: {mistake}" for mistake in mistakes_of_dry_run(dovetail, folder)]
    for name, code, arguments in COMMANDS:
        done = subprocess.run([dovetail, *arguments, "--json"], cwd=folder, capture_output=True, text=True)
        (folder / f"{name}.out").write_text(done.stdout)
        if done.returncode != code:
            failed.append(f"{' '.join(arguments)}: exit code {done.returncode}: {done.stderr[-400:]}")
            continue
        results[name] = json.loads(done.stdout)
        failed += [f"{' '.join(arguments)}: {mistake}" for mistake in mistakes_of(schemas, done.stdout)]
    if len(results) == len(COMMANDS) + 1:
        failed += mistakes_of_facts(results)
    seen = {result.get("schema") for result in results.values()}
    for path in sorted(schemas.glob("*.schema.json")):
        schema = json.loads(path.read_text())
        jsonschema.Draft7Validator.check_schema(schema)
        failed += [f"{path.name}: {place}" for place in without_meaning(schema)]
        if path.name.removesuffix(".schema.json") not in seen:
            failed.append(f"{path.name}: no command here prints it")
    return failed


def main():
    dovetail, schemas = pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2]).resolve()
    folder = pathlib.Path(tempfile.mkdtemp())
    try:
        failed = check(dovetail, schemas, folder)
        if sys.argv[3:4] == ["--keep"]:
            shutil.copytree(folder, sys.argv[4], dirs_exist_ok=True)
    finally:
        shutil.rmtree(folder)
    print("\n".join(failed) or "all outputs are as their schemas say")
    sys.exit(1 if failed else 0)


main()
