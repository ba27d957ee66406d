"""Calls of operators on arrays while autograd records: each is noted in the graph (tape.py) with the code that computes its
gradient, which recomputes the operator from the same inputs and random numbers. What is computed otherwise in training
is computed by that code at once.
"""
import collections

from . import imperative, random, tape
from .errors import SymcError
from .ndarray_class import NDArray
from .training_step import Step

_MOST_STEPS = 1024  # the one that was used least recently goes first
_steps = collections.OrderedDict()


def _depends_on_mode(operator, values):
    return (operator.name in ("Dropout", "_npx_dropout") or "use_global_stats" in operator.parameters or
            (operator.name == "RNN" and float(values.get("p", 0)) > 0))


def _in_prediction(operator, values):
    """(operator, parameters) that compute in training what these compute in prediction."""
    if operator.name == "RNN":
        return operator, {**values, "p": "0"}
    if "use_global_stats" in operator.parameters:
        return operator, {**values, "use_global_stats": "True"}
    if values.get("mode") == "always":
        return operator, values
    return imperative.Operator("_copy", operator.public_name), {}


def _step(operator, keys, arrays, values, wanted):
    """(the names of the inputs, those of auxiliary states, the code)"""
    key = (operator.name, *keys, *values.items(), *[(each.shape, each.dtype) for each in arrays], *wanted)
    found = _steps.get(key)
    if found is None:
        names = operator.names(keys)
        node, given = operator.node(names, keys, values), dict(zip(names, arrays))
        states = node.list_auxiliary_states()
        try:
            step = Step(node, {name: each for name, each in given.items() if name not in states},
                        {name: each for name, each in given.items() if name in states}, [names[i] for i in wanted])
        except SymcError as reason:
            raise SymcError("%s: %s" % (operator.public_name, reason)) from None
        found = names, states, step
        if len(_steps) >= _MOST_STEPS:
            _steps.popitem(last=False)
        _steps[key] = found
    _steps.move_to_end(key)
    return found


def call(operator, keys, arrays, values, out):
    """What the operator gives, or NotImplemented where nothing is recorded."""
    if not tape.is_recording():
        return NotImplemented
    by_mode = _depends_on_mode(operator, values)
    tracked = [tape.tracked(each) and each.dtype.kind == "f" for each in arrays]
    if not any(tracked) and not (by_mode and tape.is_training()):
        return NotImplemented
    if out is not None:
        raise SymcError("%s: out cannot be given while autograd records" % operator.public_name)
    if by_mode and not tape.is_training():
        operator, values = _in_prediction(operator, values)
    wanted = [place for place, each in enumerate(tracked) if each]

    def parts():
        names, states, step = _step(operator, keys, arrays, values, wanted)
        given = dict(zip(names, arrays))
        return step, ({name: each for name, each in given.items() if name not in states},
                      {name: given[name] for name in states}), names
    seed = random.next_seed() if operator._may_draw or by_mode else None
    if by_mode:
        step, given, _ = parts()
        made = [each.view(NDArray) for each in step.forward(*given, seed)[0]]
    else:
        made = operator.run(keys, arrays, values)
        made = made if isinstance(made, list) else [made]

    def backward(heads):
        step, given, names = parts()
        found, changed = step.gradients(*given, seed, heads)
        for name, value in changed.items():
            given[1][name][...] = value
        return [found.get(name) for name in names]
    tape.note(operator.public_name, arrays, made, backward)
    return made[0] if len(made) == 1 else made


imperative.recorder = call
