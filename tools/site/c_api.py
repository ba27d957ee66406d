"""Pages of the C and C++ headers: a page for each header, with its sections, functions, types and macros.

Doxygen reads the headers and this module makes Markdown of its XML. The headers have plain comments, which --filter makes
into Doxygen's: `c_api.py --filter FILE` prints a header so. Sections are the headers' own (`/* --- Threads --- */`).
A structure and an enumeration are shown as their header declares them; of a class the public members are listed.
"""
import html
import os
import re
import subprocess
import sys
import textwrap
import xml.etree.ElementTree as ElementTree

HEADERS = (
    ("runtime/include/symc/runtime.h", "Run a compiled model by its table, in C"),
    ("runtime/include/symc/model.hpp", "Run a compiled model in C++17"),
    ("runtime/include/symc/train.h", "Train a model that symc train compiled, in C"),
    ("runtime/include/symc/trainer.hpp", "Train a model that symc train compiled, in C++17"),
    ("runtime/include/symc/abi.h", "The tables that compiled models consist of"),
    ("runtime/include/symc/cuda.h", "The tables of code for CUDA devices"),
    ("tools/libsymc/include/symc/symc.h", "Compose and compile models, in C"),
    ("tools/libsymc/include/symc/symbol.hpp", "Compose models in C++17"),
    ("tools/libsymc/include/symc/executor.hpp", "Train composed models in C++17"),
    ("tools/libsymc/include/symc/array.hpp", "Arrays of executors in C++17"),
    ("tools/libsymc/include/symc/onnx.hpp", "Compile ONNX models in memory, in C++17"),
    ("tools/predict/include/symc/predict.h", "MXNet's C predict API"),
    ("runtime/include/symc/custom_op.h", "Describe operators of your own, in C"),
)
SECTION = re.compile(r"^\s*(?:/\* |// )-{3,} (.+?) -+(?: \*/)?\s*$")
BANNER = re.compile(r"^//===?-+")
FORWARD = re.compile(r"^struct \w+;$")  # would take the comment of what follows
DOXYFILE = """
INPUT = %(inputs)s
INPUT_FILTER = "%(python)s %(filter)s --filter"
OUTPUT_DIRECTORY = %(output)s
GENERATE_HTML = NO
GENERATE_LATEX = NO
GENERATE_XML = YES
XML_PROGRAMLISTING = NO
MARKDOWN_SUPPORT = NO
EXTRACT_ALL = YES
ENABLE_PREPROCESSING = YES
MACRO_EXPANSION = YES
EXPAND_ONLY_PREDEF = YES
PREDEFINED = SYMC_PUBLIC= __cplusplus= SYMC_EXCEPTIONS=
SEARCH_INCLUDES = NO
AUTOLINK_SUPPORT = NO
QUIET = YES
WARN_IF_UNDOCUMENTED = NO
WARN_IF_DOC_ERROR = NO
WARN_NO_PARAMDOC = NO
"""


class ApiError(Exception):
    """A header that Doxygen does not read; the text states why."""


# --- The filter --------------------------------------------------------------


def escape(text):
    """Text of a comment in which Doxygen finds no command, no tag and no link."""
    return re.sub(r"([\\@<>&#$%])", r"\\\1", text)


def sections_of(lines):
    """{number of a line: the section that begins there}, of both forms: a line with the title, a title between banners."""
    found = {}
    for number, line in enumerate(lines, 1):
        match = SECTION.match(line)
        if match:
            found[number] = match.group(1)
        elif line.startswith("// ") and BANNER.match(lines[number - 2]) and number < len(lines) and BANNER.match(lines[number]):
            found[number] = line[3:].strip()
    return found


def opening_of(lines):
    """The number of lines of the comment that opens a header, and its text."""
    if lines[0].startswith("/*"):
        end = next(number for number, line in enumerate(lines) if "*/" in line)
        text = [re.sub(r"^(/\*| \*) ?", "", line.partition("*/")[0]).rstrip() for line in lines[:end + 1]]
        return end + 1, text
    end = next(number for number, line in enumerate(lines) if not line.startswith("//"))
    return end, [line[2:][1:] for line in lines[:end]]


