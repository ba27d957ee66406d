"""Writes ONNX models that choose elements by an input, places within and outside of the data, and what they have to give."""
import numpy as np

from onnx_bytes import model, node, value_info

x, u = np.arange(12, dtype=np.float32).reshape(4, 3), np.full((2, 3), 7, np.float32)
np.save("x.npy", x)
np.save("u.npy", u)
GATHERED = {"gather": ("Gather", [[0, -1], [3, -4]], [[0, 1], [4, 2]], [[0, 1], [-5, 2]], {}),
            "elements": ("GatherElements", [[0, -1, 3], [2, 0, -4]], [[0, 1, 4], [0, 0, 0]], [[0, -5, 1], [0, 0, 0]], {"axis": 0}),
            "nd": ("GatherND", [[0, 1], [-1, -3]], [[0, 1], [1, 3]], [[-5, 1], [0, 0]], {}),
            "scatter": ("ScatterND", [[1], [-1]], [[1], [4]], [[-5], [0]], {})}
for name, (op, good, above, below, attributes) in GATHERED.items():
    places = {"good": np.array(good), "above": np.array(above), "below": np.array(below)}
    for kind, array in places.items():
        np.save("%s-%s.npy" % (name, kind), array)
    scatters = op == "ScatterND"
    inputs = [value_info("x", "float32", x.shape), value_info("i", "int64", places["good"].shape)]
    with open(name + ".onnx", "wb") as file:
        file.write(model([node(op, ["x", "i"] + ["u"] * scatters, ["y"], "pick " + name, **attributes)],
                         inputs + [value_info("u", "float32", u.shape)] * scatters, [value_info("y", "float32", None)]))
put = x.copy()
put[[1, -1]] = u
np.savez("wanted.npz", gather=x[np.array(GATHERED["gather"][1])], elements=np.take_along_axis(x, np.array(GATHERED["elements"][1]), 0),
         nd=x[[0, -1], [1, -3]], scatter=put)
