"""Nets, data and comparisons for tests of trainers on several processes.

usage: train_ranks.py net FILE [KIND]      two layers, 1,208,007 parameters: two buckets; KIND: norm, with BatchNorm between;
                                          deep, with a layer between, 2,309,807 parameters in three buckets; dropout, with Dropout; sync, with
                                          a SyncBatchNorm over processes between, and another behind a branch
       train_ranks.py rows N DATA LABELS   N rows of 1,200 numbers and their classes, as CSV
       train_ranks.py hole DATA NPY LABELS NPY  the same as NumPy's files, with a NaN in the third row
       train_ranks.py near A B LIMIT       compares two .params files of equal names and shapes
"""
import array
import json
import random
import sys

WIDE, HIDDEN, CLASSES = 1200, 1000, 7


def write_net(path, kind=""):
    def node(op, name, inputs, **attrs):
        return {"op": op, "name": name, "attrs": {k: str(v) for k, v in attrs.items()}, "inputs": [[i, 0, 0] for i in inputs]}

    nodes = [node("null", name, []) for name in ("data", "fc1_weight", "fc1_bias")]
    nodes += [node("FullyConnected", "fc1", [0, 1, 2], num_hidden=HIDDEN), node("Activation", "tanh1", [3], act_type="tanh")]
    nodes += [node("null", name, []) for name in ("fc2_weight", "fc2_bias", "softmax_label")]
    last = 4
    if kind == "norm":
        nodes += [node("null", "norm_" + name, []) for name in ("gamma", "beta", "moving_mean", "moving_var")]
        nodes.append(node("BatchNorm", "norm", [4, 8, 9, 10, 11], fix_gamma="False"))
        last = 12
    if kind == "sync":
        for number, source in enumerate((4, 4)):
            first = len(nodes)
            nodes += [node("null", "sync%d_%s" % (number, name), []) for name in ("gamma", "beta", "moving_mean", "moving_var")]
            nodes.append(node("_contrib_SyncBatchNorm", "sync%d" % number, [source, *range(first, first + 4)], fix_gamma="False", ndev=2,
                              key="sync%d" % number))
        nodes.append(node("elemwise_mul", "product", [12, 17]))
        last = 18
    if kind == "deep":
        nodes += [node("null", name, []) for name in ("between_weight", "between_bias")]
        nodes += [node("FullyConnected", "between", [4, 8, 9], num_hidden=1100), node("Activation", "tanh2", [10], act_type="tanh")]
        last = 11
    if kind == "dropout":
        nodes.append(node("Dropout", "dropout", [4], p=0.5))
        last = 8
    nodes.append(node("FullyConnected", "fc2", [last, 5, 6], num_hidden=CLASSES))
    nodes.append(node("SoftmaxOutput", "softmax", [len(nodes) - 1, 7]))
    with open(path, "w") as file:
        json.dump({"nodes": nodes, "arg_nodes": [i for i, each in enumerate(nodes) if each["op"] == "null"],
                   "heads": [[len(nodes) - 1, 0, 0]], "attrs": {"mxnet_version": ["int", 10901]}}, file)


def write_rows(count, data, labels):
    draw = random.Random(3)
    centers = [[draw.randrange(-4, 5) for _ in range(WIDE)] for _ in range(CLASSES)]
    with open(data, "w") as rows, open(labels, "w") as classes:
        for _ in range(count):
            label = draw.randrange(CLASSES)
            rows.write(",".join("%.1f" % (center / 40 + draw.randrange(-9, 10) / 10) for center in centers[label]) + "\n")
            classes.write("%d\n" % label)


def write_npy(text, path, hole):
    rows = [array.array("f", map(float, line.split(","))) for line in open(text)]
    if hole:
        rows[2][0] = float("nan")
    shape = "(%d, %d)" % (len(rows), len(rows[0])) if len(rows[0]) > 1 else "(%d,)" % len(rows)
    header = "{'descr': '<f4', 'fortran_order': False, 'shape': %s, }" % shape
    header += " " * (117 - len(header)) + "\n"
    with open(path, "wb") as file:
        file.write(b"\x93NUMPY\x01\x00" + len(header).to_bytes(2, "little") + header.encode())
        for row in rows:
            row.tofile(file)


# Their headers and names are equal bytes, so that all may be compared as numbers.
def compare(first, second, limit):
    files = []
    for path in (first, second):
        with open(path, "rb") as file:
            text = file.read()
        files.append(array.array("f", text[:len(text) // 4 * 4]))
    if len(files[0]) != len(files[1]):
        sys.exit("%s and %s have %d and %d words" % (first, second, len(files[0]), len(files[1])))
    worst = max(abs(a - b) for a, b in zip(*files) if a == a)
    same = worst <= limit and files[0] != files[1]
    print("the largest difference is %.2g: %s" % (worst, "near" if same else "equal" if worst <= limit else "far"))


if sys.argv[1] == "net":
    write_net(*sys.argv[2:])
elif sys.argv[1] == "rows":
    write_rows(int(sys.argv[2]), *sys.argv[3:])
elif sys.argv[1] == "hole":
    write_npy(sys.argv[2], sys.argv[3], True)
    write_npy(sys.argv[4], sys.argv[5], False)
else:
    compare(sys.argv[2], sys.argv[3], float(sys.argv[4]))
