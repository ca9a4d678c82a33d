#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Whether each command and snippet of the documents names what there is, in seconds and without running the commands.

    check_pages.py DOVETAIL COMPILER    verbs, options, values, specs, scripts, paths; snippets compile or are quotations
    check_pages.py --self-test DOVETAIL COMPILER    whether wrong pages are found out

docs/testing.md says how pages are written; run_pages.py runs what is checked here.
"""
import ast
import dataclasses
import pathlib
import re
import subprocess
import sys
import tempfile

import listed
import pages
from known import (PROGRAMS, SPEC, Program, filter_mistake, path_mistake, presets, script_mistake, targets)

QUOTED = ["docs/examples", "examples"]  # folders of whole programs, which other tests build


def mistakes_of_dovetail(words, program):
    verb, rest = words[1] if len(words) > 1 else "", words[2:]
    if verb in ("--help", "--version", "-h"):
        return
    if verb == "help":
        verb, rest = (rest or ["tune"])[0], []
    if verb not in program.verbs:
        yield f"dovetail has no verb {verb}"
        return
    if verb == "log" and rest and rest[0] not in program.actions:
        yield f"dovetail log has no action {rest[0]}"
    options, taking = program.options(verb), None
    for word in rest:
        if taking:
            if taking == "--completion-values":
                if word not in options:
                    yield f"dovetail {verb} has no option {word}"
            elif not program.takes(verb, taking, word):
                yield f"{taking} of dovetail {verb} takes no {word}"
            taking = None
        elif re.match(r"-[-a-z]", word):
            name = word.partition("=")[0]
            if name not in options and name != "--completion-values":
                yield f"dovetail {verb} has no option {name}"
            taking = name if options.get(name, True) and "=" not in word else None
        elif re.fullmatch(SPEC, word, re.S) and program.refusal_of_spec(word):
            yield program.refusal_of_spec(word)
    if taking and taking != "--completion-values":
        yield f"{taking} lacks its value"


def mistakes_of_words(words, program, page):
    """Of a simple command."""
    name = words[0]
    if name == "dovetail" or name.endswith("/dovetail"):
        yield from mistakes_of_dovetail(words, program)
    elif name.startswith(("scripts/", "tests/")):
        yield script_mistake(words)
    elif name.startswith("build/release/tests/"):
        if name.rpartition("/")[2] not in targets():
            yield f"the build makes no {name}"
    elif name not in PROGRAMS and not name.startswith(("./", "build/")):
        yield f"{name} is no program that pages may call; a block of something else is fenced with its language"
    if name == "ninja":
        yield from (f"the build has no {word}" for word in words[3:] if word not in targets())
    for option, value in zip(words, words[1:]):
        if option == "--preset" and value not in presets():
            yield f"there is no preset {value}"
        if name == "cmake" and option == "--target" and value not in targets():
            yield f"the build has no {value}"
    for word in words:
        yield path_mistake(word, page)
        if word.startswith("--gtest_filter="):
            yield filter_mistake(word.partition("=")[2])


def mistakes_of_command(command, program):
    try:
        simple = pages.simple_commands(command.text)
    except ValueError as error:
        return [f"no shell reads it: {error}"]
    return [mistake for words in simple for mistake in mistakes_of_words(words, program, command.page) if mistake]


def mistakes_of_synopsis(block, program):
    """A synopsis names verbs and options; what stands in capitals is the reader's."""
    for line in re.split(r"\n(?=dovetail)", block.text.strip()):
        verb = line.split()[1]
        if verb not in program.verbs:
            yield f"dovetail has no verb {verb}"
        for option in re.findall(r"(?<![\w-])(--?[a-z][a-z-]*)", line):
            if option not in program.options(verb):
                yield f"dovetail {verb} has no option {option}"


def stripped(text):
    return [line.strip() for line in text.splitlines() if line.strip()]


def is_quotation(block):
    """Whether its lines stand in one file of the examples, one after the other, indented as they may be."""
    wanted = "\n" + "\n".join(stripped(block.text)) + "\n"
    for folder in QUOTED:
        for path in (pages.ROOT / folder).rglob("*"):
            if path.is_file() and wanted in "\n" + "\n".join(stripped(path.read_text(encoding="utf-8"))) + "\n":
                return True
    return False


def mistake_of_cpp(block, compiler, folder):
    path = folder / "snippet.cc"
    path.write_text(block.text, encoding="utf-8")
    done = subprocess.run([compiler, "-std=c++20", "-Wall", "-Werror", "-fsyntax-only", f"-I{pages.ROOT}", str(path)],
                          capture_output=True, text=True, check=False)
    return next(line for line in done.stderr.splitlines() if "error" in line) if done.returncode else None


def mistake_of_python(block):
    try:
        ast.parse(block.text)
    except SyntaxError as error:
        return f"Python does not parse it: {error}"
    return None


