"""symc.viz: a table of a network (print_summary) and a drawing of it (plot_network), by MXNet's names.

The table is MXNet's, character for character. The drawing is a text for graphviz, as MXNet makes it, that also becomes
SVG without graphviz (_layout.py), so that a notebook shows it.
"""
import json
import os
import re
import shutil
import subprocess
import warnings

from . import _layout
from .errors import SymcError
from .symbol import Symbol

_COLORS = ("#8dd3c7", "#fb8072", "#ffffb3", "#bebada", "#80b1d3", "#fdb462", "#b3de69", "#fccde5")
_WEIGHTS = ("_weight", "_bias", "_beta", "_gamma", "_moving_var", "_moving_mean", "_running_var", "_running_mean")


def _known(symbol, given, infer, what):
    """{output: shape or type} of every node."""
    internals = symbol.get_internals()
    _, found, _ = getattr(internals, infer)(**given)
    if found is None:
        raise ValueError("%s of the inputs do not decide all others" % what)
    return dict(zip(internals.list_outputs(), found))


def _nodes(symbol):
    if not isinstance(symbol, Symbol):
        raise TypeError("a Symbol can be shown, got %r" % (symbol,))
    return json.loads(symbol.tojson())


def _numbers(text):
    return [int(each) for each in re.findall(r"\d+", text)]


def _output_of(node):
    return node["name"] if node["op"] == "null" else node["name"] + "_output"


# --- The table -------------------------------------------------------------

def _parameter_count(node, channels, shapes):
    """Parameters by the attributes and the channels that come in, as MXNet counts."""
    attrs = node.get("attrs", {})
    bias = attrs.get("no_bias") != "True"
    if node["op"] == "Convolution":
        filters = int(attrs["num_filter"])
        count = channels * filters // int(attrs.get("num_group", "1"))
        for extent in _numbers(attrs["kernel"]):
            count *= extent
        return count + (filters if bias else 0)
    if node["op"] == "FullyConnected":
        return (channels + bias) * int(attrs["num_hidden"])
    if node["op"] == "BatchNorm":
        return 2 * shapes[_output_of(node)][1] if shapes else 0
    if node["op"] == "Embedding":
        return int(attrs["input_dim"]) * int(attrs["output_dim"])
    return 0


def summary(symbol, shape=None, line_length=120, positions=(.44, .64, .74, 1.)):
    """The text of print_summary."""
    graph = _nodes(symbol)
    nodes, shapes = graph["nodes"], _known(symbol, shape, "infer_shape", "shapes") if shape is not None else {}
    shown = set(graph["heads"][0])  # MXNet takes the output's number for a node, too: node 0 is shown
    if positions[-1] <= 1:
        positions = [int(line_length * each) for each in positions]
    lines = []

    def row(*fields):
        line = ""
        for field, end in zip(fields, positions):
            line = (line + str(field))[:end].ljust(end)
        lines.append(line)
    lines.append("_" * line_length)
    row("Layer (type)", "Output Shape", "Param #", "Previous Layer")
    lines.append("=" * line_length)
    total = 0
    for place, node in enumerate(nodes):
        if node["op"] == "null" and place > 0:
            continue
        sources = [nodes[each[0]] for each in node["inputs"] if nodes[each[0]]["op"] != "null" or each[0] in shown]
        channels = sum(shapes[_output_of(each)][1] for each in sources if len(shapes.get(_output_of(each), ())) > 1)
        count = _parameter_count(node, channels, shapes)
        total += count
        row("%s(%s)" % (node["name"], node["op"]), "x".join(map(str, shapes.get(_output_of(node), ())[1:])), count,
            sources[0]["name"] if sources else "")
        for each in sources[1:]:
            row("", "", "", each["name"])
        lines.append(("=" if place == len(nodes) - 1 else "_") * line_length)
    return "\n".join(lines + ["Total params: %d" % total, "_" * line_length])


def print_summary(symbol, shape=None, line_length=120, positions=(.44, .64, .74, 1.)):
    """Prints a row for each layer: its output's shape (with `shape`, {input: shape}), its parameters, what it reads."""
    print(summary(symbol, shape, line_length, positions))


# --- The drawing -----------------------------------------------------------

