"""Manual pages and completions are made of tables of options and of help: what these hold that roff or a shell would
read otherwise, and a help that differs from its table. test/e2e/completions.test and man-pages.test use the real ones.
Run by ctest as check-scripts.
"""
import json
import os
import subprocess
import sys
import tempfile
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "..", "..", "tools", "packages"))
sys.dont_write_bytecode = True
import make_completions
import make_man_page
import option_tables


def record(name, **more):
    return dict({"!name": name, "Name": name, "Prefixes": ["--"], "Group": {"def": "group"}, "HelpText": "its help",
                 "MetaVarName": None, "Kind": {"def": "KIND_FLAG"}, "Values": None, "Flags": [], "Alias": None}, **more)


def options_of(*records):
    table = dict({each["!name"]: each for each in records}, group={"HelpText": "TITLE"})
    table["!instanceof"] = {"Option": [each["!name"] for each in records]}
    with tempfile.NamedTemporaryFile("w", suffix=".json") as file:
        json.dump(table, file)
        file.flush()
        return option_tables.read(file.name)


class Packages(unittest.TestCase):
    def test_help_of_another_table(self):
        options = options_of(record("kind", HelpText="one of @KINDS@"))
        self.assertEqual(option_tables.fill_in(options, "  --kind   one of a, b or c\n"), {"KINDS": "a, b or c"})
        self.assertEqual(options[0].help, "one of a, b or c")
        options = options_of(record("kind", HelpText="one of @KINDS@"))
        with self.assertRaises(SystemExit) as caught:
            option_tables.fill_in(options, "  --kind   some kind\n")
        self.assertEqual(str(caught.exception), "the program's --help does not describe --kind as its table does")

    def test_hidden_options_and_aliases(self):
        options = options_of(record("seen"), record("hidden", Flags=[{"def": "HelpHidden"}]),
                             record("s", Alias={"def": "seen"}, Prefixes=["-"]))
        self.assertEqual([option.words() for option in options], [["--seen", "-s"]])

    def test_roff(self):
        self.assertEqual(make_man_page.roff(".a \\ --b\n'c ~"), "\\&.a \\e \\-\\-b\n\\&'c \\(ti")
        option = options_of(record("size", MetaVarName="N", Kind={"def": "KIND_SEPARATE"}))[0]
        self.assertEqual(make_man_page.heads_of(option), "\\fB\\-\\-size\\fR \\fIN\\fR")

    def test_shells_read_what_was_written(self):
        options = options_of(record("odd", MetaVarName="FILE", HelpText="it's [a:b]", Kind={"def": "KIND_SEPARATE"}))
        self.assertIn("'*--odd[it'\\''s \\[a\\:b\\]]:FILE:{ _files }'", make_completions.zsh("p", options, {}, ["x"]))
        text = make_completions.bash("p", options, {}, ["x"])
        done = subprocess.run(["bash", "-c", text + "\necho ${_p_values[--odd]} $_p_files"], stdout=subprocess.PIPE,
                              text=True, check=True)
        self.assertEqual(done.stdout, "files x\n")

    def test_kinds_of_values(self):
        for meta, named, several in (("CPU[,CPU...]", False, True), ("NAME=D,D,...", True, True),
                                     ("[NAME=]FILE", True, False), ("'NAME(PARAMETER=VALUE, ...)'", False, False)):
            option = options_of(record("x", MetaVarName=meta))[0]
            self.assertEqual((make_completions.is_named(option), make_completions.is_list(option)), (named, several))


if __name__ == "__main__":
    unittest.main()