def mistake_of_asked(block, folder, suffix, program, *words):
    """Of a file that the program reads: what it says against it."""
    path = folder / f"snippet.{suffix}"
    path.write_text(block.text, encoding="utf-8")
    done = program.ask(*(word.replace("FILE", str(path)) for word in words), cwd=pages.ROOT)
    return done.stderr.strip() or "it is refused" if done.returncode else None


def mistakes_of_block(block, program, compiler, folder):
    """Of a block that is fenced as something else than commands."""
    if block.language == "synopsis":
        yield from mistakes_of_synopsis(block, program)
    elif block.language == "cpp":
        yield None if is_quotation(block) else mistake_of_cpp(block, compiler, folder)
    elif block.language in ("c", "cmake"):
        # A whole C file is compiled by run_pages.py, where its header is.
        if "#include" not in block.text and not is_quotation(block):
            yield f"these lines stand in no file of {' and '.join(QUOTED)}"
    elif block.language == "python":
        yield mistake_of_python(block)
    elif block.language == "trace":
        block = dataclasses.replace(block, lines=[line.removesuffix(" ; …") for line in block.lines])
        yield mistake_of_asked(block, folder, "trace", program, "show", block.argument, "--what", "nest", "--trace", "FILE")
    elif block.language == "graph":
        yield mistake_of_asked(block, folder, "graph", program, "show", "FILE", "--what", "tasks")
    elif block.language == "suite":
        yield mistake_of_asked(block, folder, "txt", program, "show", "@FILE")
    elif block.language == "spec":
        yield program.refusal_of_spec(block.lines[0])
    elif block.language == "jsonl":
        yield mistake_of_asked(block, folder, "jsonl", program, "log", "verify", "FILE")
    elif block.language == "json":
        yield mistake_of_asked(block, folder, "json", program, "tune", "--dry-run", "--experiment", "FILE")
    elif block.language != "output":  # compared with what the command before it prints, by run_pages.py
        yield f"a block of {block.language or 'no language'} is neither checked nor listed in {listed.LIST.name}"


def mistakes_of_page(page, text, program, compiler, folder, entries, strict=True):
    before = None
    for block in pages.blocks_of(page, text):
        if block.language == "sh":
            for command in pages.commands_of(block):
                entry = entries.entry(page, command.text)
                if strict or re.match(r"(dovetail|scripts/)", command.text):
                    if not (entry and entry.unchecked):
                        yield from ((command.place, mistake) for mistake in mistakes_of_command(command, program))
        elif strict and not entries.entry(page, f"text: {block.lines[0].strip()}"):
            if block.language == "output" and (before is None or before.language != "sh"):
                yield block.place, "an output follows no command"
            yield from ((block.place, mistake) for mistake in mistakes_of_block(block, program, compiler, folder) if mistake)
        before = block
    for span in pages.spans_of(page, text):
        if not entries.entry(page, span.text):
            yield from ((span.place, mistake) for mistake in mistakes_of_span(span, program))


def mistakes_of_span(span, program):
    """Of a code span: a spec, a script, a path; of a command it may leave something out."""
    if re.fullmatch(SPEC, span.text) and "…" not in span.text:
        refusal = program.refusal_of_spec(span.text)
        return [refusal] if refusal else []
    if not re.match(r"(dovetail [a-z]|scripts/\S+ )", span.text) or re.search(r"…|[A-Z]{3,}|\|", span.text):
        mistake = path_mistake(span.text, span.page) if " " not in span.text else None
        return [mistake] if mistake else []
    return [mistake for mistake in mistakes_of_command(span, program) if "lacks its value" not in mistake]


def unlisted(tables, contents):
    """Pages that no list of contents of the site has: scripts/docs, which builds it, ends with 1."""
    return [f"{table}: docs/site/results.md does not list it" for table in tables
            if table.removesuffix(".md") not in contents.splitlines()]


def all_mistakes(program, compiler):
    tables = sorted(str(path.relative_to(pages.ROOT)) for path in (pages.ROOT / "results").rglob("*.md"))
    yield from unlisted(tables, (pages.ROOT / "docs/site/results.md").read_text())
    entries = listed.listed()
    with tempfile.TemporaryDirectory() as folder:
        for page in pages.pages() + pages.other_pages():
            for place, mistake in mistakes_of_page(page, pages.read(page), program, compiler, pathlib.Path(folder), entries,
                                                   strict=page in pages.pages()):
                yield f"{place}: {mistake}"
    yield from entries.mistakes + entries.stale()


def main(arguments):
    self_test = arguments[:1] == ["--self-test"]
    dovetail, compiler = arguments[self_test:]
    program = Program(dovetail)
    if self_test:
        import self_test as tests  # only here: it is a list of wrong pages
        mistakes = tests.mistakes(program, compiler)
    else:
        mistakes = list(all_mistakes(program, compiler))
    for mistake in mistakes:
        print(mistake)
    print(f"{len(mistakes)} mistakes")
    return 1 if mistakes else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
