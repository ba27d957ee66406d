"""nd.contrib: what MXNet writes in Python over arrays. Loops and branches call their functions at once, with values."""
import math

import numpy as np

from . import symbol  # noqa: F401, which imports control_flow, too: it comes first
from . import control_flow, ndarray_random  # noqa: E402
from .context import on_processor
from .imperative import function_of
from .ndarray_class import NDArray, described

__all__ = ["foreach", "while_loop", "cond", "isinf", "isfinite", "isnan", "rand_zipfian", "box_iou", "adamw_update",
           "mp_adamw_update"]


def _flatten(nested, what):
    return control_flow.flatten(nested, what, np.ndarray, "arrays")


def _stacked(steps, what):
    """Outputs of steps, one behind the other."""
    made = []
    for place, values in enumerate(zip(*steps)):
        if any(each.shape != values[0].shape for each in values):
            raise ValueError("%s: output %d has the shapes %s" % (
                what, place, ", ".join(dict.fromkeys(str(each.shape) for each in values))))
        made.append(np.stack([each.view(np.ndarray) for each in values]).view(NDArray))
    return made


def _padded(array, count):
    """With as many rows of zeros behind it."""
    return np.concatenate([array.view(np.ndarray), np.zeros((count, *array.shape[1:]), array.dtype)]).view(NDArray)


def foreach(body, data, init_states):
    """body(element, states) -> (output, new states) for each element of data along the first axis. Gives the outputs
    one behind the other, and the last states. `data` and `init_states` are arrays or nested lists of them."""
    flat, data_form = _flatten(data, "foreach input")
    _flatten(init_states, "foreach states")
    if not flat:
        raise ValueError("foreach: data is empty, needs one array")
    steps, states, form = [], init_states, 0
    for place in range(flat[0].shape[0]):
        element, _ = control_flow.regroup([each[place] for each in flat], data_form)
        outputs, states = body(element, states)
        outputs, form = _flatten(outputs, "foreach output")
        steps.append(outputs)
    return control_flow.regroup(_stacked(steps, "foreach"), form)[0], states


def _truth(value, what):
    try:
        return bool(value.asscalar() if isinstance(value, NDArray) else value)
    except (TypeError, ValueError):
        raise ValueError("%s is %s, needs a single number" % (what, described(value))) from None


def while_loop(cond, func, loop_vars, max_iterations=None):
    """func(*loop_vars) -> (step output, new loop_vars) while cond(*loop_vars) is not 0, max_iterations times at most.
    Gives the step outputs one behind the other, zeros behind the last of them, and the last loop_vars."""
    if max_iterations is None:
        raise ValueError("while_loop: max_iterations is not given")
    most = int(max_iterations.asscalar() if isinstance(max_iterations, NDArray) else max_iterations)
    single = isinstance(loop_vars, np.ndarray)
    values = [loop_vars] if single else list(loop_vars)
    if not values:
        raise ValueError("while_loop: loop_vars is empty, needs one array")
    steps, form = [], []
    while len(steps) < most and _truth(cond(*values), "while_loop: what cond gives"):
        outputs, made = func(*values)
        outputs = [] if outputs is None else list(outputs) if isinstance(outputs, tuple) else outputs
        made = [] if made is None else [made] if isinstance(made, np.ndarray) else list(made)
        if len(made) != len(values):
            raise ValueError("while_loop: func gives %d loop_vars, needs %d" % (len(made), len(values)))
        values = made
        outputs, form = _flatten(outputs, "while output")
        if steps and len(outputs) != len(steps[0]):
            raise ValueError("while_loop: func gives %d outputs, and %d before" % (len(outputs), len(steps[0])))
        steps.append(outputs)
    stacked = [_padded(each, most - len(steps)) for each in _stacked(steps, "while_loop")]
    return control_flow.regroup(stacked, form)[0] if steps else [], values[0] if single else values


def cond(pred, then_func, else_func):
    """then_func() where pred is not 0, else else_func()."""
    return then_func() if _truth(pred, "cond: pred") else else_func()


def isinf(data):
    """1 where a value is infinite, else 0."""
    return np.isinf(data.view(np.ndarray)).astype(data.dtype).view(NDArray)


def isfinite(data):
    """1 where a value is neither infinite nor no number, else 0."""
    return np.isfinite(data.view(np.ndarray)).astype(data.dtype).view(NDArray)


def isnan(data):
    """1 where a value is no number, else 0."""
    return np.isnan(data.view(np.ndarray)).astype(data.dtype).view(NDArray)


def rand_zipfian(true_classes, num_sampled, range_max, ctx=None):
    """Classes below range_max of a nearly Zipfian distribution, and how often true_classes and these are expected among
    num_sampled draws."""
    on_processor(ctx)
    log_range = math.log(range_max + 1)
    drawn = ndarray_random.uniform(0, log_range, shape=(num_sampled,), dtype="float64").view(np.ndarray)
    classes = (np.exp(drawn) - 1).astype("int64") % range_max

    def expected(of):
        of = np.asarray(of, "float64")
        return (np.log((of + 2.0) / (of + 1.0)) / log_range * num_sampled).view(NDArray)
    return classes.view(NDArray), expected(true_classes), expected(classes)


def box_iou(lhs, rhs, format="corner", out=None, name=None):
    """Intersection over union of each box of lhs with each of rhs."""
    compute = function_of("_contrib_box_iou")
    arrays = all(isinstance(each, np.ndarray) and each.ndim and each.shape[-1] == 4 for each in (lhs, rhs))
    if not arrays or lhs.ndim + rhs.ndim - 2 <= 8 or out is not None:
        return compute(lhs, rhs, format=format, out=out)
    made = compute(*(each.view(np.ndarray).reshape(-1, 4) for each in (lhs, rhs)), format=format)  # compiled code has rank 8
    return made.view(np.ndarray).reshape(lhs.shape[:-1] + rhs.shape[:-1]).view(NDArray)


def _rescale(value):
    return value if isinstance(value, np.ndarray) else np.full((1,), value, "float32").view(NDArray)


def adamw_update(weight, grad, mean, var, rescale_grad, lr, eta, beta1=0.9, beta2=0.999, epsilon=1e-8, wd=0,
                 clip_gradient=-1, out=None, name=None, **kwargs):
    """A step of Adam with decoupled decay; rescale_grad may be a number."""
    return function_of("_adamw_update")(
        weight, grad, mean, var, _rescale(rescale_grad), lr=lr, eta=eta, beta1=beta1, beta2=beta2, epsilon=epsilon,
        wd=wd, clip_gradient=clip_gradient, out=out, **kwargs)


def mp_adamw_update(weight, grad, mean, var, weight32, rescale_grad, lr, eta, beta1=0.9, beta2=0.999, epsilon=1e-8,
                    wd=0, clip_gradient=-1, out=None, name=None, **kwargs):
    """The same on weights of 16 bits beside those of 32."""
    return function_of("_mp_adamw_update")(
        weight, grad, mean, var, weight32, _rescale(rescale_grad), lr=lr, eta=eta, beta1=beta1, beta2=beta2,
        epsilon=epsilon, wd=wd, clip_gradient=clip_gradient, out=out, **kwargs)
