"""Steps of optimizers on drawn weights and gradients, the same under MXNet and under symc: what optimizer_test.py and
tools/scripts/oracles/optimizers.py share. A case is a dict: `optimizer`, `options`, and where they differ from the usual
`dtype`, `shapes`, `keys` ("names": an update for each parameter by its name, as a kvstore makes them), `steps`.
"""
import math

import numpy as np

SHAPES = {"conv_weight": (3, 2, 2), "conv_bias": (3,), "bn_gamma": (3,), "bn_beta": (3,), "own_weight": (2, 3),
          "last_weight": (4,)}
ATTRIBUTES = {"own_weight": {"__lr_mult__": "0.5", "__wd_mult__": "2.0"}, "bn_beta": {"__wd_mult__": "0.25"}}


class Attributes:
    """What an optimizer reads of a symbol."""

    def __init__(self, names):
        self.names = names

    def attr_dict(self):
        return {name: dict(each) for name, each in ATTRIBUTES.items()}

    def list_arguments(self):
        return list(self.names)


def _drawn(place, step, shape):
    """Numbers between -1 and 1 that any NumPy makes alike."""
    count = int(np.prod(shape))
    return np.array([math.sin(12.9898 * (n + 1) + 78.233 * (place + 1) + 37.719 * step) for n in range(count)]).reshape(shape)


def _options(mx, options):
    made = dict(options)
    if "lr_scheduler" in made:
        kind, arguments = made["lr_scheduler"]
        made["lr_scheduler"] = getattr(mx.lr_scheduler, kind)(**arguments)
    return made


def flat(state):
    """The arrays of a state."""
    if state is None:
        return []
    return [each for part in state for each in flat(part)] if isinstance(state, (list, tuple)) else [state]


def run(mx, case):
    """{name: [weight, *states]} behind the steps."""
    dtype, shapes = case.get("dtype", "float32"), {name: tuple(shape) for name, shape in
                                                   case.get("shapes", SHAPES).items()}
    by_name = case.get("keys") == "names"
    optimizer = mx.optimizer.create(case["optimizer"], sym=Attributes(shapes), param_idx2name=dict(enumerate(shapes)),
                                    **_options(mx, case["options"]))
    update = mx.optimizer.get_updater(optimizer)
    weights = [mx.nd.array(_drawn(place, 0, shape), dtype=dtype) for place, shape in enumerate(shapes.values())]
    keys = list(shapes) if by_name else list(range(len(shapes)))
    for step in range(1, 1 + case.get("steps", 5)):
        grads = [mx.nd.array(_drawn(place, step, shape), dtype=dtype) for place, shape in enumerate(shapes.values())]
        if by_name:
            for key, grad, weight in zip(keys, grads, weights):
                update(key, grad, weight)
        else:
            update(keys, grads, weights)
    return {name: [np.asarray(each.asnumpy(), "float64") for each in (weight, *flat(update.states[key]))]
            for name, key, weight in zip(shapes, keys, weights)}


def difference(one, other):
    """The largest difference of two such results, over 1 + the values' sizes; infinite where their forms differ."""
    worst = 0.0
    for name, arrays in one.items():
        if [each.shape for each in arrays] != [np.shape(each) for each in other[name]]:
            return math.inf
        for mine, theirs in zip(arrays, other[name]):
            theirs = np.asarray(theirs)
            if not np.array_equal(np.isnan(mine), np.isnan(theirs)):
                return math.inf
            found = np.abs(mine - theirs) / (1 + np.abs(theirs))
            worst = max(worst, float(np.nanmax(found)) if found.size else 0.0)
    return worst