def filtered(text):
    """The header with comments of Doxygen's form; the number of lines stays the same."""
    lines = text.split("\n")
    sections, made, inside = sections_of(lines), [], False
    opening, _ = opening_of(lines)
    for number, line in enumerate(lines, 1):
        whole = re.match(r"(\s*)(?:/\*|///?) (.*)", line)
        trailing = re.match(r"(.*?[;,{)\w])\s*(/\*|//) (.*)", line)
        if number <= opening or number in sections or not inside and (BANNER.match(line) or FORWARD.match(line)):
            made.append("")
        elif inside:
            body, end, rest = line.partition("*/")
            made.append(escape(body) + end + rest)
            inside = not end
        elif whole and line.lstrip().startswith("/*"):
            body, end, rest = whole.group(2).partition("*/")
            made.append(whole.group(1) + "/** " + escape(body) + end + rest)
            inside = not end
        elif whole:
            made.append(whole.group(1) + "/// " + escape(whole.group(2)))
        elif trailing and not re.match(r"\s*[}#]", line) and '"' not in trailing.group(1):
            body, end, rest = trailing.group(3).partition("*/")
            made.append(trailing.group(1) + (" /**< " if trailing.group(2) == "/*" else " ///< ") + escape(body) + end + rest)
            inside = trailing.group(2) == "/*" and not end
        else:
            made.append(line)
    return "\n".join(made)


# --- The text of comments ----------------------------------------------------


def inline(node):
    """Markdown of a paragraph's words."""
    parts = [plain(node.text)]
    for child in node:
        if child.tag in ("itemizedlist", "orderedlist", "simplesect", "verbatim", "preformatted"):
            parts.append("\n\n" + block(child) + "\n\n")
        elif child.tag == "computeroutput":
            parts.append("`%s`" % "".join(child.itertext()))
        elif child.tag != "linebreak":
            parts.append(inline(child))
        parts.append(plain(child.tail))
    return "".join(parts)


def plain(text):
    """Text as Markdown, whose characters mean themselves; `code` stays code."""
    pieces = re.split(r"(`[^`]*`)", text or "")
    return "".join(piece if piece.startswith("`") else re.sub(r"([\\*_{}\[\]])", r"\\\1", html.escape(piece, quote=False))
                   for piece in pieces)


def block(node):
    """Markdown of what stands on lines of its own."""
    if node.tag in ("itemizedlist", "orderedlist"):
        items = ["\n\n".join(inline(part).strip() for part in item) for item in node]
        return "\n".join("* " + re.sub(r"\n(?=.)", "\n    ", item) for item in items)
    if node.tag in ("verbatim", "preformatted"):
        return "```text\n%s\n```" % "".join(node.itertext()).strip("\n")
    return "\n\n".join(inline(part).strip() for part in node)


def description(member):
    texts = [block(part) for name in ("briefdescription", "detaileddescription") for part in member.findall(name) if len(part)]
    return "\n\n".join(text.strip() for text in texts if text.strip())


# --- Pages -------------------------------------------------------------------


def words(node):
    """Code as a header of this project has it: `T &operator*()`, `std::array<U, N>`."""
    text = re.sub(r"\s+", " ", "".join(node.itertext())).strip() if node is not None else ""
    text = re.sub(r"< (.*?) >", r"<\1>", re.sub(r"(\w)< ", r"\1<", text))
    return re.sub(r"\s*=\s*default$", " = default", re.sub(r" >", ">", text))


def signature(member):
    name = member.findtext("name")
    if member.get("kind") == "define":
        arguments = "(%s)" % ", ".join(words(each) for each in member.findall("param")) if member.find("param") is not None else ""
        value = words(member.find("initializer"))
        return "#define %s%s%s" % (name, arguments, " " + value if value and len(value) < 60 else "")
    template = member.find("templateparamlist")
    head = "template <%s>\n" % ", ".join(
        " ".join(filter(None, (words(each.find("type")), words(each.find("declname")) if each.find("declname") is not None else "")))
        for each in template) if template is not None else ""
    text = words(member.find("type"))
    if member.get("kind") == "function":
        text = (text + " " if text and text[-1] not in "*&" else text) + name + words(member.find("argsstring"))
        return head + ("static " if member.get("static") == "yes" and "static" not in text else "") + text + ";"
    if member.get("kind") == "typedef":
        definition = words(member.find("definition"))
        return head + (definition or "typedef %s %s" % (text, name)) + ";"
    return head + "%s %s%s;" % (text, name, words(member.find("argsstring")))


