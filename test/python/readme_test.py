"""If this fails, the Python that README shows does not do what its comment says."""
import contextlib
import io
import os
import re
import unittest

TOP = os.path.join(os.path.dirname(os.path.abspath(__file__)), os.pardir, os.pardir)


class Readme(unittest.TestCase):
    def test_its_python_prints_what_it_says(self):
        with open(os.path.join(TOP, "README.md"), encoding="utf-8") as file:
            (code,) = re.findall(r"```python\n(.*?)```", file.read(), re.S)
        printed = io.StringIO()
        with contextlib.redirect_stdout(printed):
            exec(compile(code, "README.md", "exec"), {})  # pylint: disable=exec-used
        self.assertEqual(printed.getvalue().strip(), re.search(r"# (\[\[.*)", code).group(1))


if __name__ == "__main__":
    unittest.main()
