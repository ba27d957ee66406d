#!/usr/bin/env python3
"""Checks the links of every Markdown file: the file or folder that a link names is there, and so is the heading behind '#'.

usage: check_links.py SOURCE
Headings have the names that Git forges give them: small letters, spaces as '-', no punctuation, '-1' and so on behind a name
that repeats. Code is left out. Links to other hosts are not opened.
"""
import os
import re
import sys
from urllib.parse import unquote

from source_tree import line_of, list_files, read, report

FENCE = re.compile(r"^( *)(`{3,}|~{3,})[^\n]*\n.*?(?:^ *\2`* *$|\Z)", re.M | re.S)
CODE = re.compile(r"(`+)(?!`).+?(?<!`)\1(?!`)", re.S)
LINK = re.compile(r"\]\(\s*<?([^)\s>]*)>?(?:\s+[\"'][^)]*)?\)")
REFERENCE = re.compile(r"^ {0,3}\[[^\]^]+\]:\s*<?(\S+?)>?\s*$", re.M)
HEADING = re.compile(r"^ {0,3}#{1,6} +(.*?)(?: +#+)? *$", re.M)
OTHER = re.compile(r"^(?:[a-z][a-z0-9+.-]*:|//)", re.I)


def blank(match):
    return re.sub(r"[^\n]", " ", match.group(0))


def without_code(text):
    """The text with code blanked; places stay the same."""
    return CODE.sub(blank, FENCE.sub(blank, text))


def slug(heading):
    """The name that a heading has in links, before others of the same name count."""
    heading = re.sub(r"!?\[([^\]]*)\]\([^)]*\)", r"\1", heading)
    return re.sub(r"[^\w -]", "", heading.strip().lower()).replace(" ", "-")


def anchors(text):
    """The names of all headings and of elements of HTML."""
    found, counts = set(), {}
    for heading in HEADING.findall(FENCE.sub(blank, text)):
        name = slug(heading)
        number = counts.get(name, 0)
        counts[name] = number + 1
        found.add("%s-%d" % (name, number) if number else name)
    found.update(re.findall(r"<[a-z][^>]*?\s(?:id|name)=\"([^\"]+)\"", text, re.I))
    return found


def links(text):
    """(place, target) of each link, picture and reference."""
    text = without_code(text)
    for pattern in (LINK, REFERENCE):
        for match in pattern.finditer(text):
            yield match.start(), match.group(1)
    for match in re.finditer(r"<[a-z][^>]*?\s(?:href|src)=\"([^\"]*)\"", text, re.I):
        yield match.start(), match.group(1)


def check_page(root, path, read_page):
    """What is wrong with the links of a page. `read_page` gives the text of a path below `root`."""
    text, problems = read_page(path), []
    for place, link in links(text):
        where = "%s:%d" % (path, line_of(text, place))
        if OTHER.match(link):
            continue
        name, _, part = unquote(link).partition("#")
        target = os.path.normpath(os.path.join(os.path.dirname(path), name)) if name else path
        if not link:
            problems.append("%s: a link without a target" % where)
        elif target.startswith("..") or name.startswith("/"):
            problems.append("%s: '%s' leads out of the project" % (where, link))
        elif not os.path.exists(os.path.join(root, target)):
            problems.append("%s: '%s': no file '%s'" % (where, link, target))
        elif part and target.endswith(".md") and part not in anchors(read_page(target)):
            problems.append("%s: '%s': no heading '#%s' in %s" % (where, link, part, target))
    return problems


def main():
    if len(sys.argv) > 2 or sys.argv[1:2] in (["-h"], ["--help"]):
        print("usage: check_links.py SOURCE", file=sys.stdout if len(sys.argv) == 2 else sys.stderr)
        sys.exit(0 if len(sys.argv) == 2 else 2)
    root, texts, problems = sys.argv[1] if len(sys.argv) > 1 else ".", {}, []

    def read_page(path):
        if path not in texts:
            texts[path] = read(root, path)
        return texts[path]

    for path in list_files(root, (".md",)):
        problems.extend(check_page(root, path, read_page))
    sys.exit(report("links", problems, "broken links"))


if __name__ == "__main__":
    main()
