"""symc.image: pictures as arrays of bytes [height, width, channels], by MXNet's names.

JPEG is decoded by libjpeg-turbo where its library is here (SYMC_TURBOJPEG names another, or none), else, as PNG, by the decoder of
compiled models; encoded are PNG by zlib, JPEG by the compiler's library.
"""
import ctypes
import os
import random
import struct
import zlib

import numpy as np

from . import _library
from .errors import MissingFile, SymcError
from .ndarray_class import NDArray


def decode(buf, channels=3, path="the picture"):
    """Pixels [height, width, channels] of the bytes of a PNG or JPEG file: red, green, blue, or gray where channels is 1."""
    data = buf.tobytes() if isinstance(buf, np.ndarray) else bytes(buf)
    if not data:
        raise SymcError("%s is empty" % path)
    width, height, pixels = ctypes.c_int32(), ctypes.c_int32(), ctypes.POINTER(ctypes.c_uint8)()
    try:
        _library.call("symc_picture_decode", data, ctypes.c_size_t(len(data)), ctypes.c_int32(channels),
                      ctypes.byref(width), ctypes.byref(height), ctypes.byref(pixels))
    except SymcError as reason:
        raise SymcError("%s cannot be decoded: %s" % (path, reason)) from None
    try:
        values = np.ctypeslib.as_array(pixels, (height.value * width.value * channels,)).copy()
    finally:
        _library.library().symc_picture_free(pixels)
    return values.reshape(height.value, width.value, channels)


def imdecode(buf, flag=1, to_rgb=1, out=None):
    """The pixels of a PNG or JPEG file as an NDArray of bytes: red, green, blue (blue, green, red unless `to_rgb`), or one
    gray channel where flag is 0."""
    if flag not in (0, 1):
        raise ValueError("flag is %r, needs 0 (gray) or 1 (colours)" % (flag,))
    pixels = decode(buf, 3 if flag else 1)
    if flag and not to_rgb:
        pixels = np.ascontiguousarray(pixels[..., ::-1])
    if out is None:
        return pixels.view(NDArray)
    if out.shape != pixels.shape:
        raise ValueError("imdecode: out has shape %s, the picture %s" % (out.shape, pixels.shape))
    out[...] = pixels
    return out


def imread(filename, flag=1, to_rgb=True):
    """imdecode of a file."""
    try:
        with open(filename, "rb") as file:
            data = file.read()
    except FileNotFoundError:
        raise MissingFile("%s: cannot open the file: no such file or directory" % os.fspath(filename)) from None
    return imdecode(data, flag, to_rgb)


def is_gray(data):
    """Whether the bytes of a PNG or JPEG file are those of a picture with one channel."""
    if data[:4] == b"\x89PNG":
        return len(data) > 25 and data[25] in (0, 4)
    at = 2
    while at + 9 < len(data):  # JPEG's segments, up to the one that counts channels
        kind, length = data[at + 1], struct.unpack_from(">H", data, at + 2)[0]
        if 0xC0 <= kind <= 0xCF and kind not in (0xC4, 0xC8, 0xCC):
            return data[at + 9] == 1
        at += 2 + length
    return False


def encode(pixels, kind=".png", level=6):
    """The bytes of a file of pixels [height, width], or [height, width, channels]: ".png" with 1, 3 or 4 channels, compressed by
    `level` 0 to 9; ".jpg" with 1 (as equal colours) or 3, whose quality `level` is, 1 to 100."""
    pixels = np.asarray(pixels)
    if pixels.ndim == 2:
        pixels = pixels[..., None]
    jpeg = kind.lower() in (".jpg", ".jpeg")
    if not jpeg and kind.lower() != ".png":
        raise SymcError("pictures are written as '.jpg' and '.png', not as '%s'" % kind)
    counts = (1, 3) if jpeg else (1, 3, 4)
    if pixels.dtype != np.uint8 or pixels.ndim != 3 or pixels.shape[2] not in counts or not pixels.size:
        raise ValueError("a picture is uint8 [height, width] or [height, width, %s], got %s %s" % (
            "1 or 3" if jpeg else "1, 3 or 4", pixels.dtype, pixels.shape))
    return _jpeg(pixels, int(level)) if jpeg else _png(pixels, int(level))


