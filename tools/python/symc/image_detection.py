"""Pictures with boxes, by MXNet's names: mx.image.ImageDetIter and its augmenters.

A picture's labels are [count, width] with rows class, left, top, right, bottom (parts of the picture, from 0 to 1) and what the list
has beside these. Augmenters take and return (pixels, labels); they draw by Python's generator in MXNet's order.
"""
import json
import logging
import random
import warnings
from math import sqrt
from typing import Any, List

import numpy as np

from . import image, image_augment
from .image_iter import ImageIter
from .ndarray_class import NDArray


class DetAugmenter(image_augment.Augmenter):
    """Base class: a class has __call__(src, label)."""

    def __call__(self, src, label):
        raise NotImplementedError("%s has no __call__" % type(self).__name__)


class DetBorrowAug(DetAugmenter):
    """An augmenter that leaves places where they are: of colours, or of the size."""

    def __init__(self, augmenter) -> None:
        if not isinstance(augmenter, image_augment.Augmenter) or isinstance(augmenter, DetAugmenter):
            raise TypeError("DetBorrowAug takes an Augmenter, got %r" % (augmenter,))
        super().__init__(augmenter=augmenter.dumps())
        self.augmenter = augmenter

    def dumps(self) -> Any:
        return [type(self).__name__.lower(), self.augmenter.dumps()]

    def __call__(self, src, label):
        return self.augmenter(src), label


class DetRandomSelectAug(DetAugmenter):
    """A drawn one of several, or none with probability skip_prob."""

    def __init__(self, aug_list, skip_prob: float = 0) -> None:
        super().__init__(skip_prob=skip_prob)
        self.aug_list = list(aug_list) if isinstance(aug_list, (list, tuple)) else [aug_list]
        if not all(isinstance(each, DetAugmenter) for each in self.aug_list):
            raise ValueError("DetRandomSelectAug takes DetAugmenters")
        self.skip_prob = skip_prob if self.aug_list else 1

    def dumps(self) -> Any:
        return [type(self).__name__.lower(), [each.dumps() for each in self.aug_list]]

    def __call__(self, src, label):
        if random.random() < self.skip_prob:
            return src, label
        random.shuffle(self.aug_list)
        return self.aug_list[0](src, label)


class DetHorizontalFlipAug(DetAugmenter):
    """Mirrors picture and boxes, with probability p."""

    def __init__(self, p: float) -> None:
        super().__init__(p=p)
        self.p = p

    def __call__(self, src, label):
        if random.random() >= self.p:
            return src, label
        label = label.copy()
        label[:, (1, 3)] = 1.0 - label[:, (3, 1)]
        return np.ascontiguousarray(np.asarray(src)[:, ::-1]).view(NDArray), label


def _areas(boxes):
    return np.maximum(0, boxes[:, 2] - boxes[:, 0]) * np.maximum(0, boxes[:, 3] - boxes[:, 1])


def _range(value):
    return tuple(value) if isinstance(value, (list, tuple)) else (value, value)


class _Drawn(DetAugmenter):
    """Draws a part of the picture, or a larger one around it, up to max_attempts times."""

    def __init__(self, aspect_ratio_range, area_range, max_attempts, least_area, **options) -> None:
        self.aspect_ratio_range, self.area_range = _range(aspect_ratio_range), _range(area_range)
        super().__init__(aspect_ratio_range=self.aspect_ratio_range, area_range=self.area_range, max_attempts=max_attempts, **options)
        self.max_attempts = max_attempts
        small, large = self.area_range
        narrow, wide = self.aspect_ratio_range
        self.enabled = small <= large > least_area and 0 < narrow <= wide
        if not self.enabled:
            warnings.warn("%s does nothing: area_range is %s and aspect_ratio_range %s" % (
                type(self).__name__, self.area_range, self.aspect_ratio_range), stacklevel=3)

    def _draw(self, height, width):
        """(least area, largest, ratio, height at the least, height at the largest) of each attempt."""
        for _ in range(self.max_attempts if self.enabled and height > 0 and width > 0 else 0):
            ratio = random.uniform(*self.aspect_ratio_range)
            least, most = (part * height * width for part in self.area_range)
            yield least, most, ratio, int(round(sqrt(least / ratio))), int(round(sqrt(most / ratio)))


