"""The source checks find what they are for: each rule fires on a small breach
and stays silent on the nearest innocent text. Run by ctest as check-scripts.
"""
import contextlib
import io
import os
import sys
import tempfile
import unittest
from unittest import mock

SCRIPTS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "..", "tools", "scripts")
sys.path[:0] = [SCRIPTS, os.path.join(SCRIPTS, "checks"), os.path.join(SCRIPTS, "lib")]
sys.dont_write_bytecode = True
import check_cases
import check_constraints
import check_format
import check_generated
import check_gradients
import check_kernels
import check_layering
import check_messages
import check_passes
import check_sizes
import check_statuses
import check_widths
import check_words
import count_tests
import diff_passes
import known_gaps


class Layering(unittest.TestCase):
    def breaches(self, path, text):
        return [problem.split(": ")[1] for problem in check_layering.check_file(path, text)]

    def test_arrows(self):
        self.assertEqual(self.breaches("ir/A.cpp", '#include "passes/P.h"\n'), ["rule 1"])
        self.assertEqual(self.breaches("passes/A.cpp", '#include "frontend/P.h"\n'), ["rule 1"])
        self.assertEqual(self.breaches("tools/symc/A.cpp", '#include "symc/runtime.h"\n'), ["rule 1"])
        self.assertEqual(self.breaches("passes/A.cpp", '#include "ir/P.h"\n// #include "tools/x.h"\n'), [])
        self.assertEqual(self.breaches("codegen/A.cpp", '#include "symc/abi.h"\n'), [])
        self.assertEqual(self.breaches("tools/a/A.cpp", '#include "runtime/include/symc/custom_op.h"\n'), [])
        self.assertEqual(len(self.breaches("ir/A.cpp", '#include "runtime/include/symc/custom_op.h"\n')), 1)

    def test_lowering_dialects(self):
        include = '#include "mlir/Dialect/SCF/IR/SCF.h"\n'
        self.assertEqual(self.breaches("passes/A.cpp", include), ["rule 2"])
        self.assertEqual(self.breaches("codegen/A.cpp", include), [])

    def test_process(self):
        self.assertEqual(self.breaches("ir/A.cpp", 'auto *p = getenv("X");\n'), ["rule 3"])
        self.assertEqual(self.breaches("codegen/A.cpp", "if (x) exit(1);\n"), ["rule 3"])
        self.assertEqual(self.breaches("codegen/A.cpp", 'say("exit(1)"); region.exit(1);\n'), [])
        self.assertEqual(self.breaches("tools/symc/A.cpp", "int main() { exit(1); }\n"), [])

    def test_targets(self):
        self.assertEqual(self.breaches("codegen/A.cpp", "if (isCuda) f();\n"), ["rule 4"])
        self.assertEqual(self.breaches("codegen/A.cpp", "if (target.hasAvx2()) f();\n"), ["rule 4"])
        self.assertEqual(self.breaches("codegen/A.cpp", 'get("x86-64-v3");\n'), ["rule 4"])
        self.assertEqual(self.breaches("codegen/A.cpp", "get(common()); // \"x86-64-v3\"\n"), [])
        self.assertEqual(self.breaches("codegen/cpu/TargetDescription.cpp", 'v3.name = "x86-64-v3";\n'), [])

    def test_register_all(self):
        self.assertEqual(self.breaches("tools/symc/A.cpp", "registerAllDialects(r);\n"), ["rule 5"])
        self.assertEqual(self.breaches("tools/symc-opt/A.cpp", "registerAllDialects(r);\n"), [])


    def test_circles_of_scripts(self):
        lazy = "def f():\n    import b\n"
        self.assertEqual(check_layering.check_imports({"a.py": lazy, "b.py": "from c import x\n", "c.py": "import a\n"}),
                         ["tools/scripts/a.py:1: rule 6: imports itself: a -> b -> c -> a"])
        self.assertEqual(check_layering.check_imports({"p/a.py": "from p import b\n", "p/b.py": "from . import a\n"}),
                         ["tools/scripts/p/a.py:1: rule 6: imports itself: p.a -> p.b -> p.a"])
        self.assertEqual(check_layering.check_imports({"a.py": "import b\nimport c\nimport json\n", "b.py": "import c\n",
                                                       "c.py": "# import a\n"}), [])
        self.assertEqual(check_layering.check_imports({"lib/a.py": "import b\n", "lib/b.py": "import a\n"}),
                         ["tools/scripts/lib/a.py:1: rule 6: imports itself: a -> b -> a"])

    def test_folders_of_scripts(self):
        texts = {"lib/a.py": "", "cases/c.py": "import a\n", "oracles/p/o.py": "import c\nfrom a import x\n", "checks/k.py": "import a\n"}
        self.assertEqual(check_layering.check_imports(texts), [])
        self.assertEqual(check_layering.check_imports({**texts, "checks/k.py": "from p import o\n"}),
                         ["tools/scripts/checks/k.py:1: rule 6: scripts of checks import none of oracles"])
        self.assertEqual(check_layering.check_imports({**texts, "oracles/a.py": ""}),
                         ["tools/scripts/lib/a.py:1: rule 6: tools/scripts/oracles/a.py has this name too"])

    def test_floors(self):
        def breaches(path, include):
            return check_layering.check_floors(path, '#include "%s"\n' % include)
        self.assertEqual(breaches("codegen/kernel/A.cpp", "codegen/cpu/B.h"),
                         ["codegen/kernel/A.cpp:1: rule 7: codegen's kernel may not include 'codegen/cpu/B.h'"])
        self.assertEqual(len(breaches("codegen/conv/x/kernel/A.cpp", "codegen/conv/x/XCost.h")), 1)
        self.assertEqual(len(breaches("codegen/conv/x/A.cpp", "codegen/conv/x/lower/B.h")), 1)
        self.assertEqual(len(breaches("codegen/schedule/A.cpp", "codegen/lower/B.h")), 1)
        self.assertEqual(breaches("codegen/conv/x/lower/A.cpp", "codegen/conv/x/kernel/B.h"), [])
        self.assertEqual(breaches("codegen/A.cpp", "codegen/lower/B.h"), [])

    def test_no_way_leads_to_one_target(self):
        texts = {"codegen/schedule/A.cpp": '#include "codegen/conv/B.h"\n',
                 "codegen/conv/B.h": '#include "codegen/conv/C.h"\n', "codegen/conv/C.h": ""}
        self.assertEqual(check_layering.check_reach(texts), [])
        texts["codegen/conv/C.h"] = '#include "codegen/cpu/D.h"\n'
        self.assertEqual(check_layering.check_reach(texts),
                         ["rule 7: codegen's schedule is for any target: codegen/schedule/A.cpp -> "
                          "codegen/conv/B.h -> codegen/conv/C.h -> codegen/cpu/D.h"])

    def test_links(self):
        sources = {"codegen/plan/A.cpp": '#include "codegen/kernel/B.h"\n',
                   "codegen/conv/x/lower/A.cpp": '#include "codegen/conv/x/X.h"\n'}
        def breaches(name, link):
            text = "symc_add_library(%s SOURCES ${sources} LINK %s DEPENDS Gen)" % (name, link)
            return [problem.split(": ", 2)[2] for problem in check_layering.check_links(sources, {"L": text})]
        self.assertEqual(breaches("SymcPlan", "SymcKernelDialect"), [])
        self.assertEqual(breaches("SymcPlan", "SymcConv"),
                         ["SymcPlan lacks SymcKernelDialect", "SymcPlan needs no SymcConv"])
        self.assertEqual(breaches("SymcLower", ""), ["SymcLower lacks SymcConv"])

    def test_algorithms_are_named_in_their_folder(self):
        texts = {"codegen/%d.cpp" % i: "a Winograd step" for i in range(10)}
        texts["codegen/conv/winograd/A.cpp"] = "winograd"
        self.assertEqual(check_layering.check_names(texts), [])
        texts["ir/A.cpp"] = "winograd"
        self.assertEqual(len(check_layering.check_names(texts)), 1)

    def test_widths_of_blocks_are_counted(self):
        other = "// blocks of 16\nmaxTasks = 16; bytes = 16 << 20; name = \"16\"; x = v16 + 1.16;\n"
        texts = {"codegen/lower/A.cpp": other, "codegen/lower/products/BytePairs.cpp": "lanes == 16",
                 "codegen/emit/B.cpp": "size = 16;"}
        with mock.patch.object(check_layering, "LITERAL_WIDTHS", 0):
            self.assertEqual(check_layering.check_widths(texts), [])
            texts["codegen/lower/A.cpp"] += "blocks = channels / 16;"
            self.assertEqual(check_layering.check_widths(texts),
                             ["rule 10: 1 widths of blocks are literals, 0 may be: codegen/lower/A.cpp:3"])


