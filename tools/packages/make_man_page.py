#!/usr/bin/env python3
"""Writes the manual page of a program, NAME.1 and NAME.1.gz, from what its --help prints.

usage: make_man_page.py PROGRAM VERSION SUMMARY PAGE SOURCE [TABLE.json]

SOURCE is the folder of symc's sources, whose tables have the environment variables.

TABLE.json is the program's table of options, where it has one (option_tables.py): the options then stand under the
table's titles. Programs of MLIR have none, and print every option of LLVM: their pages keep MLIR's own and the passes,
and name the command that prints the rest. Pages carry the date of SOURCE_DATE_EPOCH, else of the day, as all do.
"""
import gzip
import os
import re
import sys
import textwrap
import time

import option_tables

# Of the programs that print LLVM's options: those that they have themselves.
OF_MLIR = re.compile(r"--(allow-unregistered-dialect|dump-pass-pipeline|emit-bytecode|help|help-list|irdl-file|"
                     r"mlir-\S+|no-implicit-module|pass-pipeline|run-reproducer|show-dialects|split-input-file|"
                     r"output-split-marker|test|test-arg|traversal-mode|opt-.*-pass\S*|verify-\S+|version|log|"
                     r"input-mirror-\S+|lit-test|pretty|default-file-extension|o|reduction-tree\S*)\b")
OTHERS = ("symc", "symc-lsp", "symc-opt", "symc-reduce", "symc-run")


def roff(text):
    """Text that roff prints as it is."""
    text = text.replace("\\", "\\e").replace("-", "\\-").replace("~", "\\(ti").replace("^", "\\(ha")
    return re.sub(r"^([.'])", r"\\&\1", text, flags=re.M)


def escaped(text):
    """The same in short lines, which roff fills anew."""
    return roff("\n".join(textwrap.wrap(text, 76, break_long_words=False, break_on_hyphens=False)) or text)


def item(head, text):
    return ".TP\n%s\n%s\n" % (head, escaped(text.strip() or "no description"))


def bold(text):
    return "\\fB%s\\fR" % escaped(text)


def value_of(meta):
    return "\\fI%s\\fR" % escaped(meta)


def heads_of(option):
    """All ways to write an option: --emit KIND, --emit=KIND."""
    ways = []
    for word in option.words():
        if option.separate or not option.joined:
            ways.append(bold(word) + (" " + value_of(option.meta) if option.meta else ""))
        elif option.joined:
            ways.append(bold(word) + value_of(option.meta or "VALUE"))
    return ", ".join(ways)


def sections(page):
    """[(title, text)] of a page of help whose titles stand at the line's begin and end with a colon."""
    parts = re.split(r"^([A-Z][^:\n]*):", page, flags=re.M)
    return [("", parts[0])] + list(zip(parts[1::2], parts[2::2]))


def from_table(page, options):
    """The parts after the synopsis of a program with a table of options."""
    option_tables.fill_in(options, page)
    of_groups = {option.group for option in options}

    def upper(text):  # and no other letter changes
        return text[:1].upper() + text[1:]
    body = ".SH OPTIONS\nA value that is a word of its own may also follow \\(lq=\\(rq:\n" \
           "\\fB\\-\\-shape\\fR \\fIX\\fR is \\fB\\-\\-shape=\\fR\\fIX\\fR.\n"
    others = ""
    for title, text in sections(page):
        whole = "%s:%s" % (title, text)  # a title may have a colon itself
        group = next((group for group in of_groups if whole.startswith(group + ":")), None)
        if group:
            body += ".SS %s\n" % escaped(re.sub("^[A-Z ]+", lambda match: match.group(0).capitalize(), group))
            body += "".join(item(heads_of(option), option.help) for option in options if option.group == group)
        elif title == "EXAMPLES":
            others += ".SH EXAMPLES\n"
            others += ".PP\n".join("%s:\n.PP\n.in +4n\n.EX\n%s\n.EE\n.in\n" % (escaped(upper(what)), roff(line))
                                   for line, what in re.findall(r"^  (\S.*)\n      (\S.*)$", text, re.M))
            rest = re.split(r"\n\n", text.strip())[1:]
            if rest:
                others += ".SH NOTES\n" + "\n.PP\n".join(escaped(part) for part in rest) + "\n"
        elif title == "EXIT STATUS":
            others += ".SH EXIT STATUS\n"
            others += "".join(item(bold(number), what) for number, what in
                              re.findall(r"(?:^|  )\s*(\d) (\S.*?)(?=   \d |$)", text, re.M))
    return body + others


