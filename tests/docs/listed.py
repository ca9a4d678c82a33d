# SPDX-License-Identifier: Apache-2.0
"""The list of what is not run, not_run.txt, and which of its entries nothing matches any more.

    [a reason, of all entries below it]
    docs/page.md | the command, as the page has it without its comment
    docs/page.md | text: the first line of a block that is neither run nor compiled

A reason that begins with "not in the tree" is of what the pages tell of and nobody has: options and files are not looked
up either.
"""
import dataclasses
import pathlib

LIST = pathlib.Path(__file__).resolve().parent / "not_run.txt"


@dataclasses.dataclass
class Entry:
    page: str
    text: str
    reason: str
    line: int  # of the list
    used: bool = False

    @property
    def unchecked(self):
        return self.reason.startswith("not in the tree")


class Listed:
    """The entries; each remembers whether it was asked for."""

    def __init__(self, text):
        self.entries, self.mistakes, reason = [], [], ""
        for number, line in enumerate(text.splitlines(), 1):
            if line.startswith("[") and line.endswith("]"):
                reason = line[1:-1].strip()
            elif line.strip() and not line.startswith("#"):
                page, bar, entry = line.partition(" | ")
                if not bar or not reason:
                    self.mistakes.append(f"{LIST.name}:{number}: expected PAGE | COMMAND below a [reason]")
                self.entries.append(Entry(page.strip(), entry.strip(), reason, number))

    def entry(self, page, text):
        for entry in self.entries:
            if entry.page == page and entry.text == text:
                entry.used = True
                return entry
        return None

    def stale(self):
        return [f"{LIST.name}:{entry.line}: {entry.page} has no such line: {entry.text}"
                for entry in self.entries if not entry.used]


def listed():
    return Listed(LIST.read_text(encoding="utf-8"))
