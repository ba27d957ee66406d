"""Writes rows-symbol.json, reductions of rows of many lengths, many-symbol.json, one of many rows, and files of symc's arguments."""
import symc as mx

# Rows whose elements lie side by side: of a warp; of a block, in vectors or not; too long for registers.
LENGTHS = (5, 128, 256, 257, 300, 1000, 2052, 4099, 8192, 10001)
# Rows that lie side by side, each [name, shape]: few and long ones, in registers or not.
IMAGES, COLUMNS = (("i16", (2, 16, 20, 20)), ("i20", (1, 16, 5, 60))), (("j16", (2, 3000, 16)), ("j20", (2, 260, 40)))

outputs, shapes = [], {"scale": (16,), "shift": (16,)}
for length in LENGTHS:
    x = 2 * mx.sym.var("x%d" % length)
    outputs += [mx.sym.softmax(x), mx.sym.sum(x, axis=-1), mx.sym.argmax(x, axis=-1)]
    shapes["x%d" % length] = (3, length)
scale, shift = mx.sym.var("scale"), mx.sym.var("shift")
for name, shape in IMAGES:
    outputs.append(mx.sym.InstanceNorm(mx.sym.var(name), scale, shift))
    shapes[name] = shape
for name, shape in COLUMNS:
    x = mx.sym.var(name)
    outputs += [mx.sym.softmax(x, axis=1), mx.sym.sum(x, axis=1), mx.sym.argmax(x, axis=1)]
    shapes[name] = shape
mx.sym.Group(outputs).save("rows-symbol.json")
mx.sym.sum(mx.sym.var("x"), axis=1).save("many-symbol.json")
with open("rows", "w", encoding="utf-8") as file:
    file.write("rows-symbol.json")
    for name, shape in shapes.items():
        file.write(" --shape %s=%s" % (name, ",".join(map(str, shape))))
with open("many", "w", encoding="utf-8") as file:
    file.write("many-symbol.json --shape x=66000,260")
