"""Loops and branches: sym.contrib.foreach, while_loop and cond, as MXNet composes them.

A Python function makes the symbols of the body. They are made in a scope that marks them by the attribute
__subgraph_name__; the compiler's library then cuts them off from what they read outside, and the operator (_foreach,
_while_loop, _cond) owns the graph and reads what was cut:

    out, states = sym.contrib.foreach(lambda element, state: (element + state, element + state), data, init)
"""
import copy

from . import attribute
from .errors import UnusedInput
from .symbol import Group, Symbol, Variable, identity, with_subgraphs

_MARK = "__subgraph_name__"


def flatten(nested, what, kind=Symbol, kinds="symbols"):
    """The symbols, or arrays, of nested lists, and how they nest: a number of outputs for each (0: one), lists of these."""
    if isinstance(nested, kind):
        count = len(nested) if kind is Symbol else 1
        return [nested], count if count > 1 else 0
    if not isinstance(nested, (list, tuple)):
        raise TypeError("%s: needs %s in (nested) lists, got %r" % (what, kinds, nested))
    flat, form = [], []
    for each in nested:
        found, inner = flatten(each, what, kind, kinds)
        flat += found
        form.append(inner)
    return flat, form


def regroup(flat, form):
    """What flatten took apart, and what is left of the list."""
    if isinstance(form, int):
        return (flat[0], flat[1:]) if form == 0 else (flat[:form], flat[form:])
    nested = []
    for inner in form:
        each, flat = regroup(flat, inner)
        nested.append(each)
    return nested, flat


def _input_name(symbol):
    """Of the variable that stands for a loop's symbol; no other output is called so."""
    return "%s-%s" % (symbol.name, symbol.attr("_value_index"))


def _subgraph_name(name):
    outer = attribute.current().get(None).get(_MARK, "")
    name = "%s$%s" % (outer, name) if outer else name
    counts = attribute.AttrScope._subgraph_names
    counts[name] += 1
    return "%s%d" % (name, counts[name] - 1)


def _body(outputs, states, name):
    """The graph of a body. Inputs, and what is of another graph, become outputs through a node that copies them."""
    names = set(Group(outputs + states).list_inputs())
    of_outputs = {each.name for each in outputs}

    def own(symbol, taken):
        outside = symbol.name in names or symbol.name in taken or symbol.list_attr().get(_MARK, "") != name
        return identity(symbol) if outside else symbol
    return Group([own(each, ()) for each in outputs] + [own(each, of_outputs) for each in states])


class _Inputs:
    """What the graphs of one operator read, each symbol once."""

    def __init__(self):
        self.symbols = []

    def place(self, symbol):
        for place, each in enumerate(self.symbols):
            if each is symbol:
                return place
        self.symbols.append(symbol)
        return len(self.symbols) - 1


def _read_by(graph, given):
    """(input's name, symbol outside) for each input of a graph, which is cut off: of `given` by name, or what the cut
    took off, or a variable that the body made, of which the outside has a copy."""
    cut = {each.list_outputs()[0]: each for each in graph._cut(_MARK)}
    variables = {each.name: each for each in graph.get_inputs()}
    names = graph.list_inputs()
    if len(set(names)) != len(names):
        raise ValueError("inputs of a subgraph share a name: %s" % ", ".join(names))
    for name in names:
        if name in given:
            yield name, given[name]
        else:
            yield name, cut[name] if name in cut else copy.deepcopy(variables[name])


def foreach(body, data, init_states, name="foreach"):
    """Runs body(element, states) -> (output, new states) for each element of data along the first axis. Gives the
    outputs one behind the other, and the last states. `data` and `init_states` are symbols or nested lists of them."""
    flat_data, data_form = flatten(data, "foreach input")
    flat_states, state_form = flatten(init_states, "foreach states")
    name = _subgraph_name(name)
    with attribute.AttrScope(**{_MARK: name}):
        elements, _ = regroup([Variable(_input_name(each)) for each in flat_data], data_form)
        states, _ = regroup([Variable(_input_name(each)) for each in flat_states], state_form)
        outputs, new_states = body(elements, states)
        outputs, output_form = flatten(outputs, "foreach output")
        new_states, new_form = flatten(new_states, "foreach loop_vars")
        if new_form != state_form:
            raise ValueError("foreach: the body gives states of another form than init_states")
        graph = _body(outputs, new_states, name)
    loop = {_input_name(each): each for each in flat_data + flat_states}
    read = list(_read_by(graph, loop))
    names = [key for key, _ in read]
    for key in loop:
        if key not in names:
            raise UnusedInput("foreach: the body does not use '%s'" % key.rpartition("-")[0])
    rest = [(place, each) for place, (key, each) in enumerate(read) if key not in loop]
    count = len(outputs) + len(new_states)
    made = with_subgraphs("_foreach", [graph], flat_data + flat_states + [each for _, each in rest], {
        "num_outputs": count, "num_out_data": len(outputs),
        "in_state_locs": [names.index(_input_name(each)) for each in flat_states],
        "in_data_locs": [names.index(_input_name(each)) for each in flat_data],
        "remain_locs": [place for place, _ in rest]})
    parts = [made[i] for i in range(count)]
    return regroup(parts[:len(outputs)], output_form)[0], regroup(parts[len(outputs):], new_form)[0]


