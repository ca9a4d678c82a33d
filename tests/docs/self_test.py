# SPDX-License-Identifier: Apache-2.0
"""Wrong pages, and what must be said against each, checked and run: for check_pages.py --self-test."""
import contextlib
import pathlib
import tempfile

import cuts
import listed
import pages
import run_pages
from check_pages import mistakes_of_page, unlisted

# A page, and a part of the only mistake in it; None: it has none.
PAGES = [
    ("    dovetail tune gmm:m=8,n=8,k=8 --trials 3 --log a.jsonl   # a comment\n", None),
    ("    dovetail tun gmm:m=8,n=8,k=8\n", "no verb tun"),
    ("    dovetail tune gmm:m=8,n=8,k=8 --trails 3\n", "no option --trails"),
    ("    dovetail tune gmm:m=8,n=8,k=8 --log\n", "lacks its value"),
    ("    dovetail tune gmm:m=8,n=8,k=8 --cache warm\n", "--cache of dovetail tune takes no warm"),
    ("    dovetail tune gmm:m=8,n=8,k=8 --strategy dovetale:pool=4\n", "takes no dovetale"),
    ("    dovetail tune gmm:m=8,n=8,k=8 --strategy dovetail:pool=4,parents=2\n", None),
    ("    dovetail tune gmm:m=8,n=8,q=8\n", 'unknown key "q"'),
    ("    dovetail log bust a.jsonl\n", "no action bust"),
    ("    scripts/suites\n", "is no program"),
    ("`scripts/suites` in prose\n", None),
    ("`scripts/quick` in prose\n", "not in the tree"),
    ("    scripts/quickstart --trails 3\n", "no option --trails"),
    ("    dovetail plan docs/examples/buffer.csv\n", "docs/examples/buffer.csv is not in the tree"),
    ("    cmake --preset releas\n", "no preset releas"),
    ("    build/release/tests/test_core_it --gtest_filter='Layout*'\n", "the build makes no"),
    ("    build/release/tests/test_core_ir --gtest_filter='Lajout*'\n", "no test has Lajout"),
    ("    a line of something else\n", "a is no program"),
    ("    dovetail show 'gmm:m=8,n=8,k=8\n", "no shell reads it"),
    ("`dovetail tune --trails 3` in prose\n", "no option --trails"),
    ("`gmm:m=8,n=8,q=8` in prose\n", 'unknown key "q"'),
    ("| a table | `docs/examples/buffer.csv` |\n", "not in the tree"),
    ("```synopsis\ndovetail plan FILE.csv [--capacty N]\n```\n", "no option --capacty"),
    ("```cpp\nint one() { return 1 }\n```\n", "error"),
    ("```cpp\nint one() { return 1; }\n```\n", None),
    ("```c\nresnet18 model;\nresnet18_init(model);\n```\n", "stand in no file"),
    ("```python\ndef f(:\n```\n", "Python does not parse it"),
    ("```trace gmm:m=8,n=8,k=8\nloops: split(loop=m, factor=3)\n```\n", "factor 3"),
    ("```trace gmm:m=8,n=8,k=8\nloops: split(loop=m, factor=2) ; …\n```\n", None),
    ("```graph\ngraph a\ninput x: f32[2\n```\n", "graph"),
    ("```suite\na = gmm:m=8,n=8,q=8\n```\n", 'unknown key "q"'),
    ("```spec\ngmm:m=8,n=8,q=8\n```\n", 'unknown key "q"'),
    ("```jsonl\n{}\n```\n", "is not a log"),
    ("```json\n{\"trails\": 3}\n```\n", "trails"),
    ("```text\nwords\n```\n", "neither checked nor listed"),
    ("```output\nwords\n```\n", "follows no command"),
]
# A command, and what it is cut to.
CUTS = [
    ("dovetail tune X --trials 300 --log a.jsonl", "dovetail tune X --trials 3 --log a.jsonl"),
    ("dovetail tune X --log a.jsonl", "dovetail tune --trials 3 X --log a.jsonl"),
    ("dovetail tune a.onnx --trials 300 --log a.jsonl", "dovetail tune a.onnx --trials 2 --log a.jsonl"),
    ("dovetail tune X --schedule gradient --total-trials 800", "dovetail tune X --schedule gradient --total-trials 50"),
    ("dovetail tune X --schedule gradient --total-seconds 120", "dovetail tune X --schedule gradient --total-trials 40"),
    ("dovetail tune X --trials 1 --log a.jsonl", "dovetail tune X --trials 1 --log a.jsonl"),
    ("dovetail run M --log r18.jsonl --peer onnxruntime --json", "dovetail run M --log r18.jsonl --json"),
    ("dovetail show r18.jsonl#1.17@gmm:m=8,n=8,k=8", "dovetail show r18.jsonl#1.1@gmm:m=8,n=8,k=8"),
]
# What a page shows, what its command printed, whether that is the same but for numbers.
OUTPUTS = [
    ("…\nbest  12.5 us (1.70 times as fast)\n", "a line\nbest 3 us (2 times as fast)\n", True),
    ("best  12.5 us\n", "worst 3 us\n", False),
]
# A page that runs, and a part of the only mistake in it; None: it has none.
RUNS = [
    ("    dovetail show gmm:m=8,n=8,k=8 --what trace > a.trace\n    dovetail show gmm:m=8,n=8,k=8 --trace a.trace\n", None),
    ("    dovetail show gmm:m=8,n=8,k=8 --trace none.trace\n", "exit code 1, expected 0"),
    ("    dovetail show gmm:m=8,n=8,k=8 --trace none.trace    # exit code 1\n", None),
    ("    dovetail show gmm:m=8,n=8,k=8    # exit code 1\n", "exit code 0, expected 1"),
    ("    dovetail show none.onnx | head -n 1\n", "exit code 1, expected 0"),
    ("```suite a.txt\na = gmm:m=8,n=8,k=8\n```\n\n    dovetail show @a.txt\n", None),
    ("    dovetail plan docs/examples/buffers.csv\n\n```output\na line\n```\n", "does not print: a line"),
    ("    export SPEC=gmm:m=8,n=8,k=8\n    dovetail show $SPEC\n", None),
    ("```python\nassert 1 == 2\n```\n", "AssertionError"),
    ("```c\n#include <stdio.h>\nint main(void) { return one; }\n```\n", "one"),
]


