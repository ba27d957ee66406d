#!/usr/bin/env python3
"""Checks that nothing uses the words that docs/glossary.md retires: the rows of its table "Retired words".

usage: check_words.py SOURCE
A row has a word or phrase in backquotes, phrases that may stay ("not `in turn`"), what to write instead, and where: `all files`
of the project, or `text`, which is what users read: pages, messages and help texts, that is Markdown, strings of the
compiler, the runtime and the tools, comments of the headers that applications include, docstrings of the Python package,
and the comment that opens a command (its --help); `sources`, which is every file under the folders of SOURCES as a whole,
comments and names too; or `text and sources`. A space of a phrase stands for any space, a line's end included.
"""
import re
import sys

from source_tree import list_files, read, report

GLOSSARY = "docs/glossary.md"
SUFFIXES = (".cpp", ".h", ".c", ".cu", ".td", ".def", ".py", ".mlir", ".test", ".cmake", ".txt", ".md", ".hpp")
# What was decided keeps its words, and so do the names of committed cases.
EXEMPT = (GLOSSARY, "test/unit/scripts/test_checks.py", "docs/decisions/", "test/conformance/", "tools/scripts/cases/conformance_", "CHANGELOG.md")
PRODUCT = ("frontend/", "ir/", "passes/", "codegen/", "runtime/", "tools/")
SOURCES = PRODUCT + ("cmake/",)
COMMAND = re.compile(r"tools/(?:scripts|bench)/[^/.]+(?:\.py)?$")
TOKEN = re.compile(r'//[^\n]*|/\*.*?\*/|R"(\w*)\(.*?\)\1"|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])+\'', re.S)
COMMENT = re.compile(r'(//[^\n]*|/\*(?s:.*?)\*/|"(?:\\.|[^"\\\n])*")')
DOCSTRING = re.compile(r'("""(?s:.*?)""")')
ROW = re.compile(r"^\| `([^`]+)`((?:,? not (?:`[^`]+`(?:, )?)+)?) \| ([^|]+?) \| (all files|text|sources|text and sources) \|$", re.M)


def phrase(words):
    return r"(?<![\w-])%s(?![\w-])" % r"\s+".join(map(re.escape, words.split()))


class Word:
    """A row of the table."""

    def __init__(self, word, spared, instead, place):
        self.word, self.instead, self.everywhere = word, instead, place == "all files"
        self.shown = place.startswith("text")
        self.whole = SOURCES if place.endswith("sources") else ()  # folders whose files are checked as a whole
        self.pattern = re.compile(phrase(word), re.I)
        self.spared = re.compile("|".join(map(phrase, spared)), re.I) if spared else None

    def find(self, text):
        """Places of the word, but for those inside of phrases that may stay."""
        kept = [match.span() for match in self.spared.finditer(text)] if self.spared else []
        return [match.start() for match in self.pattern.finditer(text)
                if not any(start <= match.start() and match.end() <= end for start, end in kept)]


def retired(glossary):
    """The words of the table; a row that cannot be read is a mistake."""
    table = glossary.partition("## Retired words")[2]
    words = [Word(word, re.findall(r"`([^`]+)`", spared), instead, place) for word, spared, instead, place in ROW.findall(table)]
    rows = len(re.findall(r"^\| `", table, re.M))
    if rows != len(words) or not words:
        sys.exit("check_words: %s: %d of %d rows of retired words can be read" % (GLOSSARY, len(words), rows))
    return words


def blank(text):
    return re.sub(r"[^\n]", " ", text)


def strings(text):
    """Code with all but its strings blanked, names of included files too; places stay the same."""
    parts, at = [], 0
    for match in TOKEN.finditer(text):
        token = match.group(0)
        name = re.search(r"#include\s+$", text[max(0, match.start() - 20):match.start()])
        parts += [blank(text[at:match.start()]), blank(token) if name or token.startswith(("//", "/*", "'")) else token]
        at = match.end()
    return "".join(parts) + blank(text[at:])


def help_of(text):
    """A command with all but its opening comment blanked."""
    match = re.match(r'(?:#!.*\n)?(?:(?:#.*\n)+|"""(?s:.*?)""")', text)
    end = match.end() if match else 0
    return text[:end] + blank(text[end:])


def read_by_users(path, text):
    """The part of a file that users read, the rest blanked; None where there is none."""
    if path.endswith(".md"):
        return text
    if path.startswith(("runtime/include/", "tools/libsymc/include/", "tools/predict/include/")) and path.endswith((".h", ".hpp")):
        return "".join(blank(piece) if number % 2 == 0 else piece for number, piece in enumerate(COMMENT.split(text)))
    if path.startswith("tools/python/symc/"):
        return "".join(blank(piece) if number % 2 == 0 else piece for number, piece in enumerate(DOCSTRING.split(text)))
    if path.startswith(PRODUCT) and path.endswith((".cpp", ".h", ".hpp", ".c", ".td", ".def")):
        return strings(text)
    return help_of(text) if COMMAND.match(path) else None


def check_file(path, text, words):
    problems, small = [], text.lower()
    words = [word for word in words if word.word.split()[0].lower() in small]  # before a file is taken apart
    shown = read_by_users(path, text) if words else None
    for word in words:
        whole = word.everywhere or path.startswith(word.whole)
        for place in word.find(text if whole else shown if shown and word.shown else ""):
            problems.append("%s:%d: '%s' is retired; write %s" % (path, text.count("\n", 0, place) + 1, word.word, word.instead))
    return problems


def main():
    root = sys.argv[1] if len(sys.argv) > 1 else "."
    words = retired(read(root, GLOSSARY))
    problems = []
    for path in list_files(root):
        if (path.endswith(SUFFIXES) or path.startswith(SOURCES)) and not path.startswith(EXEMPT):
            problems.extend(check_file(path, read(root, path), words))
    sys.exit(report("words", problems, "retired words"))


if __name__ == "__main__":
    main()
