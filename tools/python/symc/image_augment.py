"""Augmenters of pictures by MXNet's names, one picture at a time: what mx.image.ImageIter does to each.

An augmenter takes pixels [height, width, 3] and returns others. They draw by Python's generator `random` in MXNet's order (noise of
LightingAug by NumPy's), so that the same seed makes the same pictures.
"""
import json
import random
from typing import Any, List, Optional, Sequence, Tuple

import numpy as np

from . import image
from .ndarray_class import NDArray

_GRAY = np.array([0.299, 0.587, 0.114], "float32")
#: From colours to brightness and two distances of colours, and back.
_TO_YIQ = np.array([[0.299, 0.587, 0.114], [0.596, -0.274, -0.321], [0.211, -0.523, 0.311]])
_FROM_YIQ = np.array([[1.0, 0.956, 0.621], [1.0, -0.272, -0.647], [1.0, -1.107, 1.705]])
#: How colours of photographs vary.
_COLOUR_VALUES = np.array([55.46, 4.794, 1.148])
_COLOUR_VECTORS = np.array([[-0.5675, 0.7192, 0.4009], [-0.5808, -0.0045, -0.8140], [-0.5836, -0.6948, 0.4203]])
_MEAN, _STD = np.array([123.68, 116.28, 103.53], "float32"), np.array([58.395, 57.12, 57.375], "float32")


def _floats(values):
    return np.asarray(values, "float32").view(NDArray)


def _method(interp: int, sizes: Optional[Tuple[int, int, int, int]] = None) -> int:
    """The method 0 to 4 of `interp`: 9 follows `sizes` (old height and width, new ones), 10 is drawn."""
    if interp == 10:
        return random.randint(0, 4)
    if interp == 9:
        if sizes is None:
            return 2
        height, width, new_height, new_width = sizes
        return 2 if new_height > height and new_width > width else 3 if new_height < height and new_width < width else 1
    if interp not in range(5):
        raise ValueError("interp is %r, needs 0 to 4, 9 or 10" % (interp,))
    return interp


def _jitter(size: float) -> float:
    return random.uniform(-size, size)


# --- Functions ------------------------------------------------------------------

def scale_down(src_size: Sequence[int], size: Sequence[int]) -> Tuple[int, int]:
    """`size` (width, height), or what has its ratio and fits into src_size."""
    return image._scaled_down(src_size, size)


def random_size_crop(src, size, area, ratio, interp=2, **kwargs):
    """(a part of drawn area and aspect ratio, scaled to `size` (width, height); its (x0, y0, width, height)). `area`: the range of its
    part of the picture, or the least. Where ten draws do not fit: the middle."""
    area = kwargs.pop("min_area", area)
    if kwargs:
        raise TypeError("random_size_crop has no option '%s'" % next(iter(kwargs)))
    least, most = (area, 1.0) if np.isscalar(area) else area
    height, width = src.shape[:2]
    for _ in range(10):
        wanted = random.uniform(least, most) * height * width
        aspect = np.exp(random.uniform(np.log(ratio[0]), np.log(ratio[1])))
        w, h = int(round(np.sqrt(wanted * aspect))), int(round(np.sqrt(wanted / aspect)))
        if w <= width and h <= height:
            x0, y0 = random.randint(0, width - w), random.randint(0, height - h)
            return image.fixed_crop(src, x0, y0, w, h, size, interp), (x0, y0, w, h)
    return image.center_crop(src, size, interp)


def copyMakeBorder(src, top, bot, left, right, type=0, value=0.0, values=()):
    """A picture with so many rows and columns more on its sides: of one value or of a value for each channel (`type` 0, the default), or of
    its outermost pixels (1)."""
    pixels, pads = np.asarray(src), ((top, bot), (left, right), (0, 0))
    if type == 1:
        return np.pad(pixels, pads, "edge").view(NDArray)
    if type != 0:
        raise ValueError("copyMakeBorder: type is %r, needs 0 (a value) or 1 (the outermost pixels)" % (type,))
    made = np.empty((pixels.shape[0] + top + bot, pixels.shape[1] + left + right, pixels.shape[2]), pixels.dtype)
    made[...] = np.asarray(values if len(np.atleast_1d(values)) else value, pixels.dtype)
    made[top:top + pixels.shape[0], left:left + pixels.shape[1]] = pixels
    return made.view(NDArray)


# --- Augmenters -----------------------------------------------------------------