def from_page(page, name):
    """The parts after the synopsis of a program that prints options of LLVM."""
    own, passes, inside = "", "", False
    for line in re.sub(r"\n {30,}", " ", page).splitlines():
        inside = inside and not re.match(r"  \S", line) or "Compiler passes to run" in line
        match = re.match(r"^( *)(--?\S+) +- +(.*)$", line)
        if match and inside and len(match.group(1)) in (6, 8):
            frame = ".RS\n%s.RE\n" if len(match.group(1)) == 8 else "%s"
            passes += frame % item(bold(match.group(2)), match.group(3))
        elif match and len(match.group(1)) == 2 and OF_MLIR.match(match.group(2)):
            own += item(bold(match.group(2)), match.group(3))
    body = ".SH OPTIONS\n%s.PP\n\\fB%s \\-\\-help\\fR also prints the options of LLVM.\n" % (own, escaped(name))
    if passes:
        body += ".SH PASSES\nPasses run in the order of their options; what is indented is an option\n"
        body += "of a pass, as in\n"
        body += "\\fB\\-\\-canonicalize=max\\-iterations=1\\fR.\n" + passes
    return body


def variables_of(name, source):
    """[(name, values, meaning)] of the environment variables that the program reads, those of the models it runs, too."""
    def rows(*path):
        with open(os.path.join(source, *path), encoding="utf-8") as file:
            text = re.sub(r"^\s*//.*$", "", file.read(), flags=re.M)
        for name, rest in re.findall(r"SYMC_VARIABLE\((\w+),((?:\s*\"[^\"]*\",?)+)\)", text):
            fields = [""]
            for part in re.findall(r"\"([^\"]*)\"(,?)", rest):
                fields[-1] += part[0]
                fields += [""] if part[1] else []
            yield [name, *fields]
    own = [(variable, values, meaning) for variable, programs, values, meaning in rows("tools", "packages", "variables.def")
           if name in programs.split()]
    return own + (list(map(tuple, rows("runtime", "core", "environment.def"))) if name == "symc-run" else [])


def page_of(program, version, summary, source, table):
    name = os.path.basename(program)
    page = option_tables.output(program, "--help")
    usage = re.search(r"^USAGE: %s (.*)$" % re.escape(name), page, re.M).group(1).strip()
    day = time.strftime("%Y-%m-%d", time.gmtime(int(os.environ.get("SOURCE_DATE_EPOCH", time.time()))))
    text = '.\\" Made from what %s prints; do not edit.\n' % escaped(name + " --help")
    text += '.TH %s 1 "%s" "symc %s" "User Commands"\n' % (name.upper().replace("-", "\\-"), day, version)
    text += ".SH NAME\n%s \\- %s\n.SH SYNOPSIS\n%s %s\n" % (escaped(name), escaped(summary), bold(name), escaped(usage))
    first = page.split("\n")[0].replace("OVERVIEW: ", "")
    if " " in first:
        first = first[0].upper() + first[1:] if not first.startswith(name) else first
        text += ".SH DESCRIPTION\n%s\n" % escaped(first.rstrip(".") + ".")
    text += from_table(page, option_tables.read(table)) if table else from_page(page, name)
    variables = variables_of(name, source)
    if variables:
        text += ".SH ENVIRONMENT\n"
        text += "".join(item("%s=%s" % (bold(variable), value_of(values)), meaning)
                        for variable, values, meaning in variables)
    others = [other for other in OTHERS if other != name]
    return text + ".SH SEE ALSO\n" + ",\n".join(".BR %s (1)" % escaped(other) for other in others) + "\n"


def main():
    if len(sys.argv) not in (6, 7):
        sys.exit(__doc__)
    program, version, summary, path, source = sys.argv[1:6]
    text = page_of(program, version, summary, source, sys.argv[6] if len(sys.argv) == 7 else None).encode()
    with open(path, "wb") as file:
        file.write(text)
    with open(path + ".gz", "wb") as file:
        file.write(gzip.compress(text, 9, mtime=0))


if __name__ == "__main__":
    main()