class DetRandomCropAug(_Drawn):
    """A drawn part in which each box that it meets lies by more than min_object_covered. Boxes of which no more than min_eject_coverage is
    left go."""

    def __init__(self, min_object_covered=0.1, aspect_ratio_range=(0.75, 1.33), area_range=(0.05, 1.0), min_eject_coverage=0.3,
                 max_attempts=50) -> None:
        super().__init__(aspect_ratio_range, area_range, max_attempts, 0, min_object_covered=min_object_covered,
                         min_eject_coverage=min_eject_coverage)
        self.min_object_covered, self.min_eject_coverage = min_object_covered, min_eject_coverage

    def __call__(self, src, label):
        height, width = src.shape[:2]
        for least, most, ratio, low, high in self._draw(height, width):
            high = min(int((width + 0.4999999) / ratio) if round(high * ratio) > width else high, height)
            low = min(low, high)
            h = random.randint(low, high) if low < high else low
            w = int(round(h * ratio))
            for step, wrong in ((1, w * h < least), (-1, w * h > most)):  # what rounding made too small or too large
                if wrong:
                    h += step
                    w = int(round(h * ratio))
            if not (least <= w * h <= most and 0 <= w <= width and 0 <= h <= height):
                continue
            y, x = random.randint(0, height - h), random.randint(0, width - w)
            left = self._labels(label, x, y, w, h, height, width) if self._suits(label, x, y, w, h, height, width) else None
            if left is not None:
                return image.fixed_crop(src, x, y, w, h), left
        return src, label

    def _suits(self, label, x, y, w, h, height, width):
        boxes = label[:, 1:5]
        boxes = boxes[_areas(boxes) * width * height > 2]
        if w * h < 2 or not len(boxes):
            return False
        inside = np.stack([np.maximum(boxes[:, 0], x / width), np.maximum(boxes[:, 1], y / height),
                           np.minimum(boxes[:, 2], (x + w) / width), np.minimum(boxes[:, 3], (y + h) / height)], axis=1)
        covered = _areas(inside) / _areas(boxes)
        covered = covered[covered > 0]
        return covered.size > 0 and covered.min() > self.min_object_covered

    def _labels(self, label, x, y, w, h, height, width):
        """The boxes that are left, in parts of the part; None where there is none."""
        w, h, made = w / width, h / height, label.copy()
        made[:, (1, 3)] = (made[:, (1, 3)] - x / width) / w
        made[:, (2, 4)] = (made[:, (2, 4)] - y / height) / h
        made[:, 1:5] = made[:, 1:5].clip(0, 1)
        covered = _areas(made[:, 1:5]) * w * h / _areas(label[:, 1:5])
        made = made[(made[:, 3] > made[:, 1]) & (made[:, 4] > made[:, 2]) & (covered > self.min_eject_coverage)]
        return made if len(made) else None


class DetRandomPadAug(_Drawn):
    """The picture at a drawn place of a larger one, whose other pixels have the colour pad_val."""

    def __init__(self, aspect_ratio_range=(0.75, 1.33), area_range=(1.0, 3.0), max_attempts=50, pad_val=(128, 128, 128)) -> None:
        super().__init__(aspect_ratio_range, area_range, max_attempts, 1, pad_val=pad_val)
        self.pad_val = pad_val

    def __call__(self, src, label):
        height, width = src.shape[:2]
        for _, _, ratio, low, high in self._draw(height, width):
            low = int((width + 0.499999) / ratio) if round(low * ratio) < width else low
            low = min(max(low, height), high)
            h = random.randint(low, high) if low < high else low
            w = int(round(h * ratio))
            if h - height < 2 or w - width < 2:
                continue
            y, x = random.randint(0, h - height), random.randint(0, w - width)
            made = label.copy()
            made[:, (1, 3)] = (made[:, (1, 3)] * width + x) / w
            made[:, (2, 4)] = (made[:, (2, 4)] * height + y) / h
            return image_augment.copyMakeBorder(src, y, h - y - height, x, w - x - width, values=self.pad_val), made
        return src, label


def CreateMultiRandCropAugmenter(min_object_covered=0.1, aspect_ratio_range=(0.75, 1.33), area_range=(0.05, 1.0), min_eject_coverage=0.3,
                                 max_attempts=50, skip_prob=0):
    """One of several DetRandomCropAugs: each option is one value, or a list with one for each."""
    options = [each if isinstance(each, list) else [each] for each in (
        min_object_covered, aspect_ratio_range, area_range, min_eject_coverage, max_attempts)]
    count = max(map(len, options))
    if any(len(each) not in (1, count) for each in options):
        raise ValueError("lists of options have %s values, need 1 or %d" % (", ".join(str(len(each)) for each in options), count))
    return DetRandomSelectAug([DetRandomCropAug(*each) for each in zip(*(each * count if len(each) == 1 else each for each in options))],
                              skip_prob)


def CreateDetAugmenter(data_shape, resize=0, rand_crop=0, rand_pad=0, rand_gray=0, rand_mirror=False, mean=None, std=None, brightness=0,
                       contrast=0, saturation=0, pca_noise=0, hue=0, inter_method=2, min_object_covered=0.1,
                       aspect_ratio_range=(0.75, 1.33), area_range=(0.05, 3.0), min_eject_coverage=0.3, max_attempts=50,
                       pad_val=(127, 127, 127)):
    """The augmenters that these options name. rand_crop and rand_pad are probabilities."""
    made: List[DetAugmenter] = []
    if resize > 0:
        made.append(DetBorrowAug(image_augment.ResizeAug(resize, inter_method)))
    if rand_crop > 0:
        made.append(CreateMultiRandCropAugmenter(min_object_covered, aspect_ratio_range, area_range, min_eject_coverage, max_attempts,
                                                 1 - rand_crop))
    if rand_mirror:
        made.append(DetHorizontalFlipAug(0.5))
    if rand_pad > 0:
        made.append(DetRandomSelectAug(DetRandomPadAug(aspect_ratio_range, (1.0, area_range[1]), max_attempts, pad_val), 1 - rand_pad))
    borrowed: List[image_augment.Augmenter] = [image_augment.ForceResizeAug((data_shape[2], data_shape[1]), inter_method),
                                               image_augment.CastAug()]
    image_augment._colours(borrowed, mean, std, brightness, contrast, saturation, hue, pca_noise, rand_gray)
    return made + [DetBorrowAug(each) for each in borrowed]


