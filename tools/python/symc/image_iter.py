"""mx.image.ImageIter: batches of pictures of a .rec file, of a list, or of files, made by augmenters in Python.

Slower than ImageRecordIter, which augments in threads, and open to augmenters of one's own.
"""
import logging
import os
import random

import numpy as np

from . import image, image_augment, recordio
from .errors import SymcError
from .io import DataBatch, DataIter
from .ndarray_class import NDArray

_HANDLES = ("pad", "discard", "roll_over")


def _of_file(path, dtype):
    """{number: (labels, path)} of the lines "number, tab, labels, tab, path" of a list, in their order."""
    found = {}
    with open(path, encoding="utf-8") as file:
        for number, line in enumerate(file, 1):
            words = line.strip().split("\t")
            try:
                found[int(words[0])] = np.array(words[1:-1], dtype), words[-1]
            except ValueError:
                raise SymcError("%s:%d: needs a number, labels and a path between tabs, got %.60r" % (path, number, line.strip())) from None
    return found


def _of_list(items, dtype):
    """The same of [label or labels, path], or [label, label, ..., path]."""
    found = {}
    for number, item in enumerate(items, 1):
        labels = item[:-1] if len(item) > 2 else item[0]
        found[str(number)] = np.atleast_1d(np.array(labels, dtype)), item[-1]
    return found


