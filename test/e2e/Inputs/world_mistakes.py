"""Prints what functions of several processes refuse."""
import ctypes

import numpy as np

import symc
from symc import _library


def told(function):
    try:
        function()
    except symc.SymcError as error:
        print(error)


told(lambda: _library.call("symc_world_barrier"))
told(lambda: _library.call("symc_world_start", ctypes.c_double(0)))
store = symc.kvstore.create("dist_sync")
told(lambda: _library.call("symc_world_start", ctypes.c_double(1)))
values = np.zeros(3, np.float32).ctypes.data_as(ctypes.POINTER(ctypes.c_float))
told(lambda: _library.call("symc_world_begin_sum", None, ctypes.c_size_t(3)))
_library.call("symc_world_begin_sum", values, ctypes.c_size_t(3))
told(lambda: _library.call("symc_world_begin_sum", values, ctypes.c_size_t(3)))
told(lambda: _library.call("symc_world_sum", values, ctypes.c_size_t(2)))
_library.library().symc_world_ready(None, ctypes.c_size_t(0), ctypes.c_size_t(3))
_library.call("symc_world_sum", values, ctypes.c_size_t(3))
told(lambda: store.init("a", np.arange(3)))
told(lambda: store.set_gradient_compression({"type": "2bit"}))