class ImageDetIter(ImageIter):
    """Batches of pictures and of their boxes, [batch, count, width], rows that lack being -1. A list or record has for each picture: the width
    of this head (2 or more), the width of a box's row (5 or more), the rest of the head, then the rows. Pictures without a box are
    left out. Other options are ImageIter's, and those of CreateDetAugmenter."""

    def __init__(self, batch_size, data_shape, path_imgrec=None, path_imglist=None, path_root=None, path_imgidx=None, shuffle=False,
                 part_index=0, num_parts=1, aug_list=None, imglist=None, data_name="data", label_name="label", last_batch_handle="pad",
                 **kwargs):
        super().__init__(batch_size, data_shape, 1, path_imgrec, path_imglist, path_root, path_imgidx, shuffle, part_index, num_parts, [],
                         imglist, data_name, label_name, last_batch_handle=last_batch_handle)
        self.auglist = CreateDetAugmenter(data_shape, **kwargs) if aug_list is None else aug_list
        self.label_shape = self._largest_label()
        self.provide_label = [(label_name, (batch_size, *self.label_shape))]

    def _largest_label(self):
        self.reset()
        count = width = 0
        while True:
            try:
                rows = self._parse_label(self.next_sample()[0])
            except StopIteration:
                break
            count, width = max(count, len(rows)), rows.shape[1]
        self.reset()
        return count, width

    @staticmethod
    def _parse_label(label):
        """The rows of the boxes that have an area."""
        numbers = np.asarray(label, "float32").ravel()
        head, width = map(int, numbers[:2]) if numbers.size >= 7 else (0, 0)
        if head < 2 or width < 5 or numbers.size <= head or (numbers.size - head) % width:
            raise RuntimeError("labels of boxes are the head's width, from 2 on, a row's, from 5 on, and whole rows, got %d numbers: %s" % (
                numbers.size, numbers[:8]))
        rows = numbers[head:].reshape(-1, width)
        rows = rows[(rows[:, 3] > rows[:, 1]) & (rows[:, 4] > rows[:, 2])]
        if not len(rows):
            raise RuntimeError("no box has an area")
        return rows

    def _arrays(self):
        data, labels = super()._arrays()
        labels[...] = -1
        return data, labels

    def _row(self, data, labels, row, label, file):
        pixels = self.imdecode(file)
        try:
            self.check_valid_image([pixels])
            pixels, boxes = self.augmentation_transform(pixels, self._parse_label(label))
            if not (boxes[:, 0] >= 0).any():
                raise RuntimeError("no box has a class")
        except RuntimeError as reason:
            logging.debug("a picture is left out: %s", reason)
            return False
        data[row] = self.postprocess_data(pixels)
        labels[row, :len(boxes)], labels[row, len(boxes):] = boxes, -1
        return True

    def augmentation_transform(self, data, label):
        for each in self.auglist:
            data, label = each(data, label)
        return data, label

    def reshape(self, data_shape=None, label_shape=None):
        """Another shape of pictures, or more rows of boxes."""
        if data_shape is not None:
            self.check_data_shape(data_shape)
            self.data_shape = tuple(data_shape)
            self.provide_data = [(self.provide_data[0][0], (self.batch_size, *data_shape))]
        if label_shape is not None:
            self.check_label_shape(label_shape)
            self.label_shape = tuple(label_shape)
            self.provide_label = [(self.provide_label[0][0], (self.batch_size, *label_shape))]

    def check_label_shape(self, label_shape):
        if len(label_shape) != 2 or label_shape[0] < self.label_shape[0] or label_shape[1] != self.label_shape[1]:
            raise ValueError("label_shape is %s, needs at least %d rows of %d" % (tuple(label_shape), *self.label_shape))

    def sync_label_shape(self, it, verbose=False):
        """Gives this iterator and another one, which is returned, as many rows of boxes as the one with more."""
        if not isinstance(it, ImageDetIter):
            raise TypeError("sync_label_shape takes an ImageDetIter, got %r" % (it,))
        shape = max(self.label_shape[0], it.label_shape[0]), self.label_shape[1]
        for each in (self, it):
            each.reshape(label_shape=shape)
        if verbose:
            logging.info("labels have shape %s", shape)
        return it
