"""Writes a damaged ONNX file for each rule of the reader, DIR/NAME.onnx."""
import os
import sys

from onnx_bytes import data, model, node, number, value_info, varint

folder = sys.argv[1]
os.makedirs(folder, exist_ok=True)
good = model([node("Relu", ["x"], ["y"], "r")], [value_info("x", "float32", [2])], [value_info("y", "float32", [2])])


def nested(depth):
    body = data(2, "g")
    for _ in range(depth):
        attribute = data(1, "body") + data(6, body) + number(20, 5)
        body = data(1, data(4, "If") + data(5, attribute))
    return number(1, 10) + data(7, body)


FILES = {
    "group": number(1, 10) + varint(7 << 3 | 3),
    "end-group": number(1, 10) + varint(7 << 3 | 4),
    "wire-type": number(1, 10) + varint(7 << 3 | 7),
    "field-zero": number(1, 10) + b"\0\0",
    "long-tag": number(1, 10) + b"\x80" * 11 + b"\0",
    "long-number": b"\x08" + b"\xff" * 11 + b"\0",
    "long-length": number(1, 10) + b"\x3a" + b"\xff" * 11,
    "beyond": number(1, 10) + b"\x3a\x7f\x00",
    "cut": good[:-3],
    "other-type": number(1, 10) + number(7, 1),
    "twice": good + data(7, b""),
    "zero-byte": number(1, 10) + data(7, data(1, data(4, "Re\0lu"))),
    "no-graph": number(1, 10),
    "empty": b"",
    "packed": number(1, 10) + data(7, data(5, data(4, b"\0\0\0"))),
    "bad-element": number(1, 10) + data(7, data(5, data(7, b"\x80"))),
    "attribute-type": number(1, 10) + data(7, data(1, data(4, "Relu") + data(5, data(1, "a") + number(20, 99)))),
    "deep": nested(70),
    "fixed-cut": number(1, 10) + varint(99 << 3 | 1) + b"\0\0",
}
for name, content in FILES.items():
    with open(os.path.join(folder, name + ".onnx"), "wb") as file:
        file.write(content)
with open(os.path.join(folder, "unknown.onnx"), "wb") as file:  # unknown fields are skipped
    file.write(number(99, 1) + good + data(500, b"abc") + varint(77 << 3 | 5) + b"abcd" + varint(78 << 3 | 1) + b"abcdefgh")
