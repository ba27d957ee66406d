"""ImageDetRecordIter: batches of the pictures of a .rec file with their boxes, decoded by threads.

A record's labels are the width of their head (2 or more), the width of a box's row (5 or more), the rest of the head, then the rows: class,
left, top, right, bottom (parts of the picture, from 0 to 1) and what else a row has. What is drawn for a picture is a function of seed,
epoch and record.
"""
import ctypes
from math import sqrt

import numpy as np

from . import _library, image, image_augment, io_pictures, recordio
from .errors import SymcError, nearest

#: What each crop sampler has, by MXNet's names and defaults.
_SAMPLERS = {"min_crop_scales": 0.0, "max_crop_scales": 1.0, "min_crop_aspect_ratios": 1.0, "max_crop_aspect_ratios": 1.0,
             "min_crop_overlaps": 0.0, "max_crop_overlaps": 1.0, "min_crop_sample_coverages": 0.0, "max_crop_sample_coverages": 1.0,
             "min_crop_object_coverages": 0.0, "max_crop_object_coverages": 1.0, "max_crop_trials": 25}
#: Changes of colours: the option of ImageRecordIter that makes one.
_COLOURS = {"hue": "random_h", "saturation": "random_s", "illumination": "random_l", "contrast": ""}
_OPTIONS = {"resize": -1, "rand_crop_prob": 0.0, "num_crop_sampler": 1, "crop_emit_mode": "center", "emit_overlap_thresh": 0.3,
            "rand_pad_prob": 0.0, "max_pad_scale": 1.0, "rand_mirror_prob": 0.0, "fill_value": 127, "inter_method": 1, "resize_mode": "force",
            "scale": 1.0, **{"mean_" + each: 0.0 for each in "rgb"}, **{"std_" + each: 0.0 for each in "rgb"},
            **{"max_random_" + each: 0 for each in _COLOURS}, **{"random_%s_prob" % each: 0.0 for each in _COLOURS}, **_SAMPLERS}


def _areas(boxes):
    return np.maximum(0, boxes[:, 2] - boxes[:, 0]) * np.maximum(0, boxes[:, 3] - boxes[:, 1])


def _shared(boxes, part):
    """The areas that boxes share with a part of the picture."""
    return _areas(np.concatenate([np.maximum(boxes[:, :2], part[:2]), np.minimum(boxes[:, 2:], part[2:])], 1))


