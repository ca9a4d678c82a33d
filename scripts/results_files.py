# SPDX-License-Identifier: Apache-2.0
"""Files of results/ as scripts write them: whole or not at all."""

import gzip
import json
import os
import shutil
import subprocess


def write_json(path, value):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path + ".part", "w", encoding="utf-8") as file:
        json.dump(value, file, indent=1)
        file.write("\n")
    os.replace(path + ".part", path)


def read_json(path, otherwise=None):
    if not os.path.exists(path):
        return otherwise
    with open(path, encoding="utf-8") as file:
        return json.load(file)


def pack_log(dovetail, log, packed):
    """What decides which record is best, for tables to be made again from; the same bytes for the same log."""
    small = log + ".distilled"
    if os.path.exists(small):
        os.remove(small)
    subprocess.run([dovetail, "log", "distill", log, "-o", small], stdout=subprocess.DEVNULL, check=True)
    os.makedirs(os.path.dirname(packed), exist_ok=True)
    with open(small, "rb") as source, gzip.GzipFile(packed + ".part", "wb", mtime=0) as target:
        shutil.copyfileobj(source, target)
    os.remove(small)
    os.replace(packed + ".part", packed)
