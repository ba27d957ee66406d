"""What a callback of Executor.set_monitor_callback gets: names and arrays of all nodes, in their order, by MXNet's names."""
import json

from . import operators


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
