#!/usr/bin/env python3
"""Checks that kernels and the code that makes kernels count elements in 64 bits.

1. Reference kernels (runtime/kernels): no variable, parameter, field or cast is a 32-bit integer.
2. Code generation for CPUs: no index becomes an i32, no number that is computed is an i32 constant,
   and no vector of steps is one.
3. Code generation for CUDA: no variable in a text is an `int` or `unsigned`.

What may have 32 bits is a name of NAMES or CUDA_NAMES, each with the reason, or a counter of a loop
to a number that the line shows, or of dimensions or operands, or stands on a line with a comment `// 32 bits: ` and the reason,
or directly below such a comment. A name of NAMES that no source uses is a mistake, too.
"""
import re
import sys

from source_tree import line_of, list_files, read, report, without_comments

# Names whose values have little to do with how large a tensor is.
NAMES = {
    "a status": ("status", "bad", "code", "returned"),
    "of dimensions, at most SYMC_MAX_RANK": (
        "axis", "rank", "rank_", "kept_rank", "spatial", "channel", "own", "mine", "added", "order", "last", "from", "kRank"),
    "of operands, results or bodies of a node, or one of them": (
        "operand", "result", "next", "weight", "wide", "wide_out", "limits", "bodies", "body", "inputs", "first"),
    "a value that MXNet computes in 32 bits": (
        "sum", "sums", "tap", "bias", "value", "kind", "to", "kept", "bits", "dtype", "sign", "rescale"),
    "a truth value, or several": ("any", "both", "excluded"),
}
# The same of texts in CUDA C++.
CUDA_NAMES = {
    "of a block, a warp or a tile": (
        "thread", "self", "warp", "rowOfWarp", "lane", "i", "j", "k", "o", "t", "q", "r", "s", "m", "by", "line", "word"),
    "of the stages of a tile": ("slice", "slices", "fetched", "place", "before", "number", "block", "portion", "p"),
    "words of a tile in shared memory": ("x", "y", "a", "b", "filters", "inputs", "low"),
    "of a convolution's weights, whose groups a grid counts": (
        "channel", "output", "group", "gate", "left", "real", "end", "term", "tap", "natural", "row", "column"),
    "of images, which a grid counts": ("image",),
    "a place in a plane, which the unit that copies tiles counts": ("x0",),
    "a status": ("code",),
}
# In single files: names, or a word of a line with a cast.
PLACES = {
    "runtime/kernels/reference/refusal.h": {"length": "of a sentence"},
    "runtime/kernels/reference/element.h": {"INT32_MIN": "an element, within the bounds that the line tests"},
    "runtime/kernels/reference/scalar_primitives.h": {"lcm_of": "two elements that the line before tests"},
}
WORDS = ("long", "short", "char", "__int128")  # that go on a type


def names_of(table):
    return {name for names in table.values() for name in names}


NARROW = r"(?:unsigned int|unsigned|int32_t|uint32_t|int|short)"
# Of C++: a variable, parameter or field, not a function; and a cast.
DECLARED = re.compile(r"\b%s(?: const)?(?: \*| &| )\s*(?:const )?(\w+)(?!\w)(?!\()" % NARROW)
CAST = re.compile(r"(?<![\w<])%s\((?!normal_axis|sizeof)" % NARROW)
ASSIGNED = re.compile(r"(\w+)(?:\[[^;{}=]*\])? [+|]?= [^;{}]*\Z")  # what the statement gives a value
# A loop to a number, or over what NAMES allows.
BOUND = r"(?:[\w.>\[\]-]*\b(?:rank|n_inputs|n_outputs|bodies|inputs|n|rows|kept_rank)|(?:\w+ \+ )?(?:\d+|k[A-Z]\w*|\w+(?:<\w+>)?::k\w+)(?: / \d+)?)"
COUNTED = re.compile(
    r"\bfor \((?:int32_t|int) (\w+) = (?:\w+(?: \+ 1)?; \1 <=? %s;|[\w>.-]+(?:rank|n_inputs) - 1; \1 >= 0;)" % BOUND)
# Of generated code.
INDEX_CAST = re.compile(r"IndexCastOp::create\([^;]*?getI32Type\(\)", re.S)
CONSTANT = re.compile(r"getI32IntegerAttr\((?!-?\d+\))")
STEPS = re.compile(r"SmallVector<int32_t>|ArrayRef<int32_t>")
# Of texts in CUDA C++, the string literals that declare something.
TEXT = re.compile(r'"((?:\\.|[^"\\\n])*)"')
IN_TEXT = re.compile(r"(?<![\w.])(?:const )?(?:int|unsigned)(?: \*const)? (\w+)")
REASON = re.compile(r"// 32 bits: \w+")

KERNELS = ("runtime/kernels/",)
CPU = ("codegen/lower/", "codegen/cpu/", "codegen/schedule/", "codegen/kernel/", "codegen/conv/")
CUDA = ("codegen/cuda/",)


def is_excused(lines, number):
    """Whether line `number`, from 1, or a comment above it has a reason."""
    if REASON.search(lines[number - 1]):
        return True
    above = number - 2
    while above >= 0 and lines[above].lstrip().startswith("//"):
        if REASON.search(lines[above]):
            return True
        above -= 1
    return False


def find_kernels(text):
    """(offset, name or "") of narrow integers in C++ without comments."""
    counted = {match.start(1) for match in COUNTED.finditer(text)}
    for match in DECLARED.finditer(text):
        function = text[match.end(1):].lstrip()[:1] == "("  # foreach (...)
        if match.start(1) not in counted and not function and not match.group(1).startswith("symc_"):
            yield match.start(1), match.group(1)
    for match in CAST.finditer(text):
        target = ASSIGNED.search(text, 0, match.start())
        yield match.start(), target.group(1) if target else ""


def find_cpu(text):
    for pattern in (INDEX_CAST, CONSTANT, STEPS):
        for match in pattern.finditer(text):
            yield match.start(), ""


def find_cuda(text):
    for literal in TEXT.finditer(text):
        for match in IN_TEXT.finditer(literal.group(1)):
            yield literal.start(), match.group(1)


def check_file(path, text, used):
    """What is wrong in a file; adds the names that it needs to `used`."""
    finders = ((KERNELS, find_kernels, names_of(NAMES)), (CPU, find_cpu, set()),
               (CUDA, find_cuda, names_of(CUDA_NAMES)))
    lines, problems, seen = text.splitlines(), [], set()
    code = without_comments(text)
    for folders, find, names in finders:
        if not path.startswith(folders):
            continue
        for offset, name in find(code):
            number = line_of(text, offset)
            if name in names:
                used.add(name)
            elif any(word in (name, *re.findall(r"\w+", lines[number - 1])) for word in PLACES.get(path, ())):
                pass
            elif name not in WORDS and number not in seen and not is_excused(lines, number):
                seen.add(number)
                problems.append((number, name or lines[number - 1].strip()))
    return ["%s:%d: %s counts in 32 bits; needs 64, or '// 32 bits: ' and the reason" %
            (path, number, "'%s'" % what) for number, what in sorted(problems)]


def main():
    root = sys.argv[1] if len(sys.argv) > 1 else "."
    problems, used = [], set()
    for path in list_files(root, (".cpp", ".h")):
        problems += check_file(path, read(root, path), used)
    problems += ["check_widths.py: nothing is called '%s'" % name for name in sorted((names_of(NAMES) | names_of(CUDA_NAMES)) - used)]
    sys.exit(report("widths", problems, "narrow counts"))


if __name__ == "__main__":
    main()
