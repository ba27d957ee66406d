"""Looks for what the help of programs names in their manual pages: options, or the passes of symc-opt.
Usage: options_of_page.py FOLDER_OF_PAGES PROGRAM...; the programs lie in PATH."""
import os
import re
import subprocess
import sys

for program in sys.argv[2:]:
    text = subprocess.run([program, "--help"], stdout=subprocess.PIPE, text=True, check=True).stdout
    pattern = r"^      (--\S+) +- " if program == "symc-opt" else r"^  (-[\w-]+)"
    options = set(re.findall(pattern, text, re.M))
    with open(os.path.join(sys.argv[1], program + ".1"), encoding="utf-8") as file:
        page = file.read().replace("\\-", "-")
    missing = [option for option in options if "\\fB%s" % option not in page]
    print("%s: %d options, %d missing" % (program, len(options), len(missing)), *missing)
