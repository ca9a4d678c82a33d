# SPDX-License-Identifier: Apache-2.0
"""scripts/compare-tvm: MetaSchedule beside Dovetail; see there."""

import argparse
import json
import os
import statistics
import subprocess
import sys
import time
from pathlib import Path

DOVETAIL = "build/release/dovetail"
PEER = "tvm-metaschedule"
# TVM's kernels are direct: what layouts gain is seen beside the second, where the first takes another algorithm.
VARIANTS = {"joint": [], "joint, direct": ["--exact"],
            "loops alone": ["--variant", "loop_only", "--layout", "nhwo"]}


def fail(text):
    sys.exit(f"compare-tvm: {text}")


def parse_spec(spec):
    """The kind and sizes of a spec: c2d:ci=64,... -> ("c2d", {"ci": 64, ...})."""
    kind, _, rest = spec.partition(":")
    try:
        sizes = {name: int(value) for name, value in (item.split("=") for item in rest.split(","))}
    except ValueError:
        fail(f"{spec}: expected KIND:name=number,... without epilogue")
    known = {"c2d": {"n", "ci", "co", "h", "w", "k", "s", "p"}, "gmm": {"b", "m", "n", "k"}}
    optional = {"n", "s", "p", "b"} if kind == "c2d" else {"b"}
    if (kind not in known or not known[kind] - optional <= set(sizes) <= known[kind]
            or sizes.get("b", 1) != 1):
        fail(f"{spec}: only plain c2d (n, ci, co, h, w, k, s, p) and gmm of one batch (m, n, k)")
    return kind, sizes


