"""The pages of the site, made of README.md, docs/, the headers and the Python package: their places, titles, order and text.

Markdown of the repository is written for its forge. Here links lead to pages of the site, each heading has the name that the
forge gives it, and lists stand apart from the text before them, as Python-Markdown needs it. What a page links to and the site
does not have (an example, NOTICE) becomes a page that shows the file, or lists the folder.
"""
import os
import re
import sys

TOP = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")
sys.path.insert(0, os.path.join(TOP, "tools", "scripts", "checks"))
import check_links  # noqa: E402

# The order of the site, by task. Every page of docs/ stands here once.
TASKS = (
    ("Compile", ("docs/installing.md", "docs/generated/symc.md", "docs/onnx.md", "docs/generated/onnx-operators.md", "docs/transformers.md", "docs/python-symbols.md", "docs/compiling-from-c.md",
                 "docs/generated/operators.md", "docs/operators-left-out.md")),
    ("Run", ("docs/python.md", "docs/generated/runtime-reference.md", "docs/gradients.md", "docs/training.md", "docs/training-at-scale.md", "docs/cuda.md", "docs/numerics.md", "docs/precision.md")),
    ("Embed", ("docs/embedding.md", "docs/embedding-pictures.md", "docs/calling-from-c.md", "docs/predict-api.md")),
    ("Tune", ("docs/tuning.md", "docs/cuda-tuning.md", "docs/performance.md", "docs/performance-layers.md", "docs/performance-recurrent.md", "docs/performance-zoo.md", "docs/performance-onnx.md",
              "docs/performance-operators.md", "docs/performance-experiments.md")),
    ("Extend", ("docs/custom-operators.md", "docs/architecture.md", "docs/glossary.md", "docs/adding-an-operator.md",
                "docs/adding-a-pass.md", "docs/adding-a-codegen-pass.md", "docs/adding-a-kernel.md", "docs/adding-a-cuda-kernel.md", "docs/inside-weights.md", "docs/inside-vector-code.md",
                "docs/inside-winograd-tile.md", "docs/inside-signals.md", "docs/cuda-kernels.md", "docs/cuda-shim.md", "docs/debugging.md",
                "docs/testing.md", "docs/generated/passes.md", "docs/generated/codegen-passes.md", "CONTRIBUTING.md", "CHANGELOG.md")),
)
SHORT = {  # titles of the navigation where the page's own is long
    "docs/generated/symc.md": "Options of symc", "docs/onnx.md": "ONNX models", "docs/generated/onnx-operators.md": "Operators of ONNX", "docs/generated/operators.md": "Operators", "docs/python-symbols.md": "Symbols in Python",
    "docs/python.md": "Models in Python", "docs/compiling-from-c.md": "In a C or C++ program", "docs/embedding.md": "With CMake, in C++",
    "docs/calling-from-c.md": "From C", "docs/embedding-pictures.md": "Pictures and open sizes", "docs/predict-api.md": "MXNet's predict API", "docs/generated/passes.md": "Passes over graphs",
    "docs/generated/codegen-passes.md": "Passes of code generation",
}
LANGUAGES = {".c": "c", ".h": "c", ".cpp": "cpp", ".hpp": "cpp", ".py": "python", ".json": "json", ".cmake": "cmake", ".txt": "text"}
MOST_LINES = 400
HEADING = re.compile(r"^(#{1,6} +)(.*?)( +#+)? *$")
ITEM = re.compile(r"^( *)([*+-]|\d+\.) +\S")


class PageError(Exception):
    """A page that the site cannot have; the text states why."""


def title_of(text, path):
    match = re.search(r"^# +(.*)$", text, re.M)
    if not match:
        raise PageError("%s: no heading of the first level" % path)
    return match.group(1).replace("`", "")


def place_of(path):
    """Where the site has a page or picture of the repository; None where it has none of its own."""
    if path == "README.md":
        return "index.md"
    if path in ("CONTRIBUTING.md", "CHANGELOG.md"):
        return path.lower()
    if path == "docs/decisions":
        return "decisions/index.md"
    if path.startswith("docs/") and path.endswith((".md", ".svg", ".png")):
        return path[len("docs/"):]
    return None


