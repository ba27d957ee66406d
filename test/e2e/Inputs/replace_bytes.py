"""Copies a file and replaces bytes, all of which must be there.

usage: replace_bytes.py IN OUT OLD NEW (texts with Python's escapes)"""
import sys

source, target = sys.argv[1:3]
old, new = (text.encode().decode("unicode_escape").encode("latin-1") for text in sys.argv[3:])
with open(source, "rb") as file:
    data = file.read()
if old not in data or len(old) != len(new):
    sys.exit(f"replace_bytes: {source} has no {old!r} to be replaced by as many bytes")
with open(target, "wb") as file:
    file.write(data.replace(old, new))
