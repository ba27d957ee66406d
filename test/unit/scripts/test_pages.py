"""If this fails, a page leads to a file, or to a part of a page, that is not there."""
import glob
import os
import re
import unittest

TOP = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "..")
PLACE = re.compile(r"`((?:codegen|docs|examples|frontend|ir|passes|runtime|test|tools|cmake)/[\w./*-]+)`")
LINK = re.compile(r"\]\(([^)\s]*)\)")
# Files of who follows a page, and the folder that stands for no gaps.
PLACEHOLDER = re.compile(r"/(x|X|XOp|XLowering|XSource|XAlgorithm|XTasks|family|Family)(-errors)?(\.|/|$)|^test/known-gaps$")


def pages():
    for pattern in ("*.md", "docs/*.md", "docs/decisions/*.md", "test/*/README.md"):
        yield from glob.glob(os.path.join(TOP, pattern))


def text_of(path):
    with open(path, encoding="utf-8") as file:
        return file.read()


def anchors(text):
    """The names that headings have in links."""
    return {re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-") for heading in re.findall(r"^#+ (.*)$", text, re.M)}


class Pages(unittest.TestCase):
    def test_places(self):
        lost = ["%s: %s" % (os.path.relpath(page, TOP), place) for page in pages() for place in PLACE.findall(text_of(page))
                if not PLACEHOLDER.search(place) and not glob.glob(os.path.join(TOP, place))]
        self.assertEqual(lost, [])

    def test_links(self):
        lost = []
        for page in pages():
            for link in LINK.findall(text_of(page)):
                path, _, part = link.partition("#")
                target = os.path.join(os.path.dirname(page), path) if path else page
                if "://" not in link and (not os.path.exists(target) or part and part not in anchors(text_of(target))):
                    lost.append("%s: %s" % (os.path.relpath(page, TOP), link))
        self.assertEqual(lost, [])


if __name__ == "__main__":
    unittest.main()
