"""If this fails, check_links.py passes a link that leads nowhere, or refuses one that is right."""
import os
import sys
import unittest
from unittest import mock

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "..", "tools", "scripts", "checks"))
sys.dont_write_bytecode = True
import check_links

PAGES = {
    "README.md": "# Top\n\n[a](docs/a.md) ![p](docs/p.svg)\n",
    "docs/a.md": "# A page\n\n## What `--math` allows\n\n## Twice\n\n## Twice\n\n```\n# no heading\n```\n\n<a id=\"here\"></a>\n",
    "docs/p.svg": "",
}


class Links(unittest.TestCase):
    def problems(self, text, path="docs/b.md"):
        pages = {**PAGES, path: text}
        names = set(pages) | {"docs", "examples"}
        with mock.patch("os.path.exists", lambda each: os.path.relpath(each, "top").replace(os.sep, "/") in names):
            return check_links.check_page("top", path, pages.__getitem__)

    def test_right_links(self):
        for link in ("a.md", "./a.md", "../README.md", "a.md#what---math-allows", "a.md#twice-1", "a.md#here", "p.svg", "../docs",
                     "https://nowhere.invalid/x#y", "mailto:nobody", "#own-part", "a.md#twice", "<a.md>"):
            self.assertEqual(self.problems("## Own part\n\n[x](%s)\n" % link), [], link)
        self.assertEqual(self.problems("[x](a.md \"a title\")\n"), [])
        self.assertEqual(self.problems("[x][y]\n\n[y]: a.md#twice\n"), [])

    def test_code_is_no_link(self):
        self.assertEqual(self.problems("`[x](no.md)`, ``a[`i`](no.md)``\n\n```\n[x](no.md)\n```\n\n~~~text\n[x](no.md)\n~~~\n"), [])

    def test_wrong_links(self):
        for link, said in (("c.md", "docs/b.md:3: 'c.md': no file 'docs/c.md'"),
                           ("a.md#no-heading", "docs/b.md:3: 'a.md#no-heading': no heading '#no-heading' in docs/a.md"),
                           ("a.md#twice-2", "docs/b.md:3: 'a.md#twice-2': no heading '#twice-2' in docs/a.md"),
                           ("a.md#what-math-allows", "docs/b.md:3: 'a.md#what-math-allows': no heading '#what-math-allows' in docs/a.md"),
                           ("#elsewhere", "docs/b.md:3: '#elsewhere': no heading '#elsewhere' in docs/b.md"),
                           ("../../x.md", "docs/b.md:3: '../../x.md' leads out of the project"),
                           ("/docs/a.md", "docs/b.md:3: '/docs/a.md' leads out of the project"),
                           ("", "docs/b.md:3: a link without a target")):
            self.assertEqual(self.problems("# B\n\n[x](%s)\n" % link), [said])
        self.assertEqual(self.problems("\n\n[y]: c.md\n"), ["docs/b.md:3: 'c.md': no file 'docs/c.md'"])
        self.assertEqual(self.problems("\n\n<img src=\"q.svg\">\n"), ["docs/b.md:3: 'q.svg': no file 'docs/q.svg'"])

    def test_links_behind_code_in_a_line(self):
        self.assertEqual(len(self.problems("`code` and [x](c.md), `[y](d.md)` and [z](e.md)\n")), 2)


if __name__ == "__main__":
    unittest.main()
