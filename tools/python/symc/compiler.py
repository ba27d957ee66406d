"""compile: makes a Model of a symbol and its parameters, by the program symc in a process of its own; by the
compiler's library in this one where operators of Python (symc.operator) are called.

    model = symc.compile(net, params={"fc_weight": weight, "fc_bias": bias}, shapes={"data": (1, 784)})

Messages are those of the command line: an error is raised as SymcError, warnings and remarks go to warnings.warn.
"""
import ctypes
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
import warnings
from typing import TYPE_CHECKING, Any, Callable, Iterable, Mapping, Optional, Sequence, Union

from . import _programs, library, operator
from .errors import SymcError

if TYPE_CHECKING:
    from .model import Model

_MESSAGE = re.compile(r"^(?:\S.*?: )?(error|warning|remark|note): ", re.M)
_STAGE = re.compile(r"^symc: ([a-z]+)$")


def places():
    """Files that may be the program, the best first: SYMC_COMPILER alone where it is set."""
    given = os.environ.get("SYMC_COMPILER")
    return [given] if given else _programs.places("symc")


def program():
    """The program symc. Raises SymcError where there is none."""
    return _programs.find("symc", os.environ.get("SYMC_COMPILER"))


def compile(symbol: Any, params: Union[Mapping[str, Any], str, "os.PathLike[str]", None] = None,
            shapes: Union[Mapping[str, Any], Iterable[Any], None] = None,
            output: Union[str, "os.PathLike[str]", None] = None, target: Optional[str] = None,
            dtypes: Union[Mapping[str, Any], Iterable[Any], None] = None, batches: Optional[Iterable[int]] = None,
            options: Iterable[str] = (), progress: Union[bool, Callable[[str], Any], None] = None,
            threads: Optional[int] = None, outputs: Union[str, Sequence[str], None] = None,
            gradients: Union[str, Sequence[str], None] = None,
            grad_req: Union[str, Mapping[str, str], None] = None,
            sizes: Optional[Mapping[str, Union[int, str]]] = None,
            values: Optional[Mapping[str, Any]] = None,
            grow: Optional[Mapping[str, Sequence[int]]] = None) -> "Model":
    """The Model of a symbol, or of an ONNX model.

    symbol    a Symbol, or the path of a symbol file; or the path of an ONNX file, an onnx.ModelProto or its bytes, which
              take shapes, sizes, values, output, target, options, progress and threads of what follows
    params    {name: array}, names with "arg:" and "aux:" or without; or the path of a file; what has no value and no
              shape is refused (options=["--random-weights"] draws it)
    shapes    {input: extents}, or pairs; an extent is an int, or a text: "1..8" for a range, "T=1..8" and elsewhere
              "T" for one that inputs share, "N" for the batch. Those of labels, and all that follow from others, may be
              left out. A parameter with a shape becomes an input
    output    path of the shared library; None: a temporary one, which goes with the model
    target    instruction sets as --target-cpu takes them; None: this processor's for a temporary library, the portable
              ones for a kept one
    dtypes    {input: element type}
    batches   batch sizes over one copy of the weights
    options   further words of the command line
    progress  True or False: print the stage of a long compilation on stderr, None: where stderr is a terminal; or a
              function, which gets the name of each stage
    threads   of the Model
    outputs   names of outputs to compile up to instead of the symbol's own, of any nodes, as
              get_internals().list_outputs() has them, or names of nodes; what they do not need is not looked at
    gradients "all", or names of arguments: the model computes as in training, and the gradients of these, which are
              its outputs grad:NAME; that of an output that is no loss is an input, head_grad:OUTPUT
    grad_req  {argument: "write", "add" or "null"}, or one of these for all names in gradients: "add" adds a gradient
              to the input grad:NAME, "null" leaves it out
    sizes     of an ONNX model: {name of an extent: a number, or a range as "1..8"}
    values    of an ONNX model: {input: its array}, of inputs that decide shapes; they are no inputs of the Model then
    grow      {input: (axis, rows)}: keeps the input as a state, to which each run appends along the axis, up to so many
              rows, what the symbol concatenates behind it: keys and values of a decoder
    """
    from .model import Model
    if isinstance(options, str):
        raise TypeError("options is a list of words, got %r" % options)
    folder = tempfile.mkdtemp(prefix="symc-")
    try:
        words, name = _source(symbol, folder)
        words += _parameters(params, folder)
        for key, shape in _by_input("shapes", shapes).items():
            words += ["--shape", "%s=%s" % (key, _shape_text(key, shape))]
        for key, size in _by_input("sizes", sizes).items():
            words += ["--size", "%s=%s" % (key, size)]
        words += _value_words(values, folder)
        words += _grow_words(grow)
        for key, dtype in _by_input("dtypes", dtypes).items():
            words += ["--dtype", "%s=%s" % (key, _dtype_name(dtype))]
        words += _output_words(outputs) + _gradient_words(gradients, grad_req)
        if batches:
            words += ["--batch", ",".join(str(int(each)) for each in batches)]
        if target or output is None:
            words += ["--target-cpu", target or "native"]
        python = operator.used_in(_text_of(words[0]))
        if python:
            if output is not None:
                raise SymcError("operator '%s' is a Python function, which no file can hold; leave output out" % python[0])
            loaded = _load([*words, *options], name, folder, progress)
            model = Model(None, threads=threads, _loaded=loaded)
            shutil.rmtree(folder, ignore_errors=True)
            return model
        path = os.fspath(output) if output is not None else os.path.join(folder, name + ".so")
        plan = os.path.join(folder, "memory-plan")
        _execute([program(), *words, *library.options(), "--memory-plan", plan, *options, "-shared", "-o", path], folder,
                 progress)
        with open(plan, encoding="utf-8") as file:
            model = Model(path, threads=threads, _folder=folder if output is None else None, _plan=file.read())
    except BaseException:
        shutil.rmtree(folder, ignore_errors=True)
        raise
    if output is not None:
        shutil.rmtree(folder, ignore_errors=True)
    return model


