"""Writes ONNX models without the package onnx: protobuf's wire format by hand.

    model(nodes, inputs, outputs, initializers) -> bytes
"""
import struct

TYPES = {"float32": 1, "uint8": 2, "int8": 3, "uint16": 4, "int16": 5, "int32": 6, "int64": 7, "string": 8, "bool": 9,
         "float16": 10, "float64": 11, "uint32": 12, "uint64": 13, "bfloat16": 16, "int4": 22}


def varint(value):
    value &= (1 << 64) - 1
    out = bytearray()
    while value > 127:
        out.append(value & 127 | 128)
        value >>= 7
    return bytes(out + bytearray([value]))


def number(field, value):
    return varint(field << 3) + varint(value)


def data(field, value):
    value = value.encode() if isinstance(value, str) else value
    return varint(field << 3 | 2) + varint(len(value)) + value


def real(field, value):
    return varint(field << 3 | 5) + struct.pack("<f", value)


def shape(extents):
    """Numbers, names, or None for an extent that is open."""
    dims = b""
    for extent in extents:
        dims += data(1, b"" if extent is None else data(2, extent) if isinstance(extent, str) else number(1, extent))
    return dims


def value_info(name, dtype, extents):
    tensor = number(1, TYPES[dtype])
    if extents is not None:
        tensor += data(2, shape(extents))
    return data(1, name) + data(2, data(1, tensor))


def tensor(name, array, raw=True):
    """Of a NumPy array; without raw its list of numbers (int64 and float32)."""
    body = b"".join(number(1, extent) for extent in array.shape) + number(2, TYPES[array.dtype.name]) + data(8, name)
    if raw:
        return body + data(9, array.tobytes())
    if array.dtype.name == "int64":
        return body + data(7, b"".join(varint(int(value)) for value in array.ravel()))
    return body + data(4, array.tobytes())


def external(name, dtype, extents, location, offset=None, length=None):
    body = b"".join(number(1, extent) for extent in extents) + number(2, TYPES[dtype]) + data(8, name)
    entries = [("location", location)] + [(key, str(value)) for key, value in
                                          (("offset", offset), ("length", length)) if value is not None]
    return body + b"".join(data(13, data(1, key) + data(2, value)) for key, value in entries) + number(14, 1)


def attribute(name, value):
    body = data(1, name)
    if isinstance(value, Graph):
        return body + data(6, value) + number(20, 5)
    if isinstance(value, list) and value and isinstance(value[0], str):
        return body + b"".join(data(9, each) for each in value) + number(20, 8)
    if isinstance(value, list) and value and isinstance(value[0], float):
        return body + data(7, struct.pack("<%df" % len(value), *value)) + number(20, 6)
    if isinstance(value, bytes):  # a tensor
        return body + data(5, value) + number(20, 4)
    if isinstance(value, str):
        return body + data(4, value) + number(20, 3)
    if isinstance(value, float):
        return body + real(2, value) + number(20, 1)
    if isinstance(value, int):
        return body + number(3, value) + number(20, 2)
    return body + b"".join(number(8, each) for each in value) + number(20, 7)


def node(op, inputs, outputs, name="", domain="", **attributes):
    body = b"".join(data(1, each) for each in inputs) + b"".join(data(2, each) for each in outputs)
    if name:
        body += data(3, name)
    body += data(4, op)
    body += b"".join(data(5, attribute(key, value)) for key, value in attributes.items())
    return body + (data(7, domain) if domain else b"")


class Graph(bytes):
    """A graph, which is no tensor."""


def graph(nodes, inputs, outputs, initializers=()):
    return Graph(b"".join(data(1, each) for each in nodes) + data(2, "g") + b"".join(data(5, each) for each in initializers) +
            b"".join(data(11, each) for each in inputs) + b"".join(data(12, each) for each in outputs))


def opset(version, domain=""):
    return (data(1, domain) if domain else b"") + number(2, version)


def function(name, domain, inputs, outputs, nodes, version=21):
    return (data(1, name) + b"".join(data(4, each) for each in inputs) + b"".join(data(5, each) for each in outputs) +
            b"".join(data(7, each) for each in nodes) + data(9, opset(version)) + data(10, domain))


def model(nodes, inputs, outputs, initializers=(), version=21, opsets=(), functions=()):
    return (number(1, 10) + data(7, graph(nodes, inputs, outputs, initializers)) + data(8, opset(version)) +
            b"".join(data(8, each) for each in opsets) + b"".join(data(25, each) for each in functions))
