"""If this fails, an example of docs/python.md or docs/training.md does not do what the page says: the blocks of a page run
here from the first to the last, in one namespace and an empty folder, those with >>> with the answers that they show."""
import contextlib
import doctest
import io
import os
import re
import tempfile
import unittest

DOCS = os.path.join(os.path.dirname(os.path.abspath(__file__)), os.pardir, os.pardir, "docs")


def blocks(page):
    """(line, code) of each block."""
    with open(os.path.join(DOCS, page), encoding="utf-8") as file:
        text = file.read()
    for match in re.finditer(r"^```python\n(.*?)^```$", text, re.M | re.S):
        yield text.count("\n", 0, match.start()) + 1, match.group(1)


class Page(unittest.TestCase):
    def test_package(self):
        self.run_page("python.md", "drawing.svg")

    def test_training(self):
        self.run_page("training.md", "fitted-0020.states")

    def run_page(self, page, made):
        """`made`: a file that the blocks write."""
        names, here = {}, os.getcwd()
        with tempfile.TemporaryDirectory() as folder:
            os.chdir(folder)
            try:
                for line, code in blocks(page):
                    with self.subTest(page=page, line=line):
                        self.run_block(code, names, line)
                self.assertTrue(os.path.exists(made))
            finally:
                os.chdir(here)

    def run_block(self, code, names, line):
        if code.startswith(">>>"):
            self.answers(code, names, line)
        else:
            with contextlib.redirect_stdout(io.StringIO()):
                exec(compile(code, "page", "exec"), names)

    def answers(self, code, names, line):
        test = doctest.DocTestParser().get_doctest(code, names, "page", "page", line)
        test.globs = names  # the parser copies them
        said = io.StringIO()
        runner = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS)
        runner.run(test, out=said.write, clear_globs=False)
        self.assertEqual(runner.failures, 0, said.getvalue())


if __name__ == "__main__":
    unittest.main()
