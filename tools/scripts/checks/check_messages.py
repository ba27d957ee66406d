#!/usr/bin/env python3
"""Checks that a test quotes every diagnostic.

A message is made in a statement that calls a reporting function (error, note,
fail, emitError, emitRemark, set and addNote of the runtime's Problem ...) or
that holds a string of three words or more, wherever it stands: messages travel
through helpers. Statements that print (printf) and the files of PRINTERS, whose
text is output, make none; internal errors cannot be provoked. The constant
parts of a message are its string literals; the longest must appear in a file
under test/, which is how a test that quotes the message looks whatever the
values in it.
"""
import re
import sys

import known_gaps
from source_tree import line_of, list_files, read, report, without_comments

SITE = re.compile(
    r"\b(?:emitError|emitOpError|emitWarning|emitRemark|createStringError|attachNote|error|warning|note|pointAt|"
    r"fail|failAt|refuse|addNote|report_error|setError|symc_fail|set_message|appendNote|mistake|problem\.set|"
    r"problem->set|out\.set)\s*\(")
LITERAL = re.compile(r'"((?:\\.|[^"\\\n])*)"')
FORMAT = re.compile(r"%[-+ #0]*[\d*]*(?:\.[\d*]+)?(?:hh|h|ll|l|z|j|t)?[diouxXeEfgGcsp]|%%|\{\d*[^}]*\}")
RAW = re.compile(r'R"(\w*)\(.*?\)\1"', re.S)
SILENT = re.compile(r"\b(?:printf|fprintf|snprintf|static_assert|assert|llvm_unreachable|report_fatal_error|cl::desc)\s*\($|\bassert\s*\([^;]*$")
# Files whose sentences are what a tool prints when all is well.
PRINTERS = ("codegen/emit/CHeader.cpp", "tools/libsymc/make_operators_header.cpp", "runtime/main/describe_model.cpp", "runtime/main/answers.cpp",
            "runtime/main/flags.def", "runtime/train/program/options.def", "runtime/train/program/describe.cpp",
            "runtime/train/program/history.cpp", "runtime/main/exit_codes.def", "runtime/core/environment.def", "runtime/include/symc/optimizers.def",
            "runtime/include/symc/initializers.def", "tools/packages/variables.def", "frontend/onnx/Operators.def")
# Files that write source code: what they report as an error is a message, no other text.
WRITERS = ("codegen/cuda/",)
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


def constants(piece):
    """Constant parts of the literals in a statement; adjacent literals join."""
    joined = re.sub(r'"\s*\\?\s*\n\s*"', "", piece)
    parts = []
    for literal in LITERAL.findall(joined):
        parts.extend(part.strip() for part in FORMAT.split(unescape(literal)))
    return [part for part in parts if len(re.sub(r"[^A-Za-z]", "", part)) >= LEAST]


def statement_start(text, offset):
    """The offset after the `;`, `{`, `}` or label that opens the statement."""
    bare = text[:offset]
    return max(bare.rfind(char) for char in ";{}") + 1


def messages(path, text):
    """(offset, longest constant part) of each message made in a file."""
    code = without_comments(text)
    code = RAW.sub(lambda match: re.sub(r"[^\n]", " ", match.group(0)), code)
    spans = {}
    for match in SITE.finditer(code):
        line_start = code.rfind("\n", 0, match.start()) + 1
        if not code[line_start:match.start()].lstrip().startswith("#"):
            spans[match.start()] = statement_end(code, match.end() - 1)
    covered = -1
    for match in () if path.startswith(WRITERS) else LITERAL.finditer(code):
        start = match.start()
        if start < covered or any(a <= start < b for a, b in spans.items()):
            continue
        line_start = code.rfind("\n", 0, start) + 1
        if re.match(r"\s*#\s*include", code[line_start:start]) or len(match.group(1).split()) < 3:
            continue
        line = code[line_start:(code.find("\n", start) + 1 or len(code) + 1) - 1]
        if line.rstrip().endswith("\\") or path.endswith(".def"):  # a row of an X-macro list
            spans[start] = covered = match.end()
            continue
        opening = statement_start(code, start)
        if SILENT.search(code[opening:start]) or SILENT.search(code[opening:start].rstrip()):
            continue
        spans[start] = covered = statement_end(code, start)
    reached = -1
    for start, end in sorted(spans.items()):
        if start < reached:
            continue
        reached = end
        parts = constants(code[start:end])
        if parts and not any(part.startswith("internal error") for part in parts):
            yield start, max(parts, key=len)


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
    for path in list_files(root, (".cpp", ".h", ".hpp", ".def")):
        if path.split("/")[0] not in ("frontend", "ir", "passes", "codegen", "runtime", "tools"):
            continue
        if path.startswith("tools/bench/") or path in PRINTERS:
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
