"""The tables of a compiled model by ctypes: symc/abi.h and symc/runtime.h, field by field; and how a library is opened.

The layouts hold for ABI_VERSION alone, so that a library of another version is refused before anything else of its
table is read.
"""
import _ctypes
import ctypes
import functools
import os
import shutil
import tempfile
import threading
from ctypes import POINTER, c_char_p, c_double, c_int32, c_int64, c_size_t, c_uint32, c_uint64, c_void_p

from .errors import SymcError

ABI_VERSION, MAGIC = 10, 0x434d5953
OPTIONAL, BACKWARD = 1, 2  # flags of TensorInfo: no live node reads the input; it is of symc_backward
#: NumPy's types by symc_dtype. NumPy has no bfloat16: its bits are uint16.
DTYPES = ("float32", "float64", "float16", "uint8", "int32", "int8", "int64", "bool", "int16", "uint16", "uint32",
          "uint64", "uint16")
DTYPE_NAMES = DTYPES[:12] + ("bfloat16",)
BAD_COUNT, BAD_DTYPE, BAD_SHAPE, BAD_PICTURE = 2, 4, 5, 30  # the statuses that are mistakes of an argument
U8 = 3


#: Processes of this machine that mpirun or srun started, by the variables that they set.
_LOCAL_SIZES = ("OMPI_COMM_WORLD_LOCAL_SIZE", "MPI_LOCALNRANKS", "PMI_SIZE", "SLURM_NTASKS_PER_NODE")


