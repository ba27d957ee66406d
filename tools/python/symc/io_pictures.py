"""ImageRecordIter: batches of the pictures of a .rec file, decoded by threads.

The order of records and what is drawn for a picture are functions of seed, epoch and record, so that the number of threads
changes nothing. Decoding and augmentation are the compiler's library's, which threads call side by side.
"""
import ctypes
import os
import threading
from concurrent import futures

import numpy as np

from . import _library, image, recordio
from .errors import SymcError
from .io import DataBatch, DataDesc, FileIter
from .ndarray_class import NDArray

#: Options of MXNet that change nothing here.
_HINTS = {"preprocess_threads", "prefetch_buffer", "verbose", "device_id", "ctx", "shuffle_chunk_size", "shuffle_chunk_seed",
          "aug_seq"}
#: Those whose default here is not that of the library.
_DEFAULTS = {"fill_value": 255}


def _places(reader, path_imgidx):
    """The byte at which each record begins, and the file's size."""
    size = os.path.getsize(reader.uri)
    if path_imgidx:
        index = recordio.MXIndexedRecordIO(path_imgidx, reader.uri, "r")
        index.close()
        places = sorted(index.idx.values())
        if any(not 0 <= each < size for each in places):
            raise SymcError("%s names byte %d, %s has %d" % (path_imgidx, places[-1], reader.uri, size))
        return places, size
    places = []
    while True:
        at = reader._file.tell()
        found = reader._read_part(at, False)
        if found is None:
            return places, size
        if found[0] in (recordio._WHOLE, recordio._FIRST):
            places.append(at)


def _labels_of(path, width):
    """{id: labels} of lines "id, tab, labels, tab, path"."""
    found = {}
    with open(path, encoding="utf-8") as file:
        for number, line in enumerate(file, 1):
            words = line.rstrip("\n").split("\t")
            try:
                found[int(words[0])] = np.array(words[1:1 + width], "float32")
                complete = len(words) > width + 1
            except ValueError:
                complete = False
            if line.strip() and not complete:
                raise SymcError("%s:%d: needs a number, %d labels and a path between tabs, got %.60r" % (
                    path, number, width, line.rstrip("\n")))
    return found


def _steps(options):
    """Options of augmentation as the library takes them: how many, names, values."""
    given = {key: float(value) for key, value in options.items() if key not in _HINTS and value not in (None, "")}
    names = [key.encode() for key in given]
    return ctypes.c_size_t(len(names)), (ctypes.c_char_p * len(names))(*names), (ctypes.c_double * len(names))(*given.values())