class CommandLine(unittest.TestCase):
    def test_folders_are_two(self):
        for words in ([], ["."], ["a", "b", "c"], [".", "--update"]):
            said = io.StringIO()
            with mock.patch.object(sys, "argv", ["check"] + words), contextlib.redirect_stderr(said):
                with self.assertRaises(SystemExit) as left:
                    check_kernels.main()
            self.assertEqual((left.exception.code, said.getvalue()),
                             (2, "usage: check_kernels.py SOURCE BUILD [--update]\n"))


class Statuses(unittest.TestCase):
    ROWS = 'X(OUTSIDE, 1, RUN_FAILED, "an index") \\\n X(PART, 2, BAD_SHAPE, "a part")'
    FINE = "return refuse(Refusal::OUTSIDE);\nif (x)\n  return refuse(Refusal::PART);\nreturn SYMC_STATUS_NO_LIBRARY;\n"

    def problems(self, text, rows=ROWS):
        return check_statuses.check_texts({"runtime/kernels/a.cpp": text}, rows)

    def test_reasons(self):
        self.assertEqual(self.problems(self.FINE + "// SYMC_STATUS_RUN_FAILED\n"), [])
        self.assertEqual(self.problems(self.FINE + "return SYMC_STATUS_RUN_FAILED;\n"),
                         ["runtime/kernels/a.cpp:5: a kernel returns SYMC_STATUS_RUN_FAILED without a reason; "
                          "use refuse(Refusal::NAME) of runtime/core/refusals.h"])

    def test_list(self):
        self.assertEqual(self.problems("return refuse(Refusal::OUTSIDE);"),
                         ["runtime/core/refusals.h:2: no kernel refuses anything for the reason PART"])
        self.assertEqual(self.problems(self.FINE, self.ROWS.replace("2", "1")),
                         ["runtime/core/refusals.h:2: OUTSIDE and PART have number 1"])