class Augmenter:
    """Base class: a class has __call__(src), and gives its options to this constructor, for dumps()."""

    def __init__(self, **options: Any) -> None:
        self._options = {key: value.tolist() if isinstance(value, np.ndarray) else value for key, value in options.items()}

    def dumps(self) -> Any:
        """Name and options as JSON."""
        return json.dumps([type(self).__name__.lower(), self._options])

    def __call__(self, src):
        raise NotImplementedError("%s has no __call__" % type(self).__name__)


class SequentialAug(Augmenter):
    """Augmenters one behind the other."""

    def __init__(self, ts: List[Augmenter]) -> None:
        super().__init__()
        self.ts = ts

    def dumps(self) -> Any:
        return [type(self).__name__.lower(), [each.dumps() for each in self.ts]]

    def __call__(self, src):
        for each in self.ts:
            src = each(src)
        return src


class RandomOrderAug(SequentialAug):
    """Augmenters in a drawn order."""

    def __call__(self, src):
        random.shuffle(self.ts)
        return super().__call__(src)


class _Sized(Augmenter):
    """What makes pictures of a size."""

    def __init__(self, size, interp: int = 2) -> None:
        super().__init__(size=size, interp=interp)
        self.size, self.interp = size, interp


class ResizeAug(_Sized):
    """Scales the shorter side to `size` pixels."""

    def __call__(self, src):
        height, width = src.shape[:2]
        long = self.size * max(height, width) // min(height, width)
        new = (long, self.size) if height > width else (self.size, long)
        return image.imresize(src, new[1], new[0], _method(self.interp, (height, width, *new)))


class ForceResizeAug(_Sized):
    """Scales to `size` (width, height)."""

    def __call__(self, src):
        return image.imresize(src, *self.size, _method(self.interp, (*src.shape[:2], self.size[1], self.size[0])))


class RandomCropAug(_Sized):
    """A part of `size` (width, height) at a drawn place."""

    def __call__(self, src):
        return image.random_crop(src, self.size, self.interp)[0]


class CenterCropAug(_Sized):
    """The middle, of `size` (width, height)."""

    def __call__(self, src):
        return image.center_crop(src, self.size, self.interp)[0]


class RandomSizedCropAug(Augmenter):
    """random_size_crop."""

    def __init__(self, size, area, ratio, interp: int = 2, **kwargs: Any) -> None:
        area = kwargs.pop("min_area", area)
        if kwargs:
            raise TypeError("RandomSizedCropAug has no option '%s'" % next(iter(kwargs)))
        super().__init__(size=size, area=area, ratio=ratio, interp=interp)
        self.size, self.area, self.ratio, self.interp = size, area, ratio, interp

    def __call__(self, src):
        return random_size_crop(src, self.size, self.area, self.ratio, self.interp)[0]


class HorizontalFlipAug(Augmenter):
    """Mirrors, with probability p."""

    def __init__(self, p: float) -> None:
        super().__init__(p=p)
        self.p = p

    def __call__(self, src):
        return np.ascontiguousarray(np.asarray(src)[:, ::-1]).view(NDArray) if random.random() < self.p else src


class CastAug(Augmenter):
    """Makes numbers of another type of them."""

    def __init__(self, typ: str = "float32") -> None:
        super().__init__(type=typ)
        self.typ = typ

    def __call__(self, src):
        return src.astype(self.typ)


class BrightnessJitterAug(Augmenter):
    """Times a factor from 1 - brightness to 1 + brightness."""

    def __init__(self, brightness: float) -> None:
        super().__init__(brightness=brightness)
        self.brightness = brightness

    def __call__(self, src):
        return _floats(src * np.float32(1.0 + _jitter(self.brightness)))


class ContrastJitterAug(Augmenter):
    """The distance from the mean gray times such a factor."""

    def __init__(self, contrast: float) -> None:
        super().__init__(contrast=contrast)
        self.contrast = contrast

    def __call__(self, src):
        factor, src = 1.0 + _jitter(self.contrast), _floats(src)
        gray = np.float32(3.0 * (1.0 - factor) / src.size) * (src * _GRAY).sum()
        return _floats(src * np.float32(factor) + gray)


class SaturationJitterAug(Augmenter):
    """The distance of colours from their gray times such a factor."""

    def __init__(self, saturation: float) -> None:
        super().__init__(saturation=saturation)
        self.saturation = saturation

    def __call__(self, src):
        factor, src = 1.0 + _jitter(self.saturation), _floats(src)
        gray = (src * _GRAY).sum(axis=2, keepdims=True) * np.float32(1.0 - factor)
        return _floats(src * np.float32(factor) + gray)


