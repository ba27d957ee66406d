"""Checks a site that is built: every link, picture, script and style leads to a file of it, every '#' to an element, and
nothing is loaded from another host when a page is viewed.
"""
import os
import re
from html.parser import HTMLParser
from urllib.parse import unquote, urlsplit

LOADED = {("script", "src"), ("img", "src"), ("link", "href"), ("iframe", "src"), ("source", "src"), ("video", "src"), ("object", "data")}
# Relations of <link> that a browser does not load.
NAMED = {"canonical", "next", "prev", "edit"}


class Page(HTMLParser):
    """The names and links of a page: [(tag, link, whether a browser loads it)]."""

    def __init__(self, text):
        super().__init__()
        self.names, self.links = set(), []
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        values = dict(attrs)
        self.names.update(values[key] for key in ("id", "name") if values.get(key) and (key == "id" or tag == "a"))
        for key in ("href", "src", "data"):
            if values.get(key) is None or tag == "base":
                continue
            loaded = (tag, key) in LOADED and not (tag == "link" and set((values.get("rel") or "").split()) & NAMED)
            if loaded or tag in ("a", "area"):
                self.links.append((tag, values[key], loaded))
        for address in re.findall(r"url\(['\"]?([^'\")]+)", values.get("style") or ""):
            self.links.append((tag, address, True))

    def error(self, message):
        raise ValueError(message)


def check(folder):
    """(what is wrong, number of pages, number of links) of the site in a folder."""
    pages, problems, count = {}, [], 0
    for here, _, names in os.walk(folder):
        for name in names:
            path = os.path.join(here, name)
            if name.endswith(".html"):
                with open(path, encoding="utf-8") as file:
                    pages[path] = Page(file.read())
            elif name.endswith(".css"):
                with open(path, encoding="utf-8") as file:
                    text = file.read()
                problems += ["%s: loads '%s' from another host" % (os.path.relpath(path, folder), address)
                             for address in re.findall(r"(?:@import |url\()\s*['\"]?((?:https?:)?//[^'\")\s]+)", text)]
    for path, page in sorted(pages.items()):
        own = os.path.relpath(path, folder)
        for _, link, loaded in page.links:
            count += 1
            parts = urlsplit(link)
            if parts.scheme or parts.netloc:
                if loaded and parts.scheme != "data":
                    problems.append("%s: loads '%s' from another host" % (own, link))
                continue
            if own == "404.html" and link.startswith("/"):
                target = os.path.join(folder, unquote(parts.path).lstrip("/"))
            else:
                target = os.path.normpath(os.path.join(os.path.dirname(path), unquote(parts.path))) if parts.path else path
            if os.path.isdir(target):
                target = os.path.join(target, "index.html")
            if not os.path.exists(target):
                problems.append("%s: '%s': no such file" % (own, link))
            elif parts.fragment and target in pages and unquote(parts.fragment) not in pages[target].names:
                problems.append("%s: '%s': no element of that name" % (own, link))
    return sorted(set(problems)), len(pages), count
