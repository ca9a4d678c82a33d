# SPDX-License-Identifier: Apache-2.0
"""A folder in which a page's commands run: what is committed, beside a build, but nothing that they write stays."""
import os
import pathlib

import cuts
from pages import ROOT

SPACES = ("results/spaces/first", "results/spaces/second")


def link_all(source, target, but=()):
    target.mkdir(parents=True, exist_ok=True)
    for path in sorted(source.iterdir()):
        if path.name not in but and path.name != ".git":
            (target / path.name).symlink_to(path)


def link_suites(folder):
    folder.mkdir()
    for path in sorted((ROOT / "scripts/suites").iterdir()):
        if path.suffix == ".txt":
            (folder / path.name).write_text(cuts.cut_suite(path.read_text(encoding="utf-8")), encoding="utf-8")


def link_spaces(folder):
    """Two spaces of each set."""
    link_all(ROOT / "results", folder / "results", but=["spaces"])
    for name in SPACES:
        (folder / name).mkdir(parents=True)
        for path in sorted(path for path in (ROOT / name).iterdir() if path.is_dir())[:2]:
            (folder / name / path.name).symlink_to(path)


def prepare(folder, build):
    """Fills an empty folder, and says in which environment commands run there."""
    folder = pathlib.Path(folder)
    link_all(ROOT, folder, but=["build", "scripts", "results"])
    link_all(ROOT / "scripts", folder / "scripts", but=["suites", "make-models"])
    make_models = folder / "scripts/make-models"
    make_models.write_text(cuts.MAKE_MODELS, encoding="utf-8")
    make_models.chmod(0o755)
    link_suites(folder / "scripts/suites")
    link_spaces(folder)
    for name in ("build/models", "home", "tmp"):
        (folder / name).mkdir(parents=True)
    (folder / "build/release").symlink_to(pathlib.Path(build).resolve())
    return {**os.environ, "PATH": f"{folder}/build/release:{os.environ['PATH']}", "HOME": str(folder / "home"),
            "TMPDIR": str(folder / "tmp")}
