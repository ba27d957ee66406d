"""Compares the values that completion offers (Values of the tables of options) with those that the program names
after a wrong one. Usage: offered_values.py SYMC.json SYMBOL_FILE; symc lies in PATH."""
import json
import re
import subprocess
import sys


def named(option, symbol):
    """The values of the message, in words as completion has them; lists of them are offered word by word."""
    name = "--" + option.rstrip("=")
    value = {"preprocess": "data=nonsense", "dtype": "data=nonsense"}.get(option, "nonsense")
    output = ["--emit=sg"] if option == "dtype" else ["-o", "unwritten"]
    command = ["symc", "train", symbol] if option == "loss" else ["symc", symbol, "--random-weights"]
    done = subprocess.run([*command, "--shape", "data=1,1,28,28", "%s=%s" % (name, value), *output], stderr=subprocess.PIPE,
                          stdout=subprocess.DEVNULL, text=True, check=False)
    text = re.search(r"(?:note: (?:use|kinds are|element types are)|; steps are) (.*)$", done.stderr, re.M).group(1)
    words = {re.sub(r"\[.*", "", word) for word in re.split(r", | or ", text)}
    return {word for word in words if not words.issuperset(word.split(",")) or "," not in word}


with open(sys.argv[1], encoding="utf-8") as file:
    table = json.load(file)
compared = differ = 0
for name in table["!instanceof"]["Option"]:
    record = table[name]
    if record["Values"] and not record["Alias"]:
        offered, taken = set(record["Values"].split(",")), named(record["Name"], sys.argv[2])
        compared += 1
        if offered != taken:
            differ += 1
            print("--%s: completion offers %s, symc takes %s" % (record["Name"], sorted(offered), sorted(taken)))
print("%d options, %d differ" % (compared, differ))
