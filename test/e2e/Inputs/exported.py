"""Compares the functions that libsymc exports with those that its headers declare: exported.py NM LIBRARY HEADER..."""
import re
import subprocess
import sys

OP_TABLE = {"symc_register_kernel", "symc_unregister_kernel", "symc_find_kernel"}  # of the runtime's other library
lines = subprocess.run([sys.argv[1], "-D", "--defined-only", sys.argv[2]], stdout=subprocess.PIPE, text=True,
                       check=True).stdout.splitlines()
exported = {line.split()[2] for line in lines if line.split()[1] != "A"}
versions = {name.partition("@")[2] for name in exported}
declared = set()
for path in sys.argv[3:]:
    with open(path, encoding="utf-8") as file:
        text = re.sub(r"/\*.*?\*/|^#.*?[^\\]$", "", file.read(), flags=re.S | re.M)
    declared |= set(re.findall(r"^[A-Za-z_][\w \*]*?\b(symc_\w+)\(", text, re.M))
names = {name.partition("@")[0] for name in exported}
print("declared alone:", sorted(declared - names - OP_TABLE))
print("exported alone:", sorted(names - declared))
print("versions:", sorted(versions))
