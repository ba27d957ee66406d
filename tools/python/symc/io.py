"""symc.io: batches of arrays for Module, by MXNet's names. Iterators over files are in io_files.py and
io_pictures.py."""
from collections import OrderedDict, namedtuple
from concurrent import futures
from typing import Any, List, Optional, Sequence

import numpy as np

from .ndarray import NDArray, array


class DataDesc(namedtuple("DataDesc", "name shape")):
    """Name and shape of an input, with `dtype` and `layout` beside them."""

    def __new__(cls, name: str, shape: Sequence[int], dtype: Any = np.float32, layout: Optional[str] = "NCHW") -> "DataDesc":
        made = super().__new__(cls, name, tuple(shape))
        made.dtype, made.layout = dtype, layout
        return made

    def __repr__(self):
        return "DataDesc[%s,%s,%s,%s]" % (self.name, self.shape, self.dtype, self.layout)

    @staticmethod
    def get_batch_axis(layout: Optional[str]) -> int:
        return 0 if layout is None else layout.find("N")

    @staticmethod
    def get_list(shapes: Any, types: Any = None) -> "List[DataDesc]":
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

    def __init__(self, batch_size: int = 0) -> None:
        self.batch_size = batch_size

    def __iter__(self) -> "DataIter":
        return self

    def __next__(self) -> "DataBatch":
        return self.next()

    def next(self) -> "DataBatch":
        if not self.iter_next():
            raise StopIteration
        return DataBatch(self.getdata(), self.getlabel(), self.getpad(), self.getindex())

    def iter_next(self) -> bool:
        """Goes to the next batch; False where there is none."""
        raise NotImplementedError("%s has neither next() nor iter_next()" % type(self).__name__)

    def getlabel(self):
        return None

    def getpad(self) -> Optional[int]:
        return None

    def getindex(self):
        return None

    def reset(self) -> None:
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
    ("discard"), or put before the first of the next time ("roll_over"; that batch's pad is their number, as in MXNet)."""

    def __init__(self, data: Any, label: Any = None, batch_size: int = 1, shuffle: bool = False, last_batch_handle: str = "pad",
                 data_name: str = "data", label_name: str = "softmax_label", layout: str = "NCHW") -> None:
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
        self._order = self.idx = np.arange(self.num_data)
        self.hard_reset()

    def _describe(self, named):
        return [DataDesc(name, (self.batch_size, *each.shape[1:]), each.dtype.type, self.layout)
                for name, each in named]

    @property
    def provide_data(self) -> "List[DataDesc]":
        return self._describe(self.data)

    @property
    def provide_label(self) -> "List[DataDesc]":
        return self._describe(self.label)

    def hard_reset(self) -> None:
        """Begins again, without rows that were left."""
        self._left = np.empty(0, int)
        self.reset()

    def reset(self) -> None:
        if self.shuffle:  # MXNet shuffles what it has shuffled
            self.idx = self.idx.copy()
            np.random.shuffle(self.idx)
            self._order = self._order[self.idx]
        self._rows, self._rolled = np.concatenate([self._left, self._order]), len(self._left)
        self._left = self._batch = np.empty(0, int)
        self._at = self._pad = 0

    def iter_next(self) -> bool:
        rows, pad = self._rows[self._at:self._at + self.batch_size], 0 if self._at else self._rolled
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

    def getpad(self) -> Optional[int]:
        return self._pad


class FileIter(DataIter):
    """Base class of iterators over files, which have one array of data and one of labels. Classes define _next(), the next
    DataBatch; getdata() and getlabel() give the arrays themselves, as those that MXNet writes in C++."""

    current_batch = None

    def next(self) -> "DataBatch":
        self.current_batch = self._next()
        return self.current_batch

    def iter_next(self) -> bool:
        try:
            self.next()
        except StopIteration:
            return False
        return True

    def getdata(self):
        return self.current_batch.data[0]

    def getlabel(self):
        return self.current_batch.label[0]

    def getindex(self):
        return self.current_batch.index

    def getpad(self) -> Optional[int]:
        return self.current_batch.pad


class ResizeIter(DataIter):
    """`size` batches of another iterator, which begins again where it ends earlier; with reset_internal=False a reset goes
    on where it is."""

    def __init__(self, data_iter: DataIter, size: int, reset_internal: bool = True) -> None:
        super().__init__(data_iter.batch_size)
        self.data_iter, self.size, self.reset_internal = data_iter, size, reset_internal
        self.provide_data, self.provide_label = data_iter.provide_data, data_iter.provide_label
        if hasattr(data_iter, "default_bucket_key"):
            self.default_bucket_key = data_iter.default_bucket_key
        self.cur, self.current_batch = 0, None

    def reset(self) -> None:
        self.cur = 0
        if self.reset_internal:
            self.data_iter.reset()

    def iter_next(self) -> bool:
        if self.cur == self.size:
            return False
        try:
            self.current_batch = self.data_iter.next()
        except StopIteration:
            self.data_iter.reset()
            self.current_batch = self.data_iter.next()
        self.cur += 1
        return True

    def next(self) -> "DataBatch":
        if not self.iter_next():
            raise StopIteration
        return self.current_batch

    def getdata(self):
        return self.current_batch.data

    def getlabel(self):
        return self.current_batch.label

    def getindex(self):
        return self.current_batch.index

    def getpad(self) -> Optional[int]:
        return self.current_batch.pad


def _renamed(iters, key, names):
    """The descriptions of all iterators, by other names where there are dicts of them."""
    made = []
    for place, each in enumerate(iters):
        for desc in getattr(each, key):
            desc = desc if isinstance(desc, DataDesc) else DataDesc(*desc)
            made.append(DataDesc(names[place][desc.name], desc.shape, desc.dtype, desc.layout) if names else desc)
    return made


class PrefetchingIter(DataIter):
    """Batches of one or several iterators side by side, which threads make while others are used. rename_data and
    rename_label: for each iterator a dict of names."""

    def __init__(self, iters, rename_data=None, rename_label=None):
        self.iters = list(iters) if isinstance(iters, (list, tuple)) else [iters]
        if not self.iters:
            raise ValueError("PrefetchingIter needs an iterator")
        self.rename_data, self.rename_label = rename_data, rename_label
        super().__init__(self.provide_data[0].shape[0])
        self.current_batch = None
        self._pool = futures.ThreadPoolExecutor(len(self.iters), "symc-prefetch")
        self._begin()

    @staticmethod
    def _next_of(each):
        try:
            return each.next()
        except StopIteration:
            return None

    def _begin(self):
        self._coming = [self._pool.submit(self._next_of, each) for each in self.iters]

    @property
    def provide_data(self) -> "List[DataDesc]":
        return _renamed(self.iters, "provide_data", self.rename_data)

    @property
    def provide_label(self) -> "List[DataDesc]":
        return _renamed(self.iters, "provide_label", self.rename_label)

    def reset(self) -> None:
        futures.wait(self._coming)
        for each in self.iters:
            each.reset()
        self._begin()

    def iter_next(self) -> bool:
        batches = [each.result() for each in self._coming]
        if any(each is None for each in batches):
            if any(each is not None for each in batches):
                raise ValueError("the iterators have different numbers of batches")
            return False
        if len({each.pad for each in batches}) > 1:
            raise ValueError("the iterators' batches have different numbers of rows: %s rows of padding" % (
                [each.pad for each in batches]))
        self._begin()
        self.current_batch = DataBatch([array for each in batches for array in each.data],
                                       [array for each in batches for array in each.label or []], batches[0].pad,
                                       batches[0].index, provide_data=self.provide_data, provide_label=self.provide_label)
        return True

    def next(self) -> "DataBatch":
        if not self.iter_next():
            raise StopIteration
        return self.current_batch

    def getdata(self):
        return self.current_batch.data

    def getlabel(self):
        return self.current_batch.label

    def getindex(self):
        return self.current_batch.index

    def getpad(self) -> Optional[int]:
        return self.current_batch.pad


def __getattr__(key):
    if key in ("MNISTIter", "CSVIter", "LibSVMIter"):
        from . import io_files
        return getattr(io_files, key)
    if key == "ImageRecordIter":
        from . import io_pictures
        return io_pictures.ImageRecordIter
    if key == "ImageDetRecordIter":
        from . import io_detection
        return io_detection.ImageDetRecordIter
    raise AttributeError("module 'symc.io' has no attribute '%s'" % key)
