"""Pictures of graphs as SVG in layers, without graphviz.

1. The layer of a node is the longest way from an input, inputs lie just below their first reader.
2. An edge over several layers gets a bend in each layer between, which takes part as a node without a box.
3. Nodes of a layer are put in the order of the means of their neighbours' places, upwards and downwards in alternation.
4. They move to these means as far as the order and the distances allow.
"""
import html

WIDTH, HEIGHT, GAP, BEND, LAYER = 124, 48, 20, 12, 92  # pixels
_ROUNDS = 8


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


def svg(title, nodes, edges):
    """`nodes`: (name, attributes of graphviz); `edges`: (reader, source, attributes). Sources come before readers."""
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
    parts = ['<svg xmlns="http://www.w3.org/2000/svg" width="%.0f" height="%.0f" viewBox="0 0 %.0f %.0f" '
             'font-family="sans-serif" font-size="11" text-anchor="middle">' % (width, height, width, height),
             "<title>%s</title>" % html.escape(title),
             '<defs><marker id="arrow" viewBox="0 0 8 8" refX="8" refY="4" markerWidth="8" markerHeight="8" '
             'orient="auto">'
             '<path d="M0,0L8,4L0,8" fill="none" stroke="black"/></marker></defs>']
    for way, label in ways:
        parts += _edge([(x[node] - left, y[node]) for node in way], label)
    for name, attrs in nodes:
        parts += _box(x[name] - left, y[name], attrs)
    return "\n".join(parts + ["</svg>", ""])


def _edge(points, label):
    (x, y), last = points[0], len(points) - 1
    path = "M%.1f,%.1f" % (x, y - HEIGHT / 2)
    y -= HEIGHT / 2
    for number, (next_x, next_y) in enumerate(points[1:], 1):
        if number == last:
            next_y += HEIGHT / 2
        middle = (y + next_y) / 2
        path += "C%.1f,%.1f %.1f,%.1f %.1f,%.1f" % (x, middle, next_x, middle, next_x, next_y)
        x, y = next_x, next_y
    parts = ['<path d="%s" fill="none" stroke="black" marker-end="url(#arrow)"/>' % path]
    if label:
        (x0, y0), (x1, y1) = points[0], points[1]
        parts.append('<text x="%.1f" y="%.1f" text-anchor="start">%s</text>' % (
            (x0 + x1) / 2 + 4, (y0 + y1) / 2 + 4, html.escape(label)))
    return parts


def _box(x, y, attrs):
    look = 'fill="%s" stroke="black"' % html.escape(attrs.get("fillcolor", "white"))
    if attrs.get("shape") == "oval":
        parts = ['<ellipse cx="%.1f" cy="%.1f" rx="%d" ry="%d" %s/>' % (x, y, WIDTH // 2, HEIGHT // 2, look)]
    else:
        parts = ['<rect x="%.1f" y="%.1f" width="%d" height="%d" %s/>' %
                 (x - WIDTH / 2, y - HEIGHT / 2, WIDTH, HEIGHT, look)]
    lines = attrs.get("label", "").split("\n")
    for number, line in enumerate(lines):
        shorter = ' textLength="%d" lengthAdjust="spacingAndGlyphs"' % (WIDTH - 6) if len(line) > 20 else ""
        parts.append('<text x="%.1f" y="%.1f"%s>%s</text>' % (
            x, y + 4 + 14 * (number - (len(lines) - 1) / 2), shorter, html.escape(line)))
    return parts
