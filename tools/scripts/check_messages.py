#!/usr/bin/env python3
"""Checks that a test quotes every diagnostic.

A message is made at a call of a reporting function (error, warning, note,
fail, emitError, emitOpError, emitRemark, set and addNote of the runtime's
Problem ...) or of a function that returns it as text (checkParams), or stands
in a .def or X-macro list of sentences. Its constant parts are the string
literals there; the longest must appear in a file under test/, which is how a
test that quotes the message looks whatever the values in it.
"""
import re
import sys

import known_gaps
from source_tree import line_of, list_files, read, report, without_comments

SITE = re.compile(
    r"\b(?:emitError|emitOpError|emitWarning|emitRemark|createStringError|attachNote|error|warning|note|"
    r"fail|failAt|refuse|addNote|report_error|setError|symc_fail|set_message|appendNote|mistake|problem\.set|"
    r"problem->set|out\.set)\s*\(")
RETURNING = re.compile(r"\b(?:std::string|::std::string)\s+\w*(?:::)?(?:check\w*|\w*Problem|\w*Mistake)\s*\([^;{]*\)\s*(?:const\s*)?\{")
SENTENCE_LIST = re.compile(r"^\s*(?:X|SYMC_STATUS|SYMC_ERROR|SYMC_EXIT)?\w*\(\s*\w+\s*,\s*\d+\s*,\s*((?:\"(?:\\.|[^\"\\])*\"\s*\\?\s*)+)\)", re.M)
LITERAL = re.compile(r'"((?:\\.|[^"\\\n])*)"')
FORMAT = re.compile(r"%[-+ #0]*[\d*]*(?:\.[\d*]+)?(?:hh|h|ll|l|z|j|t)?[diouxXeEfgGcsp]|%%|\{\d*[^}]*\}")
LEAST = 8  # shorter constants are punctuation between values


def unescape(text):
    return text.replace('\\"', '"').replace("\\\\", "\\").replace("\\n", "\n").replace("\\'", "'")


def statement_end(text, start):
    """The offset just after the statement that contains `start`."""
    depth = 0
    index = start
    while index < len(text):
        char = text[index]
        if char == '"':
            match = LITERAL.match(text, index)
            index = match.end() if match else index + 1
            continue
        if char in "([{":
            depth += 1
        elif char in ")]}":
            depth -= 1
            if depth < 0:
                return index
        elif char == ";" and depth <= 0:
            return index
        index += 1
    return index


def block_end(text, start):
    depth = 0
    for index in range(start, len(text)):
        if text[index] == "{":
            depth += 1
        elif text[index] == "}":
            depth -= 1
            if depth == 0:
                return index
    return len(text)


def constants(piece):
    """Constant parts of the literals in a statement; adjacent literals join."""
    joined = re.sub(r'"\s*\\?\s*\n\s*"', "", piece)
    parts = []
    for literal in LITERAL.findall(joined):
        parts.extend(part.strip() for part in FORMAT.split(unescape(literal)))
    return [part for part in parts if len(re.sub(r"[^A-Za-z]", "", part)) >= LEAST]


def messages(path, text):
    """(offset, longest constant part) of each message made in a file."""
    code = without_comments(text)
    spans = []
    for match in SITE.finditer(code):
        line_start = code.rfind("\n", 0, match.start()) + 1
        if code[line_start:match.start()].lstrip().startswith("#"):
            continue
        spans.append((match.start(), statement_end(code, match.end() - 1)))
    for match in RETURNING.finditer(code):
        end = block_end(code, match.end() - 1)
        for inner in re.finditer(r"\breturn\b", code[match.end():end]):
            at = match.end() + inner.start()
            spans.append((at, statement_end(code, at)))
    reached = -1
    for start, end in sorted(spans):
        if start < reached:
            continue
        reached = end
        parts = constants(code[start:end])
        if parts:
            yield start, max(parts, key=len)
    for match in SENTENCE_LIST.finditer(code):
        parts = constants(match.group(1))
        if parts and " " in max(parts, key=len):
            yield match.start(1), max(parts, key=len)


def quoted_text(root):
    """All text of the tests, with C++ literals joined and escapes undone."""
    pieces = []
    for path in list_files(root, None, "test/"):
        if path.startswith(("test/conformance/ops/", "test/known-gaps/")) or \
                not path.endswith((".mlir", ".test", ".cpp", ".py", ".json", ".h", ".txt", ".list", ".def")):
            continue
        text = read(root, path)
        text = re.sub(r'"\s*\\?\s*\n\s*(?:R?)"', "", text)
        pieces.append(unescape(text))
        # FileCheck and lit spell regular expressions between {{ and }}.
        pieces.append(re.sub(r"\{\{(.*?)\}\}", lambda m: m.group(1).replace("\\", ""), text))
    return "\n".join(pieces)


def main():
    arguments = [word for word in sys.argv[1:] if word != "--update"]
    root = arguments[0] if arguments else "."
    corpus = quoted_text(root)
    gaps = {}
    count = 0
    for path in list_files(root, (".cpp", ".h", ".def")):
        if path.split("/")[0] not in ("frontend", "ir", "passes", "codegen", "runtime", "tools"):
            continue
        if path.startswith("tools/bench/"):
            continue
        text = read(root, path)
        for offset, part in messages(path, text):
            count += 1
            if part not in corpus:
                entry = "%s: no test quotes: %s" % (path, part.replace("\n", " "))
                gaps.setdefault(entry, "%s:%d" % (path, line_of(text, offset)))
    print("%d messages" % count)
    problems = known_gaps.compare(root, "messages.txt", gaps, "--update" in sys.argv)
    sys.exit(report("messages", problems, "problems"))


if __name__ == "__main__":
    main()
