"""symc.recordio: MXNet's files of records (.rec) with their index (.idx), and pictures with labels in them.

    writer = symc.recordio.MXIndexedRecordIO("faces.idx", "faces.rec", "w")
    writer.write_idx(0, symc.recordio.pack(symc.recordio.IRHeader(0, 3.0, 0, 0), jpeg))
    writer.close()

A record is the magic number, a word with its length (29 bits) and its kind, its bytes, and zeros up to a multiple of 4. Where
the bytes have the magic number at a multiple of 4, they are cut there: the kinds of the parts are 1, 2 ... 2, 3.
"""
import os
import struct
from collections import namedtuple
from multiprocessing import current_process

import numpy as np

from .errors import MissingFile, SymcError

MAGIC = 0xCED7230A
_MAGIC = struct.pack("<I", MAGIC)
_LONGEST = (1 << 29) - 1
_WHOLE, _FIRST, _MIDDLE, _LAST = range(4)


class MXRecordIO:
    """Records one after the other: read() or, with the flag "w", write(bytes)."""

    def __init__(self, uri, flag):
        self.uri, self.flag, self.is_open = os.fspath(uri), flag, False
        self.open()

    def open(self):
        if self.flag not in ("r", "w"):
            raise ValueError("flag is %r, needs 'r' or 'w'" % (self.flag,))
        self.writable = self.flag == "w"
        try:
            self._file = open(self.uri, self.flag + "b")
        except FileNotFoundError:
            raise MissingFile("%s: cannot open the file: no such file or directory" % self.uri) from None
        self.pid, self.is_open = current_process().pid, True

    def close(self):
        if self.is_open:
            self._file.close()
            self.is_open = False

    def reset(self):
        """Begins again; what was written is gone."""
        self.close()
        self.open()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def __del__(self):
        if getattr(self, "is_open", False):
            self.close()

    def __getstate__(self):
        """A pickled reader opens its file again, at its beginning; a writer would lose what it wrote."""
        if self.writable:
            raise SymcError("%s is being written and cannot be pickled" % self.uri)
        return {key: value for key, value in vars(self).items() if key not in ("_file", "fidx")}

    def __setstate__(self, state):
        vars(self).update(state)
        if self.is_open:
            self.open()

    def _check(self, writable):
        if not self.is_open:
            raise SymcError("%s is closed" % self.uri)
        if self.writable != writable:
            raise SymcError("%s is open to be %s" % (self.uri, "written" if self.writable else "read"))
        if self.pid != current_process().pid:  # the file's place is one for parent and child
            if writable:
                raise SymcError("%s was opened by another process, which writes to it" % self.uri)
            self.reset()

    # --- Writing -----------------------------------------------------------

    def write(self, buf):
        self._check(True)
        buf = bytes(buf)
        if len(buf) > _LONGEST:
            raise ValueError("a record has %d bytes, at most %d fit" % (len(buf), _LONGEST))
        cuts, at = [], buf.find(_MAGIC)
        while at >= 0:
            if at % 4 == 0:
                cuts.append(at)
            at = buf.find(_MAGIC, at + 4 if at % 4 == 0 else at + 1)
        begin = 0
        for end in cuts:
            self._part(_FIRST if begin == 0 and end == cuts[0] else _MIDDLE, buf[begin:end])
            begin = end + 4
        self._part(_LAST if cuts else _WHOLE, buf[begin:])

    def _part(self, kind, data):
        self._file.write(_MAGIC + struct.pack("<I", kind << 29 | len(data)) + data + b"\0" * (-len(data) % 4))

    # --- Reading -----------------------------------------------------------

    def read(self):
        """The next record's bytes, None behind the last one."""
        self._check(False)
        parts, begin = [], self._file.tell()
        while True:
            found = self._read_part(begin, bool(parts))
            if found is None:
                return None
            kind, data = found
            if (kind in (_WHOLE, _FIRST)) == bool(parts):
                raise SymcError("%s: the record at byte %d has parts in no order: a part of kind %d at number %d" % (
                    self.uri, begin, kind, len(parts)))
            parts.append(data)
            if kind in (_WHOLE, _LAST):
                return data if len(parts) == 1 else _MAGIC.join(parts)

    def _read_part(self, begin, inside):
        at = self._file.tell()
        head = self._file.read(8)
        if not head and not inside:
            return None
        if len(head) < 8:
            raise SymcError("%s: the file ends at byte %d inside of the record at byte %d" % (self.uri, at + len(head), begin))
        magic, word = struct.unpack("<II", head)
        if magic != MAGIC:
            raise SymcError("%s: no record begins at byte %d: there is %#010x, needs %#010x" % (self.uri, at, magic, MAGIC))
        kind, length = word >> 29, word & _LONGEST
        if kind > _LAST:
            raise SymcError("%s: the record at byte %d has a part of kind %d, needs 0 to 3" % (self.uri, begin, kind))
        data = self._file.read(length + -length % 4)
        if len(data) < length:
            raise SymcError("%s: the file ends at byte %d inside of the record at byte %d" % (
                self.uri, at + 8 + len(data), begin))
        return kind, data[:length]