def copy_of(path, root):
    """Where the site shows a file or folder that has no place of its own."""
    if os.path.isdir(os.path.join(root, path)):
        return "files/%s/index.md" % path
    return "files/%s.md" % path


def with_lists_apart(lines):
    """Lists, tables and fences behind a line of text get an empty line before them; items of inner lists four spaces."""
    made, fence, listed = [], None, False
    for line in lines:
        mark = re.match(r" *(`{3,}|~{3,})", line)
        if fence is None:
            item = ITEM.match(line)
            starts = bool(item) and not listed or mark or line.startswith("|") and not (made and made[-1].startswith("|"))
            if starts and made and made[-1].strip():
                made.append("")
            if item and len(item.group(1)) in (2, 3):
                line = "  " + line if len(item.group(1)) == 2 else " " + line
            listed = bool(item) or listed and bool(line.strip()) or listed and not line.strip()
            if listed and line.strip() and not item and not line.startswith(" ") and made and not made[-1].strip():
                listed = False
        made.append(line)
        if mark:
            fence = mark.group(1) if fence is None else None if mark.group(1).startswith(fence) else fence
    return made


def with_names(lines):
    """Headings with the names that links use."""
    made, counts, fence = [], {}, None
    for line in lines:
        mark = re.match(r" *(`{3,}|~{3,})", line)
        heading = HEADING.match(line) if fence is None else None
        if mark:
            fence = mark.group(1) if fence is None else None if mark.group(1).startswith(fence) else fence
        if heading and "{#" not in line:
            name = check_links.slug(heading.group(2))
            number = counts.get(name, 0)
            counts[name] = number + 1
            line = "%s%s { #%s }" % (heading.group(1), heading.group(2), "%s-%d" % (name, number) if number else name)
        made.append(line)
    return made


