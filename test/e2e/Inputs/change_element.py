"""Copies an .npz and sets the last float32 of one array to 1000.

usage: change_element.py IN.npz NAME OUT.npz"""
import struct
import sys
import zipfile

source, name, target = sys.argv[1:]
with zipfile.ZipFile(source) as old, zipfile.ZipFile(target, "w") as new:
    for member in old.namelist():
        data = old.read(member)
        if member == name + ".npy":
            data = data[:-4] + struct.pack("<f", 1000)
        new.writestr(member, data)