def _list_text(words):
    """What a flag's value is in Python: "1,8,8" is (1, 8, 8)."""
    extents = [word if word.isdigit() else '"%s"' % word for word in words.split(",")]
    return "(%s%s)" % (", ".join(extents), "," if len(extents) == 1 else "")


#: Words of the command line in messages, and the arguments of compile that they are.
_AS_ARGUMENTS = (
    (re.compile(r"--shape ([\w.\-/]+)=\.\.\."), lambda found: 'shapes={"%s": ...}' % found[1]),
    (re.compile(r"--shape ([\w.\-/]+)=([\w.=]+(?:,[\w.=]+)*)"), lambda found: 'shapes={"%s": %s}' % (
        found[1], _list_text(found[2]))),
    (re.compile(r"--shape ([\w.\-/]+)="), lambda found: 'shapes["%s"]' % found[1]),
    (re.compile(r"--size ([\w.\-/:]+)=(\d+)"), lambda found: 'sizes={"%s": %s}' % (found[1], found[2])),
    (re.compile(r"--value ([\w.\-/:]+)=FILE"), lambda found: 'values={"%s": array}' % found[1]),
    (re.compile(r"--(size|value)\b"), lambda found: found[1] + "s"),
    (re.compile(r"--batch (\d+(?:,\d+)*)"), lambda found: "batches=[%s]" % found[1].replace(",", ", ")),
    (re.compile(r"--(outputs|gradients) (\w+(?:,\w+)*)"), lambda found: "%s=%s" % (found[1], json.dumps(found[2].split(",")))),
    (re.compile(r"--grad-req\b"), lambda found: "grad_req"),
    (re.compile(r"--random-weights\b"), lambda found: 'options=["--random-weights"]'),
    (re.compile(r"--(shape|dtype|output|gradient)s?\b(?!-)"), lambda found: found[1] + "s"),
    (re.compile(r"--batch\b(?!-)"), lambda found: "batches"))


def in_python(text):
    """A message of the command line, its advice in words of compile. Lines that quote a file stay."""
    lines = text.splitlines()
    for place, line in enumerate(lines):
        if re.search(r"\b(error|warning|remark|note): ", line):
            for words, argument in _AS_ARGUMENTS:
                line = words.sub(argument, line)
            lines[place] = line
    return "\n".join(lines)