class Graph:
    """A drawing: `source` is the text for graphviz, svg() the picture."""

    def __init__(self, name, format):
        self.name, self.format = name, format
        self.nodes, self.edges = [], []  # (name, attributes), (tail, head, attributes)

    @property
    def source(self):
        lines = ["digraph %s {" % _quoted(self.name)]
        for name, attributes in self.nodes:
            lines.append("\t%s [%s]" % (_quoted(name), _text_of(attributes)))
        for tail, head, attributes in self.edges:
            lines.append("\t%s -> %s [%s]" % (_quoted(tail), _quoted(head), _text_of(attributes)))
        return "\n".join(lines + ["}", ""])

    def svg(self, whole=False):
        """The picture, laid out here: inputs at the bottom, each node above what it reads. One that is higher than a
        screen has its middle as one box, but for `whole`, as files of render() have it."""
        return _layout.svg(self.name, self.nodes, self.edges, whole)

    def _repr_svg_(self):
        return self.svg()

    def save(self, filename=None):
        """Writes the text for graphviz; returns the file's name."""
        filename = filename or self.name + ".gv"
        with open(filename, "w", encoding="utf-8") as file:
            file.write(self.source)
        return filename

    def render(self, filename=None, format=None, view=False, cleanup=False):
        """Writes the text, and the picture beside it; returns the picture's name. Formats other than svg need
        graphviz's program dot."""
        source, format = self.save(filename), format or self.format
        picture = "%s.%s" % (source, format)
        if format == "svg":
            with open(picture, "w", encoding="utf-8") as file:
                file.write(self.svg(whole=True))
        elif shutil.which("dot"):
            done = subprocess.run(["dot", "-T" + format, "-o", picture, source], stderr=subprocess.PIPE, check=False)
            if done.returncode:
                raise SymcError("dot: %s" % done.stderr.decode(errors="replace").strip())
        else:
            raise SymcError("format '%s' needs graphviz's program dot; svg does without" % format)
        if cleanup:
            os.remove(source)
        return picture


def _quoted(text):
    return text if re.fullmatch(r"[A-Za-z_]\w*|-?\d+", text) else '"%s"' % text.replace('"', r"\"").replace("\n", r"\n")


def _text_of(attributes):
    return " ".join("%s=%s" % (key, _quoted(str(value)) if value != "" else '""')
                    for key, value in sorted(attributes.items()))


def _look(node):
    """(label, colour) of an operator's node."""
    attrs, op, name = node.get("attrs", {}), node["op"], node["name"]

    def window(key, default):
        return "x".join(map(str, _numbers(attrs[key]))) if key in attrs else default
    if op == "Convolution":
        return "Convolution\n%s/%s, %s" % (window("kernel", ""), window("stride", "1"), attrs["num_filter"]), _COLORS[1]
    if op == "FullyConnected":
        return "FullyConnected\n%s" % attrs["num_hidden"], _COLORS[1]
    if op == "BatchNorm":
        return name, _COLORS[3]
    if op == "Activation":
        return "Activation\n%s" % attrs["act_type"], _COLORS[2]
    if op == "LeakyReLU":
        return "LeakyReLU\n%s" % attrs.get("act_type", "Leaky"), _COLORS[2]
    if op == "Pooling":
        return "Pooling\n%s, %s/%s" % (attrs.get("pool_type", "max"), window("kernel", "[]"),
                                       window("stride", "1")), _COLORS[4]
    if op in ("Concat", "Flatten", "Reshape"):
        return name, _COLORS[5]
    if op == "Softmax":
        return name, _COLORS[6]
    return attrs.get("op_type", name) if op == "Custom" else name, _COLORS[7]


def plot_network(symbol, title="plot", save_format="svg", shape=None, dtype=None, node_attrs=None, hide_weights=True):
    """A Graph of boxes for operators and ovals for inputs. `shape` and `dtype` ({input: value}) are written at the
    edges; hide_weights leaves out variables whose names end as parameters' do."""
    nodes = _nodes(symbol)["nodes"]
    shapes = _known(symbol, shape, "infer_shape", "shapes") if shape is not None else None
    types = _known(symbol, dtype, "infer_type", "types") if dtype is not None else None
    names = [node["name"] for node in nodes]
    repeated = sorted({name for name in names if names.count(name) > 1}) if len(set(names)) < len(names) else []
    if repeated:
        warnings.warn("nodes of the same name are drawn as one: %s" % ", ".join(repeated), RuntimeWarning, stacklevel=2)
    common = {"shape": "box", "fixedsize": "true", "width": "1.3", "height": "0.8034", "style": "filled",
              **(node_attrs or {})}
    graph = Graph(title, save_format)
    hidden = set()
    for node in nodes:
        name = node["name"]
        if node["op"] == "null":
            if hide_weights and name.endswith(_WEIGHTS):
                hidden.add(name)
            else:
                graph.nodes.append((name, {**common, "shape": "oval", "label": name, "fillcolor": _COLORS[0]}))
        else:
            label, color = _look(node)
            graph.nodes.append((name, {**common, "label": label, "fillcolor": color}))
    for node in nodes:
        for place, output, *_ in node["inputs"]:
            source = nodes[place]
            if source["name"] not in hidden:
                graph.edges.append((node["name"], source["name"], {
                    "dir": "back", "arrowtail": "open", "label": _edge_label(source, output, shapes, types)}))
    return graph


def _edge_label(source, output, shapes, types):
    def of(values):
        return values.get(_output_of(source), values.get("%s_output%d" % (source["name"], output)))
    label = ""
    if shapes is not None and of(shapes) is not None:
        label += "x".join(map(str, of(shapes)[1:]))
    if types is not None and of(types) is not None:
        label += "(%s)" % of(types).__name__
    return label
