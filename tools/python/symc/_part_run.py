"""PartRun: forward or backward of a model with gradients, run again and again on arrays that are mostly the same ones. What
ctypes passes is made anew for arrays that are other ones than in the last run, and results go to arrays of the caller.
States: the same of states that are set before runs, and read behind them.
"""
import numpy as np

from . import _runtime
from ._memory import address, lie_apart, same
from .tensor_values import as_tensor, dtype_number, dtype_of


class PartRun:
    """`part`: "forward" or "backward"; `names`: the inputs that the caller gives, by the model's names. `inputs` has them in
    the model's order, in which calls take them, and `results` what they give."""

    def __init__(self, model, part, names):
        backward = part == "backward"
        self._model, self._part, self._function = model, part, getattr(model._library, part)
        self._infos = [each for each in model._part(model._inputs, backward) if each.name.decode() in names]
        self._output_infos = model._part(model._output_infos, backward)
        self.inputs, self.results = ([each.name.decode() for each in infos] for infos in (self._infos, self._output_infos))
        self._kinds, self._result_kinds = self._kinds_of(self._infos), self._kinds_of(self._output_infos)
        self._given_tensors = self._tensors(self._kinds, self._infos)
        self._made_tensors = self._tensors(self._result_kinds, self._output_infos)
        self._given = [None] * len(self._infos)  # whose addresses are in the tensors
        self._wanted = self._direct = None  # of the last run: the caller's list, and the arrays of it that are written to

    @staticmethod
    def _kinds_of(infos):
        return [(tuple(each.shape[:each.rank]), np.dtype(_runtime.DTYPES[each.dtype])) for each in infos]

    def _tensors(self, kinds, infos):
        return self._model._tensors([np.broadcast_to(np.empty((), dtype), shape) for shape, dtype in kinds],
                                    [each.dtype for each in infos])

    def __call__(self, arrays, wanted):
        """The results. `arrays`: of all inputs; `wanted`: for each result the array that it is
        written to, where that has its type and shape and lies apart from all others, or None for a new one."""
        model = self._model
        with model._lock:
            model._check_open()
            kept = arrays
            if not same(self._given, arrays):
                kept, self._wanted = self._take(arrays), None
                if kept is None:  # of a shape that the model refuses with a sentence
                    values = dict(zip(self.inputs, arrays))
                    return model._run_part(self._part, self._infos, values, self._output_infos)
            if not same(self._wanted, wanted):
                self._wanted, self._direct = list(wanted), self._written_to(wanted, kept)
            made = []
            for tensor, array, (shape, dtype) in zip(self._made_tensors, self._direct, self._result_kinds):
                if array is None:
                    array = np.empty(shape, dtype)
                    tensor.data = address(array)
                made.append(array)
            model._check(self._function(model._context, self._given_tensors, len(kept), self._made_tensors, len(made)))
        return made

    def _take(self, arrays):
        """The arrays that the tensors of inputs have from here on, which live until the run has ended."""
        kept = []
        for place, (array, (shape, dtype)) in enumerate(zip(arrays, self._kinds)):
            if array is not self._given[place]:
                own = as_tensor(array, dtype, "input", self.inputs[place])
                if own.shape != shape:
                    return None
                self._given_tensors[place].data = address(own)
                self._given[place] = array if address(own) == address(array) else None  # a copy is made for each run
                array = own
            kept.append(array)
        return kept

    def _written_to(self, wanted, inputs):
        """For each result the caller's array, whose address is in its tensor, or None."""
        found = [array if array is not None and (array.shape, array.dtype) == kind and array.flags.carray else None
                 for array, kind in zip(wanted, self._result_kinds)]
        arrays = [each for each in found if each is not None]
        if not lie_apart(arrays + self._apart(inputs)):
            return [None] * len(found)
        for tensor, array in zip(self._made_tensors, found):
            if array is not None:
                tensor.data = address(array)
        return found

    @staticmethod
    def _apart(inputs):
        """Inputs may be one array twice."""
        return list({address(each): each for each in inputs if each.nbytes}.values())


class States:
    """Some states of a model, by their names."""

    def __init__(self, model, names):
        infos = {each.name: each for each in model.states}
        self._model, self._names, self._encoded = model, names, [name.encode() for name in names]
        self._kinds = [(tuple(infos[name].shape), dtype_of(infos[name])) for name in names]
        self._numbers = [dtype_number(infos[name]) for name in names]
        self._tensors = [model._tensors([np.broadcast_to(np.empty((), dtype), shape)], [number])
                         for (shape, dtype), number in zip(self._kinds, self._numbers)]
        self._given = [None] * len(names)  # whose addresses are in the tensors: each may be set and written to

    def _pointed(self, place, array):
        """The tensor of such an array, or None."""
        if array is not self._given[place]:
            if not isinstance(array, np.ndarray) or (array.shape, array.dtype) != self._kinds[place] or not array.flags.carray:
                return None
            self._tensors[place][0].data, self._given[place] = address(array), array
        return self._tensors[place]

    def set(self, arrays):
        model = self._model
        with model._lock:
            model._check_open()
            function, context = model._library.set_state, model._context
            for place, array in enumerate(arrays):
                tensor = self._pointed(place, array)
                if tensor is None:
                    model.set_state(self._names[place], array)
                else:
                    model._check(function(context, self._encoded[place], tensor))

    def get(self, wanted):
        """Their values: in the array of `wanted` where it is one of such a type and shape, else in a new one."""
        model, made = self._model, []
        with model._lock:
            model._check_open()
            function, context = model._library.get_state, model._context
            for place, array in enumerate(wanted):
                tensor = self._pointed(place, array)
                if tensor is None:
                    made.append(model.get_state(self._names[place]))
                else:
                    model._check(function(context, self._encoded[place], tensor))
                    made.append(array)
        return made