def _text_of(path):
    try:
        with open(path, encoding="utf-8", errors="replace") as file:
            return file.read()
    except OSError:
        return ""  # the compiler reports what is wrong with the file


def _source(symbol, folder):
    """[path of the symbol file], the model's name."""
    if hasattr(symbol, "tojson"):
        name = re.sub(r"\W", "_", symbol.name or "net")
        path = os.path.join(folder, name + "-symbol.json")
        with open(path, "w", encoding="utf-8") as file:
            file.write(symbol.tojson())
    elif hasattr(symbol, "SerializeToString") and hasattr(symbol, "graph"):
        for each in getattr(symbol.graph, "initializer", ()):
            if each.data_location == 1:  # TensorProto.EXTERNAL
                where = "".join(entry.value for entry in each.external_data if entry.key == "location")
                raise SymcError("initializer '%s' has its data in '%s', which lies beside a model's file, and this model is "
                                "in memory\nload it by onnx.load, which reads such files, or compile its path" % (each.name, where))
        name = re.sub(r"\W", "_", symbol.graph.name or "net")
        path = _written(symbol.SerializeToString(), name, folder)
    elif isinstance(symbol, (bytes, bytearray, memoryview)):
        name = "net"
        path = _written(symbol, name, folder)
    elif isinstance(symbol, (str, os.PathLike)):
        path = os.fspath(symbol)
        name = re.sub(r"\W", "_", re.sub(r"-symbol\.json$|\.json$|\.onnx$", "", os.path.basename(path)))
    else:
        raise TypeError("compile takes a Symbol, an ONNX model (onnx.ModelProto or bytes) or the path of one's file, got %r" % (symbol,))
    return [path], name if re.match(r"[A-Za-z_]", name) else "net_" + name


def _written(model, name, folder):
    """The path of an ONNX model's bytes."""
    path = os.path.join(folder, name + ".onnx")
    with open(path, "wb") as file:
        file.write(model)
    return path


def _parameters(params, folder):
    if params is None:
        return []
    if isinstance(params, (str, os.PathLike)):
        return [os.fspath(params)]
    if not hasattr(params, "items"):
        raise TypeError("params is a dict of arrays or the path of a file, got %r" % (params,))
    from . import ndarray
    path = os.path.join(folder, "given.params")
    ndarray.save(path, dict(params))
    return [path]


def _value_words(values, folder):
    """Each value in a file of its own."""
    import numpy
    words = []
    for i, (name, value) in enumerate(_by_input("values", values).items()):
        path = os.path.join(folder, "value-%d.npy" % i)
        numpy.save(path, numpy.asarray(value))
        words += ["--value", "%s=%s" % (name, path)]
    return words


def _grow_words(grow):
    words = []
    for name, each in _by_input("grow", grow).items():
        if not isinstance(each, (tuple, list)) or len(each) != 2:
            raise TypeError("grow[%r] is (axis, rows), got %r" % (name, each))
        words += ["--grow", "%s=%d:%d" % (name, *each)]
    return words


def _output_words(outputs):
    if outputs is None:
        return []
    names = [outputs] if isinstance(outputs, str) else outputs
    if not isinstance(names, (list, tuple)) or not names or not all(isinstance(name, str) for name in names):
        raise TypeError("outputs is a list of names, or one, got %r" % (outputs,))
    return [word for name in names for word in ("--outputs", name)]


def _gradient_words(gradients, grad_req):
    if gradients is None:
        if grad_req is not None:
            raise TypeError("grad_req needs gradients, names of arguments or \"all\"")
        return []
    names = [gradients] if isinstance(gradients, str) else gradients
    if not isinstance(names, (list, tuple)) or not names or not all(isinstance(name, str) for name in names):
        raise TypeError("gradients is a list of names, or \"all\", got %r" % (gradients,))
    if isinstance(grad_req, str):
        if "all" in names:
            raise TypeError("grad_req is %r for all arguments; name them in gradients, or pass a dict" % grad_req)
        grad_req = dict.fromkeys(names, grad_req)
    words = [word for name in names for word in ("--gradients", name)]
    for name, each in _by_input("grad_req", grad_req).items():
        words += ["--grad-req", "%s=%s" % (name, each)]
    return words


