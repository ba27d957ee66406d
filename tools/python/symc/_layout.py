"""Pictures of graphs as SVG in layers, without graphviz.

1. The layer of a node is the longest way from an input, inputs lie just below their first reader.
2. An edge over several layers gets a bend in each layer between, which takes part as a node without a box.
3. Nodes of a layer are put in the order of the means of their neighbours' places, upwards and downwards in alternation.
4. They move to these means as far as the order and the distances allow.
"""
import collections
import html

from . import _picture

WIDTH, HEIGHT, GAP, BEND, LAYER = 124, 48, 20, 12, 92  # pixels
_ROUNDS = 8
_BELOW, _ABOVE = 5, 3  # layers of a picture of one screen that are drawn whole, at inputs and at outputs
_REST = "\0"           # stands for the others


def _layers(names, reads):
    """{name: layer}; `reads` has an entry for each node that reads others, and names come after what they read."""
    layer = {}
    for name in names:
        layer[name] = 1 + max((layer.get(each, 0) for each in reads.get(name, ())), default=-1)
    readers = {}
    for name, sources in reads.items():
        for each in sources:
            readers.setdefault(each, []).append(layer[name])
    for name in names:
        if not reads.get(name) and name in readers:
            layer[name] = min(readers[name]) - 1
    return layer


def _place(rows, above, below, width_of):
    """{node: x of its middle}."""
    x = {}
    for row in rows:
        for place, node in enumerate(row):
            x[node] = float(place)

    def mean(node, neighbours):
        near = neighbours.get(node)
        return sum(x[each] for each in near) / len(near) if near else x[node]
    for sweep in range(_ROUNDS):  # the order
        neighbours = below if sweep % 2 == 0 else above
        for row in rows if sweep % 2 == 0 else reversed(rows):
            wanted = {node: mean(node, neighbours) for node in row}
            row.sort(key=wanted.get)
            for place, node in enumerate(row):
                x[node] = float(place) - len(row) / 2
    for node in x:
        x[node] *= WIDTH
    for sweep in range(_ROUNDS):  # the places
        neighbours = below if sweep % 2 == 0 else above
        for row in rows if sweep % 2 == 0 else reversed(rows):
            wanted = [mean(node, neighbours) for node in row]
            at, last = [], None
            for node, want in zip(row, wanted):
                least = want if last is None else at[-1] + (width_of(last) + width_of(node)) / 2 + GAP
                at.append(max(want, least))
                last = node
            shift = sum(want - got for want, got in zip(wanted, at)) / len(row)
            for node, got in zip(row, at):
                x[node] = got + shift
    return x


def _sum_up(nodes, edges):
    """Nodes and edges of a picture of one screen: what is computed of weights alone is left out, and layers of the middle
    become one box."""
    shown = {name for name, attrs in nodes if attrs.get("shape") == "oval"}
    sources = {}
    for reader, source, _ in edges:
        sources.setdefault(reader, []).append(source)
    for name, _ in nodes:  # sources come before readers
        if name not in shown and any(each in shown for each in sources.get(name, ())):
            shown.add(name)
    if any(attrs.get("shape") == "oval" for _, attrs in nodes):
        nodes = [each for each in nodes if each[0] in shown]
    attributes = dict(nodes)
    reads = {}
    for reader, source, _ in edges:
        if reader in attributes and source in attributes and reader != source:
            reads.setdefault(reader, []).append(source)
    layer = _layers(list(attributes), reads)
    last = max(layer.values(), default=0)
    if last < _BELOW + _ABOVE + 1:
        return nodes, edges
    rest = [name for name in attributes if _BELOW <= layer[name] <= last - _ABOVE]
    kinds = collections.Counter(attributes[name].get("label", "").split("\n")[0].rstrip("0123456789") for name in rest
                                if attributes[name].get("shape") != "oval")
    words = ["%d %s" % (count, kind) for kind, count in kinds.most_common(2)]  # as many lines as a box holds
    hidden = set(rest)
    box = {"shape": "box", "fillcolor": "white", "label": "\n".join(["%d nodes" % len(rest), *words])}
    kept, placed = [], False
    for name, attrs in nodes:
        if name not in hidden:
            kept.append((name, attrs))
        elif not placed:
            placed = True
            kept.append((_REST, box))
    kept.sort(key=lambda each: last - _ABOVE if each[0] == _REST else layer[each[0]])
    joined, seen = [], set()
    for reader, source, attrs in edges:
        ends = tuple(_REST if name in hidden else name for name in (reader, source))
        if ends[0] != ends[1] and ends not in seen:
            seen.add(ends)
            joined.append((*ends, attrs))
    return kept, joined