class Site:
    """The pages: {place: text}, files to copy, and the navigation."""

    def __init__(self, root):
        self.root, self.texts, self.files, self.queue, self.done = root, {}, {}, [], set()
        self.navigation = []

    def read(self, path):
        with open(os.path.join(self.root, path), encoding="utf-8") as file:
            return file.read()

    def target(self, link, path, place):
        """The link of a page that lies at `place` instead of `path`."""
        if check_links.OTHER.match(link) or link.startswith("#") or not link:
            return link
        name, mark, part = link.partition("#")
        found = os.path.normpath(os.path.join(os.path.dirname(path), name)).replace(os.sep, "/")
        if not os.path.exists(os.path.join(self.root, found)):
            raise PageError("%s: '%s': no file '%s'" % (path, link, found))
        to = place_of(found)
        if to is None:
            to = copy_of(found, self.root)
            self.queue.append(found)
        elif not to.endswith(".md"):
            self.files[to] = found
        return os.path.relpath(to, os.path.dirname(place) or ".").replace(os.sep, "/") + mark + part

    def with_links(self, text, path, place):
        hidden = check_links.without_code(text)
        parts, at = [], 0
        for match in check_links.LINK.finditer(hidden):
            parts += [text[at:match.start(1)], self.target(match.group(1), path, place)]
            at = match.end(1)
        return "".join(parts) + text[at:]

    def add(self, path, place=None, front=""):
        place = place or place_of(path)
        text = self.with_links(self.read(path), path, place)
        self.texts[place] = front + "\n".join(with_names(with_lists_apart(text.split("\n"))))
        return place

    def add_task(self, title, paths):
        entries = []
        for path in paths:
            name = SHORT.get(path) or title_of(self.read(path), path)
            entries.append({name: self.add(path)})
        self.navigation.append({title: entries})

    def add_decisions(self):
        folder = os.path.join(self.root, "docs", "decisions")
        names = sorted(name for name in os.listdir(folder) if name.endswith(".md"))
        entries, rows = [], ["# Decisions", "", "What was decided, why, and what it costs.", "", "| | |", "|---|---|"]
        for name in names:
            path = "docs/decisions/" + name
            title = title_of(self.read(path), path)
            number, title = name[:4], re.sub(r"^\d+[.:]?\s*", "", title)
            title = title[:1].upper() + title[1:]
            entries.append({"%s %s" % (number, title): self.add(path)})
            rows.append("| %s | [%s](%s) |" % (number, title, name))
        self.texts["decisions/index.md"] = "\n".join(rows) + "\n"
        return {"Decisions": [{"All decisions": "decisions/index.md"}] + entries}

    def add_api(self, pages):
        for place, text in pages.items():
            self.texts[place] = "\n".join(with_names(text.split("\n")))
        entries = []
        for first, title in (("api/c.md", "C and C++"), ("api/python.md", "Python")):
            prefix = "api/python-"
            rest = [place for place in pages if place != "api/python.md" and place != "api/c.md"
                    and place.startswith(prefix) == (title == "Python")]
            entries.append({title: [{"Overview": first}] + [{title_of(pages[place], place): place} for place in rest]})
        self.navigation.append({"API": entries})

    def show_file(self, path):
        """A page with the text of a file, or with the files of a folder."""
        place, front = copy_of(path, self.root), "---\nsearch:\n  exclude: true\n---\n"
        if path.endswith(".md"):
            self.add(path, place, front)
            return
        if not os.path.isdir(os.path.join(self.root, path)):
            text = self.read(path)
            fence = "`" * (3 + max((len(run) for run in re.findall(r"`{3,}", text)), default=0))
            lines = text.rstrip("\n").split("\n")
            more = "\n\nThe first %d of %d lines." % (MOST_LINES, len(lines)) if len(lines) > MOST_LINES else ""
            language = LANGUAGES.get(os.path.splitext(path)[1], "cmake" if path.endswith("CMakeLists.txt") else "text")
            self.texts[place] = "%s# `%s`\n\n%s%s\n%s\n%s%s\n" % (
                front, path, fence, language, "\n".join(lines[:MOST_LINES]), fence, more)
            return
        rows = []
        for name in sorted(os.listdir(os.path.join(self.root, path))):
            inner = path + "/" + name
            if name.startswith(".") or name == "__pycache__" or self.is_binary(inner):
                continue
            rows.append("* [`%s`](%s)" % (name + ("/" if os.path.isdir(os.path.join(self.root, inner)) else ""),
                                          os.path.relpath(copy_of(inner, self.root), os.path.dirname(place))))
            self.queue.append(inner)
        readme = path + "/README.md"
        if os.path.exists(os.path.join(self.root, readme)):
            self.add(readme, place, front)
            self.texts[place] += "\n\n## Files of this folder { #files-of-this-folder }\n\n" + "\n".join(rows) + "\n"
        else:
            self.texts[place] = "%s# `%s`\n\n%s\n" % (front, path, "\n".join(rows))

    def is_binary(self, path):
        if os.path.isdir(os.path.join(self.root, path)):
            return False
        with open(os.path.join(self.root, path), "rb") as file:
            head = file.read(4096)
        try:
            head.decode("utf-8")
        except UnicodeDecodeError as error:
            return error.start < len(head) - 4
        return b"\0" in head

    def add_files(self):
        while self.queue:
            path = self.queue.pop()
            if path not in self.done:
                self.done.add(path)
                self.show_file(path)

    def lost(self):
        """Pages of docs/ that no task has."""
        listed = {path for _, paths in TASKS for path in paths}
        for folder in ("docs", "docs/generated"):
            for name in sorted(os.listdir(os.path.join(self.root, folder))):
                if name.endswith(".md") and folder + "/" + name not in listed:
                    yield folder + "/" + name


def make_site(root, api):
    """The whole site of the checkout `root`; `api` are the pages of its API."""
    site = Site(root)
    lost = list(site.lost())
    if lost:
        raise PageError("%s: no task of TASKS in tools/site/pages.py has this page" % lost[0])
    site.navigation.append({"Home": site.add("README.md", front="---\nhide:\n  - navigation\n---\n")})
    for title, paths in TASKS:
        site.add_task(title, paths)
    site.navigation[-1]["Extend"].append(site.add_decisions())
    site.add_api(api)
    site.add_files()
    return site
