"""If this fails, an example for Python in docs/gradients.md does not do what the page says: its blocks run here from the
first to the last, in one namespace."""
import os
import re
import unittest

PAGE = os.path.join(os.path.dirname(os.path.abspath(__file__)), os.pardir, os.pardir, "docs", "gradients.md")


class Page(unittest.TestCase):
    def test_blocks(self):
        with open(PAGE, encoding="utf-8") as file:
            blocks = re.findall(r"^```python\n(.*?)^```$", file.read(), re.M | re.S)
        names = {}
        for number, code in enumerate(blocks):
            with self.subTest(number):
                exec(compile(code, "gradients.md", "exec"), names)
        self.assertGreaterEqual(len(blocks), 3)


if __name__ == "__main__":
    unittest.main()