def entries(text):
    return listed.Listed(text)


def mistakes(program, compiler):
    found = []
    with tempfile.TemporaryDirectory() as folder:
        for text, expected in PAGES:
            said = [mistake for _, mistake in mistakes_of_page("docs/page.md", text, program, compiler, pathlib.Path(folder),
                                                               entries(""))]
            if len(said) != (expected is not None) or (expected and expected not in said[0]):
                found.append(f"{text!r}: expected {expected}, found {said}")
    for text, expected in RUNS:
        with tempfile.TemporaryDirectory() as folder:
            page = run_pages.Page("docs/page.md", text, folder, pathlib.Path(program.path).parent, entries(""))
            with contextlib.redirect_stdout(None):
                said = page.run()
        if len(said) != (expected is not None) or (expected and expected not in said[0]):
            found.append(f"{text!r} is run: expected {expected}, found {said}")
    return found + mistakes_of_cuts() + mistakes_of_list()


def mistakes_of_cuts():
    found = []
    for command, expected in CUTS:
        if cuts.cut(command) != expected:
            found.append(f"{command} is cut to {cuts.cut(command)}, expected {expected}")
    for shown, printed, same in OUTPUTS:
        block = pages.Block("docs/page.md", 1, "output", "", shown.splitlines())
        if (not list(run_pages.mistakes_of_output(block, printed))) != same:
            found.append(f"{shown!r} beside {printed!r}: expected {same}")
    return found


def mistakes_of_list():
    found = []
    stale = entries("[why]\ndocs/page.md | dovetail doctor\ndocs/page.md | dovetail gone\n")
    if not stale.entry("docs/page.md", "dovetail doctor") or len(stale.stale()) != 1:
        found.append(f"one entry of two is stale, found {stale.stale()}")
    if not entries("docs/page.md | a command without a reason\n").mistakes:
        found.append("an entry without a reason is taken")
    left_out = unlisted(["results/a/b.md", "results/c.md"], "results/a\nresults/a/b\n")
    if left_out != ["results/c.md: docs/site/results.md does not list it"]:
        found.append(f"one table of two is listed, found {left_out}")
    return found
