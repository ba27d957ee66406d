"""If this fails, a page names a file in code that is not there. Links are check_links.py's."""
import glob
import os
import re
import unittest

TOP = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "..")
PLACE = re.compile(r"`((?:codegen|docs|examples|frontend|ir|passes|runtime|test|tools|cmake)/[\w./*-]+)`")
# Files of who follows a page, and the folder that stands for no gaps.
PLACEHOLDER = re.compile(r"/(x|X|XOp|XLowering|XSource|XAlgorithm|XTasks|family|Family)(-errors)?(\.|/|$)|^test/known-gaps$")


def pages():
    for pattern in ("*.md", "docs/*.md", "docs/decisions/*.md", "test/*/README.md"):
        yield from glob.glob(os.path.join(TOP, pattern))


def text_of(path):
    with open(path, encoding="utf-8") as file:
        return file.read()


class Pages(unittest.TestCase):
    def test_places(self):
        lost = ["%s: %s" % (os.path.relpath(page, TOP), place) for page in pages() for place in PLACE.findall(text_of(page))
                if not PLACEHOLDER.search(place) and not glob.glob(os.path.join(TOP, place))]
        self.assertEqual(lost, [])


if __name__ == "__main__":
    unittest.main()
