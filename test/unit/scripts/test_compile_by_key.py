"""If these fail, a build takes the object of other bitcode or of other flags, keeps that of a compilation that failed,
or compiles the kernels in each checkout anew. Run by ctest as check-scripts.
"""
import os
import subprocess
import tempfile
import unittest

SCRIPT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "..", "cmake", "compile-by-key")


class Keys(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name
        # A compiler that writes down that it ran: compiler FLAG INPUT OUTPUT.
        self.program("ccache", 'test "$*" = "--get-config cache_dir" && echo %s/cache' % self.folder)
        self.program("compiler", 'echo run >>%s/ran; cat "$2" >"$3"; echo " by $1" >>"$3"; test "$1" != -broken' % self.folder)
        self.compiles = 0

    def program(self, name, text):
        self.write(name, "#!/bin/sh\n%s\n" % text)
        os.chmod(os.path.join(self.folder, name), 0o755)

    def write(self, name, text):
        path = os.path.join(self.folder, name)
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        return path

    def compile(self, bitcode, flag="-O2", name="a", status=0, **variables):
        """(what the object holds, whether the compiler ran)"""
        source, result = self.write(name + ".bc", bitcode), os.path.join(self.folder, name + ".o")
        done = subprocess.run([SCRIPT, os.path.join(self.folder, "ccache"), source, result, os.path.join(self.folder, "compiler"),
                               flag, source, result], check=False, env={**os.environ, **variables})
        self.assertEqual(done.returncode, status)
        with open(os.path.join(self.folder, "ran"), encoding="utf-8") as file:
            ran = len(file.readlines())
        before, self.compiles = self.compiles, ran
        with open(result, encoding="utf-8") as file:
            return file.read(), ran > before

    def test_the_same_again(self):
        self.assertEqual(self.compile("x"), ("x by -O2\n", True))
        self.assertEqual(self.compile("x"), ("x by -O2\n", False))
        self.assertEqual(self.compile("x", name="of-another-checkout"), ("x by -O2\n", False))

    def test_what_is_another(self):
        self.compile("x")
        self.assertEqual(self.compile("y"), ("y by -O2\n", True))
        self.assertEqual(self.compile("x", "-O3"), ("x by -O3\n", True))
        self.program("compiler", 'echo run >>%s/ran; echo new >"$3"' % self.folder)
        self.assertEqual(self.compile("x"), ("new\n", True))

    def test_failures(self):
        self.assertEqual(self.compile("x", "-broken", status=1)[1], True)
        self.assertEqual(self.compile("x", "-broken", status=1)[1], True)

    def test_off(self):
        self.compile("x")
        self.assertEqual(self.compile("x", CCACHE_DISABLE="1"), ("x by -O2\n", True))

    def test_a_folder_that_cannot_be_made(self):
        self.write("cache", "")
        self.assertEqual(self.compile("x"), ("x by -O2\n", True))
        self.assertEqual(self.compile("x"), ("x by -O2\n", True))


if __name__ == "__main__":
    unittest.main()
