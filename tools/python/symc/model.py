"""Model: a compiled shared library, run on NumPy arrays.

    model = symc.Model("libnet.so")
    probabilities = model(data=pictures)

An input that is contiguous, aligned and of the right type is read where it lies. Others are copied first: views with
strides, types that widen without loss within their kind (float16 to float32, uint8 to int32), and lists. Outputs are
new arrays. One context runs at a time behind a lock, so that threads may share a model; models of one file share code
and weights and run side by side. A file that is in use may be replaced (as symc does), but not written over.
"""
import ctypes
import hashlib
import html
import os
import pickle
import shutil
import statistics
import tempfile
import threading
import time
import weakref
from typing import Any, Dict, List, Mapping, NamedTuple, Optional, Tuple, Union

import numpy as np

from . import _runtime
from .checkpoint import load_checkpoint, load_params, save_checkpoint  # noqa: F401, mx.model's names
from .errors import SymcError
from .memory_plan import MemoryPlan
from .model_states import ModelStates
from .profile import Profile, Step
from .tensor_values import Size, TensorInfo, as_tensor

_MISTAKES = {_runtime.BAD_COUNT: ValueError, _runtime.BAD_SHAPE: ValueError, _runtime.BAD_PICTURE: ValueError,
             _runtime.BAD_DTYPE: TypeError}


class Bench(NamedTuple):
    """Milliseconds of runs."""

    median: float
    minimum: float
    runs: int
    sizes: str = ""  # the shapes of inputs whose sizes a run chooses

    def __str__(self):
        return "median %.4g ms, minimum %.4g ms of %d runs%s" % (*self[:3], ", " + self.sizes if self.sizes else "")


def _release(lock, library, context):
    # At the interpreter's end a thread may be inside a run: its memory is left to the system then.
    if lock.acquire(blocking=False):
        library.destroy(context)
        library.close()
        lock.release()


_open = weakref.WeakSet()  # models, for a child of fork


def _after_fork():
    """In a child another thread of the parent may seem to hold a lock. Memory of a run that this thread was inside of
    belongs to the parent's run alone."""
    global _unpacking
    _unpacking = threading.Lock()
    for model in list(_open):
        model._lock = threading.RLock()
        model._library.after_fork()


os.register_at_fork(after_in_child=_after_fork)