class ImageRecordIter(FileIter):
    """Pictures [batch, channels, height, width] of data_shape, red first or gray, (pixel - mean) / std * scale, with label_width
    labels each. What else is done to them, by MXNet's names: resize, random_resized_crop, min_ and max_random_area, _aspect_ratio,
    _random_scale, _img_size and _crop_size, max_rotate_angle, rotate, max_shear_ratio, pad, fill_value, inter_method, rand_crop,
    rand_mirror, mirror, brightness, contrast, saturation, random_h, _s and _l, pca_noise, max_random_contrast, _illumination.
    num_parts, part_index: of the file's bytes. The last batch is filled with the first pictures where round_batch, and the next
    epoch begins behind these."""

    def __init__(self, path_imgrec, data_shape, batch_size, label_width=1, shuffle=False, seed=0, round_batch=True, num_parts=1,
                 part_index=0, path_imgidx=None, path_imglist=None, preprocess_threads=4, data_name="data",
                 label_name="softmax_label", dtype="float32", **options):
        super().__init__(batch_size)
        self._shape = tuple(data_shape)
        if len(self._shape) != 3 or self._shape[0] not in (1, 3) or min(self._shape) < 1:
            raise ValueError("data_shape is %s, needs (1 or 3 channels, height, width)" % (self._shape,))
        if batch_size < 1:
            raise ValueError("batch_size is %d, needs at least 1" % batch_size)
        if num_parts < 1 or not 0 <= part_index < num_parts:
            raise ValueError("part_index is %d of num_parts = %d, needs 0 to %d" % (part_index, num_parts, num_parts - 1))
        self._path, self._width, self._seed = path_imgrec, int(label_width), int(seed)
        self._shuffle, self._round = bool(shuffle), bool(round_batch)
        self._steps = _steps({**_DEFAULTS, "seed": self._seed % 2 ** 32, **options})
        self._check_steps()
        self._dtype = np.dtype(dtype)
        self._reader, self._lock = recordio.MXRecordIO(path_imgrec, "r"), threading.Lock()
        places, size = _places(self._reader, path_imgidx)
        step = -(-(-(-size // num_parts)) // 4) * 4
        self._places = [each for each in places if step * part_index <= each < step * (part_index + 1)]
        if not self._places or (self._round and len(self._places) < batch_size):
            raise ValueError("%s has %d records in this part, a batch needs %d" % (
                path_imgrec, len(self._places), batch_size if self._round else 1))
        self._labels = _labels_of(path_imglist, self._width) if path_imglist else None
        self._pool = futures.ThreadPoolExecutor(max(1, int(preprocess_threads)), "symc-pictures")
        self.provide_data = [DataDesc(data_name, (batch_size, *self._shape), self._dtype)]
        self.provide_label = [DataDesc(label_name, (batch_size,) if self._width == 1 else (batch_size, self._width))]
        self._epoch, self._at, self._over, self._coming = 0, 0, 0, None
        self._begin()

    def _begin(self):
        self._order = np.arange(len(self._places))
        if self._shuffle:
            np.random.RandomState([self._seed % 2 ** 32, self._epoch]).shuffle(self._order)

    def reset(self):
        """The next epoch."""
        self._epoch += 1
        self._at, self._over, self._coming = self._over, 0, None
        self._begin()

    def _start(self):
        """Begins to decode the next batch: (records, rows of padding, futures), or None."""
        count = len(self._order)
        if self._at >= count:
            return None
        rows = self._order[self._at:self._at + self.batch_size]
        self._at += self.batch_size
        pad = self.batch_size - len(rows)
        if pad and self._round:
            self._over = pad
            rows = np.concatenate([rows, self._order[:pad]])
        return rows, pad, [self._pool.submit(self._picture, int(row), self._epoch) for row in rows]

    def _next(self):
        found = self._coming or self._start()
        self._coming = None
        if found is None:
            raise StopIteration
        rows, pad, pictures = found
        self._coming = self._start()  # while this batch is used
        data = np.zeros((self.batch_size, *self._shape), self._dtype)
        labels = np.zeros((self.batch_size, self._width), "float32")
        for place, each in enumerate(pictures):
            data[place], labels[place] = each.result()
        labels = labels[:, 0] if self._width == 1 else labels
        return DataBatch([data.view(NDArray)], [labels.copy().view(NDArray)], pad, rows)

    def _record(self, row):
        """(the record, what messages call it)."""
        place = self._places[row]
        with self._lock:
            self._reader._check(False)
            self._reader._file.seek(place)
            return self._reader.read(), "%s: the record at byte %d" % (self._path, place)

    def _picture(self, row, epoch):
        """(pixels of data_shape, labels) of a record."""
        record, where = self._record(row)
        try:
            header, data = recordio.unpack(record)
            pixels = self._augmented(data, epoch, row)
        except SymcError as reason:
            raise SymcError("%s: %s" % (where, reason)) from None
        return pixels, self._label(header, where)

    def _augmented(self, data, epoch, row):
        pixels = np.empty(self._shape, "float32")
        _library.call("symc_picture_augment", data, ctypes.c_size_t(len(data)), *self._steps, *map(ctypes.c_int32, self._shape),
                      ctypes.c_uint64(epoch), ctypes.c_uint64(row), pixels.ctypes.data_as(ctypes.c_void_p))
        return pixels

    def _check_steps(self):
        """Options that are none, or do not go together, are refused before a picture is read: by an empty one."""
        try:
            self._augmented(b"", 0, 0)
        except SymcError as reason:
            if not str(reason).startswith("the picture cannot be decoded"):
                raise ValueError("ImageRecordIter: %s" % reason) from None

    def _label(self, header, where):
        if self._labels is not None:
            if header.id not in self._labels:
                raise SymcError("%s has the id %d, which path_imglist lacks" % (where, header.id))
            return self._labels[header.id]
        labels = np.atleast_1d(header.label)
        if len(labels) < self._width:
            raise SymcError("%s has %d labels, label_width is %d" % (where, len(labels), self._width))
        return labels[:self._width]
