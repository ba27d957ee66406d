#!/usr/bin/env python3
"""Checks the dependency rules of docs/architecture.md over the sources.

1. Includes follow the arrows between rooms; none goes sideways or up.
2. ir and passes include no lowering dialect.
3. Only tools own main, exit, flags and environment variables; in the runtime
   runtime/main and runtime/train/program own main and exit, core/environment.cpp getenv.
4. Code does not query a device or an instruction set outside the files that
   own the question.
5. registerAllDialects and its kin stand in symc-opt, symc-reduce and symc-lsp only.
6. No script of tools/scripts imports itself by way of others, wherever the imports stand. Those of a folder import
   its own modules and what FOLDERS names; no two have one name.
7. The floors of codegen: the dialect and what every target offers stand on nothing, the
   algorithms of convolutions on the target, schedule and lowerings on both and not on each
   other. What schedules, plans or is a step sees nothing of one target, by way of others neither.
8. An algorithm of convolutions is named in its folder, elsewhere in a few files only.
9. The libraries of codegen link what their sources include, and nothing else.
10. The width of a block of channels is the target's (Target.h) or that of a step's views: a 16 in
    code that computes with blocks is counted.
"""
import ast
import re
import sys

from source_tree import line_of, list_files, read, report, without_comments

ROOMS = ("frontend", "ir", "passes", "codegen", "runtime", "tools", "test")

# room -> rooms whose headers it may include.
ARROWS = {
    "frontend": {"frontend", "ir"},
    "ir": {"ir"},
    "passes": {"passes", "ir", "formulas"},
    "codegen": {"codegen", "ir", "abi"},
    "runtime": {"runtime", "abi", "library", "formulas"},
    "tools": {"tools", "frontend", "passes", "codegen", "ir", "library"},
    "test": set(ROOMS) | {"abi", "library"},
}
# Tools that run compiled models, and so see the runtime.
RUNTIME_USERS = ("tools/symc-run/", "tools/libsymc/", "tools/conformance/", "tools/bench/", "tools/predict/", "tools/cuda-shim/HostRun", "tools/amx-emulator/", "tools/symc/DeviceTimes")

INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]*[<"]([^">]+)[">]', re.M)
LOWERING = re.compile(r"mlir/(Dialect|Conversion|Target)/|mlir/InitAll")
PROCESS = [
    (re.compile(r"\bgetenv\s*\("), "reads an environment variable"),
    (re.compile(r"(?<![\w:.>])(?:std::)?_?exit\s*\("), "ends the process"),
    (re.compile(r"\bint\s+main\s*\("), "defines main"),
    (re.compile(r"\bcl::opt\b|\bcl::list\b|\bllvm/Option/"), "owns command-line flags"),
]
TARGETS = [
    (re.compile(r"\bif\s*(?:constexpr\s*)?\([^;{]*\b\w*cuda\w*", re.I), "cuda",
     ("codegen/cuda/", "codegen/emit/CudaTable", "runtime/cuda/", "tools/driver/", "tools/cuda-shim/", "tools/symc/DeviceTimes")),
    (re.compile(r"\bif\s*(?:constexpr\s*)?\([^;{]*\b\w*avx\w*", re.I), "avx",
     ("codegen/cpu/TargetDescription", "runtime/core/cpu_isa")),
]
# Names of instruction sets: the target's table and the runtime's have them, and help and descriptions of options.
TARGET_NAMES = re.compile(r'"\\?"?(?:x86-64-v\d|armv8-a)')
TARGET_NAMES_OWNERS = ("codegen/cpu/TargetDescription", "runtime/core/cpu_isa", "runtime/include/symc/cpu_levels.def", "runtime/core/op_table", "runtime/core/environment.def")
REGISTER_ALL = re.compile(r"\bregisterAll(?:Dialects|Extensions|Passes)\b|mlir/InitAll")
REGISTER_ALL_OWNERS = ("tools/symc-opt/", "tools/symc-reduce/", "tools/symc-lsp/")


def room_of(include):
    include = include.replace("runtime/include/", "")
    first = include.split("/")[0]
    if include in ("symc/symc.h", "symc/predict.h"):
        return "tools"
    if include in ("symc/custom_op.h", "symc/mxnet_variables.def", "symc/optimizers.def", "symc/optimizer_options.h"):  # tools and the runtime have them in common
        return "library"
    if include == "symc/update_formulas.h":  # templates alone: operators are rewritten by what trainers compute
        return "formulas"
    if include.startswith("symc/"):
        return "abi" if include in ("symc/abi.h", "symc/types.h", "symc/cuda.h", "symc/kernels.def", "symc/libraries.def", "symc/cpu_levels.def") or include.startswith("symc/generated/") else "runtime"
    return first if first in ROOMS else None


def check_file(path, text):
    problems = []
    room = path.split("/")[0]
    code = without_comments(text)
    bare = without_comments(text, keep_strings=False)

    def problem(offset, message):
        problems.append("%s:%d: %s" % (path, line_of(text, offset), message))

    for match in INCLUDE.finditer(code):
        include = match.group(1)
        target = room_of(include)
        allowed = target is None or target in ARROWS[room]
        if target in ("runtime", "abi") and path.startswith(RUNTIME_USERS):
            allowed = True
        if not allowed:
            problem(match.start(), "rule 1: %s may not include '%s'" % (room, include))
        if room in ("ir", "passes") and LOWERING.search(include):
            problem(match.start(), "rule 2: %s may not include '%s'" % (room, include))
        if room == "runtime" and include.startswith(("llvm/", "mlir/", "clang/")):
            problem(match.start(), "rule 1: the runtime uses nothing of LLVM: '%s'" % include)

    if room not in ("tools", "test"):
        for pattern, what in PROCESS:
            owned = path.startswith(("runtime/main/", "runtime/train/program/")) and what in ("ends the process", "defines main")
            owned = owned or (path == "runtime/core/environment.cpp" and "environment" in what)
            if owned:
                continue
            for match in pattern.finditer(bare if "Option" not in pattern.pattern else code):
                problem(match.start(), "rule 3: %s; only tools may" % what)
    if room != "test":
        for pattern, word, owners in TARGETS:
            if not path.startswith(owners):
                for match in pattern.finditer(bare):
                    problem(match.start(), "rule 4: queries '%s'" % word)
        if not path.startswith(TARGET_NAMES_OWNERS):
            for match in TARGET_NAMES.finditer(code):
                problem(match.start(), "rule 4: names '%s'; TargetDescription has names by their purpose"
                        % match.group(0).strip('\\"'))
        if not path.startswith(REGISTER_ALL_OWNERS):
            for match in REGISTER_ALL.finditer(code):
                problem(match.start(), "rule 5: '%s' outside symc-opt" % match.group(0))
    return problems


# Floor of codegen -> floors whose headers it may include. An algorithm's folder holds three:
# what it adds to the dialect, its row of the table, its lowerings.
FLOORS = {
    "kernel": {"kernel"},
    "target": {"target"},
    "cpu": {"kernel", "target", "cpu"},
    "conv": {"kernel", "target", "cpu", "conv"},
    "plan": {"kernel", "plan"},
    "schedule": {"kernel", "target", "conv", "schedule"},
    "lower": {"kernel", "target", "cpu", "conv", "plan", "lower"},
    "cuda": {"kernel", "target", "plan", "cuda"},
    "emit": {"kernel", "target", "cpu", "cuda", "lower", "emit"},
}
# Floors for any target, and those of one.
FOR_ANY_TARGET, OF_ONE_TARGET = ("kernel", "target", "plan", "schedule"), ("cpu", "cuda")
# Folder of codegen, or what its files include -> library.
LIBRARIES = {
    "kernel": "SymcKernelDialect", "target": "SymcTarget", "cpu": "SymcCpuTarget", "conv": "SymcConv", "plan": "SymcPlan",
    "schedule": "SymcSchedule", "lower": "SymcLower", "cuda": "SymcCuda", "emit": "SymcEmit",
    "codegen": "SymcPipelines", "ir": "SymcIR",
}
LINKED = re.compile(r"symc_add_library\((\w+)\b[^)]*?\bLINK\b([^)]*?)(?:\bDEPENDS\b|\))")
# Word of an algorithm -> files of the compiler outside its folder that name it: never more.
ALGORITHM_NAMED = {"winograd": 10, "strassen": 13}
COMPILER = ("codegen/", "passes/", "tools/", "ir/")


def floor_of(path):
    """The floor of a file or header of codegen; None of those that stand on all of them."""
    parts = path.split("/")
    if parts[0] != "codegen" or len(parts) < 3:
        return None
    if parts[1] == "conv" and len(parts) > 4:
        return parts[3]
    return parts[1] if parts[1] in FLOORS else None


def check_floors(path, code):
    floor = floor_of(path)
    problems = []
    for match in INCLUDE.finditer(code):
        target = floor_of(match.group(1))
        if floor and target and target not in FLOORS[floor]:
            problems.append("%s:%d: rule 7: codegen's %s may not include '%s'"
                            % (path, line_of(code, match.start()), floor, match.group(1)))
    return problems


def check_reach(texts):
    """`texts`: path -> text of codegen. What any target's floors reach, header by header."""
    problems = []
    for path in sorted(texts):
        if floor_of(path) not in FOR_ANY_TARGET:
            continue
        way, left = {path: [path]}, [path]
        while left:
            at = left.pop()
            for match in INCLUDE.finditer(without_comments(texts.get(at, ""))):
                include = match.group(1)
                if include in way:
                    continue
                way[include] = way[at] + [include]
                left.append(include)
                if floor_of(include) in OF_ONE_TARGET:
                    problems.append("rule 7: codegen's %s is for any target: %s"
                                    % (floor_of(path), " -> ".join(way[include])))
    return problems


def library_of(path):
    """The library of a file or header of codegen or ir, or None."""
    parts = path.split("/")
    if parts[0] == "ir":
        return LIBRARIES["ir"]
    # Passes are declared together and defined in the libraries of their floors.
    if parts[0] != "codegen" or parts[-1].startswith(("KernelPasses.h", "Passes.h")):
        return None
    return LIBRARIES.get(floor_of(path) or "codegen")


def check_links(sources, lists):
    """`sources`: path -> text of codegen; `lists`: path -> text of its CMakeLists.txt."""
    needed = {}
    for path, text in sources.items():
        own = LIBRARIES.get(floor_of(path) or "codegen")
        for match in INCLUDE.finditer(without_comments(text)):
            library = library_of(match.group(1))
            if library and library != own:
                needed.setdefault(own, set()).add(library)
    problems = []
    for path, text in lists.items():
        for name, link in LINKED.findall(text):
            linked = set(link.split()) & set(LIBRARIES.values())
            wanted = needed.get(name, set())
            for what, names in (("lacks", wanted - linked), ("needs no", linked - wanted)):
                if names:
                    problems.append("%s: rule 9: %s %s %s" % (path, name, what, ", ".join(sorted(names))))
    return problems


def check_names(texts):
    """`texts`: path -> text of the compiler's sources."""
    problems = []
    for word, most in ALGORITHM_NAMED.items():
        naming = [path for path, text in texts.items()
                  if word in text.lower() and not path.startswith("codegen/conv/%s/" % word)]
        if len(naming) > most:
            problems.append("rule 8: %d files outside codegen/conv/%s name %s, %d may: %s"
                            % (len(naming), word, word, most, ", ".join(sorted(naming))))
    return problems


# Folders of codegen that compute with blocks of channels, and files whose 16 is no such width:
# rows of targets, products of bytes, halves of 32 bits.
OF_BLOCKS = ("conv", "cpu", "kernel", "lower", "plan", "schedule")
OF_OTHER_WIDTHS = ("codegen/cpu/TargetDescription.", "codegen/cpu/ScalarPasses.cpp", "codegen/lower/products/")
# Constants that are 16 and mean something else.
OF_OTHER_MEANINGS = re.compile(
    r"\b(?:maxTasks|phaseTilesAtOnce|fewChannels|consideredTiles|enoughRows|manyRows|partials|slotRows|"
    r"wordsPerLine|leastBatch) = 16\b|\b1 << 16\b|\b16 << \d+|getWidth\(\) > 16\b")
LITERAL_WIDTH = re.compile(r"(?<![\w.])16(?![\w.])")
# Literals that are left: never more.
LITERAL_WIDTHS = 4


def check_widths(texts):
    """`texts`: path -> text of codegen."""
    found = []
    for path, text in sorted(texts.items()):
        if path.split("/")[1] not in OF_BLOCKS or path.startswith(OF_OTHER_WIDTHS):
            continue
        code = OF_OTHER_MEANINGS.sub("", without_comments(text, keep_strings=False))
        found.extend("%s:%d" % (path, line_of(code, match.start()))
                     for match in LITERAL_WIDTH.finditer(code))
    if len(found) > LITERAL_WIDTHS:
        return ["rule 10: %d widths of blocks are literals, %d may be: %s"
                % (len(found), LITERAL_WIDTHS, ", ".join(found))]
    return []


SCRIPTS = "tools/scripts/"
# The folders of scripts by kind, and those whose modules each imports besides its own.
FOLDERS = {"lib": (), "cases": ("lib",), "checks": ("lib",), "oracles": ("cases", "lib")}


def imports_of(text, package):
    """The modules that a script names, with those that it may take out of a package."""
    names = []
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Import):
            names.extend(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = ".".join(part for part in (package if node.level else "", node.module) if part)
            names.append(base)
            names.extend("%s.%s" % (base, alias.name) for alias in node.names)
    return names


def module_of(path):
    """The name by which scripts import the script at a path under tools/scripts: its folder there is in their sys.path."""
    kind, _, rest = path.partition("/")
    return (rest if kind in FOLDERS else path)[:-3].replace("/", ".")


def check_imports(texts):
    """`texts`: the scripts' texts by their paths under tools/scripts."""
    modules = {module_of(path): path for path in texts}
    arrows = {}
    for module, path in modules.items():
        package = module.rpartition(".")[0]
        arrows[module] = [name for name in imports_of(texts[path], package) if name in modules]
    problems, left = [], set()

    def visit(module, chain):
        if module in chain:
            problems.append("%s%s:1: rule 6: imports itself: %s" % (
                SCRIPTS, modules[module], " -> ".join(chain[chain.index(module):] + [module])))
        elif module not in left:
            for target in arrows[module]:
                visit(target, chain + [module])
            left.add(module)

    twice = ["%s%s:1: rule 6: %s%s has this name too" % (SCRIPTS, path, SCRIPTS, modules[module_of(path)])
             for path in sorted(texts) if modules[module_of(path)] != path]
    if twice:
        return twice
    for module, path in sorted(modules.items()):
        kind = path.split("/")[0]
        visit(module, [])
        for target in arrows[module]:
            other = modules[target].split("/")[0]
            if kind in FOLDERS and other != kind and other not in FOLDERS[kind]:
                problems.append("%s%s:1: rule 6: scripts of %s import none of %s" % (SCRIPTS, path, kind, other))
    return problems


def main():
    root = sys.argv[1] if len(sys.argv) > 1 else "."
    problems = []
    for path in list_files(root, (".cpp", ".h", ".c", ".cu", ".inc", ".def")):
        if path.split("/")[0] in ROOMS:
            problems.extend(check_file(path, read(root, path)))
            problems.extend(check_floors(path, without_comments(read(root, path))))
    codegen = {path: read(root, path) for path in list_files(root, (".cpp", ".h"), "codegen/")}
    problems.extend(check_reach(codegen))
    problems.extend(check_widths(codegen))
    problems.extend(check_links(codegen,
                                {path: read(root, path)
                                 for path in list_files(root, ("CMakeLists.txt",), "codegen/")}))
    problems.extend(check_names({path: read(root, path)
                                 for path in list_files(root, (".cpp", ".h", ".td"))
                                 if path.startswith(COMPILER)}))
    problems.extend(check_imports({path[len(SCRIPTS):]: read(root, path)
                                   for path in list_files(root, (".py",), SCRIPTS)}))
    sys.exit(report("layering", problems, "breaches"))


if __name__ == "__main__":
    main()