class Widths(unittest.TestCase):
    def found(self, path, text):
        return [problem.split(": ")[1].split(" counts")[0] for problem in check_widths.check_file(path, text, set())]

    def test_kernels(self):
        path = "runtime/kernels/reference/a.cpp"
        self.assertEqual(self.found(path, "int count = 0;\n"), ["'count'"])
        self.assertEqual(self.found(path, "int32_t stride = by[0];\n"), ["'stride'"])
        self.assertEqual(self.found(path, "for (int32_t x = 0; x < columns; ++x)\n"), ["'x'"])
        self.assertEqual(self.found(path, "void f(unsigned place);\n"), ["'place'"])
        self.assertEqual(self.found(path, "return at[int(place)];\n"), ["'return at[int(place)];'"])
        self.assertEqual(self.found(path, "int64_t dtype = uint32_t(count);\nint64_t m = int(n);\n"), ["'m'"])
        self.assertEqual(self.found("runtime/core/a.cpp", "int count = 0;\n"), [])

    def test_innocent(self):
        path = "runtime/kernels/reference/a.cpp"
        for text in ("int32_t kernel(const symc_kernel_args *args) {\n", "int64_t count = 0;\n",
                     "int32_t status = SYMC_STATUS_OK;\n", "for (int32_t axis = 0; axis < rank; ++axis)\n",
                     "for (int i = 0; i < 4; ++i)\n", "for (int32_t i = 0; i < args->n_inputs; ++i)\n",
                     "return run_rows(args, rows, [&](const RowRange &range) -> int32_t {\n",
                     "int taps = 0; // 32 bits: of a window\n", "// 32 bits: below kReach.\nint taps = 0;\n"):
            self.assertEqual(self.found(path, text), [], text)
        self.assertEqual(self.found(path, "// 32 bits: below kReach.\nint taps = 0;\nint more = 0;\n"), ["'more'"])

    def test_generated(self):
        path = "codegen/lower/A.cpp"
        cast = "Value i = arith::IndexCastOp::create(b, loc, b.getI32Type(), place);\n"
        self.assertEqual(len(self.found(path, cast)), 1)
        self.assertEqual(self.found(path, cast.replace("b.getI32Type()", "b.getI64Type()")), [])
        self.assertEqual(self.found(path, "// 32 bits: a lane.\n" + cast), [])
        self.assertEqual(len(self.found(path, "SmallVector<int32_t> places;\n")), 1)
        self.assertEqual(len(self.found(path, "Value n = constant(b.getI32IntegerAttr(count));\n")), 1)
        self.assertEqual(self.found(path, "Value n = constant(b.getI32IntegerAttr(1));\n"), [])

    def test_cuda(self):
        path = "codegen/cuda/A.cpp"
        self.assertEqual(self.found(path, 'w.line("const int index = " + at + ";");\n'), ["'index'"])
        self.assertEqual(self.found(path, 'w.line("const " + w.indexType(size) + " index = " + at + ";");\n'), [])
        self.assertEqual(self.found(path, 'w.line("const int lane = threadIdx.x % 32;");\n'), [])


