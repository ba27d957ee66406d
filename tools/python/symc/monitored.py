"""What a callback of Executor.set_monitor_callback gets: names and arrays of all nodes, in their order, by MXNet's names."""
import json
import re

from . import operators

#: Operators of one input that MXNet registers with a name for it. Of others a callback gets a number: `act_input0`.
_NAMED = frozenset("""
    Dropout GridGenerator L2Normalization LRN LeakyReLU MakeLoss Pad Pooling Pooling_v1 SliceChannel SwapAxis
    _contrib_BilinearResize2D _contrib_MultiBoxPrior _contrib_index_array _contrib_quadratic _contrib_quantize_v2
    _image_normalize _image_to_tensor _ravel_multi_index _split_v2 _unravel_index col2im depth_to_space diag im2col
    log_softmax moments repeat reverse softmax space_to_depth squeeze tile _np_diag _np_diagflat _np_diagonal _np_repeat
    _np_roll _np_trace _npi_bincount _npi_diag_indices_from _npi_dsplit _npi_equal_scalar _npi_flip
    _npi_greater_equal_scalar _npi_greater_scalar _npi_hsplit _npi_less_equal_scalar _npi_less_scalar _npi_nan_to_num
    _npi_not_equal_scalar _npi_pad _npi_rot90 _npi_split _npi_swapaxes _npi_tile _npi_tril _npi_unique
    _npx__image_normalize _npx__image_to_tensor _npx_dropout _npx_leaky_relu _npx_log_softmax _npx_multibox_prior
    _npx_pooling _npx_softmax
""".split())
_UPDATE = re.compile(r"(?!multi_|preloaded_)\w+_update(_phase[12])?")


def inner_outputs(symbol):
    """The outputs of all nodes that are no variables, as a symbol; None where there are none."""
    from .symbol import Group
    found = [each for each in symbol.get_internals() if each.get_children() is not None]
    return Group(found) if found else None


def _input_name(node, place):
    facts = operators.table().get(node["op"])
    inputs = facts["inputs"] if facts else []
    if facts and operators._variadic_counter(facts)[0]:
        return "arg%d" % place
    if _UPDATE.fullmatch(node["op"]):
        return "input%d" % place
    if facts and [each["name"] for each in inputs] == ["data"] and node["op"] not in _NAMED:
        return "x" if node["op"].startswith("_npi_") and not facts["parameters"] else "input0"
    return inputs[place]["name"] if place < len(inputs) else "input%d" % place


def named(symbol, variables, values, inputs):
    """(name, array) of each output; where `inputs`, also of what each node reads. `variables`: {name: array}; `values`: those
    of inner_outputs."""
    internals, found = symbol.get_internals(), {}
    entries = iter(zip(internals.list_outputs(), [each.name for each in internals]))
    values, entry = iter(values), next(entries, None)
    for place, node in enumerate(json.loads(symbol.tojson(remove_amp_cast=False))["nodes"]):
        is_variable, made = node["op"] == "null", []
        for number, (source, output, *_) in enumerate(node["inputs"] if inputs else ()):
            name, array, of_variable = found[source][output]
            if of_variable:
                yield name, array
            yield "%s_%s" % (node["name"], _input_name(node, number)), array
        while entry is not None and entry[1] == node["name"] and not (is_variable and made):
            made.append((entry[0], variables[entry[0]] if is_variable else next(values), is_variable))
            entry = next(entries, None)
        found[place] = made
        if not is_variable:
            yield from ((name, array) for name, array, _ in made)