def line_of(node):
    place = node.find("location")
    return int(place.get("line")) if place is not None else 0


def declaration(node, lines):
    """The lines that declare a structure or enumeration, as its header has them."""
    place = node.find("location")
    first, last = int(place.get("bodystart")), int(place.get("bodyend"))
    return "\n".join(lines[first - 1:max(first, last)])


def opening(lines):
    """Markdown of the comment that opens a header: paragraphs, lists, and examples, which are indented."""
    _, text = opening_of(lines)
    text[0] = re.sub(r"^[\w.]+: (\w)", lambda match: match.group(1).upper(), text[0])
    blocks, kind = [], None
    for line in text:
        now = "" if not line.strip() else "item" if line.startswith("  - ") else "code" if line.startswith("  ") and kind != "item" else "text"
        if kind == "item" and line.startswith("    "):
            now = "item"
        if now == "item" and line.startswith("  - "):
            blocks.append(["item", [line[4:]]])
        elif now and blocks and blocks[-1][0] == now and kind == now:
            blocks[-1][1].append(line.strip() if now != "code" else line[2:])
        elif now:
            blocks.append([now, [line.strip() if now != "code" else line[2:]]])
        kind = now or (kind if kind == "code" else None)
    parts = []
    for kind, lines in blocks:
        parts.append({"text": lambda: plain(" ".join(lines)), "item": lambda: "* " + plain(" ".join(lines)),
                      "code": lambda: "```cpp\n%s\n```" % "\n".join(lines)}[kind]())
    return re.sub(r"(?m)(^\* .*)\n\n(?=\* )", r"\1\n", "\n\n".join(parts))


class Item:
    """What a page shows below one heading: names, code, text."""

    def __init__(self, name, first, last, code, text):
        self.names, self.first, self.last, self.code, self.text = [name], first, last, code, text

    def __str__(self):
        return "### %s\n\n```cpp\n%s\n```\n\n%s" % (", ".join("`%s`" % name for name in self.names), self.code, self.text)


def comment(text, indent):
    """Text as the lines of a comment in code."""
    text = html.unescape(re.sub(r"\\([\\*_{}\[\]])", r"\1", text)).replace("\n", " ")
    return textwrap.wrap(text, 96, initial_indent=indent + "// ", subsequent_indent=indent + "// ")


def class_item(compound, lines):
    """A class with its public members, each behind its comment; a structure of data as its header declares it."""
    name = compound.findtext("compoundname").replace("embedding::", "")
    first = line_of(compound)
    members = [member for section in compound.findall("sectiondef") if section.get("kind", "").startswith("public")
               for member in section if member.get("kind") in ("function", "variable", "typedef")]
    members = [member for member in members if "=delete" not in words(member.find("argsstring")).replace(" ", "")]
    place = compound.find("location")
    last = int(place.get("bodyend", first))
    if all(member.get("kind") == "variable" for member in members):
        return Item(name, first, last, declaration(compound, lines), description(compound))
    code = ["class %s {" % name, "public:"]
    for member in sorted(members, key=line_of):
        code += comment(description(member), "  ")
        code += ["  " + line for line in signature(member).split("\n")]
    return Item(name, first, last, "\n".join(code + ["};"]), description(compound))


def member_item(member, lines):
    """A function, type, value or macro of a header, or None for one that is the header's own."""
    name, first = member.findtext("name") or "", line_of(member)
    if member.get("kind") == "enum":
        last = int(member.find("location").get("bodyend"))
        title = name if name and not name.startswith("@") else " ".join(
            each.findtext("name") for each in member.findall("enumvalue")[:1])
        return Item(title, first, last, declaration(member, lines), description(member))
    if member.get("kind") == "define":
        last = first
        while lines[last - 1].endswith("\\"):
            last += 1
        if name.endswith(("_H", "_HPP", "_PUBLIC")) or any(line.strip() == "#undef " + name for line in lines) or last - first > 40:
            return None
        text = description(member)
        above = re.match(r"\s*(\*|/\*|//)", lines[first - 2])
        code = "\n".join(re.sub(r"\s+(?=\\$)", " ", line) for line in lines[first - 1:last])
        return Item(name, first, last, code, text if above else "")
    if member.get("kind") in ("function", "typedef", "variable") and not name.startswith("operator"):
        last = first
        while ";" not in lines[last - 1] and "{" not in lines[last - 1] and last < len(lines):
            last += 1
        return Item(name, first, last, signature(member), description(member))
    return None


