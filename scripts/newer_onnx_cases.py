# SPDX-License-Identifier: Apache-2.0
"""scripts/newer-onnx-cases: ONNX's own cases after operator set 17; see there."""

import argparse
import collections
import concurrent.futures
import re
import subprocess
import sys
import tempfile
import warnings
from pathlib import Path

import numpy
import onnx
from made_on import made_on
from onnx import defs, numpy_helper

DOVETAIL = "build/release/dovetail"
LIBRARY_OPSET = 17  # Debian's libonnx, whose own cases scripts/onnx-cases runs
NEAR = {"rtol": 1e-3, "atol": 1e-4}  # as ONNX's own runner has it, for f16 too
VERDICTS = ["right", "not supported", "wrong"]
FORMS = {"as it is": False, "constants": True}


def is_array(value):
    return isinstance(value, numpy.ndarray) or numpy.isscalar(value)


def cases(words):
    """Cases of one data set of tensors, whose model has an operator that changed."""
    warnings.filterwarnings("ignore")
    from onnx.backend.test.case.node import collect_testcases
    changed = {one.name for one in defs.get_all_schemas_with_history()
               if one.domain == "" and one.since_version > LIBRARY_OPSET}
    found = []
    for case in collect_testcases(None):
        given, wanted = case.data_sets[0]
        types = {node.op_type for node in case.model.graph.node}
        if types & changed and all(map(is_array, [*given, *wanted])):
            if not words or any(word in case.name for word in words):
                found.append(case)
    return found


def opset_of(model):
    return next(one.version for one in model.opset_import if one.domain in ("", "ai.onnx"))


def with_constants(model, given):
    """The model with all inputs but the first as initializers; none where it has but one."""
    if len(given) < 2 or len(model.graph.input) != len(given):
        return None
    changed = onnx.ModelProto()
    changed.CopyFrom(model)
    for value, array in list(zip(model.graph.input, given))[1:]:
        changed.graph.initializer.append(
            numpy_helper.from_array(numpy.asarray(array), value.name))
    del changed.graph.input[1:]
    return changed


def reason_of(stderr):
    line = stderr.strip().splitlines()[-1] if stderr.strip() else "no message"
    line = re.sub(r"^dovetail: (run|model) \S+ ?", "", line)
    line = re.sub(r"^dovetail: run: \S+ has nodes that this version does not compute: ", "", line)
    return line.replace("|", "\\|")


def difference(file, wanted):
    found = numpy.load(file).astype(numpy.float64)
    expected = numpy.asarray(wanted).astype(numpy.float64)
    if found.size != expected.size:
        return f"wrong: {file.name} has {found.size} elements; expected {expected.size}"
    near = numpy.allclose(found.reshape(expected.shape), expected, equal_nan=True, **NEAR)
    return "" if near else f"wrong: {file.name}"


def verdict(model, given, wanted):
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "in").mkdir()
        onnx.save(model, str(folder / "model.onnx"))
        for i, array in enumerate(given[:len(model.graph.input)]):
            numpy.save(folder / "in" / f"input_{i}.npy", array)
        done = subprocess.run([DOVETAIL, "run", folder / "model.onnx", "--inputs", folder / "in",
                               "--outputs", folder / "out"], capture_output=True, text=True,
                              check=False)
        if done.returncode == 1:
            return "not supported: " + reason_of(done.stderr)
        if done.returncode != 0:
            return "wrong: " + reason_of(done.stderr)
        wrong = [difference(folder / "out" / f"output_{i}.npy", array)
                 for i, array in enumerate(wanted)]
        return next((one for one in wrong if one), "right")


def judge(case):
    given, wanted = case.data_sets[0]
    verdicts = {}
    for form, constant in FORMS.items():
        try:
            model = with_constants(case.model, given) if constant else case.model
        except (TypeError, ValueError):  # an array of a type that the package cannot store
            model = None
        verdicts[form] = "" if model is None else verdict(model, given, wanted)
    return case.name, opset_of(case.model), verdicts


def table(rows):
    lines = ["# ONNX's own cases after operator set 17", "",
             f"Made by `scripts/newer-onnx-cases` {made_on(DOVETAIL)}: onnx {onnx.__version__}, "
             "operators that changed after operator set 17, default traces. In the", "column constants all inputs but the "
             "first are, as exporters have them; empty: there is no other.", "",
             "| operator set | form | " + " | ".join(VERDICTS) + " |",
             "|---|---|" + "---|" * len(VERDICTS)]
    counts = collections.Counter((opset, form, text.split(":")[0])
                                 for _, opset, verdicts in rows for form, text in verdicts.items())
    for opset in sorted({row[1] for row in rows}):
        for form in FORMS:
            numbers = [str(counts[opset, form, kind]) for kind in VERDICTS]
            lines.append(f"| {opset} | {form} | " + " | ".join(numbers) + " |")
    lines += ["", "| case | operator set | " + " | ".join(FORMS) + " |", "|---|---|---|---|"]
    for name, opset, verdicts in rows:
        lines.append(f"| {name} | {opset} | " + " | ".join(verdicts.values()) + " |")
    return "\n".join(lines) + "\n"


def main():
    parser = argparse.ArgumentParser(prog="newer-onnx-cases", description=__doc__)
    parser.add_argument("-o", "--output", type=Path, default=Path("results/onnx/newer_cases.md"))
    parser.add_argument("words", nargs="*", metavar="WORD")
    options = parser.parse_args()
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        rows = sorted(pool.map(judge, cases(options.words)))
    if not rows:
        sys.exit(f"newer-onnx-cases: no case has {' or '.join(options.words)} in its name")
    options.output.parent.mkdir(parents=True, exist_ok=True)
    options.output.write_text(table(rows))
    wrong = [row[0] for row in rows if any(text.startswith("wrong") for text in row[2].values())]
    print(f"newer-onnx-cases: {len(rows)} cases, {len(wrong)} wrong, table in {options.output}")
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
