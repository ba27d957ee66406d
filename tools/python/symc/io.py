"""symc.io: batches of arrays for Module, by MXNet's names."""
from collections import OrderedDict, namedtuple

import numpy as np

from .errors import SymcError
from .ndarray import NDArray, array


class DataDesc(namedtuple("DataDesc", "name shape")):
    """Name and shape of an input, with `dtype` and `layout` beside them."""

    def __new__(cls, name, shape, dtype=np.float32, layout="NCHW"):
        made = super().__new__(cls, name, tuple(shape))
        made.dtype, made.layout = dtype, layout
        return made

    def __repr__(self):
        return "DataDesc[%s,%s,%s,%s]" % (self.name, self.shape, self.dtype, self.layout)

    @staticmethod
    def get_batch_axis(layout):
        return 0 if layout is None else layout.find("N")

    @staticmethod
    def get_list(shapes, types=None):
        types = dict(types or [])
        return [DataDesc(name, shape, types.get(name, np.float32)) for name, shape in shapes]


class DataBatch:
    """Arrays of one batch, `pad` rows at its end being there for its size alone."""

    def __init__(self, data, label=None, pad=None, index=None, bucket_key=None, provide_data=None, provide_label=None):
        for name, value in (("data", data), ("label", label)):
            if value is not None and not isinstance(value, (list, tuple)):
                raise TypeError("%s of a batch is a list of arrays, got %r" % (name, type(value).__name__))
        self.data, self.label, self.pad, self.index = data, label, pad, index
        self.bucket_key, self.provide_data, self.provide_label = bucket_key, provide_data, provide_label

    def __str__(self):
        return "DataBatch: data shapes: %s label shapes: %s" % tuple(
            [each.shape for each in values] if values else None for values in (self.data, self.label))


class DataIter:
    """Base class of iterators over batches: classes have next(), or iter_next() and getdata() with what stands
    beside it."""

    def __init__(self, batch_size=0):
        self.batch_size = batch_size

    def __iter__(self):
        return self

    def __next__(self):
        return self.next()

    def next(self):
        if not self.iter_next():
            raise StopIteration
        return DataBatch(self.getdata(), self.getlabel(), self.getpad(), self.getindex())

    def iter_next(self):
        """Goes to the next batch; False where there is none."""
        raise NotImplementedError("%s has neither next() nor iter_next()" % type(self).__name__)

    def getlabel(self):
        return None

    def getpad(self):
        return None

    def getindex(self):
        return None

    def reset(self):
        pass


def _named(data, default):
    """[(name, NDArray)] of an array, a list or a dict; names as MXNet makes and sorts them."""
    if data is None:
        return []
    if isinstance(data, np.ndarray):
        data = [data]
    if isinstance(data, (list, tuple)):
        data = OrderedDict((default if len(data) == 1 else "_%d_%s" % (place, default), each)
                           for place, each in enumerate(data))
    if not hasattr(data, "items"):
        raise TypeError("'%s' is an array, a list of arrays or a dict, got %s" % (default, type(data).__name__))
    return [(name, each if isinstance(each, NDArray) else array(each))
            for name, each in sorted(data.items())]


class NDArrayIter(DataIter):
    """Batches of consecutive rows. The last one, where it is not full, is filled with the first rows ("pad"), left out
    ("discard"), or put before the first of the next time ("roll_over"; no row of it is padding, so its pad is 0)."""

    def __init__(self, data, label=None, batch_size=1, shuffle=False, last_batch_handle="pad", data_name="data",
                 label_name="softmax_label", layout="NCHW"):
        super().__init__(batch_size)
        if last_batch_handle not in ("pad", "discard", "roll_over"):
            raise ValueError("last_batch_handle is '%s', needs pad, discard or roll_over" % last_batch_handle)
        self.data, self.label = _named(data, data_name), _named(label, label_name)
        if not self.data:
            raise ValueError("'%s' is None, needs an array" % data_name)
        if batch_size < 1:
            raise ValueError("batch_size is %d, needs at least 1" % batch_size)
        self.shuffle, self.last_batch_handle, self.layout = shuffle, last_batch_handle, layout
        self.num_data = self.data[0][1].shape[0]
        for name, each in self.data + self.label:
            if each.shape[0] != self.num_data:
                raise ValueError("'%s' has %d rows, '%s' has %d" %
                                 (name, each.shape[0], self.data[0][0], self.num_data))
        if batch_size > self.num_data and last_batch_handle != "pad":
            raise ValueError("batch_size is %d, needs at most the %d rows" % (batch_size, self.num_data))
        self._left = np.empty(0, int)  # rows of an incomplete batch
        self.hard_reset()

    def _describe(self, named):
        return [DataDesc(name, (self.batch_size, *each.shape[1:]), each.dtype.type, self.layout)
                for name, each in named]

    @property
    def provide_data(self):
        return self._describe(self.data)

    @property
    def provide_label(self):
        return self._describe(self.label)

    def hard_reset(self):
        """Begins again, without rows that were left."""
        self._left = np.empty(0, int)
        self.reset()

    def reset(self):
        rows = np.random.permutation(self.num_data) if self.shuffle else np.arange(self.num_data)
        self._rows = np.concatenate([self._left, rows])
        self._left = self._batch = np.empty(0, int)
        self._at = self._pad = 0

    def iter_next(self):
        rows, pad = self._rows[self._at:self._at + self.batch_size], 0
        if len(rows) < self.batch_size:
            if self.last_batch_handle == "roll_over":
                self._left, rows = rows, rows[:0]
            if self.last_batch_handle == "discard" or not len(rows):
                self._at = len(self._rows)
                return False
            pad = self.batch_size - len(rows)
            rows = np.concatenate([rows, np.resize(self._rows, pad)])
        self._at += self.batch_size
        self._batch, self._pad = rows, pad
        return True

    def getdata(self):
        return [each[self._batch] for _, each in self.data]

    def getlabel(self):
        return [each[self._batch] for _, each in self.label]

    def getpad(self):
        return self._pad


def _idx(path, magic, rank):
    """The array of bytes of an IDX file, as MNIST comes in."""
    with open(path, "rb") as file:
        data = file.read()
    head = np.frombuffer(data.ljust(4 * (rank + 1), b"\0"), ">i4", rank + 1)
    if head[0] != magic:
        raise SymcError("%s is no IDX file of %d dimensions: it does not begin with %d" % (path, rank, magic))
    values = np.frombuffer(data[4 * (rank + 1):], "uint8")
    if values.size != np.prod(head[1:]):
        raise SymcError("%s has %d bytes of values, its head needs %s" % (path, values.size, tuple(head[1:].tolist())))
    return values.reshape(head[1:])


class MNISTIter(NDArrayIter):
    """Batches of MNIST's files: pictures of (1, 28, 28), or `flat` of (784,), over 256. Rows that fill no batch are left
    out."""

    def __init__(self, image, label, batch_size=128, shuffle=True, flat=False, seed=0, silent=False, data_shape=None,
                 input_shape=None, **_kwargs):
        pictures = _idx(image, 2051, 3).astype("float32") / 256
        labels = _idx(label, 2049, 1).astype("float32")
        shape = (-1,) if flat else (1, *pictures.shape[1:])
        pictures = pictures.reshape(len(pictures), *shape)
        if shuffle:
            order = np.random.RandomState(seed).permutation(len(pictures))
            pictures, labels = pictures[order], labels[order]
        super().__init__(pictures, labels, batch_size, last_batch_handle="discard")
