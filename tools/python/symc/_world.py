"""The processes that mpirun or srun started beside this one, joined when the first store of several processes is made.

A script that ends by an exception ends all of them: else the others would wait for it.
"""
import atexit
import ctypes
import sys

import numpy as np

from . import _library

TIMEOUT = 300.0  # seconds that a process waits for others
_rank_and_size = None
_failed = False


def _end():
    if _failed:
        sys.stderr.flush()
        _library.call("symc_world_abort", ctypes.c_int32(1))
    else:
        _library.call("symc_world_finish")


def join():
    """(rank, number of processes)."""
    global _rank_and_size
    if _rank_and_size is None:
        _library.call("symc_world_start", ctypes.c_double(TIMEOUT))
        rank, size = ctypes.c_int32(), ctypes.c_int32()
        _library.call("symc_world_rank", ctypes.byref(rank), ctypes.byref(size))
        _rank_and_size = rank.value, size.value
        before = sys.excepthook

        def hook(*exception):
            global _failed
            _failed = True
            before(*exception)

        sys.excepthook = hook
        atexit.register(_end)
    return _rank_and_size


def sum_arrays(arrays):
    """New arrays: the sums of each over all processes, in float32. They travel as one."""
    flat = np.concatenate([np.asarray(each, dtype=np.float32).ravel() for each in arrays] or [np.empty(0, np.float32)])
    pointer = flat.ctypes.data_as(ctypes.POINTER(ctypes.c_float))
    _library.call("symc_world_sum", pointer, ctypes.c_size_t(flat.size))
    sums, begin = [], 0
    for each in arrays:
        sums.append(flat[begin:begin + each.size].reshape(each.shape).astype(each.dtype))
        begin += each.size
    return sums


def gatherer():
    """The address of the function that steps call where they take statistics over all processes (symc_world_gather)."""
    return ctypes.cast(_library.library().symc_world_gather, ctypes.c_void_p)


def watcher():
    """The address of the function that a trainer calls for gradients that are final (symc_world_ready)."""
    return ctypes.cast(_library.library().symc_world_ready, ctypes.c_void_p)


def overlap():
    """(parts of the last sum of gradients, those of them that went out before backward ended)."""
    parts, early = ctypes.c_int64(), ctypes.c_int64()
    _library.call("symc_world_overlap", ctypes.byref(parts), ctypes.byref(early))
    return parts.value, early.value


def barrier():
    _library.call("symc_world_barrier")