class Sizes(unittest.TestCase):
    def test_rules(self):
        opening = "// Says what it does.\n"
        self.assertEqual(check_sizes.check_file("ir/A.cpp", opening), [])
        self.assertEqual(len(check_sizes.check_file("ir/A.cpp", opening + "\n" * 800)), 1)
        self.assertEqual(len(check_sizes.check_file("ir/Utils.cpp", opening)), 1)
        self.assertEqual(len(check_sizes.check_file("ir/A.cpp", "int x;\n")), 1)
        self.assertEqual(len(check_sizes.check_file("ir/A.cpp", opening + "// TO" "DO later\n")), 1)
        self.assertEqual(check_sizes.check_file("ir/A.cpp", opening + "// TO" "DO(#7) later\n"), [])
        self.assertEqual(len(check_sizes.check_file("ir/A.h", opening)), 1)
        self.assertEqual(check_sizes.guard_of("runtime/include/symc/abi.h"), "SYMC_ABI_H")


class Format(unittest.TestCase):
    def test_rules(self):
        with tempfile.TemporaryDirectory() as root:
            path = os.path.join(root, "a.cpp")
            with open(os.path.join(root, ".clang-format"), "w") as config:
                config.write("BasedOnStyle: LLVM\n")
            for text, count in (("int x;\n", 0), ("int   x;\nint   y;\n", 1)):
                with open(path, "w") as source:
                    source.write(text)
                with mock.patch.object(sys, "argv", ["check", root]), contextlib.redirect_stdout(io.StringIO()) as said:
                    with self.assertRaises(SystemExit) as left:
                        check_format.main()
                self.assertEqual((left.exception.code, "a.cpp:1: not formatted" in said.getvalue()), (count, count == 1))