def output_of(d):
    """Height and width of a convolution's output."""
    return [(d[axis] + 2 * d.get("p", 0) - d["k"]) // d.get("s", 1) + 1 for axis in ("h", "w")]


def nominal_flops(kind, d):
    if kind == "gmm":
        return 2 * d["m"] * d["n"] * d["k"]
    h, w = output_of(d)
    return 2 * d.get("n", 1) * d["co"] * h * w * d["ci"] * d["k"] ** 2


def definition(kind, d):
    """TVM's definition, whose weights may be laid out anew beforehand, as ours are."""
    from tvm import te, topi

    if kind == "gmm":
        a = te.placeholder((d["m"], d["k"]), name="A")
        b = te.placeholder((d["k"], d["n"]), name="B")
        k = te.reduce_axis((0, d["k"]), name="k")
        c = te.compute((d["m"], d["n"]), lambda i, j: te.sum(a[i, k] * b[k, j], axis=k), name="C",
                       attrs={"layout_free_placeholders": [b]})
        return te.create_prim_func([a, b, c])
    x = te.placeholder((d.get("n", 1), d["h"], d["w"], d["ci"]), name="X")
    w = te.placeholder((d["k"], d["k"], d["ci"], d["co"]), name="W")
    y = topi.nn.conv2d_nhwc(x, w, d.get("s", 1), d.get("p", 0), 1, auto_scheduler_rewritten_layout="",
                            meta_schedule_original_shape=None)
    return te.create_prim_func([x, w, y])


def target():
    import tvm

    cpu = tvm.get_global_func("target.llvm_get_system_cpu")()
    return tvm.target.Target({"kind": "llvm", "mcpu": cpu, "num-cores": 1})


def tune(kind, sizes, trials, folder):
    from tvm.s_tir import meta_schedule as ms

    done = folder / f"complete-{trials}"
    if done.exists():
        return json.loads(done.read_text())
    began = time.monotonic()
    ms.tune_tir(definition(kind, sizes), target(), str(folder), trials, num_trials_per_iter=64, seed=1)
    facts = {"search_seconds": time.monotonic() - began}
    done.write_text(json.dumps(facts))
    return facts


def best_module(kind, sizes, folder):
    from tvm.s_tir import meta_schedule as ms

    database = ms.database.JSONDatabase(work_dir=str(folder))
    schedule = ms.tir_integration.compile_tir(database, definition(kind, sizes), target())
    if schedule is None:
        fail(f"{folder}: TVM found no kernel")
    return schedule.mod


def built(module):
    import tvm

    return tvm.compile(module, target=target())


def shapes_of(kind, d):
    if kind == "gmm":
        return [(d["m"], d["k"]), (d["k"], d["n"]), (d["m"], d["n"])]
    n, (h, w) = d.get("n", 1), output_of(d)
    return [(n, d["h"], d["w"], d["ci"]), (d["k"], d["k"], d["ci"], d["co"]), (n, h, w, d["co"])]


def operands(shapes):
    import numpy
    import tvm

    random = numpy.random.default_rng(1)
    return [tvm.runtime.tensor(random.standard_normal(shape).astype("float32")) for shape in shapes]


def check(kind, sizes, module, arrays):
    """Largest error against numpy in double precision, over the largest output."""
    import numpy

    built(module)["main"](*arrays)
    a, b, y = (array.numpy().astype("float64") for array in arrays)
    if kind == "gmm":
        right = a @ b
    else:
        s, p = sizes.get("s", 1), sizes.get("p", 0)
        padded = numpy.pad(a, ((0, 0), (p, p), (p, p), (0, 0)))
        right = numpy.zeros_like(y)
        for kh in range(sizes["k"]):
            for kw in range(sizes["k"]):
                window = padded[:, kh:kh + s * y.shape[1]:s, kw:kw + s * y.shape[2]:s, :]
                right += window[:, :y.shape[1], :y.shape[2], :] @ b[kh, kw]
    return float(abs(y - right).max() / abs(right).max())


def serve(spec, folder):
    """A process of its own: checks the kernel, then answers each line on stdin with its time in seconds."""
    import tvm
    from tvm.s_tir.transform import RemoveWeightLayoutRewriteBlock

    os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})  # where our kernels run, too
    kind, sizes = parse_spec(spec)
    module = best_module(kind, sizes, Path(folder))
    arrays = operands(shapes_of(kind, sizes))
    print(json.dumps({"relative_error": check(kind, sizes, module, arrays)}), flush=True)
    # What lays the weights out anew leaves the kernel: it is done once, ahead.
    ahead = RemoveWeightLayoutRewriteBlock(skip_tensor_rewrite=True)(module)
    arrays = operands([tuple(int(n) for n in buffer.shape) for buffer in ahead["main"].params])
    timer = built(ahead).mod.time_evaluator("main", tvm.cpu(), number=3, repeat=3, min_repeat_ms=100)
    for _ in sys.stdin:
        print(json.dumps({"seconds": statistics.median(timer(*arrays).results)}), flush=True)


def dovetail_log(spec, name, options, trials, out):
    """The log of such a campaign, and the seconds that the campaign took."""
    log = out / f"{name}.jsonl"
    if not log.exists():
        subprocess.run([DOVETAIL, "tune", spec, "--trials", str(trials), "--log", str(log), *options],
                       check=True, stdout=subprocess.DEVNULL)
    stats = subprocess.run([DOVETAIL, "log", "stats", str(log), "--json"], check=True, capture_output=True, text=True)
    return log, json.loads(stats.stdout)["tasks"][0]["elapsed_seconds"]


def replayed(spec, log):
    run = subprocess.run([DOVETAIL, "replay", spec, "--log", str(log), "--strict", "--json"], check=True,
                         capture_output=True, text=True)
    return json.loads(run.stdout)["tasks"][0]


def answer_of(server):
    line = server.stdout.readline()
    if not line:
        fail("the process with TVM's kernel ended; what it said stands above")
    return json.loads(line)