class HueJitterAug(Augmenter):
    """Rotates colours around gray, by up to `hue` of half a circle."""

    def __init__(self, hue: float) -> None:
        super().__init__(hue=hue)
        self.hue = hue

    def __call__(self, src):
        angle = _jitter(self.hue) * np.pi
        u, w = np.cos(angle), np.sin(angle)
        rotation = _FROM_YIQ @ np.array([[1, 0, 0], [0, u, -w], [0, w, u]]) @ _TO_YIQ
        return _floats(np.asarray(src, "float32") @ rotation.T.astype("float32"))


class ColorJitterAug(RandomOrderAug):
    """Brightness, contrast and saturation in a drawn order."""

    def __init__(self, brightness: float, contrast: float, saturation: float) -> None:
        kinds = ((BrightnessJitterAug, brightness), (ContrastJitterAug, contrast), (SaturationJitterAug, saturation))
        super().__init__([kind(size) for kind, size in kinds if size > 0])


class LightingAug(Augmenter):
    """Noise of standard deviation alphastd along directions of colours."""

    def __init__(self, alphastd: float, eigval, eigvec) -> None:
        super().__init__(alphastd=alphastd, eigval=eigval, eigvec=eigvec)
        self.alphastd, self.eigval, self.eigvec = alphastd, np.asarray(eigval), np.asarray(eigvec)

    def __call__(self, src):
        alpha = np.random.normal(0, self.alphastd, size=(3,))
        return _floats(src + np.dot(self.eigvec * alpha, self.eigval).astype("float32"))


class ColorNormalizeAug(Augmenter):
    """(src - mean) / std; either may be None."""

    def __init__(self, mean, std) -> None:
        super().__init__(mean=mean, std=std)
        self.mean, self.std = (None if each is None else _floats(each) for each in (mean, std))

    def __call__(self, src):
        return _floats(image.color_normalize(src, 0 if self.mean is None else self.mean, self.std))


class RandomGrayAug(Augmenter):
    """Gray in all channels, with probability p."""

    def __init__(self, p: float) -> None:
        super().__init__(p=p)
        self.p = p

    def __call__(self, src):
        if random.random() >= self.p:
            return src
        return _floats(np.asarray(src, "float32") @ np.repeat(np.array([[0.21], [0.72], [0.07]], "float32"), 3, axis=1))


def _statistics(name, value, default):
    """A value for each channel, `default` for True, or None."""
    if value is None or value is False:
        return None
    if value is True:
        return default
    if not isinstance(value, np.ndarray) or value.shape[0] not in (1, 3):
        raise ValueError("%s is True, None or an array of 1 or 3 numbers, got %r" % (name, value))
    return value


def _colours(made, mean, std, brightness, contrast, saturation, hue, pca_noise, rand_gray):
    """Adds what changes colours alone."""
    if brightness or contrast or saturation:
        made.append(ColorJitterAug(brightness, contrast, saturation))
    if hue:
        made.append(HueJitterAug(hue))
    if pca_noise > 0:
        made.append(LightingAug(pca_noise, _COLOUR_VALUES, _COLOUR_VECTORS))
    if rand_gray > 0:
        made.append(RandomGrayAug(rand_gray))
    mean, std = _statistics("mean", mean, _MEAN), _statistics("std", std, _STD)
    if mean is not None or std is not None:
        made.append(ColorNormalizeAug(mean, std))
    return made


def CreateAugmenter(data_shape, resize=0, rand_crop=False, rand_resize=False, rand_mirror=False, mean=None, std=None, brightness=0,
                    contrast=0, saturation=0, hue=0, pca_noise=0, rand_gray=0, inter_method=2):
    """The augmenters that these options name, for pictures of data_shape (channels, height, width). `mean` and `std`: True for those of
    photographs."""
    made: List[Augmenter] = [ResizeAug(resize, inter_method)] if resize > 0 else []
    size = (data_shape[2], data_shape[1])
    if rand_resize and not rand_crop:
        raise ValueError("rand_resize crops at drawn places: it needs rand_crop=True")
    if rand_resize:
        made.append(RandomSizedCropAug(size, 0.08, (3.0 / 4.0, 4.0 / 3.0), inter_method))
    else:
        made.append((RandomCropAug if rand_crop else CenterCropAug)(size, inter_method))
    if rand_mirror:
        made.append(HorizontalFlipAug(0.5))
    made.append(CastAug())
    return _colours(made, mean, std, brightness, contrast, saturation, hue, pca_noise, rand_gray)
