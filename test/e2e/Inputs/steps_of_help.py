"""Compares the steps that --preprocess takes, by its message about an unknown one, with those that --help lists.

usage: steps_of_help.py MESSAGES HELP
"""
import re
import sys

messages, text = (open(path, encoding="utf-8").read() for path in sys.argv[1:])
steps = re.search(r"steps are (.*)", messages).group(1).split(", ")
text = re.search(r"--preprocess(.*?)\n +--", text, re.S).group(1)
words = set(re.split(r"[\s,]+", text))
missing = [step for step in steps if not any(word == step or step.endswith("=") and word.startswith(step) for word in words)]
assert len(steps) > 8, steps
if missing:
    sys.exit("--help does not list %s: %s" % (", ".join(missing), text))