def join(items, lines):
    """What stands below another thing without a comment and without an empty line between shares its heading."""
    joined = []
    for item in items:
        before = joined[-1] if joined else None
        if before and not item.text and item.names[0] not in before.names and item.first == before.last + 1 \
                and before.code.count("\n") < 12 and not before.code.startswith("class"):
            before.names += item.names
            before.code += "\n" + item.code
            before.last = item.last
        elif not before or item.names[0] not in before.names:
            joined.append(item)
    return joined


def page(source, title, compounds, root):
    with open(os.path.join(root, source), encoding="utf-8") as stream:
        lines = stream.read().split("\n")

    def here(node):
        place = node.find("location")
        return place is not None and place.get("file", "").endswith(source)

    items = []
    for compound in compounds:
        name = compound.findtext("compoundname")
        if "detail" in name or "@" in name:
            continue
        if compound.get("kind") in ("struct", "class", "union") and here(compound):
            items.append(class_item(compound, lines))
        elif compound.get("kind") in ("file", "namespace"):
            items.extend(member_item(member, lines) for member in compound.iter("memberdef") if here(member))
    # A structure comes before the typedef of the same name and line; what is longer has more.
    items = sorted((item for item in items if item), key=lambda item: (item.first, -len(item.code)))
    seen, kept = set(), []
    for item in items:
        if (item.names[0].rpartition("::")[2], item.first) not in seen and item.names[0] not in seen:
            kept.append(item)
        seen.update([(item.names[0].rpartition("::")[2], item.first)] + ([item.names[0]] if item.code.startswith("typedef struct") else []))
    sections = sorted(sections_of(lines).items())
    parts = ["# %s" % source.split("include/")[1], "*%s.*" % title, opening(lines)]
    for item in join(kept, lines):
        started = [name for number, name in sections if number < item.first]
        sections = sections[len(started):]
        parts += ["## %s" % started[-1]] if started else []
        parts.append(str(item))
    return "\n\n".join(part.strip() for part in parts if part) + "\n"


def make_pages(root, work, doxygen="doxygen"):
    """{page: text} below api/, of every header. `work` is a folder for Doxygen's files."""
    os.makedirs(work, exist_ok=True)
    configuration = os.path.join(work, "Doxyfile")
    with open(configuration, "w", encoding="utf-8") as stream:
        stream.write(DOXYFILE % {"inputs": " ".join(os.path.join(root, path) for path, _ in HEADERS), "python": sys.executable,
                                 "filter": os.path.abspath(__file__), "output": work})
    done = subprocess.run([doxygen, configuration], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
    if done.returncode:
        raise ApiError("doxygen ended with %d:\n%s" % (done.returncode, done.stdout[-2000:]))
    compounds = []
    for name in sorted(os.listdir(os.path.join(work, "xml"))):
        if name.endswith(".xml") and name != "index.xml":
            compounds.extend(ElementTree.parse(os.path.join(work, "xml", name)).getroot().findall("compounddef"))
    pages, index = {}, ["# C and C++\n", "| header | for |", "|---|---|"]
    for source, title in HEADERS:
        name = os.path.basename(source).replace(".", "-") + ".md"
        pages["api/" + name] = page(source, title, compounds, root)
        index.append("| [`%s`](%s) | %s |" % (source.split("include/")[1], name, title))
    pages["api/c.md"] = "\n".join(index) + "\n"
    return pages


if __name__ == "__main__":
    if len(sys.argv) == 3 and sys.argv[1] == "--filter":
        with open(sys.argv[2], encoding="utf-8") as header:
            sys.stdout.write(filtered(header.read()))
    else:
        sys.exit("usage: c_api.py --filter HEADER")