def _by_input(what, given):
    """A dict of what is given by input: a dict, or pairs as an iterator's provide_data has them."""
    try:
        made = dict(given or {})
    except (TypeError, ValueError):
        made = {None: None}
    if not all(isinstance(key, str) for key in made):
        raise TypeError("%s is a dict by input, or a list of pairs, got %r" % (what, given))
    return made


def _shape_text(name, shape):
    if isinstance(shape, (int, str)):
        shape = (shape,)
    if not all(isinstance(extent, str) or hasattr(extent, "__index__") for extent in shape):
        raise TypeError("the shape of '%s' is %r, needs ints, or texts for ranges and the batch" % (name, shape))
    return ",".join(extent if isinstance(extent, str) else str(int(extent)) for extent in shape)


def _dtype_name(dtype):
    if isinstance(dtype, str):
        return dtype
    import numpy
    return numpy.dtype(dtype).name


class _Progress:
    """Reads the program's messages, with the names of its stages where a caller needs them, and shows on a terminal
    what takes longer than a second."""

    def __init__(self, wanted):
        self.notify = wanted if callable(wanted) else None
        if wanted is None:
            wanted = sys.stderr is not None and sys.stderr.isatty()
        self.shows = self.notify is None and bool(wanted)
        self.stage, self.lines, self.shown = "", [], False

    def flags(self):
        return ["-v"] if self.notify or self.shows else []

    def read(self, stream):
        for line in stream:
            stage = _STAGE.match(line.rstrip("\n")) if self.flags() else None
            if stage is None:
                self.lines.append(line)
            else:
                self.stage = stage.group(1)
                if self.notify:
                    self.notify(self.stage)

    def show(self, seconds):
        if self.shows and seconds > 1:
            sys.stderr.write("\r\033[Ksymc: %s ... %d s" % (self.stage, seconds))
            sys.stderr.flush()
            self.shown = True

    def erase(self):
        if self.shown:
            sys.stderr.write("\r\033[K")
            sys.stderr.flush()


def _execute(command, folder, wanted):
    progress = _Progress(wanted)
    begin = time.monotonic()
    out = tempfile.TemporaryFile("w+", encoding="utf-8", errors="replace")
    with out, subprocess.Popen(command + progress.flags(), stdin=subprocess.DEVNULL, stdout=out, stderr=subprocess.PIPE,
                               encoding="utf-8", errors="replace") as process:
        reader = threading.Thread(target=progress.read, args=(process.stderr,), daemon=True)
        reader.start()
        try:
            while reader.is_alive():
                reader.join(0.25)
                progress.show(time.monotonic() - begin)
            status = process.wait()
        except BaseException:  # an interrupt ends the program, too
            process.kill()
            raise
        finally:
            progress.erase()
        out.seek(0)
        printed = out.read()
    text = in_python("".join(progress.lines).replace(folder + os.sep, "").strip())
    if status < 0:
        raise SymcError("symc was ended by %s%s" % (signal.Signals(-status).name, "\n" + text if text else ""))
    if status:
        raise SymcError(text)
    if printed:  # what options requested: --report
        print(printed, end="")
    for message in _messages(text):
        warnings.warn(message, stacklevel=3)


_PROGRESS = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_char_p)


class _Request(ctypes.Structure):
    """symc_request of symc/symc.h."""
    _fields_ = [("struct_bytes", ctypes.c_size_t), ("symbol", ctypes.c_uint64), ("json", ctypes.c_char_p),
                ("json_bytes", ctypes.c_size_t), ("symbol_file", ctypes.c_char_p), ("onnx", ctypes.c_void_p), ("onnx_bytes", ctypes.c_size_t), ("name", ctypes.c_char_p),
                ("params_count", ctypes.c_size_t), ("params_files", ctypes.POINTER(ctypes.c_char_p)),
                ("array_count", ctypes.c_size_t), ("arrays", ctypes.c_void_p), ("shape_count", ctypes.c_size_t),
                ("shape_names", ctypes.c_void_p), ("ranks", ctypes.c_void_p), ("extents", ctypes.c_void_p),
                ("option_count", ctypes.c_size_t), ("options", ctypes.POINTER(ctypes.c_char_p)),
                ("progress", _PROGRESS), ("user", ctypes.c_void_p)]


