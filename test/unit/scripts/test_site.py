"""If these fail, the documentation site has wrong pages: a comment of a header is lost, a link leads elsewhere, a list is no list,
a page of docs/ is nowhere, or a fault of the site is not found. make-docs itself runs with the label full.
"""
import os
import subprocess
import sys
import tempfile
import unittest

TOP = os.path.normpath(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", ".."))
sys.path.insert(0, os.path.join(TOP, "tools", "site"))
sys.dont_write_bytecode = True
import c_api
import check_site
import pages
import py_api

HEADER = """/* net.h: what a net is.
 *
 * Rules:
 *   - nothing is NULL;
 *   - all is <well>. */
#ifndef NET_H

/* --- Parts --------------------------------------------------------------- */

struct later;
/* Adds <one> & more.
 * Twice. */
int net_add(int part); /* not "here" */
typedef struct net {
  int rank; /* extents */
} net;
// A value.
constexpr int Any = -1;
} // namespace net
"""


class Headers(unittest.TestCase):
    def test_comments_become_doxygens(self):
        made = c_api.filtered(HEADER)
        self.assertEqual(made.count("\n"), HEADER.count("\n"))
        lines = made.split("\n")
        self.assertEqual(lines[0], "")
        self.assertEqual(lines[9:13], ["", "/** Adds \\<one\\> \\& more.", " * Twice. */", "int net_add(int part); /**< not \"here\" */"])
        self.assertIn("  int rank; /**< extents */", lines)
        self.assertIn("/// A value.", lines)
        self.assertIn("} // namespace net", lines)

    def test_opening(self):
        self.assertEqual(c_api.opening(HEADER.split("\n")),
                         "What a net is.\n\nRules:\n\n* nothing is NULL;\n* all is &lt;well&gt;.")
        code = "// net.hpp: nets in C++.\n//\n//   Net net;\n//   net.run();\n//\n// No exception.\n#ifndef X\n"
        self.assertEqual(c_api.opening(code.split("\n")), "Nets in C++.\n\n```cpp\nNet net;\nnet.run();\n```\n\nNo exception.")

    def test_sections(self):
        self.assertEqual(c_api.sections_of(HEADER.split("\n")), {8: "Parts"})
        self.assertEqual(c_api.sections_of(["//===---===//", "// Names", "//===---===//", ""]), {2: "Names"})

    def test_headers_are_there(self):
        for path, _ in c_api.HEADERS:
            self.assertTrue(os.path.exists(os.path.join(TOP, path)), path)


class Docstrings(unittest.TestCase):
    def test_columns_stay(self):
        self.assertEqual(py_api.docstring("The Model.\n\nsymbol    a Symbol\nparams    values, or\n          a file"),
                         "The Model.\n\n```text\nsymbol    a Symbol\nparams    values, or\n          a file\n```")
        self.assertEqual(py_api.docstring("Runs.\n\n    model = mx.Model()\n\nOf a\nfile."), "Runs.\n\n```python\nmodel = mx.Model()\n```\n\nOf a file.")

    def test_modules_are_there(self):
        for module, _, _, _ in py_api.MODULES:
            self.assertTrue(os.path.exists(os.path.join(TOP, "tools", "python", "symc", module + ".py")), module)


class Pages(unittest.TestCase):
    def test_every_page_has_a_task(self):
        self.assertEqual(list(pages.Site(TOP).lost()), [])
        listed = [path for _, paths in pages.TASKS for path in paths]
        self.assertEqual(len(listed), len(set(listed)))

    def test_lists_stand_apart(self):
        self.assertEqual(pages.with_lists_apart("Text:\n* one\n  more\n* two\n  * inner\n\nEnd".split("\n")),
                         "Text:\n\n* one\n  more\n* two\n    * inner\n\nEnd".split("\n"))
        code = "```\nText\n* no item\n```".split("\n")
        self.assertEqual(pages.with_lists_apart(code), code)
        self.assertEqual(pages.with_lists_apart(["Text", "| a |", "|---|", "| b |"]), ["Text", "", "| a |", "|---|", "| b |"])

    def test_headings_have_the_names_of_links(self):
        self.assertEqual(pages.with_names(["# What `--math` allows", "## Twice", "## Twice", "```", "# no", "```"]),
                         ["# What `--math` allows { #what---math-allows }", "## Twice { #twice }", "## Twice { #twice-1 }", "```", "# no", "```"])

    def test_links(self):
        site = pages.Site(TOP)
        text = "[a](docs/cuda.md#times) [e](examples/embed) [p](docs/pictures/lenet.svg) `[c](docs/none.md)` [w](https://a.invalid) [o](#own)"
        self.assertEqual(site.with_links(text, "README.md", "index.md"),
                         "[a](cuda.md#times) [e](files/examples/embed/index.md) [p](pictures/lenet.svg) `[c](docs/none.md)` "
                         "[w](https://a.invalid) [o](#own)")
        self.assertEqual((site.queue, site.files), (["examples/embed"], {"pictures/lenet.svg": "docs/pictures/lenet.svg"}))
        self.assertEqual(site.with_links("[r](../../README.md#try-it)", "docs/decisions/0001-static-musl-executables.md", "decisions/0001.md"),
                         "[r](../index.md#try-it)")
        with self.assertRaisesRegex(pages.PageError, "README.md: 'docs/none.md': no file 'docs/none.md'"):
            site.with_links("[n](docs/none.md)", "README.md", "index.md")


class Faults(unittest.TestCase):
    def problems(self, body):
        with tempfile.TemporaryDirectory() as folder:
            for name, text in (("index.html", body), ("b.html", "<h2 id=part>x</h2>"), ("s.css", "")):
                with open(os.path.join(folder, name), "w") as file:
                    file.write(text)
            return check_site.check(folder)[0]

    def test_right_site(self):
        self.assertEqual(self.problems("<link rel=stylesheet href=s.css><a href=b.html#part>x</a><a href=https://a.invalid/x>y</a>"
                                       "<img src=data:image/png;base64,x><link rel=canonical href=https://a.invalid>"), [])

    def test_faults(self):
        for body, said in (("<a href=c.html>", "index.html: 'c.html': no such file"),
                           ("<a href=b.html#none>", "index.html: 'b.html#none': no element of that name"),
                           ("<img src=p.svg>", "index.html: 'p.svg': no such file"),
                           ("<script src=https://a.invalid/x.js></script>", "index.html: loads 'https://a.invalid/x.js' from another host"),
                           ("<link rel=stylesheet href=//a.invalid/f.css>", "index.html: loads '//a.invalid/f.css' from another host"),
                           ("<p style=\"background: url(https://a.invalid/p)\">", "index.html: loads 'https://a.invalid/p' from another host")):
            self.assertEqual(self.problems(body), [said])

    def test_styles(self):
        with tempfile.TemporaryDirectory() as folder:
            with open(os.path.join(folder, "s.css"), "w") as file:
                file.write("@font-face { src: url(https://a.invalid/f.woff) }")
            self.assertEqual(check_site.check(folder)[0], ["s.css: loads 'https://a.invalid/f.woff' from another host"])


class Command(unittest.TestCase):
    def run_it(self, *words, **environment):
        return subprocess.run([sys.executable, os.path.join(TOP, "tools", "scripts", "make-docs"), *words], capture_output=True, text=True,
                              env={**os.environ, **environment}, check=False)

    def test_help(self):
        done = self.run_it("--help")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        for word in ("--strict", "--output DIR", "--or-skip", "Exit status: 0 done"):
            self.assertIn(word, done.stdout)

    def test_wrong_usage(self):
        for words, said in ((["--fast"], "make-docs: unknown argument '--fast'"), (["--output"], "make-docs: --output needs a folder"),
                            (["--output", TOP], "make-docs: --output %s: the folder holds something else than a site" % TOP)):
            done = self.run_it(*words)
            self.assertEqual((done.returncode, done.stdout), (2, ""))
            self.assertEqual(done.stderr.split("\n")[0], said)

    def test_without_doxygen(self):
        with tempfile.TemporaryDirectory() as folder:
            for words, status in (([], 3), (["--or-skip"], 77)):
                done = self.run_it(*words, PATH=folder, SYMC_DOCS_ENVIRONMENT="1")
                self.assertEqual((done.returncode, done.stderr), (status, "make-docs: doxygen is not in PATH; install Debian's package doxygen\n"))


if __name__ == "__main__":
    unittest.main()