class Model(ModelStates):
    """`prefix`: of the library's C names, where it holds more than one model. `threads`: that work on a run; None is
    SYMC_THREADS, or 1. `isa`: the instruction set, None is the best."""

    def __init__(self, path: Union[str, "os.PathLike[str]", None], prefix: Optional[str] = None,
                 threads: Optional[int] = None, isa: Optional[str] = None, _folder=None, _plan=None, _loaded=None) -> None:
        self._plan, self._threads, self._asked_isa = _plan, threads, isa
        self.path: Optional[str] = path if path is None else os.fspath(path)  # None: it is in this process alone
        self._library = library = _loaded or _runtime.Library(self.path, prefix, _folder)
        self.name: str = library.name
        error = ctypes.create_string_buffer(512)
        options = _runtime.Options(threads=threads or 0, isa=isa.encode() if isa else None,
                                   error=ctypes.cast(error, ctypes.c_char_p), error_bytes=len(error))
        table = library.table
        if table.weights_file and not table.weights and "SYMC_WEIGHTS" not in os.environ:
            beside = os.path.join(os.path.dirname(os.path.abspath(self.path)), table.weights_file.decode())
            options.weights_file = beside.encode()
        context = ctypes.c_void_p()
        if library.create(ctypes.byref(options), ctypes.byref(context)):
            library.close()
            raise SymcError("cannot start '%s': %s" % (self.name, error.value.decode()))
        self._context = context
        self._lock = threading.RLock()
        self._closed = False
        self._finalizer = weakref.finalize(self, _release, self._lock, library, context)
        _open.add(self)
        self._dims = [table.dims[i] for i in range(table.n_dims)]
        self._inputs = [table.inputs[i] for i in range(table.n_inputs)]
        self.inputs: List[TensorInfo] = [self._info(each) for each in self._inputs]
        self.states: List[TensorInfo] = [self._state_info(each) for each in table.states[:table.n_states]]
        self.parameters: List[TensorInfo] = [self._info(table.parameters[i]) for i in range(table.n_parameters if table.prepare else 0)]
        self._required = [i for i, each in enumerate(self.inputs) if not each.optional]
        self._places = {each.name: i for i, each in enumerate(self.inputs)}
        self._dtypes = [np.dtype(_runtime.DTYPES[each.dtype]) for each in self._inputs]
        steps = table.pictures.contents.inputs if table.pictures else None
        self._steps = [steps[i] if steps and steps[i].enabled else None for i in range(table.n_inputs)]  # of pictures
        self._output_infos = [table.outputs[i] for i in range(table.n_outputs)]
        self._output_dtypes = [np.dtype(_runtime.DTYPES[each.dtype]) for each in self._output_infos]
        self._ranks = [each.rank for each in self._output_infos]
        states = [each.tensor for each in table.states[:table.n_states]]
        read = {-each.shape[k] - 1 for each in self._inputs + states for k in range(each.rank) if each.shape[k] < 0}
        self._values_decide = len(read) < len(self._dims)
        self._extents = (ctypes.c_int64 * (sum(self._ranks) + 1))()
        self._static = None if self._dims else [tuple(each.shape[:each.rank]) for each in self._output_infos]
        self._ready = {}  # tensors for the shapes of inputs
        self._outputs = None

    # --- Facts -------------------------------------------------------------

    def _info(self, info):
        sizes = [self._size(extent) for extent in info.shape[:info.rank]]
        return TensorInfo(info.name.decode(), _runtime.DTYPE_NAMES[info.dtype], tuple(sizes),
                          bool(info.flags & _runtime.OPTIONAL))

    def _state_info(self, state):
        info = self._info(state.tensor)
        if state.capacity:  # it grows: its size is the length before a run
            shape = list(info.shape)
            shape[state.axis] = Size(shape[state.axis].name, 0, state.capacity)
            info = TensorInfo(info.name, info.dtype, tuple(shape), info.optional)
        return info

    def _size(self, extent):
        if extent >= 0:
            return extent
        dim, batches = self._dims[-extent - 1], self._library.table.batches
        if batches:
            return Size("N", batches.contents.sizes[batches.contents.n_sizes - 1], None)
        return Size(dim.name.decode(), dim.min, dim.max)

    @property
    def outputs(self) -> List[TensorInfo]:
        """Where sizes are chosen at run time, an extent that depends on them is a Size; one that values decide is its
        largest."""
        with self._lock:
            self._check_open()
            if self._outputs is None:
                self._outputs = self._find_outputs()
            return list(self._outputs)

    def _find_outputs(self):
        names = [(each.name.decode(), _runtime.DTYPE_NAMES[each.dtype]) for each in self._output_infos]
        shapes = self._static
        if shapes is None:
            most = [tuple(each.shape[:each.rank]) for each in self._output_infos]
            batches = self._library.table.batches
            try:
                least = self._infer([np.empty(self._whole_shape(i, least=True), self._dtypes[i])
                                     for i in self._required],
                                    self._required)
            except ValueError:  # the least sizes may be none that fit each other
                least = [(None,) * len(each) for each in most]
            shapes = []
            for low, high in zip(least, most):
                if batches and low != high:  # only the number of rows differs
                    factor = high[0] // self._dims[0].max
                    shapes.append((Size("N" if factor == 1 else "%dN" % factor, low[0], None), *high[1:]))
                else:
                    shapes.append(tuple(b if a == b else Size("", a, b) for a, b in zip(low, high)))
        return [TensorInfo(*name, shape, False) for name, shape in zip(names, shapes)]

    def _whole_shape(self, place, least=False, chosen=()):
        """The shape of an input at the largest (least) sizes. `chosen`: {number of a size: extent}."""
        info = self._inputs[place]
        dims, batches = self._dims, self._library.table.batches
        smallest = batches.contents.sizes[batches.contents.n_sizes - 1] if batches else None

        def extent_of(extent):
            if extent >= 0:
                return extent
            if -extent - 1 in chosen:
                return chosen[-extent - 1]
            dim = dims[-extent - 1]
            return (smallest or dim.min) if least else dim.max
        return tuple(extent_of(extent) for extent in info.shape[:info.rank])

    def describe(self) -> str:
        """Inputs, outputs, states, instruction sets and memory, as the executable's --describe."""
        table, outputs = self._library.table, self.outputs
        lines = ["%s, compiled by %s for %s" % (self.name, table.compiler.decode(), table.triple.decode())]
        for title, infos in (("inputs:", self.inputs), ("outputs:", outputs),
                             ("states that a run changes:", self.states), ("raw parameters:", self.parameters)):
            if infos:
                lines += [title, *("  " + str(each) for each in infos)]
        if table.batches:
            sizes = table.batches.contents
            lines.append("N: any sum of batch sizes out of %s" % " ".join(
                str(sizes.sizes[i]) for i in reversed(range(sizes.n_sizes))))
        lines.append("instruction sets:")
        for i in range(table.n_variants):
            lines.append("  %s: arena %d bytes%s" % (
                table.variants[i].isa.decode(), table.variants[i].arena_bytes,
                ", for the largest sizes" if table.n_dims and not table.batches else ""))
        place = ("embedded" if table.weights or not table.weights_bytes else "in the side file %s" %
                 table.weights_file.decode() if table.weights_file else "supplied by the caller")
        lines.append("weights: %d bytes, %s" % (table.weights_bytes, place))
        return "\n".join(lines)

    def arena_bytes(self) -> int:
        """Memory of a run beside inputs, outputs and weights, for the largest sizes; of all instruction sets the most."""
        table = self._library.table
        return max(table.variants[i].arena_bytes for i in range(table.n_variants))

    def memory_plan(self) -> MemoryPlan:
        """Which steps keep which bytes of the arena, for the first instruction set and the largest batch."""
        if self._plan is None:
            if self.path is None:
                raise SymcError("model '%s' has operators of Python, and no memory plan" % self.name)
            raise SymcError("the memory plan of '%s' is not in its file; symc.compile keeps it, and "
                            "symc --memory-plan writes it" % self.path)
        return MemoryPlan(self._plan)

    def __repr__(self):
        return "<symc.Model %s%s: %s>" % (self.name, ", closed" if self._closed else "",
                                          "; ".join(map(str, self.inputs)))

    def _repr_html_(self):
        rows = [("input", each) for each in self.inputs]
        rows += [] if self._closed else [("output", each) for each in self.outputs]
        body = "".join("<tr><td>%s</td><td>%s</td><td>%s</td><td>[%s]</td></tr>" % (
            kind, html.escape(each.name), each.dtype, ", ".join(map(str, each.shape))) for kind, each in rows)
        return ("<table><caption>%s</caption><tr><th></th><th>name</th><th>type</th><th>shape</th></tr>%s</table>" % (
            html.escape(self.name), body))

    # --- Runs --------------------------------------------------------------

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """The output, or a list of several. Inputs by position, by name, or both; optional ones (labels) are read by
        nothing and may be left out. Where the model was compiled with --preprocess, an array of uint8 is a picture:
        [H, W], [H, W, C] or [N, H, W, C] with 1, 3 or 4 channels (with the step nchw [C, H, W]), or, with --images, the
        bytes of a PNG or JPEG file.

        TypeError: an unknown or missing input, a type that would have to lose something. ValueError: a shape, with the
        runtime's sentence. SymcError: a closed model, a step that fails."""
        arrays, places = self._arrange(args, kwargs)
        with self._lock:
            self._check_open()
            outputs = self._run(arrays, places)
        return outputs[0] if len(outputs) == 1 else outputs

    def _check_open(self):
        if self._closed:
            raise SymcError("model '%s' is closed" % self.name)

    def _arrange(self, args, kwargs):
        """The arrays as the runtime takes them, and which inputs they are."""
        given = dict(enumerate(args))
        names = ", ".join("'%s'" % each.name for each in self.inputs)
        if len(args) > len(self.inputs):
            raise TypeError("model '%s' takes %d inputs, %s; %d are given" %
                            (self.name, len(self.inputs), names, len(args)))
        for name, value in kwargs.items():
            place = self._places.get(name)
            if place is None:
                raise TypeError("model '%s' has no input '%s'; its inputs are %s" % (self.name, name, names))
            if place in given:
                raise TypeError("input '%s' is given twice, by position and by name" % name)
            given[place] = value
        missing = [self.inputs[i].name for i in self._required if given.get(i) is None]
        if missing:
            raise TypeError("model '%s' needs input %s" % (self.name, ", ".join("'%s'" % name for name in missing)))
        complete = all(given.get(i) is not None for i in range(len(self.inputs)))
        places = range(len(self.inputs)) if complete else self._required
        return [np.require(given[i], None, ["C", "A"]) if self._is_picture(i, given[i]) else
                as_tensor(given[i], self._dtypes[i], "input", self.inputs[i].name) for i in places], places

    def _is_picture(self, place, value):
        return self._steps[place] is not None and isinstance(value, np.ndarray) and value.dtype == np.uint8

    def _shape_from_picture(self, place, picture):
        """The shape of an input that the runtime makes of a picture."""
        info, steps = self._inputs[place], self._steps[place]
        planes = steps.source_layout == 0
        extents = [1] * (4 - picture.ndim) + list(picture.shape)
        if picture.ndim == 2:
            extents = [1, 1, *picture.shape] if planes else [1, *picture.shape, 1]
        height, width = extents[2:] if planes else extents[1:3]
        if picture.ndim == 1:
            raise TypeError("input '%s' is a file of a picture, but its height and width are chosen at run time; pass its "
                            "pixels" % self.inputs[place].name)
        shape = list(info.shape[:info.rank])
        if shape[0] < 0 and (info.rank == 4 or (info.rank == 2 and shape[1] >= 0)):
            shape[0] = extents[0]
        for axis, extent in ((info.rank - 2, height), (info.rank - 1, width)):
            shape[axis] = extent if shape[axis] < 0 else shape[axis]
        return tuple(shape)

    def _tensors(self, arrays, dtypes):
        """`dtypes`: numbers of symc_dtype, the caller keeps the arrays alive."""
        tensors = (_runtime.Tensor * max(len(arrays), 1))()
        for tensor, array, dtype in zip(tensors, arrays, dtypes):
            shape = (ctypes.c_int64 * max(array.ndim, 1))(*array.shape)
            tensor.data = array.__array_interface__["data"][0]
            tensor.shape = ctypes.cast(shape, ctypes.POINTER(ctypes.c_int64))
            tensor.rank, tensor.dtype = array.ndim, dtype
        return tensors

    def _check(self, status):
        if status:
            text = self._library.last_error(self._context).decode()
            raise _MISTAKES.get(status, SymcError)("%s: %s" % (self.name, text))

    def _split(self):
        shapes, at = [], 0
        for rank in self._ranks:
            shapes.append(tuple(self._extents[at:at + rank]))
            at += rank
        return shapes

    def _infer(self, arrays, places):
        tensors = self._tensors(arrays, [self._inputs[i].dtype for i in places])
        count = len(self._extents) - 1
        self._check(self._library.infer_outputs(self._context, tensors, len(arrays), self._extents, count))
        return self._split()

    def _prepare(self, arrays, places):
        """(tensors of inputs, tensors of outputs, shapes of outputs) for inputs of these shapes, without data."""
        pictures = [self._is_picture(i, array) for i, array in zip(places, arrays)]
        key = tuple([array.shape for array in arrays] + pictures)
        ready = self._ready.get(key)
        if ready is None:
            shapes = self._static or self._infer(
                [np.broadcast_to(np.empty((), self._dtypes[i]), self._shape_from_picture(i, array)) if picture else array
                 for i, array, picture in zip(places, arrays, pictures)], places)
            inputs = self._tensors(arrays, [_runtime.U8 if picture else self._inputs[i].dtype
                                            for i, picture in zip(places, pictures)])
            outputs = self._tensors([np.broadcast_to(np.empty((), dtype), shape)
                                     for shape, dtype in zip(shapes, self._output_dtypes)],
                                    [each.dtype for each in self._output_infos])
            ready = inputs, outputs, shapes
            if len(self._ready) >= 64:
                self._ready.clear()
            self._ready[key] = ready
        return ready

    def _results(self, arrays, places):
        """Tensors of inputs and of new outputs, and the outputs."""
        inputs, results, shapes = self._prepare(arrays, places)
        for tensor, array in zip(inputs, arrays):
            tensor.data = array.__array_interface__["data"][0]
        outputs = [np.empty(shape, dtype) for shape, dtype in zip(shapes, self._output_dtypes)]
        for tensor, array in zip(results, outputs):
            tensor.data = array.__array_interface__["data"][0]
        return inputs, results, outputs

    def _function(self, arrays, places):
        """The library's function for a run on these inputs."""
        pictures = any(self._is_picture(i, array) for i, array in zip(places, arrays))
        return self._library.run_image if pictures else self._library.run

    def _run(self, arrays, places):
        inputs, results, outputs = self._results(arrays, places)
        run = self._function(arrays, places)
        self._check(run(self._context, inputs, len(arrays), results, len(outputs)))
        if self._values_decide:
            self._check(self._library.run_extents(self._context, self._extents, len(self._extents) - 1))
            for i, shape in enumerate(self._split()):
                if shape != outputs[i].shape:  # its elements stand at the front
                    count = int(np.prod(shape, dtype=np.int64))
                    outputs[i] = outputs[i].reshape(-1)[:count].reshape(shape).copy()
        return outputs

    # --- Gradients ---------------------------------------------------------

    def forward(self, *args: Any, **kwargs: Any) -> Any:
        """Of a model with gradients: the outputs without them, as a call gives these; inputs are those that backward
        does not take. backward() computes the gradients of the last forward()."""
        infos = self._part(self._inputs, backward=False)
        values = dict(zip([each.name.decode() for each in infos], args))
        if len(args) > len(infos) or set(values) & set(kwargs):
            raise TypeError("forward of model '%s' takes %d inputs, each once" % (self.name, len(infos)))
        with self._lock:
            outputs = self._run_part("forward", infos, {**values, **kwargs}, self._part(self._output_infos, False))
        return outputs[0] if len(outputs) == 1 else outputs

    def backward(self, values: Optional[Mapping[str, Any]] = None) -> "Dict[str, np.ndarray[Any, Any]]":
        """The gradients, by argument. `values`: {"head_grad:OUTPUT": the gradient of an output that is no loss,
        "grad:ARGUMENT": what a gradient is added to}. It may run again, with other values. SymcError without a
        forward() before it, or with a call of the model or new parameters between."""
        infos = self._part(self._output_infos, True)
        with self._lock:
            outputs = self._run_part("backward", self._part(self._inputs, True), dict(values or {}), infos)
        return {each.name.decode().partition(":")[2]: value for each, value in zip(infos, outputs)}

    def _join_ranks(self, ranks):
        """Statistics over processes are those of so many (SyncBatchNorm, symc_join_ranks)."""
        from . import _world
        with self._lock:
            self._check_open()
            if self._library.has_gradients() and self._library.join_ranks(self._context, ranks, _world.gatherer(), None):
                raise SymcError(self._library.last_error(self._context).decode())

    @staticmethod
    def _part(infos, backward):
        return [each for each in infos if bool(each.flags & _runtime.BACKWARD) == backward]

    def _run_part(self, part, infos, values, outputs):
        self._check_open()
        if not self._library.has_gradients():
            raise SymcError("model '%s' was compiled without gradients" % self.name)
        names = [each.name.decode() for each in infos]
        for name in values:
            if name not in names:
                raise TypeError("%s of model '%s' takes no '%s', but %s" % (
                    part, self.name, name, ", ".join("'%s'" % each for each in names) or "nothing"))
        optional = [bool(each.flags & _runtime.OPTIONAL) for each in infos]
        missing = [name for name, may in zip(names, optional) if not may and values.get(name) is None]
        if missing:
            raise TypeError("%s of model '%s' needs %s" % (part, self.name, ", ".join("'%s'" % name for name in missing)))
        if any(values.get(name) is None for name in names):  # optional ones: all of them, or none
            infos = [each for each, may in zip(infos, optional) if not may]
        arrays = [as_tensor(values[each.name.decode()], np.dtype(_runtime.DTYPES[each.dtype]), "input", each.name.decode())
                  for each in infos]
        made = [np.empty(tuple(each.shape[:each.rank]), _runtime.DTYPES[each.dtype]) for each in outputs]
        self._check(getattr(self._library, part)(
            self._context, self._tensors(arrays, [each.dtype for each in infos]), len(arrays),
            self._tensors(made, [each.dtype for each in outputs]), len(made)))
        return made

    # --- Copies --------------------------------------------------------------

    def __copy__(self) -> "Model":
        """A Model of its own memory over the same code and weights; its states have the values of this one's. Either may
        be closed. With options=["--weights=extern"] it has no weights until set_parameters gives it some."""
        with self._lock:
            self._check_open()
            states = self._state_values()
            library = self._library.share()
        made = type(self).__new__(type(self))
        Model.__init__(made, self.path, threads=self._threads, isa=self._asked_isa, _plan=self._plan, _loaded=library)
        made._set_state_values(states)
        return made

    def __deepcopy__(self, memo: Any) -> "Model":
        """The same: code and weights cannot change."""
        made = memo[id(self)] = self.__copy__()
        return made

    def __reduce__(self):
        """Another process opens the file again, which has to be there. A temporary library goes along as bytes. Values
        of states go along, too."""
        with self._lock:
            self._check_open()
            states = self._state_values()
        facts = self.name, self._threads, self._asked_isa, self._plan, states
        if self.path is None:
            raise pickle.PicklingError("model '%s' has operators of Python and lives in this process alone: it cannot be "
                                       "pickled; compile it in the process that runs it" % self.name)
        if self._library.folder is None:
            return _reopened, (os.path.abspath(self.path), *facts)
        table, files = self._library.table, [os.path.basename(self.path)]
        if table.weights_file and not table.weights:
            files.append(table.weights_file.decode())
        contents = []
        for name in files:
            with open(os.path.join(self._library.folder, name), "rb") as file:
                contents.append((name, file.read()))
        return _unpacked, (contents, *facts)

    # --- Times -------------------------------------------------------------

    def _choose(self, chosen, name, shape, what):
        """Notes the sizes that an input's shape chooses."""
        if name not in self._places:
            raise ValueError("%s: model '%s' has no input '%s'; its inputs are %s" % (
                what, self.name, name, ", ".join("'%s'" % each.name for each in self.inputs)))
        info = self._inputs[self._places[name]]
        shape = (shape,) if hasattr(shape, "__index__") else tuple(shape)
        if len(shape) != info.rank:
            raise ValueError("%s: input '%s' has %d dimensions, got %d" % (what, name, info.rank, len(shape)))
        for place, (extent, got) in enumerate(zip(info.shape, shape)):
            wanted = extent if extent >= 0 else chosen.setdefault(-extent - 1, int(got))
            if wanted != got:
                raise ValueError("%s: dimension %d of input '%s' is %d%s, got %d" % (
                    what, place, name, wanted, "" if extent >= 0 else " in another input", got))

    def _example(self, kwargs, shapes=None):
        """Given inputs, and zeros for others: of the sizes that `shapes` chooses, then of those of given arrays, else of
        the largest."""
        chosen = {}
        for name, shape in (shapes or {}).items():
            self._choose(chosen, name, shape, "shapes")
        for name, value in kwargs.items():
            place = self._places.get(name)
            if place is None or (shapes and name in shapes):
                continue
            if not self._is_picture(place, value):
                self._choose(chosen, name, np.shape(value), "inputs")
            elif any(extent < 0 for extent in self._inputs[place].shape[:self._inputs[place].rank]):
                self._choose(chosen, name, self._shape_from_picture(place, value), "inputs")
        zeros = {self.inputs[i].name: np.zeros(self._whole_shape(i, chosen=chosen), self._dtypes[i]) for i in self._required}
        return self._arrange((), {**zeros, **kwargs})

    def _timed(self, runs, arrays, places):
        inputs, results, outputs = self._results(arrays, places)
        run, context, clock = self._function(arrays, places), self._context, time.perf_counter
        grown = [each for each in self._library.table.states[:len(self.states)] if each.capacity]
        lengths = [(each.tensor.name, self._state_shape(each.tensor.name.decode())[each.axis]) for each in grown]
        for i in range(runs + 1):
            begin = clock()
            status = run(context, inputs, len(arrays), results, len(outputs))
            end = clock()
            self._check(status)
            for name, rows in lengths:
                self._check(self._library.truncate_state(context, name, rows))
            yield i, (end - begin) * 1e3

    def bench(self, runs: int = 100, shapes: Optional[Mapping[str, Any]] = None, **inputs: Any) -> Bench:
        """Times of runs after a first one, on zeros where no input is given; a picture where the model prepares it. `shapes`, {input: extents}, chooses sizes that
        are open; without it they are those of given inputs, else the largest, and the answer has them. What Python
        does is not counted but for the call itself, about 2 microseconds."""
        _check_runs("bench", runs)
        with self._lock:
            self._check_open()
            arrays, places = self._example(inputs, shapes)
            times = [each for i, each in self._timed(runs, arrays, places) if i]
        sizes = ["%s [%s]" % (self.inputs[i].name, ", ".join(map(str, each.shape))) for each, i in zip(arrays, places)
                 if any(isinstance(extent, Size) for extent in self.inputs[i].shape)]
        return Bench(statistics.median(times), min(times), runs, ", ".join(sizes))

    def profile(self, runs: int = 10, shapes: Optional[Mapping[str, Any]] = None, **inputs: Any) -> Profile:
        """The steps of a run with the least time of each, at the sizes that bench chooses. Needs a library that was compiled
        with --probes; listening adds about a microsecond to each step. Operations and bytes of open sizes are known at the
        largest ones alone."""
        _check_runs("profile", runs)
        library = self._library
        with self._lock:
            self._check_open()
            hook = library.probe_hook()
            if hook is None and self.path is None:
                raise SymcError("model '%s' has operators of Python, and no probes" % self.name)
            if hook is None:
                raise SymcError("model '%s' has no probes; compile it with options=['--probes']" % self.name)
            best, current, begin, clock = {}, {}, [0.0], time.perf_counter

            def measure(_, step, phase):
                if phase:
                    current[step] = current.get(step, 0.0) + clock() - begin[0]
                else:
                    begin[0] = clock()
            listener = _runtime.PROBE(measure)
            hook.value = ctypes.cast(listener, ctypes.c_void_p).value
            try:
                arrays, places = self._example(inputs, shapes)
                largest = all(each.shape == self._whole_shape(i) for each, i in zip(arrays, places))
                for i, _ in self._timed(runs, arrays, places):
                    if i:
                        best = {step: min(best.get(step, seconds), seconds) for step, seconds in current.items()}
                    current.clear()
            finally:
                hook.value = None
        return Profile(_steps(best, library.probe_steps(), self._isa(), largest))

    def _isa(self):
        """The variant that runs: the one that is requested, or the first that can start."""
        requested = self._asked_isa or os.environ.get("SYMC_ISA")
        table = self._library.table
        for name in [requested.encode()] if requested else [table.variants[i].isa for i in range(table.n_variants)]:
            options, context = _runtime.Options(isa=name, threads=1), ctypes.c_void_p()
            if not self._library.create(ctypes.byref(options), ctypes.byref(context)):
                self._library.destroy(context)
                return name.decode()
        return requested

    # --- The end -----------------------------------------------------------

    def close(self) -> None:
        """Gives memory and file back; a second time does nothing."""
        with self._lock:
            self._closed = True
            self._finalizer()

    @property
    def closed(self) -> bool:
        return self._closed

    def __enter__(self) -> "Model":
        return self

    def __exit__(self, *_: Any) -> None:
        self.close()