def svg(title, nodes, edges, whole=False):
    """`nodes`: (name, attributes of graphviz); `edges`: (reader, source, attributes). Sources come before readers. A
    picture that is higher than a screen has its middle as one box, but for `whole`."""
    if not whole:
        nodes, edges = _sum_up(nodes, edges)
    attributes = dict(nodes)
    reads, drawn = {}, []
    for reader, source, attrs in edges:
        if reader in attributes and source in attributes and reader != source:
            reads.setdefault(reader, []).append(source)
            drawn.append((reader, source, attrs.get("label", "")))
    layer = _layers(list(attributes), reads)
    rows = [[] for _ in range(max(layer.values(), default=-1) + 1)]
    for name in attributes:
        rows[layer[name]].append(name)
    above, below, ways = {}, {}, []
    for number, (reader, source, label) in enumerate(drawn):
        way = [source]
        for between in range(layer[source] + 1, layer[reader]):
            bend = (number, between)  # no name of a node
            rows[between].append(bend)
            way.append(bend)
        way.append(reader)
        ways.append((way, label))
        for low, high in zip(way, way[1:]):
            above.setdefault(low, []).append(high)
            below.setdefault(high, []).append(low)
    x = _place(rows, above, below, lambda node: WIDTH if isinstance(node, str) else BEND)
    left = min(x.values(), default=0) - WIDTH / 2 - GAP
    width = max(x.values(), default=0) + WIDTH / 2 + GAP - left
    height = len(rows) * LAYER + GAP
    y = {node: height - LAYER / 2 - GAP / 2 - number * LAYER for number, row in enumerate(rows) for node in row}
    parts = ['<defs><marker id="arrow" viewBox="0 0 8 8" refX="8" refY="4" markerWidth="8" markerHeight="8" orient="auto">'
             '<path d="M0,0L8,4L0,8" fill="none" stroke="black"/></marker></defs>']
    labels = {}
    for way, label in ways:
        parts += _edge([(x[node] - left, y[node]) for node in way])
        if label:
            ends = labels.setdefault((way[0], label), [])
            ends.append(x[way[1]] - x[way[0]])
    names = _picture.short_names([attrs["label"] for _, attrs in nodes if attrs.get("label")])
    for name, attrs in nodes:
        parts += _box(x[name] - left, y[name], attrs, names)
    room = WIDTH / 2 + GAP - 5
    for (source, label), ways_to in labels.items():  # beside the beginning of the edges, where they do not bend to
        side = -1 if sum(ways_to) > 1 else 1
        parts.append('<text x="%.1f" y="%.1f" text-anchor="%s">%s</text>' % (
            x[source] - left + 5 * side, y[source] - HEIGHT / 2 - 8, "end" if side < 0 else "start",
            html.escape(_picture.fit(label, room))))
    return _picture.frame(width, height, title, parts, "middle")


def _edge(points):
    (x, y), last = points[0], len(points) - 1
    path = "M%.1f,%.1f" % (x, y - HEIGHT / 2)
    y -= HEIGHT / 2
    for number, (next_x, next_y) in enumerate(points[1:], 1):
        if number == last:
            next_y += HEIGHT / 2
        middle = (y + next_y) / 2
        path += "C%.1f,%.1f %.1f,%.1f %.1f,%.1f" % (x, middle, next_x, middle, next_x, next_y)
        x, y = next_x, next_y
    return ['<path d="%s" fill="none" stroke="black" marker-end="url(#arrow)"/>' % path]


def _box(x, y, attrs, names):
    look = 'fill="%s" stroke="black"' % html.escape(attrs.get("fillcolor", "white"))
    label = attrs.get("label", "")
    parts = ["<g><title>%s</title>" % html.escape(label)]
    if attrs.get("shape") == "oval":
        parts.append('<ellipse cx="%.1f" cy="%.1f" rx="%d" ry="%d" %s/>' % (x, y, WIDTH // 2, HEIGHT // 2, look))
    else:
        parts.append('<rect x="%.1f" y="%.1f" width="%d" height="%d" %s/>' %
                     (x - WIDTH / 2, y - HEIGHT / 2, WIDTH, HEIGHT, look))
    lines = names.get(label, label).split("\n")
    height = min(14, (HEIGHT - 4) / len(lines))
    room = WIDTH - (26 if attrs.get("shape") == "oval" else 8)
    for number, line in enumerate(lines):
        parts.append('<text x="%.1f" y="%.1f">%s</text>' % (
            x, y + 4 + height * (number - (len(lines) - 1) / 2), html.escape(_picture.fit(line, room))))
    return parts + ["</g>"]