class Words(unittest.TestCase):
    def test_rules(self):
        words = self.words("| `turn` not `in turn`, `turn off` | round | all files |")
        self.assertEqual([(word.word, word.instead, word.everywhere) for word in words], [("turn", "round", True)])
        for text, problems in (("a turn", ["x.cpp:1: 'turn' is retired; write round"]), ("x\nTurn", ["x.cpp:2: 'turn' is retired; write round"]),
                               ("in turn", []), ("in\n  turn", []), ("turn off", []), ("return turned", []),
                               ("in turn, a turn", ["x.cpp:1: 'turn' is retired; write round"])):
            self.assertEqual(check_words.check_file("x.cpp", text, words), problems)

    def words(self, rows):
        return check_words.retired("# Glossary\n| `form` | other |\n## Retired words\n\n| word | write | in |\n|---|---|---|\n%s\n" % rows)

    def test_phrases(self):
        words = self.words("| `late transform` | on the fly | all files |")
        self.assertEqual(check_words.check_file("x.test", "a late\ntransform", words), ["x.test:1: 'late transform' is retired; write on the fly"])
        self.assertEqual(check_words.check_file("x.test", "late transforms", words), [])

    def test_text_that_users_read(self):
        words = self.words("| `says` | states | text |")
        for path, text, lines in (("docs/x.md", "\nsays", [2]), ("ir/x.cpp", '// says\n"says"; /* says */ f(says);\n\n"it\\" says"', [2, 4]),
                                  ("tools/x.h", 'R"(\nsays)"', [2]), ("ir/x.cpp", '#include "says"', []), ("test/x.cpp", '"says"', []),
                                  ("ir/x.td", 'HelpText<"says"> // says', [1]), ("tools/x/x.py", '"says"', []),
                                  ("runtime/include/symc/x.h", "// says\nf(says); /* a\nsays */", [1, 3]),
                                  ("tools/python/symc/x.py", 'says = 1\ndef f():\n    """It says."""\n    # says', [3]),
                                  ("tools/scripts/make-x", "#!/bin/sh\n# It says.\necho says # says", [2]),
                                  ("tools/bench/compare_x", '#!/usr/bin/env python3\n"""One\n\nsays"""\nsays = "says"', [4])):
            self.assertEqual(check_words.check_file(path, text, words), ["%s:%d: 'says' is retired; write states" % (path, line) for line in lines])

    def test_sources_as_a_whole(self):
        words = self.words("| `says` not `says()` | states | text and sources |")
        for path, problems in (("codegen/x.cpp", 1), ("passes/x.h", 1), ("codegen/x.td", 1), ("ir/x.cpp", 1), ("frontend/x.h", 1), ("runtime/core/x.h", 1),
                               ("runtime/CMakeLists.txt", 1), ("tools/x.cpp", 1), ("tools/cuda-shim/x.inc", 1), ("tools/scripts/lib/x.py", 1),
                               ("cmake/x.cmake", 1), ("test/codegen/x.mlir", 0), ("test/unit/x.cpp", 0), ("examples/x/x.py", 0)):
            self.assertEqual(len(check_words.check_file(path, "# it says\n", words)), problems, path)
        for text, problems in (("x = says", 1), ("x.says = 1", 1), ("x.says()", 0), ("x_says()", 0)):
            self.assertEqual(len(check_words.check_file("tools/scripts/lib/x.py", text, words)), problems, text)

    def test_unreadable_rows(self):
        for rows in ("| `says` | states |", "| `says` | states | text |\n| `turn` | round | everywhere |", ""):
            with self.assertRaises(SystemExit):
                self.words(rows)


class Messages(unittest.TestCase):
    def parts(self, text):
        return [part for _, part in check_messages.messages("x.cpp", text)]

    def test_sites(self):
        self.assertEqual(self.parts('return emitOpError() << "axis " << a << " lies outside of the rank";'),
                         ["lies outside of the rank"])
        self.assertEqual(self.parts('fail("expected a string, "\n     "got " + found());'),
                         ["expected a string, got"])
        self.assertEqual(self.parts('std::string getBody() { return "a where b not"; }'), ["a where b not"])
        self.assertEqual(self.parts('problem.set("cannot read \'%s\': it is a folder", p);'),
                         ["': it is a folder"])
        self.assertEqual(self.parts('// fail("expected a string")\nf("expected", "string");'), [])
        self.assertEqual(self.parts('mistake = "the kernel is too long";'), ["the kernel is too long"])
        self.assertEqual(self.parts('fail("internal error: no such row");'), [])
        self.assertEqual(self.parts('printf("%d cases have passed\\n", n);'), [])


