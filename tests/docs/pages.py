# SPDX-License-Identifier: Apache-2.0
"""Reads a page of the documents: its blocks, the commands in them, and its code spans.

An indented block, or one that is fenced as `sh`, holds commands, one a line. All else is fenced with its language; what
stands behind the language says more of it: the file that a `graph`, `suite` or `jsonl` is, the spec that a `trace` is of.
"""
import dataclasses
import pathlib
import re
import shlex

ROOT = pathlib.Path(__file__).resolve().parents[2]


@dataclasses.dataclass
class Block:
    page: str  # from the root of the checkout
    line: int  # of its first line
    language: str  # sh of an indented one
    argument: str  # what stands behind the language
    lines: list[str]

    @property
    def text(self):
        return "\n".join(self.lines) + "\n"

    @property
    def place(self):
        return f"{self.page}:{self.line}"


@dataclasses.dataclass
class Command:
    page: str
    line: int
    text: str  # one line, without its comment
    exit_code: int = 0  # that the page states: "# exit code 3"

    @property
    def place(self):
        return f"{self.page}:{self.line}"


def pages():
    """Pages whose commands are checked, and run; names from the root of the checkout."""
    return ["README.md"] + sorted(f"docs/{path.name}" for path in (ROOT / "docs").glob("*.md"))


def other_pages():
    """Pages whose commands are checked only: they quote what the others say."""
    folders = ["results", "docs/schemas", "scripts", "tests"]
    found = [path for folder in folders for path in (ROOT / folder).rglob("README.md")]
    found += [ROOT / folder / "README.md" for folder in ("dovetail", "primitives", "measure", "deploy", "campaign")]
    return sorted(str(path.relative_to(ROOT)) for path in found if path.exists())


def read(page):
    return (ROOT / page).read_text(encoding="utf-8")


def blocks_of(page, text):
    """Blocks in order."""
    found, block, fence = [], None, None
    before = ""
    for number, line in enumerate(text.splitlines(), 1):
        opened = re.match(r"( *)(```+) *(\S*) *(.*)$", line)
        if fence is not None:
            if line.strip() == fence:
                block = fence = None
            else:
                block.lines.append(line)
        elif opened:
            block, fence = Block(page, number + 1, opened[3], opened[4].strip(), []), opened[2]
            found.append(block)
        elif line.startswith("    ") and line.strip() and (block is not None or not before.strip()):
            if block is None:
                block = Block(page, number, "sh", "", [])
                found.append(block)
            block.lines.append(line[4:])
        else:
            block = None
        before = line
    return found


def comment_begins(line):
    """Where the comment of a shell's line begins: at a # that begins a word outside of quotes."""
    quote = None
    for at, letter in enumerate(line):
        if quote:
            quote = None if letter == quote else quote
        elif letter in "'\"":
            quote = letter
        elif letter == "#" and (at == 0 or line[at - 1].isspace()):
            return at
    return len(line)


def commands_of(block):
    """Commands of a block of a shell; a line that ends with a backslash goes on."""
    found, started = [], None
    for number, line in enumerate(block.lines, block.line):
        code, comment = line[:comment_begins(line)].strip(), line[comment_begins(line):]
        if started:
            started.text += " " + code
        elif code:
            started = Command(block.page, number, code)
            found.append(started)
        if started:
            stated = re.search(r"exit code (\d+)", comment)
            if stated:
                started.exit_code = int(stated[1])
            if not started.text.endswith("\\"):
                started = None
            else:
                started.text = started.text[:-1].rstrip()
    return found


def spans_of(page, text):
    """Code spans of the prose, as commands; those that are none are the reader's to tell."""
    outside, fence = [], None
    for line in text.splitlines():
        opened = re.match(r" *(```+)", line)
        if fence is not None or opened or line.startswith("    "):
            outside.append("")
            if fence is not None and line.strip() == fence:
                fence = None
            elif opened and fence is None:
                fence = opened[1]
        else:
            outside.append(line)
    # A span may go on in the next line; a paragraph ends it.
    prose = "\n".join(outside)
    found = []
    for paragraph in re.finditer(r"(?:.+\n?)+", prose):
        for span in re.finditer(r"(`+)(.+?)\1(?!`)", paragraph[0], re.S):
            line = prose.count("\n", 0, paragraph.start() + span.start()) + 1
            found.append(Command(page, line, " ".join(span[2].replace("\\|", "|").split())))
    return found


OPERATORS = {"&&", "||", "|", ";", "&", "(", ")"}
KEYWORDS = {"do", "done", "then", "fi", "export", "if", "else", "time"}


def simple_commands(text):
    """The simple commands of a shell's line, each as its words; redirections and assignments are left out."""
    inner = re.findall(r"\$\(([^()]*)\)", text)
    text = re.sub(r"\$\([^()]*\)", "", text)
    lexer = shlex.shlex(text, posix=True, punctuation_chars=True)
    lexer.whitespace_split, lexer.commenters = True, ""
    found, words, skip = [], [], False
    for word in [*lexer, ";"]:
        if skip:
            skip = False
        elif word in OPERATORS:
            if words and words[0] != "for":
                found.append(words)
            words = []
        elif re.fullmatch(r"[<>]+&?", word):
            skip = True
            if words and words[-1].isdigit():  # 2> FILE
                words.pop()
        elif not words and (word in KEYWORDS or re.match(r"\w+=", word)):
            pass
        else:
            words.append(word)
    return found + [words for command in inner for words in simple_commands(command)]