def _jpeg(pixels, quality):
    pixels, file, size = np.ascontiguousarray(pixels), ctypes.POINTER(ctypes.c_uint8)(), ctypes.c_size_t()
    _library.call("symc_picture_encode", pixels.ctypes.data_as(ctypes.c_void_p), *map(ctypes.c_int32, (*pixels.shape, quality)),
                  ctypes.byref(file), ctypes.byref(size))
    try:
        return ctypes.string_at(file, size.value)
    finally:
        _library.library().symc_picture_free(file)


def _png(pixels, level):
    height, width, channels = pixels.shape
    rows = np.zeros((height, 1 + width * channels), "uint8")  # each behind a byte for its filter, which is none
    rows[:, 1:] = pixels.reshape(height, -1)

    def chunk(name, data):
        return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))
    head = struct.pack(">IIBBBBB", width, height, 8, {1: 0, 3: 2, 4: 6}[channels], 0, 0, 0)
    return (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", zlib.compress(rows.tobytes(), min(max(level, 0), 9)))
            + chunk(b"IEND", b""))


# --- Parts of pictures --------------------------------------------------------

def imresize(src, w, h, interp=1):
    """Another size of a picture [height, width, channels]. `interp`: 0 nearest pixel, 1 linear, 2 cubic, 3 area, 4 Lanczos, 9
    cubic or area as the size grows or shrinks."""
    pixels = np.ascontiguousarray(src)
    if pixels.dtype != np.uint8 or pixels.ndim != 3:
        raise ValueError("imresize takes uint8 [height, width, channels], got %s %s" % (pixels.dtype, pixels.shape))
    made = np.empty((int(h), int(w), pixels.shape[2]), "uint8")
    pointers = [each.ctypes.data_as(ctypes.c_void_p) for each in (pixels, made)]
    _library.call("symc_picture_resize", pointers[0], *map(ctypes.c_int32, (*pixels.shape, int(h), int(w), interp)), pointers[1])
    return made.view(NDArray)


def resize_short(src, size, interp=2):
    """A picture whose shorter side has `size` pixels."""
    height, width = src.shape[:2]
    if height > width:
        return imresize(src, size, size * height // width, interp)
    return imresize(src, size * width // height, size, interp)


def fixed_crop(src, x0, y0, w, h, size=None, interp=2):
    """`w` columns and `h` rows from (x0, y0) on, scaled to `size` (width, height) where it is given."""
    if x0 < 0 or y0 < 0 or y0 + h > src.shape[0] or x0 + w > src.shape[1]:
        raise ValueError("a crop of %d x %d at (%d, %d) is not inside of a picture of %d x %d" % (
            w, h, x0, y0, src.shape[1], src.shape[0]))
    part = np.ascontiguousarray(src[y0:y0 + h, x0:x0 + w]).view(NDArray)
    return part if size is None or tuple(size) == (w, h) else imresize(part, *size, interp)


def center_crop(src, size, interp=2):
    """(the middle of a picture, (x0, y0, width, height)); `size` is (width, height). A smaller picture gives the part of that
    ratio, scaled to it."""
    height, width = src.shape[:2]
    w, h = _scaled_down((width, height), size)
    x0, y0 = (width - w) // 2, (height - h) // 2
    return fixed_crop(src, x0, y0, w, h, size, interp), (x0, y0, w, h)


def random_crop(src, size, interp=2):
    """center_crop at a place that Python's generator draws, as in MXNet."""
    height, width = src.shape[:2]
    w, h = _scaled_down((width, height), size)
    x0, y0 = random.randint(0, width - w), random.randint(0, height - h)
    return fixed_crop(src, x0, y0, w, h, size, interp), (x0, y0, w, h)


def _scaled_down(within, size):
    """`size` (width, height), or what has its ratio and lies in `within`."""
    w, h = size
    if within[1] < h:
        w, h = float(w * within[1]) / h, within[1]
    if within[0] < w:
        w, h = within[0], float(h * within[0]) / w
    return int(w), int(h)


def color_normalize(src, mean, std=None):
    """(src - mean) / std."""
    made = np.asarray(src) - np.asarray(mean)
    return (made if std is None else made / np.asarray(std)).view(NDArray)


def __getattr__(key):
    if not key.startswith("_"):
        from . import image_augment, image_detection, image_iter
        for module in (image_augment, image_detection, image_iter):
            if getattr(vars(module).get(key), "__module__", "") == module.__name__:
                return getattr(module, key)
    raise AttributeError("module 'symc.image' has no attribute '%s'" % key)