def while_loop(cond, func, loop_vars, max_iterations=None, name="while_loop"):
    """Runs func(*loop_vars) -> (step output, new loop_vars) while cond(*loop_vars) is not 0, max_iterations times at
    most. Gives the step outputs one behind the other, and the last loop_vars."""
    if max_iterations is None:
        raise ValueError("while_loop: max_iterations is not given")
    max_iterations = int(max_iterations)
    flat_vars, vars_form = flatten(loop_vars, "while loop_vars")
    if not flat_vars:
        raise ValueError("while_loop: loop_vars is empty, needs one symbol")

    def as_list(given):
        return [] if given is None else list(given) if isinstance(given, tuple) else given

    def subgraph(part, call):
        own = _subgraph_name(name + part)
        with attribute.AttrScope(**{_MARK: own}):
            inside, _ = regroup([Variable(_input_name(each)) for each in flat_vars], vars_form)
            outputs, states, form = call(inside)
            return _graph_of(outputs + states, own), len(outputs), len(outputs) + len(states), form

    def condition(inside):
        result = cond(*inside)
        if not isinstance(result, Symbol):
            raise ValueError("while_loop: cond gives %r, needs a symbol" % (result,))
        return [], [result], None

    def step(inside):
        outputs, states = func(*inside)
        outputs, form = flatten(as_list(outputs), "while output")
        states, _ = flatten(as_list(states), "while loop_vars")
        if len(states) != len(inside):
            raise ValueError("while_loop: func gives %d loop_vars, needs %d" % (len(states), len(inside)))
        return outputs, states, form

    cond_graph, _, _, _ = subgraph("_cond", condition)
    func_graph, num_out_data, num_outputs, output_form = subgraph("_func", step)
    given = {_input_name(each): each for each in flat_vars}
    inputs = _Inputs()
    cond_locs = [inputs.place(each) for _, each in _read_by(cond_graph, given)]
    read = list(_read_by(func_graph, given))
    func_locs = [inputs.place(each) for _, each in read]
    names = [key for key, _ in read]
    for each in flat_vars:
        if _input_name(each) not in names:
            raise UnusedInput("while_loop: func does not use loop_var '%s'" % each.name)
    made = with_subgraphs("_while_loop", [cond_graph, func_graph], inputs.symbols, {
        "max_iterations": max_iterations, "cond_input_locs": cond_locs, "func_input_locs": func_locs,
        "func_var_locs": [names.index(_input_name(each)) for each in flat_vars],
        "num_out_data": num_out_data, "num_outputs": num_outputs})
    parts = [made[i] for i in range(num_outputs)]
    return regroup(parts[:num_out_data], output_form)[0], regroup(parts[num_out_data:], vars_form)[0]


def _graph_of(outputs, name):
    names = set(Group(outputs).list_inputs())
    return Group([identity(each) if each.name in names or each.list_attr().get(_MARK, "") != name else each
                  for each in outputs])


def cond(pred, then_func, else_func, name="cond"):
    """then_func() where the symbol pred is not 0, else else_func(); both give symbols of one form."""
    def subgraph(part, call):
        own = _subgraph_name(name + part)
        with attribute.AttrScope(**{_MARK: own}):
            outputs, form = flatten(call(), "cond outputs")
            return _graph_of(outputs, own), len(outputs), form

    pred_graph, count, _ = subgraph("_pred", lambda: pred)
    if count != 1:
        raise ValueError("cond: pred has %d outputs, needs one" % count)
    then_graph, count, form = subgraph("_then", then_func)
    else_graph, else_count, _ = subgraph("_else", else_func)
    if count != else_count:
        raise ValueError("cond: then_func gives %d outputs and else_func %d" % (count, else_count))
    inputs, locs = _Inputs(), []
    for graph in (pred_graph, then_graph, else_graph):
        given = {each.name: each for each in inputs.symbols}
        locs.append([inputs.place(each) for _, each in _read_by(graph, given)])
    made = with_subgraphs("_cond", [pred_graph, then_graph, else_graph], inputs.symbols, {
        "cond_input_locs": locs[0], "then_input_locs": locs[1], "else_input_locs": locs[2], "num_outputs": count})
    return regroup([made[i] for i in range(count)], form)[0]
