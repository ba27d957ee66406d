"""Cases of operators that no other table names: those that are no layer, have no family, or
stand for another operator where MXNet trains or stores sparsely. Same form as conformance_cases.py.
"""
import json

import numpy as np

from conformance_case import T, add, ints


def pick():
    add("argmax_channel", "rows", T(4, 5, kind="distinct"), "exact")
    add("argmax_channel", "planes", T(2, 7, 3, kind="distinct"), "exact")
    add("batch_take", "rows", [T(4, 3), ints(0, 2, 1, 2, dtype="int32")], "exact")
    add("batch_take", "clipped", [T(3, 3), ints(-1, 5, 1, dtype="int32")], "exact")
    for name, shape, attrs in (("main", (4, 5), {}), ("above", (4, 5), dict(k=2)), ("below", (5, 3), dict(k=-1)),
                               ("axes", (2, 4, 3), dict(axis1=0, axis2=2)), ("vector", (4,), {}),
                               ("vector_above", (3,), dict(k=1))):
        add("diag", name, T(*shape), "exact", **attrs)
    add("_ravel_multi_index", "pairs", ints(0, 2, 1, 3, 0, 4).reshape(2, 3), "exact", shape=(3, 5))
    add("_ravel_multi_index", "int64", ints(1, 0, 2, 1, 0, 3, dtype="int64").reshape(3, 2), "exact", shape=(2, 3, 4))
    add("scatter_nd", "elements", [T(4), ints(0, 2, 1, 0, 1, 0, 3, 2, dtype="int32").reshape(2, 4)], "exact", shape=(3, 4))
    add("scatter_nd", "rows", [T(2, 5), ints(3, 0).reshape(1, 2)], "exact", shape=(4, 5))
    add("scatter_nd", "float64", [T(3, dtype="float64"), ints(4, 0, 2).reshape(1, 3)], "exact", shape=(6,))
    add("size_array", "float32", T(3, 4, 2), "exact")
    add("size_array", "int8", T(7, kind="ints:-5,5", dtype="int8"), "exact")


def measure():
    for name, attrs in (("all", dict(axes=(0, 1, 2))), ("axis", dict(axes=(1,))), ("pair", dict(axes=(0, 2))), ("last", dict(axes=(-1,))),
                        ("kept", dict(axes=(0, 2), keepdims=True))):
        add("moments", name, T(3, 4, 5), "reduction", **attrs)
    add("moments", "float64", T(3, 7, dtype="float64"), "reduction", axes=(1,))
    add("softmax_cross_entropy", "rows", [T(4, 6), ints(5, 0, 2, 2)], "product")
    for name, shapes in (("two", ((3, 2), (4, 2))), ("three", ((2, 3), (3, 3), (2, 3)))):
        matrices = {"abc"[i]: T(*shape) for i, shape in enumerate(shapes)}
        add("khatri_rao", name, matrices, "arithmetic", graph=lambda mx, matrices=matrices:
            mx.sym.khatri_rao(*map(mx.sym.Variable, matrices), num_args=len(matrices), name="rows"))


def stand_ins():
    """Operators that compute what another one does, under a name of their own."""
    add("_eye", "square", {}, "exact", N=4)
    add("_eye", "above", {}, "exact", N=3, M=5, k=1)
    add("_eye", "below_int32", {}, "exact", N=4, M=3, k=-2, dtype="int32")
    add("_grad_add", "float32", [T(3, 4), T(3, 4)], "arithmetic")
    add("_identity_with_attr_like_rhs", "float32", {"lhs": T(3, 4), "rhs": T(3, 4)}, "exact")
    add("_scatter_elemwise_div", "float32", [T(3, 4), T(3, 4, kind="above1")], "arithmetic")
    add("_scatter_plus_scalar", "float32", T(3, 4), "arithmetic", scalar=1.5)
    add("_scatter_minus_scalar", "float32", T(3, 4), "arithmetic", scalar=1.5)
    add("cast_storage", "dense", T(3, 4), "exact", stype="default")
    for op in ("_contrib_round_ste", "_contrib_sign_ste"):
        add(op, "float32", T(5, 7), "exact")
    add("_contrib_SparseEmbedding", "rows", {"data": ints(0, 3, 2, 3)}, "exact", input_dim=4, output_dim=3)
    add("IdentityAttachKLSparseReg", "float32", T(3, 4, kind="unit"), "exact", sparseness_target=0.2, penalty=0.01, momentum=0.7)


def onednn():
    low, high = np.array([-2], "float32"), np.array([2], "float32")

    def integers(*shape, dtype="int8"):
        return T(*shape, kind="ints:0,200" if dtype == "uint8" else "ints:-100,100", dtype=dtype)

    def named(op, name, inputs, tolerance, **attrs):
        add(op, name, inputs, tolerance, graph=lambda mx: getattr(mx.sym.contrib, op[len("_contrib_"):])(
            name=op.strip("_").lower() + "0", **{key: mx.sym.Variable(key) for key in inputs}, **attrs))

    ends = {"lhs_min": low, "lhs_max": high, "rhs_min": low, "rhs_max": high}
    for op in ("_contrib_quantized_elemwise_add", "_contrib_quantized_elemwise_mul"):
        named(op, "int8", {"lhs": integers(3, 5), "rhs": integers(3, 5), **ends}, "step",
              min_calib_range=-3.0, max_calib_range=3.0)
    named("_contrib_quantized_embedding", "rows", {"data": ints(0, 3, 2, 3), "weight": integers(4, 3), "min_weight": low,
                                                   "max_weight": high}, "exact", input_dim=4, output_dim=3)
    for name, shape, attrs in (("2d", (2, 3, 4, 5), {}), ("odd", (1, 5, 3, 3), dict(eps=0.01, fix_gamma=False))):
        add("_contrib_BatchNormWithReLU", name, T(*shape), "product", **attrs)

    def fused(mx):
        parts = [{"op": "null", "name": each, "inputs": []} for each in ("x", "w", "b")]
        parts.append({"op": "FullyConnected", "name": "inner", "attrs": {"num_hidden": "4"},
                      "inputs": [[0, 0, 0], [1, 0, 0], [2, 0, 0]]})
        parts.append({"op": "Activation", "name": "act", "attrs": {"act_type": "relu"}, "inputs": [[3, 0, 0]]})
        inner = {"nodes": parts, "arg_nodes": [0, 1, 2], "node_row_ptr": list(range(6)), "heads": [[4, 0, 0]]}
        nodes = [{"op": "null", "name": each, "inputs": []} for each in ("data", "layer_weight", "layer_bias")]
        nodes.append({"op": "_sg_mkldnn_fully_connected", "name": "layer", "attrs": {"with_eltwise": "true"},
                      "inputs": [[0, 0, 0], [1, 0, 0], [2, 0, 0]], "subgraphs": [inner]})
        return mx.sym.load_json(json.dumps({"nodes": nodes, "arg_nodes": [0, 1, 2], "node_row_ptr": list(range(5)),
                                            "heads": [[3, 0, 0]], "attrs": {"mxnet_version": ["int", 10901]}}))
    add("_sg_mkldnn_fully_connected", "relu", {"data": T(3, 7), "layer_weight": T(4, 7), "layer_bias": T(4)}, "product", graph=fused)


FAMILIES = (pick, measure, stand_ins, onednn)
