#!/usr/bin/env python3
"""Copies stb_image.h with the bounds checks that releases before 2.28 lack, found by
test/fuzz/fuzz_image.cpp: tables of Huffman codes with more than 256 entries, codes
without a symbol, reads past the end of the bit stream, tables used before they are
filled. A later release is copied as it is. Every place must be there: a release that
is neither is an error, not a decoder without checks.

usage: harden_stb.py STB_IMAGE_H COPY
"""

import re
import sys

CORRUPT = 'return stbi__err("corrupt", "Corrupt JPEG");'

# (text, replacement, how often it stands in the file)
CHECKS = [
    # A size list holds at most 256 codes, and an end mark.
    ("         h->size[k++] = (stbi_uc) (i+1);",
     f"      {{ if (k >= 256) {CORRUPT}\n         h->size[k++] = (stbi_uc) (i+1); }}", 1),
    # The list of symbols has as many.
    ("            L -= 17;\n", f"            if (n > 256) {CORRUPT}\n            L -= 17;\n", 1),
    # A table that was never filled has no end of its own.
    ("   for (k=FAST_BITS+1 ; ; ++k)", "   for (k=FAST_BITS+1 ; k < 17; ++k)", 1),
    # A code between the codes of two lengths has no symbol.
    ("   STBI_ASSERT((((j->code_buffer) >> (32 - h->size[c]))",
     "   if (c < 0 || c > 255) return -1;\n"
     "   STBI_ASSERT((((j->code_buffer) >> (32 - h->size[c]))", 1),
    # After the end of the stream bits are zero, and their count does not become negative.
    ("   if (j->code_bits < n) stbi__grow_buffer_unsafe(j);\n",
     "   if (j->code_bits < n) stbi__grow_buffer_unsafe(j);\n"
     "   if (j->code_bits < n) return 0;\n", 2),
    ("   if (j->code_bits < 1) stbi__grow_buffer_unsafe(j);\n",
     "   if (j->code_bits < 1) stbi__grow_buffer_unsafe(j);\n"
     "   if (j->code_bits < 1) return 0;\n", 1),
    ("s = r & 15; // combined length\n",
     f"s = r & 15; // combined length\n            if (s > j->code_bits) {CORRUPT}\n", 2),
    # Reading nothing touches nothing, also where there is no memory to read it into.
    ("static int stbi__getn(stbi__context *s, stbi_uc *buffer, int n)\n{\n",
     "static int stbi__getn(stbi__context *s, stbi_uc *buffer, int n)\n{\n"
     "   if (n == 0) return 1;\n", 1),
    # Tables are empty, not unknown, before a file fills them.
    ('   if (!j) return stbi__errpuc("outofmem", "Out of memory");\n   STBI_NOTUSED(ri);\n',
     '   if (!j) return stbi__errpuc("outofmem", "Out of memory");\n   STBI_NOTUSED(ri);\n'
     "   memset(j, 0, sizeof(stbi__jpeg));\n", 1),
    ('   if (!j) return stbi__err("outofmem", "Out of memory");\n   j->s = s;\n',
     '   if (!j) return stbi__err("outofmem", "Out of memory");\n'
     "   memset(j, 0, sizeof(stbi__jpeg));\n   j->s = s;\n", 2),
]


def harden(text, path):
    version = re.match(r"/\* stb_image - v(\d+)\.(\d+)", text)
    if not version:
        sys.exit(f"{path}: error: expected stb_image with its version in the first line")
    if (int(version[1]), int(version[2])) >= (2, 28):
        return text
    for found, replacement, times in CHECKS:
        if text.count(found) != times:
            sys.exit(f"{path}: error: expected {times} times {found.strip()!r}, got "
                     f"{text.count(found)}; take stb_image 2.27, or 2.28 and later")
        text = text.replace(found, replacement)
    return text


def main():
    source, copy = sys.argv[1:]
    with open(source, encoding="utf-8", newline="") as file:
        text = file.read()
    # Lines end in one way, so that the checks above need one spelling.
    text = harden(text.replace("\r\n", "\n"), source)
    with open(copy, "w", encoding="utf-8", newline="") as file:
        file.write(text)


if __name__ == "__main__":
    main()
