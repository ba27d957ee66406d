"""Iterators over files of MXNet's kinds: MNIST's IDX, CSV, LibSVM. Files are read at once; arrays are dense.

Errors name the file and the byte or line.
"""
import gzip
import os

import numpy as np

from .errors import MissingFile, SymcError
from .io import DataBatch, DataDesc, FileIter, NDArrayIter
from .ndarray import array
from .ndarray_class import NDArray


def _bytes_of(path):
    """A file's bytes, of a .gz file those inside."""
    try:
        with open(path, "rb") as file:
            data = file.read()
    except FileNotFoundError:
        raise MissingFile("%s: cannot open the file: no such file or directory" % path) from None
    if data[:2] != b"\x1f\x8b":
        return data
    try:
        return gzip.decompress(data)
    except (OSError, EOFError) as reason:
        raise SymcError("%s: damaged gzip file: %s" % (path, reason)) from None


def _part_of(count, num_parts, part_index):
    """(begin, end) of one of so many parts of equal size."""
    if num_parts < 1 or not 0 <= part_index < num_parts:
        raise ValueError("part_index is %d of num_parts = %d, needs 0 to %d" % (part_index, num_parts, max(num_parts - 1, 0)))
    return int(count / num_parts * part_index), int(count / num_parts * (part_index + 1))


# --- MNIST --------------------------------------------------------------------

def read_idx(path, magic, rank):
    """The array of bytes of an IDX file, gzipped or not, as MNIST comes in."""
    data = _bytes_of(path)
    head = np.frombuffer(data[:4 * (rank + 1)].ljust(4 * (rank + 1), b"\0"), ">i4", rank + 1)
    if head[0] != magic:
        raise SymcError("%s is no IDX file of %d dimensions: it does not begin with %d" % (path, rank, magic))
    values = np.frombuffer(data[4 * (rank + 1):], "uint8")
    if values.size != np.prod(head[1:].astype("int64")):
        raise SymcError("%s has %d bytes of values, its head needs %s" % (path, values.size, tuple(head[1:].tolist())))
    return values.reshape(head[1:])


def shuffled(count, seed):
    """The order in which MXNet 1.9.1 shuffles: std::shuffle by std::mt19937(seed) of the GCC that its packages are made
    with, each place but the first exchanged with one that is not behind it."""
    draw = np.random.RandomState(seed)._bit_generator.random_raw
    order = list(range(count))
    for at in range(1, count):
        scaling = 0xFFFFFFFF // (at + 1)
        number = int(draw())
        while number >= (at + 1) * scaling:
            number = int(draw())
        other = number // scaling
        order[at], order[other] = order[other], order[at]
    return np.array(order, int)


class MNISTIter(FileIter):
    """Batches of MNIST's files, gzipped or not: pictures of (1, 28, 28), or `flat` of (784,), over 256. They are shuffled
    once, by MXNet's generator. Rows that fill no batch are left out."""

    def __init__(self, image="./train-images-idx3-ubyte", label="./train-labels-idx1-ubyte", batch_size=128, shuffle=True,
                 flat=False, seed=0, silent=False, num_parts=1, part_index=0, data_name="data", label_name="softmax_label",
                 **_kwargs):
        pictures, labels = read_idx(image, 2051, 3), read_idx(label, 2049, 1)
        if len(pictures) != len(labels):
            raise SymcError("%s has %d pictures, %s has %d labels" % (image, len(pictures), label, len(labels)))
        begin, end = _part_of(len(pictures), num_parts, part_index)
        pictures, labels = pictures[begin:end], labels[begin:end]
        if batch_size > len(pictures):
            raise ValueError("batch_size is %d, needs at most the %d pictures" % (batch_size, len(pictures)))
        if shuffle:
            order = shuffled(len(pictures), seed)
            pictures, labels = pictures[order], labels[order]
        shape = (-1,) if flat else (1, *pictures.shape[1:])
        pictures = pictures.reshape(len(pictures), *shape).astype("float32") * np.float32(1 / 256)
        super().__init__(batch_size)
        self._rows = NDArrayIter(array(pictures), array(labels.astype("float32")), batch_size, last_batch_handle="discard",
                                 data_name=data_name, label_name=label_name)
        self.provide_data, self.provide_label = self._rows.provide_data, self._rows.provide_label

    def reset(self):
        self._rows.reset()

    def _next(self):
        return self._rows.next()


# --- Texts --------------------------------------------------------------------

class _Rows(FileIter):
    """Batches of rows as MXNet makes them of files: with round_batch the last one is filled with the first rows, and the
    next time begins behind these; without, with what the batch before had there. `pad` counts them."""

    def __init__(self, data, label, batch_size, round_batch, data_name, label_name):
        super().__init__(batch_size)
        if batch_size < 1:
            raise ValueError("batch_size is %d, needs at least 1" % batch_size)
        if label.shape[1:] and label.size == len(label):
            label = label.reshape(-1)
        self._arrays, self._round = (data, label), bool(round_batch)
        if len(data) < batch_size and self._round:
            raise ValueError("batch_size is %d, needs at most the %d rows" % (batch_size, len(data)))
        self.provide_data, self.provide_label = ([DataDesc(name, (batch_size, *each.shape[1:]), each.dtype)]
                                                 for name, each in ((data_name, data), (label_name, label)))
        self._at = self._over = 0
        self._rows = np.arange(batch_size) % max(len(data), 1)

    def reset(self):
        self._at, self._over = self._over, 0

    def _next(self):
        count = len(self._arrays[0])
        if self._at >= count:
            raise StopIteration
        rows = np.arange(self._at, min(self._at + self.batch_size, count))
        self._at += self.batch_size
        pad = self.batch_size - len(rows)
        if pad and self._round:
            self._over = pad
            rows = np.concatenate([rows, np.arange(pad)])
        elif pad:
            rows = np.concatenate([rows, self._rows[len(rows):]])
        self._rows = rows
        return DataBatch(*([each[rows].view(NDArray)] for each in self._arrays), pad, rows)