class _Diagnostic(ctypes.Structure):
    """symc_diagnostic."""


_Diagnostic._fields_ = [("severity", ctypes.c_int), ("line", ctypes.c_uint32), ("column", ctypes.c_uint32),
                        ("file", ctypes.c_char_p), ("node", ctypes.c_char_p), ("message", ctypes.c_char_p),
                        ("note_count", ctypes.c_size_t), ("notes", ctypes.POINTER(_Diagnostic))]


def _load(words, name, folder, wanted):
    """The same compilation into this process, where operators of Python are. `words`: the symbol's file, perhaps that of
    parameters, options."""
    from . import _library, _runtime
    progress = _Progress(wanted)
    begin = time.monotonic()
    stopped = []

    @_PROGRESS
    def notify(_, stage):
        try:
            if stage.decode() != progress.stage:
                progress.stage = stage.decode()
                if progress.notify:
                    progress.notify(progress.stage)
            progress.show(time.monotonic() - begin)
        except BaseException as reason:  # an interrupt, too: nothing may leave a callback
            stopped.append(reason)
        return len(stopped)

    files = [words[0]] + [word for word in words[1:2] if not word.startswith("-")]
    params = _library.texts(files[1:])
    options = _library.texts(words[len(files):])
    request = _Request(struct_bytes=ctypes.sizeof(_Request), symbol_file=files[0].encode(), name=name.encode(),
                       params_count=len(files) - 1, params_files=params, option_count=len(words) - len(files),
                       options=options, progress=notify)
    number = ctypes.c_uint64()
    try:
        _library.call("symc_compile_model", ctypes.byref(request), ctypes.byref(number))
    except SymcError as reason:
        if stopped:
            raise stopped[0] from None
        raise SymcError(in_python(str(reason).replace(folder + os.sep, "").strip())) from None
    finally:
        progress.erase()
    _warn(stacklevel=5)
    return _runtime.Loaded(_library.library(), number.value)


def _warn(stacklevel):
    """What the thread's last compilation reported."""
    from . import _library
    count, messages = ctypes.c_size_t(), ctypes.POINTER(_Diagnostic)()
    _library.call("symc_compile_diagnostics", ctypes.byref(count), ctypes.byref(messages))
    for each in messages[:count.value]:
        lines = ["%s: %s" % (("error", "warning", "remark", "note")[each.severity], each.message.decode())]
        warnings.warn("\n".join(lines + ["note: " + note.message.decode() for note in each.notes[:each.note_count]]),
                      stacklevel=stacklevel)


def load_symbol(symbol, text, name, arrays, options=(), report=False):
    """The model of a symbol, or of its `text` where that is given, compiled into this process for inputs like these,
    {name: array}, or loaded from the cache. SymcError has what the compiler reports. `options`: further words of the
    command line. `report`: warnings go to warnings.warn."""
    from . import _library, _runtime
    words = [*options]
    for key, each in arrays.items():
        words += ["--shape", "%s=%s" % (key, _shape_text(key, each.shape)), "--dtype", "%s=%s" % (key, each.dtype.name)]
    words.append("--random-weights")  # states have some value until they are given one
    text = text.encode() if text else None
    request = _Request(struct_bytes=ctypes.sizeof(_Request), name=name.encode(), option_count=len(words),
                       options=_library.texts(words), symbol=0 if text else symbol.handle, json=text,
                       json_bytes=len(text) if text else 0)
    number = ctypes.c_uint64()
    _library.call("symc_compile_kept", ctypes.byref(request), ctypes.byref(number))
    if report:
        _warn(stacklevel=6)
    return _runtime.Loaded(_library.library(), number.value)


def _messages(text):
    """Messages of some lines each; a note belongs to the one before it."""
    starts = [match.start() for match in _MESSAGE.finditer(text) if match.group(1) != "note"]
    return [text[begin:end].strip() for begin, end in zip([0] + starts[1:], starts[1:] + [len(text)])] if text else []
