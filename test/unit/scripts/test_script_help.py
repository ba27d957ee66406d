"""If these fail, a shell script of tools/scripts that is asked for help, or for what it does not know, does its work
instead: it installs packages, or builds for an hour. Run by ctest as check-scripts.
"""
import os
import subprocess
import tempfile
import unittest

SCRIPTS = os.path.join(os.path.dirname(__file__), "..", "..", "..", "tools", "scripts")
# What scripts do their work by.
WORKERS = ("apt-get", "apt-cache", "cmake", "dpkg-query", "pip", "sudo")


def shell_scripts():
    for name in sorted(os.listdir(SCRIPTS)):
        path = os.path.join(SCRIPTS, name)
        if os.path.isfile(path):
            with open(path, "rb") as file:
                if file.readline().endswith(b"bash\n"):
                    yield name


class Help(unittest.TestCase):
    def run_script(self, name, *arguments):
        """The script where what it works by fails, and says so."""
        with tempfile.TemporaryDirectory() as folder:
            for worker in WORKERS:
                path = os.path.join(folder, worker)
                with open(path, "w") as file:
                    file.write('#!/bin/sh\necho "%s was called" >&2\nexit 9\n' % worker)
                os.chmod(path, 0o755)
            environment = dict(os.environ, PATH=folder + os.pathsep + os.environ["PATH"])
            return subprocess.run([os.path.join(SCRIPTS, name), *arguments], stdin=subprocess.DEVNULL, env=environment,
                                  capture_output=True, text=True, check=False)

    def test_help(self):
        for name in shell_scripts():
            with open(os.path.join(SCRIPTS, name)) as file:
                head = file.read().splitlines()[1][2:]
            for flag in "-h", "--help":
                with self.subTest(script=name, flag=flag):
                    done = self.run_script(name, flag)
                    self.assertEqual((done.returncode, done.stderr), (0, ""))
                    self.assertTrue(head in done.stdout or "usage: " + name in done.stdout, done.stdout)

    def test_unknown_arguments(self):
        for name in shell_scripts():
            with self.subTest(script=name):
                done = self.run_script(name, "--wrong")
                self.assertEqual(done.returncode, 2)
                self.assertIn(name, done.stderr)
                self.assertNotIn("was called", done.stderr)


if __name__ == "__main__":
    unittest.main()
