"""A list of known gaps that may only shrink.

A check hands over the gaps it finds; those in the list's file are tolerated,
others are problems, and so is an entry of the file that is no gap any more.
With --update a check rewrites its file.
"""
import os


def compare(root, list_name, gaps, update):
    """`gaps`: {entry text: where}. Returns the problems to report."""
    path = os.path.join(root, "test", "known-gaps", list_name)
    if update:
        os.makedirs(os.path.dirname(path), exist_ok=True)
        if gaps:
            with open(path, "w", encoding="utf-8") as file:
                file.writelines(entry + "\n" for entry in sorted(gaps))
        elif os.path.exists(path):
            os.remove(path)
    known = set()
    if os.path.exists(path):
        with open(path, encoding="utf-8") as file:
            known = {line.rstrip("\n") for line in file if line.strip()}
    problems = ["%s: %s" % (where, entry) for entry, where in sorted(gaps.items(), key=lambda g: g[1])
                if entry not in known]
    problems += ["test/known-gaps/%s: closed, remove it: %s" % (list_name, entry)
                 for entry in sorted(known - set(gaps))]
    if known:
        print("%d known gaps in test/known-gaps/%s" % (len(known & set(gaps)), list_name))
    return problems