def _lines(path, num_parts=1, part_index=0):
    """(place, line) of each line that is not empty, of a file or of those of a folder, or of a part of their bytes: a line
    belongs to the part that the byte before it is in, as in MXNet."""
    names = sorted(os.path.join(path, name) for name in os.listdir(path)) if os.path.isdir(path) else [path]
    texts = [_bytes_of(name) for name in names]
    step = -(-sum(map(len, texts)) // num_parts)
    begin, end, before = step * part_index, step * (part_index + 1), 0
    for name, text in zip(names, texts):
        at = before
        for number, line in enumerate(text.split(b"\n"), 1):
            if (begin < at <= end or at == begin == 0) and line.strip():
                yield "%s:%d" % (name, number), line.decode("utf-8", "replace").strip()
            at += len(line) + 1
        before += len(text)


def _csv(path, shape, dtype):
    """[rows, *shape] of lines of numbers between commas."""
    rows, count = [], int(np.prod(shape))
    for place, line in _lines(path):
        words = line.split(",")
        if len(words) != count:
            raise SymcError("%s: the row has %d numbers, a shape of %s needs %d" % (place, len(words), shape, count))
        try:
            rows.append(np.array(words, dtype))
        except ValueError:
            raise SymcError("%s: no row of numbers: %.60r" % (place, line)) from None
    if not rows:
        raise SymcError("%s has no rows" % path)
    return np.stack(rows).reshape(len(rows), *shape)


def _shape(name, shape):
    shape = (shape,) if hasattr(shape, "__index__") else tuple(shape)
    if not all(hasattr(each, "__index__") and each > 0 for each in shape):
        raise ValueError("%s is %s, needs extents of at least 1" % (name, shape))
    return shape


class CSVIter(_Rows):
    """Batches of the rows of a file, or of a folder's files, of numbers between commas; labels of another one, or zeros."""

    def __init__(self, data_csv, data_shape, label_csv="NULL", label_shape=(1,), batch_size=1, round_batch=True,
                 dtype="float32", data_name="data", label_name="softmax_label", **_kwargs):
        dtype = np.dtype(dtype or "float32")
        if dtype.name not in ("float32", "int32", "int64"):
            raise ValueError("dtype is %s, needs float32, int32 or int64" % dtype)
        data = _csv(data_csv, _shape("data_shape", data_shape), dtype)
        if label_csv in (None, "NULL"):
            label = np.zeros((len(data), 1), dtype)
        else:
            label = _csv(label_csv, _shape("label_shape", label_shape), dtype)
            if len(label) < len(data):
                raise SymcError("%s has %d rows, the %d of %s need as many" % (label_csv, len(label), len(data), data_csv))
        super().__init__(data, label[:len(data)], batch_size, round_batch, data_name, label_name)


def _libsvm(path, count, num_parts, part_index):
    """([rows, count], [rows]) of lines "label index:value index:value ...", indices from 0 on."""
    rows, labels = [], []
    for place, line in _lines(path, num_parts, part_index):
        words = line.split("#")[0].split()
        if not words:
            continue
        row = np.zeros(count, "float32")
        try:
            labels.append(float(words[0].split(":")[0]))
            for word in words[1:]:
                index, value = word.split(":")
                if index != "qid":
                    row[int(index)] = float(value)
                    if int(index) < 0:
                        raise IndexError
        except ValueError:
            raise SymcError("%s: needs a label and words index:value, got %.60r" % (place, line)) from None
        except IndexError:
            raise SymcError("%s: index %s is not one of 0 to %d" % (place, index, count - 1)) from None
        rows.append(row)
    if not rows:
        raise SymcError("%s has no rows" % path)
    return np.stack(rows), np.array(labels, "float32")


class LibSVMIter(_Rows):
    """Batches of the rows of LibSVM's format, as dense arrays; labels are those of the file, or the rows of another one."""

    def __init__(self, data_libsvm, data_shape, label_libsvm="NULL", label_shape=(1,), num_parts=1, part_index=0,
                 batch_size=1, round_batch=True, data_name="data", label_name="softmax_label", **_kwargs):
        data_shape, label_shape = _shape("data_shape", data_shape), _shape("label_shape", label_shape)
        _part_of(0, num_parts, part_index)
        if len(data_shape) != 1:
            raise ValueError("data_shape is %s, needs one extent" % (data_shape,))
        data, label = _libsvm(data_libsvm, data_shape[0], num_parts, part_index)
        if label_libsvm not in (None, "NULL"):
            label, _ = _libsvm(label_libsvm, int(np.prod(label_shape)), num_parts, part_index)
            if len(label) < len(data):
                raise SymcError("%s has %d rows, the %d of %s need as many" % (
                    label_libsvm, len(label), len(data), data_libsvm))
            label = label[:len(data)].reshape(len(data), *label_shape)
        elif int(np.prod(label_shape)) != 1:
            raise ValueError("label_shape is %s, which needs label_libsvm" % (label_shape,))
        super().__init__(data, label, batch_size, round_batch, data_name, label_name)