class MXIndexedRecordIO(MXRecordIO):
    """Records by key, whose places are lines "key, tab, byte" of the file idx_path."""

    def __init__(self, idx_path, uri, flag, key_type=int):
        self.idx_path, self.key_type = os.fspath(idx_path), key_type
        super().__init__(uri, flag)

    def open(self):
        super().open()
        self.idx, self.keys = {}, []
        if self.writable:
            self.fidx = open(self.idx_path, "w", encoding="utf-8")
            return
        try:
            with open(self.idx_path, encoding="utf-8") as file:
                for number, line in enumerate(file, 1):
                    self._read_line(number, line.rstrip("\n"))
        except FileNotFoundError:
            self.close()
            raise MissingFile("%s: cannot open the file: no such file or directory" % self.idx_path) from None
        except BaseException:
            self.close()
            raise

    def _read_line(self, number, line):
        if not line.strip():
            return
        words = line.split("\t")
        try:
            key, place = self.key_type(words[0].strip()), int(words[1])
        except (IndexError, ValueError):
            raise SymcError("%s:%d: needs a key, a tab and a number of a byte, got %r" % (
                self.idx_path, number, line)) from None
        self.idx[key] = place
        self.keys.append(key)

    def close(self):
        if self.is_open and self.writable:
            self.fidx.close()
        super().close()

    def seek(self, idx):
        """The next read() gives the record of this key."""
        self._check(False)
        if idx not in self.idx:
            raise KeyError("%s has no record with the key %r" % (self.uri, idx))
        self._file.seek(self.idx[idx])

    def tell(self):
        """The byte at which the next record will be written."""
        self._check(True)
        return self._file.tell()

    def read_idx(self, idx):
        self.seek(idx)
        return self.read()

    def write_idx(self, idx, buf):
        key, place = self.key_type(idx), self.tell()
        self.write(buf)
        self.fidx.write("%s\t%d\n" % (key, place))
        self.idx[key] = place
        self.keys.append(key)


# --- What records of pictures hold --------------------------------------------

#: flag: how many labels there are where they are not one; label: a number or an array; id, id2: of the picture.
IRHeader = namedtuple("HEADER", ["flag", "label", "id", "id2"])
_HEADER = struct.Struct("<IfQQ")


def pack(header, s):
    """The bytes of a record: the header, its labels if they are an array, and `s`."""
    header = IRHeader(*header)
    if np.ndim(header.label) == 0 and not isinstance(header.label, np.ndarray):
        return _HEADER.pack(0, header.label, header.id, header.id2) + s
    labels = np.asarray(header.label, dtype="<f4").ravel()
    return _HEADER.pack(labels.size, 0, header.id, header.id2) + labels.tobytes() + s


def unpack(s):
    """(IRHeader, the bytes behind it)."""
    if len(s) < _HEADER.size:
        raise SymcError("a record of a picture has %d bytes, its header needs %d" % (len(s), _HEADER.size))
    header = IRHeader(*_HEADER.unpack_from(s))
    rest = s[_HEADER.size:]
    if header.flag:
        if len(rest) < 4 * header.flag:
            raise SymcError("a record of a picture has %d bytes behind its header, its %d labels need %d" % (
                len(rest), header.flag, 4 * header.flag))
        header = header._replace(label=np.frombuffer(rest, "<f4", header.flag).astype("float32"))
        rest = rest[4 * header.flag:]
    return header, rest


def unpack_img(s, iscolor=-1):
    """(IRHeader, the picture's pixels): blue, green, red where iscolor is not 0, as OpenCV has them; [height, width] where it
    is 0, and of a gray picture where it is -1."""
    from . import image
    header, data = unpack(s)
    if iscolor == 0 or (iscolor < 0 and image.is_gray(data)):
        return header, image.decode(data, 1)[..., 0]
    return header, np.ascontiguousarray(image.decode(data)[..., ::-1])


def pack_img(header, img, quality=95, img_fmt=".jpg"):
    """pack of pixels [height, width] or [height, width, 3] (blue, green, red) as a JPEG file of this quality, 1 to 100, or a PNG
    file: img_fmt=".png", `quality` its compression, 0 to 9."""
    from . import image
    pixels = np.asarray(img)
    if pixels.ndim == 3 and pixels.shape[2] == 3:
        pixels = pixels[..., ::-1]
    return pack(header, image.encode(pixels, img_fmt, quality))