def _reopened(path, name, threads, isa, plan, states):
    """A pickled model of a file that stays."""
    try:
        made = Model(path, name, threads, isa, _plan=plan)
    except SymcError as reason:
        raise SymcError("a pickled model opens its file again: %s" % reason) from None
    made._set_state_values(states)
    return made


_unpacked_libraries = weakref.WeakValueDictionary()  # by digest: what a pool sends with each task is opened once
_unpacking = threading.Lock()


def _unpacked(contents, name, threads, isa, plan, states):
    """A pickled model of a temporary file."""
    digest = hashlib.sha256(b"".join(data for _, data in contents)).digest()
    with _unpacking:
        library = _unpacked_libraries.get(digest)
        if library is not None and library.opened_again():
            path = library.path
        else:
            folder = tempfile.mkdtemp(prefix="symc-")
            try:
                for file_name, data in contents:
                    with open(os.path.join(folder, file_name), "wb") as file:
                        file.write(data)
                path = os.path.join(folder, contents[0][0])
                library = _runtime.Library(path, name, folder)
            except BaseException:
                shutil.rmtree(folder, ignore_errors=True)
                raise
            _unpacked_libraries[digest] = library
    made = Model(path, threads=threads, isa=isa, _plan=plan, _loaded=library)
    made._set_state_values(states)
    return made


def _check_runs(what, runs):
    if runs < 1:
        raise ValueError("%s needs at least 1 run, got %d" % (what, runs))


def _steps(best, text, isa, largest):
    """Steps by number. `text`: lists of variants; those of the `largest` sizes have figures of open extents, too."""
    lines, wanted = [], False
    name = isa + " largest" if largest and "variant %s largest\n" % isa in text else isa
    for line in text.splitlines():
        if line.startswith("variant "):
            wanted = line[len("variant "):] == name
        elif wanted:
            lines.append(line.split("\t"))
    total = sum(best.values()) or 1.0
    for step in sorted(best):
        flops, output, kernel, node, size, *_ = lines[step] if step < len(lines) else ("0", "", "-", "-", "0")
        yield Step(best[step] * 1e3, best[step] / total, kernel, node, output, int(flops), int(size))


def __getattr__(key):
    if key == "FeedForward":
        from .feedforward import FeedForward
        return FeedForward
    if key == "BatchEndParam":
        from .base_module import BatchEndParam
        return BatchEndParam
    raise AttributeError("module 'symc.model' has no attribute '%s'" % key)
