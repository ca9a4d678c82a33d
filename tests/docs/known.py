# SPDX-License-Identifier: Apache-2.0
"""What the program, the scripts and the tree have, for commands that name it."""
import functools
import glob
import json
import os
import re
import subprocess

from pages import ROOT

# Programs of the system that pages may call.
PROGRAMS = {"apt", "cc", "cmake", "cp", "cpack", "ctest", "g++", "head", "man", "ninja", "od", "pkg-config", "python3", "source"}
NOT_OFFERED = {"--against": ["none"]}  # words of an option that completion leaves out
SPEC = r"(c1d|c2d|dil|grp|dep|c3d|t2d|t3d|gmm):\w+=.*|\w+\[[^\]]*\] *(\+=|max=|min=|\*=|=)[^=].*:.*"


class Program:
    """The verbs and options of a build's `dovetail`, as it tells them itself."""

    def __init__(self, path):
        self.path = path

    def ask(self, *words, **options):
        return subprocess.run([self.path, *words], capture_output=True, text=True, check=False, **options)

    @functools.cached_property
    def verbs(self):
        return re.findall(r"^  ([a-z]+) ", self.ask("help").stdout, re.M)

    @functools.cache
    def options(self, verb):
        """Each option, and whether a value follows it."""
        found = {}
        for names, kind in re.findall(r"^  (-[-\w,]+)( TEXT| INT| FLOAT| UINT)?", self.ask("help", verb).stdout, re.M):
            for name in names.split(","):
                found[name] = bool(kind)
        return found

    @functools.cached_property
    def actions(self):
        return re.findall(r"^  ([a-z]+) ", self.ask("help", "log").stdout.partition("actions:")[2], re.M)

    @functools.cache
    def values(self, verb, option):
        """The words that an option takes; none where it takes others."""
        return self.ask(verb, "--completion-values", option).stdout.split()

    def takes(self, verb, option, value):
        """Whether a value is one of an option's words, several of them, or a file where it takes files, too."""
        words = self.values(verb, option) + NOT_OFFERED.get(option, [])
        if not words or value in words or any(word[-1] in ":=" and value.startswith(word) for word in words):
            return True
        heads = re.sub(r":[^,@]*(,\w+=[^,@]*)*|@[^,]*", "", value)  # NAME:OPTION=VALUE,…@COST_MODEL
        return all(re.sub(r"^\w+=", "", head) in words or "." in head for head in heads.split(","))

    @functools.cache
    def refusal_of_spec(self, spec):
        """Why it is none; empty where it is one."""
        done = self.ask("show", spec, "--what", "trace")
        return "" if done.returncode == 0 else done.stderr.strip()


@functools.cache
def presets():
    with open(ROOT / "CMakePresets.json", encoding="utf-8") as file:
        return {preset["name"] for preset in json.load(file)["configurePresets"]}


@functools.cache
def targets():
    """Programs and libraries of the build that pages name."""
    text = (ROOT / "tests/CMakeLists.txt").read_text(encoding="utf-8") + (ROOT / "tools/CMakeLists.txt").read_text(
        encoding="utf-8")
    text += (ROOT / "cmake/DovetailInstall.cmake").read_text(encoding="utf-8")
    tests = ["test_" + folder.replace("/", "_") for folder in re.findall(r"dovetail_tests\((\S+?)[ )]", text)]
    return {*tests, *(f"{test}_slow" for test in tests), *re.findall(r"add_(?:executable|custom_target)\(([\w-]+)", text)}


@functools.cache
def text_of_tests():
    return "\n".join(path.read_text(encoding="utf-8") for path in sorted((ROOT / "tests").rglob("*.cc")))


def filter_mistake(patterns):
    """Of a --gtest_filter: words that stand in no test."""
    for word in re.split(r"[:*./-]", patterns):
        if word and word not in text_of_tests():
            return f"no test has {word} in its name"
    return None


def script_mistake(words):
    """Of a script: whether it is there and knows its options."""
    path = ROOT / words[0]
    if not path.is_file() or not os.access(path, os.X_OK):
        return f"{words[0]} is no program"
    body = path.with_name(path.name.replace("-", "_") + ".py")
    text = path.read_text(encoding="utf-8") + (body.read_text(encoding="utf-8") if body.exists() else "")
    for word in words[1:]:
        if word.startswith("--") and not re.search(re.escape(word.partition("=")[0]) + r"\b", text):
            return f"{words[0]} has no option {word}"
    return None


@functools.cache
def committed_folders():
    found = subprocess.run(["git", "-c", f"safe.directory={ROOT}", "ls-tree", "-d", "--name-only", "HEAD"], cwd=ROOT,
                           capture_output=True, text=True, check=False).stdout.split()
    folders = found or [path.name for path in ROOT.iterdir() if path.is_dir()]  # an archive has no git
    return set(folders) - {"build", "examples"}  # packages have examples, too


def path_mistake(word, page):
    """Of a word that names something in a committed folder, of the checkout or the page's own: whether that is there."""
    path = word.lstrip("@")
    first, slash, _ = path.partition("/")
    path = re.sub(r"#.*|:[\d-]+$", "", path)  # a record of a log, lines of a file
    if slash and first in committed_folders() and " " not in path and "…" not in path and "{" not in path:
        here = [ROOT / path, (ROOT / page).parent / path]
        if not any(glob.glob(str(place)) for place in here) and not re.search(r"[A-Z]{3}|N\b", path):
            return f"{path} is not in the tree"
    return None