class Constraints(unittest.TestCase):
    def test_agreement(self):
        with tempfile.TemporaryDirectory() as root:
            for folder in ("ir/ops", "test/ops"):
                os.makedirs(os.path.join(root, folder))
            with open(os.path.join(root, "ir/ops/F.td"), "w") as file:
                file.write('def SG_FooOp : SG_Op<"foo", []> {\n  let description = [{\n'
                           "    C1: one.\n    C2: two.\n  }];\n}\n")
            with open(os.path.join(root, "ir/ops/F.cpp"), "w") as file:
                file.write("LogicalResult FooOp::inferShape(S &s) {\n  if (x) // C1\n}\n")
            with open(os.path.join(root, "test/ops/foo.mlir"), "w") as file:
                file.write("sg.graph @foo_c1() {}\nsg.graph @foo_c12() {}\n")
            self.assertEqual(check_constraints.promises(root)["foo"][1], {"C1", "C2"})
            self.assertEqual(check_constraints.checks(root), {"FooOp": {"C1"}})
            self.assertEqual(check_constraints.tests(root), {"foo": {"C1", "C12"}})

    def test_needs(self):
        with tempfile.TemporaryDirectory() as root:
            for folder in ("ir/ops", "test/ops"):
                os.makedirs(os.path.join(root, folder))
            with open(os.path.join(root, "ir/Helper.cpp"), "w") as file:
                file.write("LogicalResult helper(S &s) {\n  return s.need(x);\n}\n")
            with open(os.path.join(root, "ir/ops/Foo.cpp"), "w") as file:
                file.write("LogicalResult FooOp::inferShape(S &s) {\n  if (rank) // C1\n    return f();\n"
                           "  return helper(s); // C2\n}\n"
                           "LogicalResult BarOp::inferShape(S &s) { return helper(s); } // C1\n"
                           "LogicalResult BazOp::inferShape(S &s) { // C1\n  return s.refine(x);\n}\n"
                           "LogicalResult QuxOp::inferShape(S &s) { // C1, C2\n  return s.need(x);\n}\n")
            self.assertEqual(check_constraints.needs(root),
                             {"FooOp": {"C2"}, "BarOp": {"C1"}, "QuxOp": set()})
            with open(os.path.join(root, "test/ops/foo.mlir"), "w") as file:
                file.write("sg.graph @foo_c2_range() {}\nsg.graph @foo_c1() {}\n")
            self.assertEqual(check_constraints.tests(root, check_constraints.RANGE), {"foo": {"C2"}})


class Kernels(unittest.TestCase):
    def test_rows(self):
        rows = check_kernels.ROW.findall(" SYMC_KERNEL(clip, F32, symc_ref_clip_f32, SCALAR)\n"
                                         "#define SYMC_KERNEL(a, b, c, d) row\n")
        self.assertEqual(rows, [("clip", "F32", "symc_ref_clip_f32", "SCALAR")])


class Generated(unittest.TestCase):
    def check(self, source, build, *flags):
        text = io.StringIO()
        with mock.patch.object(sys, "argv", ["check_generated.py", source, build, *flags]), contextlib.redirect_stdout(text):
            with self.assertRaises(SystemExit) as ended:
                check_generated.main()
        return ended.exception.code, text.getvalue()

    def test_pages_that_a_part_of_the_build_did_not_make_stay(self):
        with tempfile.TemporaryDirectory() as source, tempfile.TemporaryDirectory() as build:
            for folder, name, text in ((source, "old", "1"), (source, "same", "1"), (build, "same", "2"), (build, "new", "1")):
                os.makedirs(os.path.join(folder, "docs", "generated"), exist_ok=True)
                with open(os.path.join(folder, "docs", "generated", name + ".md"), "w") as file:
                    file.write(text)
            status, text = self.check(source, build)
            self.assertEqual(status, 1)
            self.assertIn("docs/generated/same.md: stale\n", text)
            self.assertIn("docs/generated/new.md: missing\n", text)
            status, text = self.check(source, build, "--update")
            self.assertEqual(status, 1)
            self.assertEqual(text, "docs/generated/old.md: the build did not make it; build all, and remove it if nothing does\n"
                                   "generated: 1 pages differ\n")
            with open(os.path.join(source, "docs", "generated", "same.md")) as file:
                self.assertEqual(file.read(), "2")
            os.remove(os.path.join(source, "docs", "generated", "old.md"))
            self.assertEqual(self.check(source, build), (0, "generated: 0 pages differ\n"))


