"""If this fails, the check of types sees other Python than the pages have, or accepts what the stubs do not allow."""
import os
import subprocess
import sys
import tempfile
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
SCRIPTS = os.path.join(HERE, *[os.pardir] * 3, "tools", "scripts")
sys.path[:0] = [os.path.join(SCRIPTS, "checks"), os.path.join(SCRIPTS, "lib")]
sys.dont_write_bytecode = True
import check_types
import virtual_environment

PAGE = """# A page
```python
import symc as mx
```
Text.
```
no Python
```
```python
>>> x = [1,
...      2]
>>> x[0]
1
```
"""


class Types(unittest.TestCase):
    def test_a_page_is_one_program_at_its_lines(self):
        self.assertEqual([(number, line) for number, line in enumerate(check_types.program_of(PAGE).splitlines(), 1) if line],
                         [(3, "import symc as mx"), (10, "x = [1,"), (11, "     2]"), (12, "x[0]")])
        self.assertEqual(check_types.program_of("no Python\n```\nx\n```\n"), "")

    def test_packages_that_cannot_be_installed(self):
        with tempfile.TemporaryDirectory() as folder:
            requirements = os.path.join(folder, "requirements.txt")
            with open(requirements, "w", encoding="utf-8") as file:
                file.write("./nowhere==1\n")
            said = []
            with self.assertRaisesRegex(virtual_environment.Missing, "^cannot install the packages of .*requirements.txt: "):
                virtual_environment.python_of(os.path.join(folder, "venv"), requirements, said.append)
            self.assertRegex(said[0], "^installing 1 packages into ")

    def test_usage(self):
        done = subprocess.run([sys.executable, os.path.join(SCRIPTS, "checks", "check_types.py"), "."], capture_output=True,
                              text=True, check=False)
        self.assertEqual(done.returncode, 2)


if __name__ == "__main__":
    unittest.main()
