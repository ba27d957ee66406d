"""symc.gluon.utils: what training loops of one's own use, by MXNet's names: gradients that are bounded together, batches
that are cut for several devices, sums of files.

    norm = symc.gluon.utils.clip_global_norm([each for group in gradients for each in group], 0.2)
"""
import hashlib
import math
import warnings

import numpy as np

from . import ndarray
from .ndarray import NDArray


def clip_global_norm(arrays, max_norm, check_isfinite=True):
    """Scales the arrays in place so that the root of the sum of all their squares is at most `max_norm`. Returns that of
    before: a float, or an array of one element unless `check_isfinite`, which warns of infinity and NaN."""
    if not arrays:
        raise ValueError("clip_global_norm takes at least one array")
    flat = [np.asarray(each).ravel() for each in arrays]
    norm = math.sqrt(sum(float(np.dot(each, each)) for each in flat))
    if check_isfinite and not math.isfinite(norm):
        warnings.warn("the norm of the arrays is %g: nothing sensible comes of their clipping" % norm, stacklevel=2)
    scale = max_norm / (norm + 1e-8)
    if scale < 1 or math.isnan(scale):
        for each in arrays:
            each[...] = each * np.asarray(scale, each.dtype)
    return norm if check_isfinite else ndarray.array([norm])


def split_data(data, num_slice, batch_axis=0, even_split=True):
    """The parts of an array along `batch_axis`; the last one is longer where they cannot be equal and `even_split` is
    False."""
    size = data.shape[batch_axis]
    if even_split and size % num_slice:
        raise ValueError("split_data: %d rows along axis %d do not divide by %d; even_split=False cuts unequal parts" % (
            size, batch_axis, num_slice))
    if size < num_slice:
        raise ValueError("split_data: %d rows along axis %d give no %d parts" % (size, batch_axis, num_slice))
    step = size // num_slice
    begins = [step * part for part in range(num_slice)]
    whole = (slice(None),) * batch_axis
    return [data[(*whole, slice(begin, begin + step if part + 1 < num_slice else size))]
            for part, begin in enumerate(begins)]


def split_and_load(data, ctx_list, batch_axis=0, even_split=True):
    """split_data into as many parts as there are contexts; all of them lie in the processor's memory."""
    data = data if isinstance(data, NDArray) else ndarray.array(data)
    return split_data(data, len(ctx_list), batch_axis, even_split)


def check_sha1(filename, sha1_hash):
    """Whether the file has this SHA-1."""
    digest = hashlib.sha1()
    with open(filename, "rb") as file:
        for part in iter(lambda: file.read(1 << 20), b""):
            digest.update(part)
    return digest.hexdigest() == sha1_hash