class ImageDetRecordIter(io_pictures.ImageRecordIter):
    """Pictures [batch, channels, height, width] of data_shape, (pixel - mean) / std * scale, and labels [batch, 4 + label_pad_width]: channels,
    height and width, how many numbers follow, these, and label_pad_value; label_pad_width 0 is the longest of the file. What else is done
    to pictures and boxes, by MXNet's names: resize, max_random_hue, _saturation, _illumination and _contrast with random_hue_prob and so
    on, rand_mirror_prob, rand_pad_prob, max_pad_scale, fill_value, rand_crop_prob with num_crop_sampler samplers (min_ and max_crop_scales, _aspect_ratios,
    _overlaps, _sample_coverages, _object_coverages, max_crop_trials: one value for all, or one for each), crop_emit_mode, emit_overlap_thresh,
    inter_method. Other options are ImageRecordIter's."""

    def __init__(self, path_imgrec, data_shape, batch_size, label_width=-1, label_pad_width=0, label_pad_value=-1.0, shuffle=False, seed=0,
                 round_batch=True, num_parts=1, part_index=0, path_imgidx=None, path_imglist=None, preprocess_threads=4, data_name="data",
                 label_name="softmax_label", dtype="float32", **options):
        self._given = dict(_OPTIONS)
        for key, value in options.items():
            if key in io_pictures._HINTS:
                continue
            if key not in _OPTIONS:
                raise ValueError("ImageDetRecordIter has no option '%s'; %s" % (key, nearest(key, _OPTIONS)))
            self._given[key] = value
        self._samplers = self._made_samplers()
        for key, values in (("resize_mode", ("force",)), ("crop_emit_mode", ("center", "overlap"))):
            if self._given[key] not in values:
                raise ValueError("ImageDetRecordIter: %s is %r, needs %s%s" % (
                    key, self._given[key], " or ".join(map(repr, values)), ", which gives all pictures of a batch one size" * (len(values) == 1)))
        self._boxes_width, self._pad_value = int(label_width), float(label_pad_value)
        super().__init__(path_imgrec, data_shape, batch_size, 1, shuffle, seed, round_batch, num_parts, part_index, path_imgidx, None,
                         preprocess_threads, data_name, label_name, dtype)
        self._lists = _lists_of(path_imglist) if path_imglist else None
        longest = self._longest()
        if label_pad_width > 0 and label_pad_width < longest:
            raise ValueError("label_pad_width is %d, %s has a picture with %d numbers" % (label_pad_width, path_imgrec, longest))
        self._width = max(int(label_pad_width), longest) + 4
        self.provide_label = [io_pictures.DataDesc(label_name, (batch_size, self._width))]

    def _made_samplers(self):
        count = int(self._given["num_crop_sampler"])
        made = [{} for _ in range(count)]
        for key in _SAMPLERS:
            value = self._given[key]
            values = list(value) if isinstance(value, (list, tuple)) else [value]
            if len(values) not in (1, count):
                raise ValueError("ImageDetRecordIter: %s has %d values, needs 1 or num_crop_sampler = %d" % (key, len(values), count))
            for place, each in enumerate(made):
                each[key] = float(values[place % len(values)])
        return made

    def _longest(self):
        """How many numbers the record with the most labels has."""
        longest = 0
        for row in range(len(self._places)):
            record, where = self._record(row)
            longest = max(longest, len(self._numbers(recordio.unpack(record)[0], where)))
        return longest

    def _numbers(self, header, where):
        numbers = np.atleast_1d(np.asarray(header.label, "float32"))
        if self._lists is not None:
            if header.id not in self._lists:
                raise SymcError("%s has the id %d, which path_imglist lacks" % (where, header.id))
            numbers = self._lists[header.id]
        if self._boxes_width > 0 and len(numbers) != self._boxes_width:
            raise SymcError("%s has %d labels, label_width is %d" % (where, len(numbers), self._boxes_width))
        head, width = map(int, numbers[:2]) if len(numbers) >= 7 else (0, 0)
        if head < 2 or width < 5 or len(numbers) <= head or (len(numbers) - head) % width:
            raise SymcError("%s: labels of boxes are the head's width, from 2 on, a row's, from 5 on, and whole rows, got %d numbers" % (
                where, len(numbers)))
        return numbers

    def _picture(self, row, epoch):
        record, where = self._record(row)
        try:
            header, data = recordio.unpack(record)
            numbers = self._numbers(header, where)
            head, width = int(numbers[0]), int(numbers[1])
            pixels, rows = self._steps_of(data, numbers[head:].reshape(-1, width).astype("float64"), epoch, row)
        except (SymcError, ValueError) as reason:
            text = str(reason)
            raise SymcError(text if text.startswith(where) else "%s: %s" % (where, text)) from None
        label = np.full(self._width, self._pad_value, "float32")
        kept = np.concatenate([numbers[:head], rows.ravel()])
        label[:4] = [*self._shape, len(kept)]
        label[4:4 + len(kept)] = kept
        return pixels, label

    # --- What is done to a picture, in MXNet's order ---

    def _steps_of(self, data, rows, epoch, row):
        given, draw = self._given, np.random.RandomState([self._seed % 2 ** 32, epoch, row, 1])
        pixels = self._coloured(data, draw, epoch, row)
        if given["resize"] > 0:
            pixels = np.asarray(image.resize_short(pixels, int(given["resize"]), int(given["inter_method"])))
        if draw.uniform() < given["rand_mirror_prob"]:
            pixels = pixels[:, ::-1]
            rows[:, (1, 3)] = 1 - rows[:, (3, 1)]
        if given["max_pad_scale"] > 1 and draw.uniform() < given["rand_pad_prob"]:
            pixels, rows = self._padded(pixels, rows, draw)
        if self._samplers and draw.uniform() < given["rand_crop_prob"]:
            pixels, rows = self._cropped(pixels, rows, draw)
        channels, height, width = self._shape
        pixels = np.ascontiguousarray(pixels)
        if pixels.shape[:2] != (height, width):
            method = int(given["inter_method"])
            method = int(draw.randint(0, 5)) if method == 10 else method
            pixels = np.asarray(image.imresize(pixels, width, height, method))
        made = pixels.transpose(2, 0, 1).astype("float32")
        for place, name in enumerate("rgb"[:channels]):
            made[place] -= given["mean_" + name]
            if given["std_" + name] > 0:
                made[place] /= given["std_" + name]
        return made * np.float32(given["scale"]), rows

    def _coloured(self, data, draw, epoch, row):
        """The pixels, [height, width, channels]; the compiler's library changes hue, saturation and lightness."""
        given = self._given
        drawn = {kind: given["max_random_" + kind] for kind in _COLOURS
                 if draw.uniform() < given["random_%s_prob" % kind] and given["max_random_" + kind]}
        pixels = np.asarray(image.decode(data, self._shape[0]))
        factor = 1 + draw.uniform(-1, 1) * drawn.pop("contrast", 0)
        if drawn and self._shape[0] == 3:
            steps = io_pictures._steps({**io_pictures._DEFAULTS, "seed": self._seed % 2 ** 32,
                                        **{_COLOURS[kind]: most for kind, most in drawn.items()}})
            made = np.empty((3, *pixels.shape[:2]), "float32")
            _library.call("symc_picture_augment", data, ctypes.c_size_t(len(data)), *steps, *map(ctypes.c_int32, made.shape),
                          ctypes.c_uint64(epoch), ctypes.c_uint64(row), made.ctypes.data_as(ctypes.c_void_p))
            pixels = made.transpose(1, 2, 0).astype("uint8")
        return pixels if factor == 1 else np.clip(np.rint(pixels * factor), 0, 255).astype("uint8")

    def _padded(self, pixels, rows, draw):
        height, width = pixels.shape[:2]
        scale = draw.uniform(1, self._given["max_pad_scale"])
        left, top = draw.uniform(0, scale - 1, 2)
        x, y, w, h = int(left * width), int(top * height), int(scale * width), int(scale * height)
        rows[:, (1, 3)] = (rows[:, (1, 3)] * width + x) / w
        rows[:, (2, 4)] = (rows[:, (2, 4)] * height + y) / h
        return np.asarray(image_augment.copyMakeBorder(pixels, y, h - y - height, x, w - x - width, value=self._given["fill_value"])), rows

    def _cropped(self, pixels, rows, draw):
        """A part that a sampler, in drawn order, finds; the whole picture where none does."""
        height, width = pixels.shape[:2]
        for place in draw.permutation(len(self._samplers)):
            sampler = self._samplers[place]
            for _ in range(int(sampler["max_crop_trials"])):
                part = self._part(sampler, width / height, draw)
                kept = None if part is None else self._kept(sampler, part, rows)
                if kept is None:
                    continue
                x, y = int(part[0] * width), int(part[1] * height)
                w, h = int((part[2] - part[0]) * width), int((part[3] - part[1]) * height)
                if w and h:
                    return pixels[y:y + h, x:x + w], kept
        return pixels, rows

    @staticmethod
    def _part(sampler, ratio, draw):
        """(left, top, right, bottom) of a drawn size and place; None where the scale has no such aspect ratio."""
        scale = draw.uniform(sampler["min_crop_scales"], sampler["max_crop_scales"]) + 1e-12
        least = max(sampler["min_crop_aspect_ratios"] / ratio, scale * scale)
        most = min(sampler["max_crop_aspect_ratios"] / ratio, 1 / (scale * scale))
        if least > most:
            return None
        aspect = sqrt(draw.uniform(least, most))
        w, h = min(1.0, scale * aspect), min(1.0, scale / aspect)
        left, top = draw.uniform(0, 1 - w), draw.uniform(0, 1 - h)
        return np.array([left, top, left + w, top + h])

    def _kept(self, sampler, part, rows):
        """The boxes that are left, in parts of the part; None where it is not as the sampler requires, or has none."""
        boxes = rows[:, 1:5]
        shared, own, whole = _shared(boxes, part), _areas(boxes), _areas(part[None])[0]
        fits = np.ones(len(rows), bool)
        for name, value in (("overlaps", shared / (own + whole - shared)), ("sample_coverages", shared / whole),
                            ("object_coverages", shared / np.maximum(own, 1e-12))):
            least, most = sampler["min_crop_" + name], sampler["max_crop_" + name]
            if least > 0 or most < 1:
                fits &= (value >= least) & (value <= most)
        if not fits.any():
            return None
        if self._given["crop_emit_mode"] == "center":
            middles = (boxes[:, :2] + boxes[:, 2:]) / 2
            kept = ((middles >= part[:2]) & (middles <= part[2:])).all(1)
        else:
            kept = shared / np.maximum(own, 1e-12) >= self._given["emit_overlap_thresh"]
        made = rows[kept].copy()
        made[:, 1:5] = ((made[:, 1:5] - np.tile(part[:2], 2)) / np.tile(part[2:] - part[:2], 2)).clip(0, 1)
        return made if len(made) else None


def _lists_of(path):
    """{id: numbers} of lines "id, tab, numbers between tabs, tab, path"."""
    found = {}
    with open(path, encoding="utf-8") as file:
        for number, line in enumerate(file, 1):
            words = line.rstrip("\n").split("\t")
            try:
                if line.strip():
                    found[int(words[0])] = np.array(words[1:-1], "float32")
            except ValueError:
                raise SymcError("%s:%d: needs a number, labels and a path between tabs, got %.60r" % (path, number, line.rstrip("\n"))) from None
    return found
