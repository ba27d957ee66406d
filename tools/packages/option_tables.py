"""The options of a program, for its manual page and its completion: from its Options.td, as llvm-tblgen prints it
(-dump-json), and from what the program itself prints.
"""
import json
import re
import subprocess

# What the values of an option are, where only a program has them.
LISTED = {"list-op": "operators", "op": "operators", "force-kernel": "algorithms", "target-cpu": "cpus",
          "print-ir-after": "passes"}
# A flag that a name may follow.
FOLLOWED = {"list-ops": "operators"}


class Option:
    """prefixes, name: --emit; meta: what its value is called, None for none; separate: the value may be a word of its
    own; joined: it may follow at once, after "=" where `name` ends with one; values: what completion offers."""

    def __init__(self, record, group, aliases):
        self.name, self.prefixes, self.group = record["Name"], record["Prefixes"], group
        self.help, self.meta = record["HelpText"], record["MetaVarName"]
        kind = record["Kind"]["def"]
        self.separate = kind in ("KIND_SEPARATE", "KIND_JOINED_OR_SEPARATE")
        self.joined = kind in ("KIND_JOINED", "KIND_JOINED_OR_SEPARATE")
        self.equals = any(other["Name"] == self.name + "=" for other in aliases) or self.name.endswith("=")
        self.shorter = [prefix + other["Name"] for other in aliases if other["Name"] != self.name + "="
                        for prefix in other["Prefixes"]]
        self.values = record["Values"].split(",") if record["Values"] else []
        self.hidden = any(flag["def"] == "HelpHidden" for flag in record["Flags"])

    def word(self):
        """The option as it is written, without its value."""
        return self.prefixes[0] + self.name

    def words(self):
        """All ways to write it."""
        return [prefix + self.name for prefix in self.prefixes] + self.shorter


def output(*command):
    return subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True).stdout


def read(path):
    """The options of a file of llvm-tblgen -dump-json that its help shows, by name."""
    with open(path, encoding="utf-8") as file:
        table = json.load(file)
    records = [table[name] for name in table["!instanceof"]["Option"]]
    found = []
    for record in records:
        if record["Kind"]["def"] in ("KIND_INPUT", "KIND_UNKNOWN") or record["Alias"]:
            continue
        aliases = [other for other in records if other["Alias"] and other["Alias"]["def"] == record["!name"]]
        group = table[record["Group"]["def"]]["HelpText"] if record["Group"] else None
        option = Option(record, group, aliases)
        if not option.hidden:
            found.append(option)
    return sorted(found, key=lambda option: (option.name.lower(), option.name))


def fill_in(options, page):
    """Gives options the help that the program prints: the table has marks in its place (@ALGORITHMS@). Returns
    {mark: what stands there}."""
    found = {}
    for option in options:
        marks = re.findall(r"@(\w+)@", option.help or "")
        if marks:
            pattern = re.sub(r"@\w+@", "(.*)", re.escape(option.help).replace("\\@", "@"))
            match = re.search(pattern, page)
            if not match:
                raise SystemExit("the program's --help does not describe %s as its table does" % option.word())
            found.update(zip(marks, match.groups()))
            option.help = match.group(0)
    return found


def passes(page):
    """Names of the passes in the help of symc-opt."""
    return sorted(set(re.findall(r"^      --([\w-]+)", page[page.index("  Compiler passes to run"):], re.M)))


def known_lists(symc, symc_opt, page, options):
    """{kind: names} of the kinds in LISTED. `page` is the help of the program whose `options` these are."""
    algorithms = fill_in(options, page)["ALGORITHMS"]
    version = output(symc, "--version", "-v")
    return {"operators": [line.split(" = ")[0] for line in output(symc, "--list-ops").splitlines()],
            "algorithms": re.split(r", | or ", algorithms),
            "cpus": re.search(r"^target cpus: (.*)$", version, re.M).group(1).split(", "),
            "passes": ["all"] + passes(output(symc_opt, "--help"))}