def training_threads():
    """How many threads a training computes with without an option: as many as the process may use processors, as in MXNet,
    and a part of these where several processes share the machine. 0, which leaves it to SYMC_THREADS, where that is set. The
    number changes no bit."""
    if "SYMC_THREADS" in os.environ:
        return 0
    beside = next((int(os.environ[name]) for name in _LOCAL_SIZES if os.environ.get(name, "").isdigit()), 1)
    return max(1, len(os.sched_getaffinity(0)) // max(beside, 1))


class Tensor(ctypes.Structure):
    _fields_ = [("data", c_void_p), ("shape", POINTER(c_int64)), ("rank", c_int32), ("dtype", c_int32),
                ("device", c_int32), ("ordinal", c_int32)]


class TensorInfo(ctypes.Structure):
    _fields_ = [("name", c_char_p), ("shape", POINTER(c_int64)), ("max_bytes", c_int64), ("rank", c_int32),
                ("dtype", c_int32), ("flags", c_uint32), ("reserved", c_uint32)]


class StateInfo(ctypes.Structure):
    _fields_ = [("tensor", TensorInfo), ("image_offset", c_int64), ("capacity", c_int64), ("axis", c_int32),
                ("reserved", c_int32)]


class DimInfo(ctypes.Structure):
    _fields_ = [("name", c_char_p), ("min", c_int64), ("max", c_int64)]


class Variant(ctypes.Structure):
    _fields_ = [("isa", c_char_p), ("cpu_level", c_uint64), ("arena_bytes", c_int64), ("run", c_void_p),
                ("device", c_int32), ("n_programs", c_int32), ("programs", c_void_p), ("functions", c_void_p),
                ("forward", c_void_p), ("backward", c_void_p)]


class Batches(ctypes.Structure):
    _fields_ = [("sizes", POINTER(c_int64)), ("least", POINTER(c_int64)), ("row_bytes", POINTER(c_int64)),
                ("n_sizes", c_int32), ("n_io", c_int32)]


class Preprocess(ctypes.Structure):
    _fields_ = [(name, c_int32) for name in ("enabled", "source_layout", "model_layout", "order", "resize",
                                             "resize_short", "channels", "reserved")] + [
        ("scale", c_double), ("mean", c_double * 4), ("std", c_double * 4), ("mean_image", c_void_p)]


class Pictures(ctypes.Structure):
    _fields_ = [("inputs", POINTER(Preprocess)), ("open", c_void_p), ("fill", c_void_p), ("decode", c_void_p),
                ("release", c_void_p)]


class ModelTable(ctypes.Structure):
    _fields_ = [("magic", c_uint32), ("abi_version", c_uint32), ("name", c_char_p), ("compiler", c_char_p),
                ("triple", c_char_p), ("inputs", POINTER(TensorInfo)), ("outputs", POINTER(TensorInfo)),
                ("parameters", POINTER(TensorInfo)), ("dims", POINTER(DimInfo)), ("variants", POINTER(Variant)),
                ("output_shapes", c_void_p), ("prepare", c_void_p), ("prepare_arena_bytes", c_int64),
                ("weights", c_void_p), ("weights_file", c_char_p), ("weights_bytes", c_uint64),
                ("weights_hash", c_uint64), ("n_inputs", c_int32), ("n_outputs", c_int32), ("n_parameters", c_int32),
                ("n_dims", c_int32), ("n_variants", c_int32), ("n_libraries", c_int32), ("libraries", c_void_p),
                ("states", POINTER(StateInfo)), ("n_states", c_int32), ("n_conditions", c_int32),
                ("batches", POINTER(Batches)), ("conditions", c_void_p), ("check_sizes", c_void_p),
                ("pictures", POINTER(Pictures)), ("flags", c_uint32), ("reserved", c_uint32),
                ("training", c_void_p)]


class Options(ctypes.Structure):
    _fields_ = [("threads", c_int32), ("flags", c_int32), ("pool", c_void_p), ("allocator", c_void_p * 3),
                ("arena", c_void_p), ("arena_bytes", c_size_t), ("weights", c_void_p), ("weights_bytes", c_size_t),
                ("weights_file", c_char_p), ("isa", c_char_p), ("error", c_char_p), ("error_bytes", c_size_t),
                ("device", c_void_p), ("stream", c_void_p), ("ordinal", c_int32), ("reserved", c_int32),
                ("device_name", c_char_p)]


PROBE = ctypes.CFUNCTYPE(None, c_void_p, c_int64, c_int32)  # what symc_probe_hook points to
_TENSORS = POINTER(Tensor)
_EXTENTS = POINTER(c_int64)
_SIGNATURES = {
    "create": (c_int32, POINTER(Options), POINTER(c_void_p)), "destroy": (None, c_void_p),
    "run": (c_int32, c_void_p, _TENSORS, c_int32, _TENSORS, c_int32),
    "run_image": (c_int32, c_void_p, _TENSORS, c_int32, _TENSORS, c_int32), "last_error": (c_char_p, c_void_p),
    "infer_outputs": (c_int32, c_void_p, _TENSORS, c_int32, _EXTENTS, c_int32),
    "run_extents": (c_int32, c_void_p, _EXTENTS, c_int32),
    "get_state": (c_int32, c_void_p, c_char_p, _TENSORS), "set_state": (c_int32, c_void_p, c_char_p, _TENSORS),
    "state_extents": (c_int32, c_void_p, c_char_p, _EXTENTS, c_int32),
    "truncate_state": (c_int32, c_void_p, c_char_p, c_int64), "reset_state": (c_int32, c_void_p, c_char_p), "set_seed": (c_int32, c_void_p, c_uint64),
    "set_parameters": (c_int32, c_void_p, _TENSORS, c_int32)}
# What models with gradients have beside these.
_PARTS = {"forward": _SIGNATURES["run"], "backward": _SIGNATURES["run"],
          "join_ranks": (c_int32, c_void_p, c_int32, c_void_p, c_void_p)}


class _Shared:
    """What several models have open: the last close() releases it."""

    def __init__(self):
        self._users, self._counting = 1, threading.Lock()

    def share(self):
        """The same for one user more."""
        with self._counting:
            self._users += 1
        return self

    def opened_again(self):
        """The same unless the last user has gone."""
        with self._counting:
            self._users += self._users > 0
            return self._users > 0

    def close(self):
        with self._counting:
            self._users -= 1
            last = not self._users
        if last:
            self._release()

    def after_fork(self):
        self._counting = threading.Lock()  # another thread of the parent may hold it

    def has_gradients(self):
        """Whether forward and backward are functions of their own."""
        return bool(self.table.n_variants and self.table.variants[0].backward)


class Library(_Shared):
    """An opened library: `table`, and the functions of the model by their names without the prefix. `folder`: goes with
    the library."""

    def __init__(self, path, prefix=None, folder=None):
        super().__init__()
        self.path, self.folder = path, folder
        if not os.path.isfile(path):
            raise SymcError("there is no file '%s'" % path)
        # The loader takes a path that it has opened before for the same file, also where the file is another one by
        # now. A new name makes it look.
        folder = tempfile.mkdtemp(prefix="symc-")
        try:
            link = os.path.join(folder, os.path.basename(path))
            os.symlink(os.path.abspath(path), link)
            opened = ctypes.CDLL(link)
        except OSError as reason:
            text = str(reason).replace(folder + os.sep, "")
            raise SymcError("cannot load '%s': %s" % (path, text)) from None
        finally:
            shutil.rmtree(folder, ignore_errors=True)
        self.opened, self.handle = opened, opened._handle
        try:
            self._find(path, prefix)
        except BaseException:
            self.close()
            raise

    def _find(self, path, prefix):
        opened = self.opened
        try:
            self.table = (ModelTable.in_dll(opened, prefix + "_model") if prefix else
                          POINTER(ModelTable).in_dll(opened, "symc_main_model").contents)
        except ValueError:
            raise SymcError("'%s' is no compiled model: it has no %s" % (
                path, prefix + "_model" if prefix else "symc_main_model")) from None
        if self.table.magic != MAGIC or self.table.abi_version != ABI_VERSION:
            raise SymcError("'%s' has ABI %d, this package has %d: compile the model again" % (
                path, self.table.abi_version, ABI_VERSION))
        self.name = self.table.name.decode()
        parts = _PARTS if self.has_gradients() else {}
        for suffix, (result, *arguments) in {**_SIGNATURES, **parts}.items():
            function = self.symbol("%s_%s" % (self.name, suffix))
            if function is None:
                raise SymcError("'%s' has no function '%s_%s': compile the model again" % (path, self.name, suffix))
            function.restype, function.argtypes = result, arguments
            setattr(self, suffix, function)

    def _release(self):
        """The library goes from memory, but for one that made threads."""
        _ctypes.dlclose(self.handle)
        if self.folder:
            shutil.rmtree(self.folder, ignore_errors=True)

    def symbol(self, name):
        return getattr(self.opened, name, None)

    def probe_hook(self):
        """The variable of a library with probes, or None."""
        return c_void_p.in_dll(self.opened, "symc_probe_hook") if self.symbol("symc_probe_hook") else None

    def probe_steps(self):
        """The text of its steps."""
        return c_char_p(ctypes.addressof(ctypes.c_char.in_dll(self.opened, "symc_probe_steps"))).value.decode()


class Loaded(_Shared):
    """The same of a model that the compiler's library has compiled into this process."""

    path = folder = None

    def __init__(self, compiler, number):
        super().__init__()
        self._free = lambda: compiler.symc_loaded_free(c_uint64(number))
        model = POINTER(ModelTable)()
        compiler.symc_loaded_model(c_uint64(number), ctypes.byref(model))
        self.table = model.contents
        self.name = self.table.name.decode()
        for suffix, (result, *arguments) in {**_SIGNATURES, **_PARTS}.items():
            function = getattr(compiler, "symc_" + suffix)
            first = [POINTER(ModelTable)] if suffix == "create" else []
            function.restype, function.argtypes = result, first + arguments
            setattr(self, suffix, functools.partial(function, model) if first else function)

    def _release(self):
        """Contexts go on; code and weights go with the last of them."""
        self._free()

    def probe_hook(self):
        return None