class KnownGaps(unittest.TestCase):
    def test_list_only_shrinks(self):
        with tempfile.TemporaryDirectory() as root:
            self.assertEqual(len(known_gaps.compare(root, "x.txt", {"a": "f:1"}, False)), 1)
            self.assertEqual(known_gaps.compare(root, "x.txt", {"a": "f:1"}, True), [])
            self.assertEqual(known_gaps.compare(root, "x.txt", {"a": "f:9"}, False), [])
            self.assertEqual(len(known_gaps.compare(root, "x.txt", {"a": "f:1", "b": "f:2"}, False)), 1)
            self.assertEqual(len(known_gaps.compare(root, "x.txt", {}, False)), 1)
            known_gaps.compare(root, "x.txt", {}, True)
            self.assertEqual(os.listdir(os.path.join(root, "test", "known-gaps")), [])


class DiffPasses(unittest.TestCase):
    def test_order_of_the_run(self):
        with tempfile.TemporaryDirectory() as top:
            os.makedirs(os.path.join(top, "m", "1_graph"))
            for path, text in (("m/2_last.mlir", "c"), ("m/10_end.mlir", "d"), ("m/0_first.mlir", "a"),
                               ("m/1_graph/1_0_inner.mlir", "b")):
                with open(os.path.join(top, path), "w") as file:
                    file.write(text)
            self.assertEqual([text for _, text in diff_passes.outputs(top)], ["a", "b", "c", "d"])


class Cases(unittest.TestCase):
    def test_who_computed_a_case(self):
        names, table = {"exp"}, {"exp", "_symc_twice"}
        self.assertIsNone(check_cases.odd_oracle({"op": "exp"}, names, table))
        self.assertIsNone(check_cases.odd_oracle({"op": "_symc_twice", "oracle": "numpy"}, names, table))
        self.assertIn("its results come from MXNet", check_cases.odd_oracle({"op": "exp", "oracle": "numpy"}, names, table))
        self.assertIn("its results come from NumPy", check_cases.odd_oracle({"op": "_symc_twice"}, names, table))

    def test_operators(self):
        table = dict({name: {name} for name in check_cases.WITHOUT}, add={"add", "_plus"}, sub={"sub"})
        self.assertEqual(check_cases.missing(table, {"_plus", "sub"}), [])
        self.assertIn("operator 'sub' has no case", check_cases.missing(table, {"add"})[0])
        first = next(iter(check_cases.WITHOUT))
        self.assertIn("'%s' has a case" % first, check_cases.missing(table, {"add", "sub", first})[0])
        self.assertEqual(check_cases.operators_of({"nodes": [{"op": "null"}, {"op": "_foreach", "subgraphs": [
            {"nodes": [{"op": "exp"}]}]}]}), {"null", "_foreach", "exp"})

    def test_tolerances(self):
        facts = {"rtol": 0.0, "atol": 1.0}
        self.assertEqual(check_cases.loose(facts, [None, [20.0, -3.0], [0.0, 0.0]]), [])
        self.assertEqual(check_cases.loose(facts, [None, [2.0, float("nan")]]), [1])
        self.assertEqual(check_cases.loose(dict(facts, tolerances=[[0, 1], [1e-6, 1e-6]]), [None, [2.0]]), [])