class ImageIter(DataIter):
    """Batches [batch, 3, height, width] of path_imgrec, or of the files below path_root that path_imglist or imglist name, with label_width
    labels each. aug_list, or the options of CreateAugmenter, state what is done to each picture. shuffle (by Python's generator) and num_parts
    need path_imgidx where a .rec file is read. The last batch is filled with the first pictures ('pad'), left out ('discard'), or kept for
    the next epoch ('roll_over')."""

    def __init__(self, batch_size, data_shape, label_width=1, path_imgrec=None, path_imglist=None, path_root=None, path_imgidx=None,
                 shuffle=False, part_index=0, num_parts=1, aug_list=None, imglist=None, data_name="data", label_name="softmax_label",
                 dtype="float32", last_batch_handle="pad", **kwargs):
        super().__init__(batch_size)
        if not (path_imgrec or path_imglist or isinstance(imglist, list)):
            raise ValueError("ImageIter reads path_imgrec, path_imglist or a list imglist; none was given")
        if last_batch_handle not in _HANDLES:
            raise ValueError("last_batch_handle is %r, needs %s" % (last_batch_handle, ", ".join(_HANDLES)))
        if not 0 <= part_index < num_parts:
            raise ValueError("part_index is %d of num_parts = %d, needs 0 to %d" % (part_index, num_parts, num_parts - 1))
        self.check_data_shape(data_shape)
        self.imgrec = self.imgidx = None
        if path_imgrec and path_imgidx:
            self.imgrec = recordio.MXIndexedRecordIO(path_imgidx, path_imgrec, "r")
            self.imgidx = list(self.imgrec.keys)
        elif path_imgrec:
            self.imgrec = recordio.MXRecordIO(path_imgrec, "r")
        listed = _of_file(path_imglist, dtype) if path_imglist else _of_list(imglist, dtype) if isinstance(imglist, list) else None
        self.imglist, self.path_root = listed, path_root
        self.seq = list(listed) if self.imgrec is None else self.imgidx
        if self.seq is None and (shuffle or num_parts > 1):
            raise ValueError("shuffle and num_parts find records by path_imgidx, which is missing")
        if num_parts > 1:
            count = len(self.seq) // num_parts
            self.seq = self.seq[part_index * count:(part_index + 1) * count]
        self.provide_data = [(data_name, (batch_size, *data_shape))]
        self.provide_label = [(label_name, (batch_size, label_width) if label_width > 1 else (batch_size,))]
        self.data_shape, self.label_width, self.shuffle = tuple(data_shape), label_width, shuffle
        self.auglist = image_augment.CreateAugmenter(data_shape, **kwargs) if aug_list is None else aug_list
        self.num_image = None if self.seq is None else len(self.seq)
        self.last_batch_handle, self._kept = last_batch_handle, None
        self.reset()

    # --- Where it stands ---------------------------------------------------------

    def reset(self):
        """The next epoch; pictures that 'roll_over' kept come first."""
        if self.shuffle and self.seq is not None:
            random.shuffle(self.seq)
        if self._kept is None or self.last_batch_handle != "roll_over":
            self._rewind()

    def hard_reset(self):
        """The next epoch, without pictures that were kept."""
        self._kept = None
        self.reset()

    def _rewind(self):
        self.cur, self._ended = 0, False
        if self.imgrec is not None and self.seq is None:
            self.imgrec.reset()

    def next_sample(self):
        """(labels, bytes of a picture's file) of the next one."""
        if self._ended:
            raise StopIteration
        if self.seq is None:
            record = self.imgrec.read()
            if record is None:
                self._over()
            self.cur += 1
            header, data = recordio.unpack(record)
            return header.label, data
        if self.cur >= self.num_image:
            self._over()
        key = self.seq[self.cur]
        self.cur += 1
        if self.imgrec is None:
            return self.imglist[key][0], self.read_image(self.imglist[key][1])
        header, data = recordio.unpack(self.imgrec.read_idx(key))
        return (header.label if self.imglist is None else self.imglist[key][0]), data

    def _over(self):
        """Ends the pass; the next picture is the first again, for padding."""
        if self.last_batch_handle != "discard":
            self._rewind()
        raise StopIteration

    # --- Batches -----------------------------------------------------------------

    def _arrays(self):
        return np.zeros(self.provide_data[0][1], "float32"), np.zeros(self.provide_label[0][1], "float32")

    def _fill(self, data, labels, start):
        """Fills a batch from row `start` on, up to the end of the pass; the number of rows that it has then."""
        row = start
        while row < self.batch_size:
            try:
                label, file = self.next_sample()
            except StopIteration:
                break
            row += self._row(data, labels, row, label, file)
        return row

    def _row(self, data, labels, row, label, file):
        """Whether the row was filled with a picture."""
        pixels = self.imdecode(file)
        try:
            self.check_valid_image([pixels])
        except RuntimeError as reason:
            logging.debug("a picture is left out: %s", reason)
            return False
        data[row] = self.postprocess_data(self.augmentation_transform(pixels))
        labels[row] = label if np.size(label) > 1 else np.reshape(label, ())
        return True

    def next(self):
        (data, labels), row = (self._kept[:2], self._kept[2]) if self._kept else (self._arrays(), 0)
        goes_on, self._kept = self._kept is not None, None
        row = self._fill(data, labels, row)
        if row == 0:
            raise StopIteration
        pad = self.batch_size - row
        if pad:
            if self.last_batch_handle == "discard":
                raise StopIteration
            if self.last_batch_handle == "roll_over" and not goes_on:
                self._kept = data, labels, row
                raise StopIteration
            self._fill(data, labels, row)
            self._ended = self.last_batch_handle == "pad"
        return DataBatch([data.view(NDArray)], [labels.view(NDArray)], pad)

    # --- What classes may replace --------------------------------------------------

    def check_data_shape(self, data_shape):
        if len(data_shape) != 3 or data_shape[0] != 3:
            raise ValueError("data_shape is %s, needs (3, height, width)" % (tuple(data_shape),))

    def check_valid_image(self, data):
        """RuntimeError where a picture has no pixels: it is left out."""
        if not np.size(data[0]):
            raise RuntimeError("a picture without pixels")

    def imdecode(self, s):
        try:
            return image.imdecode(s)
        except SymcError as reason:
            key = self.seq[self.cur - 1] if self.seq is not None else self.cur - 1
            where = "file %s" % self.imglist[key][1] if self.imglist is not None else "record %s" % key
            raise RuntimeError("%s: %s" % (where, reason)) from None

    def read_image(self, fname):
        with open(os.path.join(self.path_root or "", fname), "rb") as file:
            return file.read()

    def augmentation_transform(self, data):
        for each in self.auglist:
            data = each(data)
        return data

    def postprocess_data(self, datum):
        return np.asarray(datum).transpose(2, 0, 1)