def compare(spec, options):
    kind, sizes = parse_spec(spec)
    name = "".join(c if c.isalnum() else "_" for c in spec)
    folder = options.out / name
    folder.mkdir(parents=True, exist_ok=True)
    tvm_seconds = tune(kind, sizes, options.trials, folder)["search_seconds"]
    ours = {}
    for variant, more in VARIANTS.items():
        ours[variant] = dovetail_log(spec, f"{name}-{variant.replace(', ', '-').replace(' ', '-')}", more, options.trials, options.out)
    server = subprocess.Popen([sys.executable, __file__, "--serve", spec, str(folder)], stdin=subprocess.PIPE,
                              stdout=subprocess.PIPE, text=True)
    error = answer_of(server)["relative_error"]
    if error > 1e-4:
        fail(f"{spec}: TVM's kernel errs by {error:.1e} of the largest output")
    times = {PEER: [], **{variant: [] for variant in ours}}
    algorithms = {PEER: "direct"}
    for turn in range(options.rounds):
        print(f"{spec}: round {turn + 1} of {options.rounds}", file=sys.stderr)
        server.stdin.write("\n")
        server.stdin.flush()
        times[PEER].append(answer_of(server)["seconds"])
        for variant, (log, _) in ours.items():
            task = replayed(spec, log)
            times[variant].append(task["seconds"])
            algorithms[variant] = task["algorithm"]
    server.stdin.close()
    server.wait()
    rows = []
    for kernel, seconds in times.items():
        median = statistics.median(seconds)
        search = tvm_seconds if kernel == PEER else ours[kernel][1]
        rows.append({"spec": spec, "peer": kernel if kernel == PEER else f"dovetail {kernel}",
                     "algorithm": algorithms[kernel], "trials": options.trials, "search_seconds": search,
                     "seconds": median, "rounds": seconds, "gflops": nominal_flops(kind, sizes) / median / 1e9})
    return rows


def tvm_version():
    import tvm

    return tvm.__version__


def machine():
    lines = subprocess.run([DOVETAIL, "doctor"], check=True, capture_output=True, text=True).stdout.splitlines()
    said = dict(line.split(None, 1) for line in lines if len(line.split(None, 1)) == 2)
    commit = subprocess.run(["git", "describe", "--always", "--dirty"], capture_output=True, text=True, check=False)
    return {"cpu": said["cpu"], "dovetail": f"dovetail {said['dovetail']}",
            "commit": commit.stdout.strip() or "unknown"}


def table(rows):
    lines = ["| operator | kernel | algorithm | trials | search (s) | time (µs) | GFLOP/s | times as fast as TVM's |",
             "|---|---|---|---:|---:|---:|---:|---:|"]
    for row in rows:
        peer = next(r for r in rows if r["spec"] == row["spec"] and r["peer"] == PEER)
        lines.append(f"| `{row['spec']}` | {row['peer']} | {row['algorithm']} | {row['trials']} | "
                     f"{row['search_seconds']:.0f} | {1e6 * row['seconds']:.1f} | {row['gflops']:.0f} | "
                     f"{peer['seconds'] / row['seconds']:.2f} |")
    return "\n".join(lines)


def main():
    if sys.argv[1:2] == ["--serve"]:
        return serve(*sys.argv[2:4])
    parser = argparse.ArgumentParser(prog="compare-tvm")
    parser.add_argument("specs", nargs="+", metavar="SPEC")
    parser.add_argument("--trials", type=int, default=300)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--out", type=Path, default=Path("build/tvm/results"))
    options = parser.parse_args()
    for spec in options.specs:
        parse_spec(spec)
    options.out.mkdir(parents=True, exist_ok=True)
    rows = [row for spec in options.specs for row in compare(spec, options)]
    facts = {"tvm": tvm_version(), **machine(), "rows": rows}
    (options.out / "results.json").write_text(json.dumps(facts, indent=1) + "\n")
    peers = [json.dumps({key: row[key] for key in ("spec", "peer", "algorithm", "seconds")})
             for row in rows if row["peer"] == PEER]
    (options.out / "peers.jsonl").write_text("\n".join(peers) + "\n")
    drawn = table(rows)
    (options.out / "table.md").write_text(
        f"# Beside TVM's MetaSchedule\n\nMade by `scripts/compare-tvm --trials {options.trials} "
        f"{' '.join(options.specs)}` at commit {facts['commit']}: {facts['cpu']}, one thread; TVM {facts['tvm']}, "
        f"{facts['dovetail']}. "
        f"Median of {options.rounds} rounds in turn; [how](../../../docs/benchmarks.md).\n\n{drawn}\n")
    print(drawn)


if __name__ == "__main__":
    main()