class Counting(unittest.TestCase):
    def write(self, folder, name, text):
        with open(os.path.join(folder, name), "w") as file:
            file.write(text)

    def test_details_and_crashes(self):
        with tempfile.TemporaryDirectory() as folder:
            self.write(folder, "ctest.xml",
                       '<testsuite><testcase name="lit-ops" status="run"/>'
                       '<testcase name="unit-a" status="fail"/>'
                       '<testcase name="check" status="run"/>'
                       '<testcase name="public" status="notrun"><skipped message="SKIP_RETURN_CODE=77"/></testcase>'
                       '<testcase name="off" status="disabled"/>'
                       '<testcase name="gone" status="notrun"><skipped message="Unable to find executable"/></testcase>'
                       '</testsuite>')
            self.write(folder, "lit-ops.xml",
                       '<testsuites><testsuite><testcase name="x"/><testcase name="y"/>'
                       '<testcase name="z"><skipped/></testcase></testsuite></testsuites>')
            self.write(folder, "unit-a.xml", '<testsuite><testcase name="b"/></testsuite>')
            counts = count_tests.count_ctest(folder)
        self.assertEqual(counts["lit-ops"], (2, 0, 1))
        self.assertEqual(counts["unit-a"], (1, 1, 0))
        self.assertEqual(counts["check"], (1, 0, 0))
        self.assertEqual(counts["public"], (0, 0, 1))
        self.assertEqual(counts["off"], (0, 0, 1))
        self.assertEqual(counts["gone"], (0, 1, 0))


class Passes(unittest.TestCase):
    ENTRY = 'def KernelDropIt : Pass<"kernel-drop-it", "X"> {\n  let description = [{ ```a``` }];\n}\n'
    FILE = "#define GEN_PASS_DEF_KERNELDROPIT\n"

    TEST = "// RUN: symc-opt --kernel-drop-it\n// Nearest misses of kernel-drop-it: two\n"

    def problems(self, entry=ENTRY, text=FILE, tests=TEST, twice="kernel-drop-it"):
        with tempfile.TemporaryDirectory() as root:
            os.makedirs(os.path.join(root, "codegen/passes"))
            for path, content in (("codegen/Passes.td", entry), ("codegen/passes/DropIt.cpp", text)):
                with open(os.path.join(root, path), "w") as file:
                    file.write(content)
            return len(check_passes.check(root, "codegen/Passes.td", "codegen/passes", [tests], twice))

    def test_a_pass_has_its_file_example_and_tests(self):
        self.assertEqual(self.problems(), 0)
        self.assertEqual(self.problems(text="// another\n"), 1)
        self.assertEqual(self.problems(text=self.FILE + "#define GEN_PASS_DEF_KERNELOTHER\n"), 1)
        self.assertEqual(self.problems(tests=self.TEST.replace("drop", "other")), 2)
        self.assertEqual(self.problems(tests=self.TEST.replace("of kernel-drop-it", "of kernel-drop-items")), 1)
        self.assertEqual(self.problems(tests=self.TEST.replace("RUN: symc-opt --kernel-drop-it", "kernel-drop-it")), 1)
        self.assertEqual(self.problems(twice="kernel-other"), 1)
        self.assertEqual(self.problems(entry=self.ENTRY.replace("```", "")), 1)


class Gradients(unittest.TestCase):
    def test_declarations(self):
        table = {"a": ("rule", {"A"}), "b": ("", {"B"}), "c": ("maybe", {"C"})}
        problems, gaps = check_gradients.undeclared(table)
        self.assertEqual(problems, ["sg.c: gradient is 'maybe', needs one of 'rule', 'zero', 'none', 'rewritten', ''"])
        self.assertEqual(gaps, {"sg.b": "ir/ops"})

    def test_rules_have_cases(self):
        table = dict({name: ("rule", {name}) for name in check_gradients.WITHOUT}, a=("rule", {"A", "_a"}), b=("zero", {"B"}))
        self.assertEqual(check_gradients.untested(table, {"_a"}), [])
        self.assertIn("sg.a: no case of training has it", check_gradients.untested(table, set())[0])
        self.assertIn("WITHOUT: 'dropout' has a case", check_gradients.untested(table, {"_a", "dropout"})[0])


if __name__ == "__main__":
    unittest.main()
