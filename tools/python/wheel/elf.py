"""Reads what an ELF file needs of others, and cuts a library's ties to libraries whose functions are never called.

Assumes files of 64 bits, little-endian, with section headers, as LLVM's packages and symc's build have them.
"""
import re
import struct

DYNAMIC, DYNSYM, VERNEED, VERSYM = 6, 11, 0x6FFFFFFE, 0x6FFFFFFF  # types of sections
DT_NULL, DT_NEEDED, DT_RPATH, DT_RUNPATH, DT_VERNEED, DT_VERNEEDNUM = 0, 1, 15, 29, 0x6FFFFFFE, 0x6FFFFFFF
MACHINES = {62: "x86_64", 183: "aarch64"}
WEAK = 2  # a binding
NO_VERSION = 1


class ElfError(Exception):
    """A file that is none that this module reads, and why."""


class Elf:
    def __init__(self, data, name):
        self.data, self.name = data, name
        if bytes(data[:6]) != b"\x7fELF\x02\x01":
            raise ElfError("%s is no ELF file of 64 bits, little-endian" % name)
        self.machine = MACHINES.get(struct.unpack_from("<H", data, 18)[0], "unknown")
        start, = struct.unpack_from("<Q", data, 40)
        size, count = struct.unpack_from("<HH", data, 58)
        # Each: (name, type, flags, address, offset, bytes, link, info, alignment, bytes of an entry).
        headers = [struct.unpack_from("<IIQQQQIIQQ", data, start + i * size) for i in range(count)]
        self.sections = {header[1]: header for header in headers}
        if DYNAMIC not in self.sections:
            raise ElfError("%s has no dynamic section" % name)
        self.strings = {header[1]: headers[header[6]][4] for header in headers if header[6] < count}
        _, _, _, _, offset, size, *_ = self.sections[DYNAMIC]
        self.entries = []  # (tag, value)
        for at in range(offset, offset + size, 16):
            self.entries.append(struct.unpack_from("<QQ", data, at))
            if self.entries[-1][0] == DT_NULL:
                break
        self.needed = [self.text(DYNAMIC, value) for tag, value in self.entries if tag == DT_NEEDED]
        self.runpath = [part for tag, value in self.entries if tag in (DT_RPATH, DT_RUNPATH)
                        for part in self.text(DYNAMIC, value).split(":")]

    def text(self, section, offset):
        begin = self.strings[section] + offset
        return bytes(self.data[begin:self.data.find(b"\0", begin)]).decode()

    def versions(self):
        """[(file, names of its versions, offset of the record)]"""
        found = []
        at = self.sections[VERNEED][4] if VERNEED in self.sections else None
        while at is not None:
            _, count, file, first, following = struct.unpack_from("<HHIII", self.data, at)
            names, each = [], at + first
            for _ in range(count):
                _, _, _, name, step = struct.unpack_from("<IHHII", self.data, each)
                names.append(self.text(VERNEED, name))
                each += step
            found.append((self.text(VERNEED, file), names, at))
            at = at + following if following else None
        return found

    def glibc(self):
        """The newest version of glibc that the file requires."""
        newest = (2, 0)
        for _, names, _ in self.versions():
            for name in names:
                match = re.match(r"GLIBC_(\d+)\.(\d+)", name)
                if match or name == "GLIBC_ABI_DT_RELR":  # came with 2.36
                    newest = max(newest, (int(match.group(1)), int(match.group(2))) if match else (2, 36))
        return newest

    def symbols(self):
        """(number, name, defined, offset of the record) of each dynamic symbol."""
        _, _, _, _, offset, size, *_ = self.sections[DYNSYM]
        for number in range(1, size // 24):
            at = offset + 24 * number
            name, _, _, section = struct.unpack_from("<IBBH", self.data, at)
            yield number, self.text(DYNSYM, name), section != 0, at

    def imports(self):
        return {name for _, name, defined, _ in self.symbols() if not defined}

    def exports(self):
        return {name for _, name, defined, _ in self.symbols() if defined}


def without(elf, libraries):
    """The bytes of `elf` without its ties to `libraries`, {name in DT_NEEDED: names that it exports}: it opens without
    them, and their functions are null in it.

    1. DT_NEEDED and the record of versions of each library go.
    2. What it would import from one becomes weak and loses its version; the loader leaves such a symbol at null.
    """
    data = bytearray(elf.data)
    exported = set().union(*libraries.values())
    records = [at for _, _, at in elf.versions()]
    kept = [at for file, _, at in elf.versions() if file not in libraries]
    for at, following in zip(kept, kept[1:] + [None]):
        struct.pack_into("<I", data, at + 12, following - at if following else 0)
    entries = []
    for tag, value in elf.entries:
        if tag == DT_NEEDED and elf.text(DYNAMIC, value) in libraries:
            continue
        if kept and tag == DT_VERNEED:
            value += kept[0] - records[0]
        elif tag == DT_VERNEEDNUM:
            value = len(kept)
        if kept or tag not in (DT_VERNEED, DT_VERNEEDNUM):
            entries.append((tag, value))
    entries += [(DT_NULL, 0)] * (len(elf.entries) - len(entries))
    for place, entry in enumerate(entries):
        struct.pack_into("<QQ", data, elf.sections[DYNAMIC][4] + 16 * place, *entry)
    for number, name, defined, at in elf.symbols():
        if not defined and name in exported:
            data[at + 4] = (WEAK << 4) | (data[at + 4] & 15)
            if VERSYM in elf.sections:
                struct.pack_into("<H", data, elf.sections[VERSYM][4] + 2 * number, NO_VERSION)
    return bytes(data)
