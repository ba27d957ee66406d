#!/usr/bin/env python3
"""Writes a program's completion for bash (PROGRAM) and for zsh (_PROGRAM) into two folders.

usage: make_completions.py PROGRAM SYMC SYMC_OPT TABLE.json FILES BASH_FOLDER ZSH_FOLDER

TABLE.json is the program's table of options (option_tables.py), SYMC and SYMC_OPT the programs that have operators,
processors and passes, FILES the endings of what the program takes without an option: json,params. No request goes to
a program while someone types. bash's part is completion.bash with tables before it, zsh's calls _arguments.
"""
import os
import re
import sys

import option_tables

HERE = os.path.dirname(os.path.abspath(__file__))


def kind_of(option):
    """What a value is: ("files", endings), ("folders", ""), ("words", words), ("free", "") or None for no value.

    Words are a list with commas where the meta variable shows it (CPU[,CPU...]); it may have NAME= before it."""
    if option.name in option_tables.FOLLOWED:
        return "words", option_tables.FOLLOWED[option.name]
    if not option.meta:
        return None
    if option.name in option_tables.LISTED:
        return "words", option_tables.LISTED[option.name]
    if option.values:
        return "words", " ".join(option.values)
    if re.search(r"\bDIR\b", option.meta):
        return "folders", ""
    ending = re.search(r"\b[A-Z]+\.(\w+)$", option.meta)
    if ending or "FILE" in option.meta:
        return "files", ending.group(1) if ending else " ".join(re.findall(r"\.(np[yz])\b", option.help))
    return "free", ""


def used_lists(options):
    """The kinds of lists that values of these options come from."""
    names = {option.name for option in options}
    return sorted({kind for table in (option_tables.LISTED, option_tables.FOLLOWED)
                   for name, kind in table.items() if name in names})


def is_list(option):
    return bool(re.search(r",\S*\.\.\.", option.meta or ""))


def is_named(option):
    return bool(re.match(r"\[?NAME=", option.meta or ""))


def quoted(text):
    return "'%s'" % text.replace("'", "'\\''")


def bash(name, options, lists, files):
    """The tables of completion.bash, and the file."""
    identifier = "_" + name.replace("-", "_")
    words, values = [], []
    for option in options:
        kind = kind_of(option)
        for word in option.words():
            words.append(word)
            if kind:
                what = "$%s_%s" % (identifier, kind[1]) if kind[1] in lists else kind[1]
                how = "list" if is_list(option) and kind[0] == "words" else kind[0]
                values.append('  [%s]="%s"' % (word, ("%s%s %s" % (
                    "named-" if is_named(option) else "", how, what)).strip()))
    with open(os.path.join(HERE, "completion.bash"), encoding="utf-8") as file:
        code = file.read()
    text = "# Completion of %s for bash; made from its table of options.\n" % name
    tables = dict({kind: lists[kind] for kind in used_lists(options)}, options=words, files=files)
    text += "".join("%s_%s=%s\n" % (identifier, kind, quoted(" ".join(table))) for kind, table in tables.items())
    return text + "declare -gA %s_values=(\n%s\n)\n\n%scomplete -F _symc_complete %s\n" % (
        identifier, "\n".join(values), code, name)


def zsh_text(text):
    """Help in a specification of _arguments."""
    return re.sub(r"([\[\]:\\])", r"\\\1", text)


def zsh_action(option, lists):
    kind, what = kind_of(option)
    if kind == "files":
        action = "_files -g %s" % quoted("*.(%s)" % what.replace(" ", "|")) if what else "_files"
    elif kind == "folders":
        action = "_files -/"
    elif kind == "free":
        return " "
    elif what in lists:
        action = "_sequence compadd - $%s" % what if is_list(option) else "compadd -a %s" % what
    elif is_list(option):
        action = "_sequence compadd - " + what
    else:
        action = "compadd - " + what
    # What stands before the last "=" stays: [NAME=]FILE.
    return "{ %s%s }" % ("compset -P '*='; " if is_named(option) else "", action)


def zsh(name, options, lists, files):
    used = used_lists(options)
    text = "#compdef %s\n# Completion of %s for zsh; made from its table of options.\nlocal -a %s\n" % (
        name, name, " ".join(used))
    for kind in used:
        text += "%s=(%s)\n" % (kind, " ".join(quoted(word) for word in lists[kind]))
    text += "_arguments \\\n"
    for option in options:
        for word in option.words():
            spec = word
            if option.separate:
                spec += "=" if option.equals else "+" if option.joined else ""
            elif option.joined:
                spec = word.rstrip("=") + "=-"
            spec = "*%s[%s]" % (spec, zsh_text(option.help))
            if kind_of(option):  # "::" states that there may be none
                spec += "%s%s:%s" % (":" if option.meta else "::", (option.meta or "NAME").replace(":", "\\:"),
                                     zsh_action(option, lists))
            text += "  %s \\\n" % quoted(spec)
    return text + "  %s\n" % quoted("*:file:_files -g %s" % quoted("*.(%s)" % "|".join(files)))


def main():
    if len(sys.argv) != 8:
        sys.exit(__doc__)
    program, symc, symc_opt, table, files, bash_folder, zsh_folder = sys.argv[1:]
    name, options = os.path.basename(program), option_tables.read(table)
    lists = option_tables.known_lists(symc, symc_opt, option_tables.output(program, "--help"), options)
    for folder, file, text in ((bash_folder, name, bash(name, options, lists, files.split(","))),
                               (zsh_folder, "_" + name, zsh(name, options, lists, files.split(",")))):
        os.makedirs(folder, exist_ok=True)
        with open(os.path.join(folder, file), "w", encoding="utf-8") as out:
            out.write(text)


if __name__ == "__main__":
    main()
