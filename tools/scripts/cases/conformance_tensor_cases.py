"""Cases of the tensor operators beyond a net's layers: linear algebra, update steps,
attention, patches, places and pictures. Same form as conformance_cases.py.
"""
import itertools
import json

import numpy as np

from conformance_case import T, add, ints


def positive_definite(*shape, dtype="float32"):
    """Symmetric matrices with eigenvalues away from zero, the same on every run."""
    rng = np.random.default_rng(sum(shape))
    half = rng.standard_normal(shape)
    matrix = half @ np.swapaxes(half, -1, -2) + shape[-1] * np.eye(shape[-1])
    return matrix.astype(dtype)


def triangle(*shape, dtype="float32"):
    return np.linalg.cholesky(positive_definite(*shape, dtype="float64")).astype(dtype)


def linalg():
    kinds = (("f32", "float32"), ("f64", "float64"))
    for (tag, dtype), batch in itertools.product(kinds, ((), (3,), (2, 2))):
        name = "%s_%d" % (tag, len(batch) + 2)
        matrix = lambda rows, columns: T(*batch, rows, columns, dtype=dtype)
        for ta, tb in itertools.product((False, True), repeat=2):
            a, b = matrix(*((4, 3) if ta else (3, 4))), matrix(*((5, 4) if tb else (4, 5)))
            flags = dict(transpose_a=ta, transpose_b=tb)
            suffix = "%s_%d%d" % (name, ta, tb)
            add("_linalg_gemm2", suffix, [a, b], "product", alpha=0.7, **flags)
            add("_linalg_gemm", suffix, [a, b, matrix(3, 5)], "product", alpha=1.3, beta=-0.4, **flags)
        for transpose in (False, True):
            add("_linalg_syrk", "%s_%d" % (name, transpose), matrix(3, 5), "product",
                transpose=transpose, alpha=0.6)
        for right, transpose, lower in itertools.product((False, True), repeat=3):
            suffix = "%s_%d%d%d" % (name, right, transpose, lower)
            flags = dict(rightside=right, transpose=transpose, lower=lower, alpha=1.2)
            a = triangle(*batch, 4, 4, dtype=dtype)
            inputs = [a if lower else np.swapaxes(a, -1, -2).copy(), matrix(*((3, 4) if right else (4, 3)))]
            add("_linalg_trmm", suffix, inputs, "product", **flags)
            add("_linalg_trsm", suffix, inputs, "product", **flags)
            if name in ("f32_2", "f64_3"):  # more columns than are solved together
                add("_linalg_trsm", "wide_" + suffix, [inputs[0], matrix(*((21, 4) if right else (4, 21)))], "product", **flags)
        add("_linalg_potrf", name, positive_definite(*batch, 4, 4, dtype=dtype), "product")
        add("_linalg_potri", name, triangle(*batch, 4, 4, dtype=dtype), "product")
        add("_linalg_potrf", "upper_" + name, positive_definite(*batch, 4, 4, dtype=dtype), "product", lower=False)
        add("_linalg_potri", "upper_" + name, np.swapaxes(triangle(*batch, 4, 4, dtype=dtype), -1, -2), "product", lower=False)
        add("_linalg_inverse", name, positive_definite(*batch, 4, 4, dtype=dtype), "product")
        add("_linalg_sumlogdiag", name, positive_definite(*batch, 4, 4, dtype=dtype), "reduction")
        add("_linalg_gelqf", name, matrix(3, 5), "product")
        add("_linalg_syevd", name, positive_definite(*batch, 4, 4, dtype=dtype), "product")
        add("_linalg_det", name, matrix(3, 3), "product")
        add("_linalg_slogdet", name, matrix(4, 4), "product")
        for offset in (-2, 0, 1):
            suffix = "%s_%s" % (name, str(offset).replace("-", "m"))
            add("_linalg_extractdiag", suffix, matrix(4, 4), "exact", offset=offset)
            add("_linalg_makediag", suffix, T(*batch, 3, dtype=dtype), "exact", offset=offset)
            for lower in (False, True):
                both = "%s_%d" % (suffix, lower)
                add("_linalg_extracttrian", both, matrix(4, 4), "exact", offset=offset, lower=lower)
                add("_linalg_maketrian", both, T(*batch, 6, dtype=dtype), "exact", offset=offset, lower=lower)
    add("_linalg_gemm2", "axis", [T(4, 2, 3), T(3, 2, 5)], "product", axis=-3)
    add("_linalg_det", "singular", np.ones((3, 3), "float32"), "exact")
    add("_linalg_slogdet", "singular", np.ones((3, 3), "float32"), "exact")
    add("_linalg_inverse", "one", ints(4).reshape(1, 1), "product")
    add("_linalg_syevd", "one", ints(4).reshape(1, 1), "product")


STATES = {"sgd_mom_update": ("mom",), "nag_mom_update": ("mom",), "signum_update": ("mom",),
          "mp_sgd_update": ("weight32",), "mp_sgd_mom_update": ("mom", "weight32"),
          "mp_nag_mom_update": ("mom", "weight32"), "adam_update": ("mean", "var"),
          "lamb_update_phase1": ("mean", "var"), "ftml_update": ("d", "v", "z"),
          "ftrl_update": ("z", "n"), "rmsprop_update": ("n",), "rmspropalex_update": ("n", "g", "delta")}


def add_node(op, name, inputs, tolerance, order=None, runs=1, heads=(0,), sums=(), **attrs):
    """A node as a file holds it, for what MXNet's functions do not compose: update steps, hidden outputs. `heads`
    are outputs of the node; `sums`, pairs of them, stand behind the others."""
    def graph(mx):
        names = order or (*inputs, *STATES.get(op, ()))
        nodes = [{"op": "null", "name": name, "inputs": []} for name in names]
        nodes.append({"op": op, "name": op + "0", "attrs": {key: str(value) for key, value in attrs.items()},
                      "inputs": [[i, 0, 0] for i in range(len(names))]})
        entries = [[len(names), head, 0] for head in heads]
        for number, pair in enumerate(sums):
            nodes.append({"op": "broadcast_add", "name": "sum%d" % number,
                          "inputs": [[len(names), output, 0] for output in pair]})
            entries.append([len(nodes) - 1, 0, 0])
        return mx.sym.load_json(json.dumps({
            "nodes": nodes, "arg_nodes": list(range(len(names))), "heads": entries,
            "node_row_ptr": list(range(len(nodes) + 1)), "attrs": {"mxnet_version": ["int", 10901]}}))
    add(op, name, inputs, tolerance, graph=graph, runs=runs)


def hidden():
    """Outputs that MXNet computes and does not list, named as heads and read by nodes."""
    def normal(*shape, vector, **more):
        return {"data": T(*shape), "gamma": T(vector), "beta": T(vector), **more}
    moments = {"moving_mean": T(3), "moving_var": T(3, kind="positive")}
    add_node("BatchNorm", "hidden", normal(2, 3, 4, 4, vector=3, **moments), "product", heads=(0, 1, 2), fix_gamma=False)
    add_node("_contrib_BatchNormWithReLU", "hidden", normal(2, 3, 4, 4, vector=3, **moments), "product", heads=(2, 0, 1),
             fix_gamma=False)
    add_node("LayerNorm", "hidden", normal(4, 6, vector=6), "product", heads=(0, 2, 1))
    add_node("LayerNorm", "hidden_read", normal(4, 6, vector=6), "product", sums=((0, 1), (2, 1)))
    add_node("GroupNorm", "hidden", normal(2, 6, 5, vector=3), "product", heads=(1, 0, 2), num_groups=3)
    add_node("InstanceNorm", "hidden", normal(2, 3, 5, vector=3), "product", heads=(0, 1, 2), eps=0.1)
    add_node("InstanceNorm", "hidden_long", normal(2, 3, 9, 31, vector=3), "norm", heads=(0, 1, 2))
    add_node("InstanceNorm", "hidden_alone", normal(2, 3, 5, vector=3), "product", heads=(2,))
    for mode in ("instance", "channel", "spatial"):
        add_node("L2Normalization", "hidden_" + mode, {"data": T(2, 3, 4)}, "product", heads=(1, 0), mode=mode, eps=0.1)
    add_node("LRN", "hidden", {"data": T(2, 5, 3, 4)}, "product", heads=(0, 1), nsize=3, alpha=0.2)
    for suffix, attrs in (("", {}), ("_flat", dict(axis=None)), ("_falling", dict(axis=0, is_ascend=False))):
        add_node("sort", "hidden" + suffix, {"data": T(3, 5)}, "exact", heads=(0, 1), **attrs)
        add_node("topk", "hidden" + suffix, {"data": T(3, 5)}, "exact", heads=(1, 0), k=2, ret_typ="value",
                 dtype="float64", **attrs)


def optimizer():
    decayed = dict(wd=0.03, rescale_grad=0.7, clip_gradient=0.5)
    plain = {"sgd_update": {}, "sgd_mom_update": dict(momentum=0.8), "nag_mom_update": dict(momentum=0.6),
             "adam_update": dict(beta1=0.8, beta2=0.95), "ftrl_update": dict(lamda1=0.2, beta=0.7),
             "rmsprop_update": dict(gamma1=0.9), "rmspropalex_update": dict(gamma1=0.9, gamma2=0.7),
             "signsgd_update": {}, "signum_update": dict(momentum=0.9, wd_lh=0.05)}
    for op, attrs in plain.items():
        for dtype in ("float32", "float64", "float16"):
            if dtype == "float16" and op in ("rmspropalex_update", "ftrl_update"):
                continue
            inputs = {"weight": T(3, 5, dtype=dtype), "grad": T(3, 5, dtype=dtype)}
            add_node(op, dtype, inputs, "product", lr=0.07, **attrs)
            add_node(op, dtype + "_decay", inputs, "product", lr=0.07, **attrs, **decayed)
        if op in STATES:  # each run reads what the one before left
            inputs = {"weight": T(3, 5), "grad": T(3, 5)}
            add_node(op, "three_runs", inputs, "product", runs=3, lr=0.07, **attrs, **decayed)
    for op in ("mp_sgd_update", "mp_sgd_mom_update", "mp_nag_mom_update"):
        attrs = {} if op == "mp_sgd_update" else dict(momentum=0.7)
        inputs = {"weight": T(7, dtype="float16"), "grad": T(7, dtype="float16")}
        add_node(op, "float16", inputs, "product", lr=0.07, **attrs)
        add_node(op, "float16_decay", inputs, "product", lr=0.07, **attrs, **decayed)
    add_node("rmsprop_update", "clip_weights", {"weight": T(5), "grad": T(5)}, "product", lr=0.3, clip_weights=0.2)
    for step in (1, 7):
        inputs = {"weight": T(4, 3), "grad": T(4, 3)}
        add_node("ftml_update", "t%d" % step, inputs, "product", lr=0.1, t=step, wd=0.02, clip_grad=0.6)
        for correct in (False, True):
            add_node("lamb_update_phase1", "t%d_%d" % (step, correct), inputs, "product", t=step, wd=0.1,
                bias_correction=correct, rescale_grad=0.5)
    for bounds in ({}, dict(lower_bound=2.0), dict(upper_bound=0.3)):
        add_node("lamb_update_phase2", "_".join(["r"] + list(bounds)),
            {"weight": T(4), "g": T(4), "r1": ints(0.9), "r2": ints(1.7)}, "product", lr=0.1, **bounds)
    add_node("lamb_update_phase2", "zero", {"weight": T(4), "g": T(4), "r1": ints(0), "r2": ints(1.7)}, "product", lr=0.1)
    for scale in (0.5, 2.0): # for 0 and inf MXNet leaves the result unwritten
        step = {"weight": T(4, 3), "grad": T(4, 3), "rescale_grad": ints(scale)}
        add_node("_adamw_update", "scale%g" % scale, step, "product", lr=0.1, eta=0.9, wd=0.2, clip_gradient=0.4,
                   order=("weight", "grad", "mean", "var", "rescale_grad"))
    half = {"weight": T(4, 3, dtype="float16"), "grad": T(4, 3, dtype="float16")}
    for scale in (0.5, 2.0):
        states = {"mean": T(4, 3), "var": T(4, 3, kind="positive"), "weight32": T(4, 3)}
        add_node("_mp_adamw_update", "scale%g" % scale, {**half, **states, "rescale_grad": ints(scale)}, "product", lr=0.1, eta=0.9,
                   wd=0.2, clip_gradient=0.4, order=("weight", "grad", "mean", "var", "weight32", "rescale_grad"))
    # mp_lamb_update_phase2 has no case: MXNet leaves weight32, which it is there to change, as it was.
    for step in (1, 4):
        add_node("mp_lamb_update_phase1", "t%d" % step, half, "product", t=step, wd=0.1,
                   order=("weight", "grad", "mean", "var", "weight32"))
    add("multi_lars", "plain", {"lrs": T(4, kind="positive"), "weights_sum_sq": ints(0, 1, 2, 3),
                                "grads_sum_sq": ints(1, 0, 4, 0.5), "wds": T(4, kind="positive")}, "product",
        eta=0.2, eps=1e-5, rescale_grad=0.5)
    for dtype in ("float32", "float64", "float16"):
        add("multi_sum_sq", dtype, [T(3, 4, dtype=dtype), T(5, dtype=dtype)], "reduction", num_arrays=2)
        add("multi_sum_sq", "long_" + dtype, [T(3, 49, dtype=dtype), T(64, dtype=dtype)], "reduction", num_arrays=2)
        for name, last in (("yes", 1.0), ("nan", np.nan), ("inf", -np.inf)):
            add("all_finite", "%s_%s" % (dtype, name), ints(1, 2, last, dtype=dtype), "exact")
            add("multi_all_finite", "%s_%s" % (dtype, name), [T(3, dtype=dtype), ints(0, last, dtype=dtype)],
                "exact", num_arrays=2)


def attention():
    for heads in (1, 2, 3):
        for batch in (1, 2):
            name = "h%d_b%d" % (heads, batch)
            add("_contrib_interleaved_matmul_selfatt_qk", name, T(4, batch, heads * 9), "product", heads=heads)
            add("_contrib_interleaved_matmul_selfatt_valatt", name,
                [T(4, batch, heads * 9), T(batch * heads, 4, 4)], "product", heads=heads)
            add("_contrib_interleaved_matmul_encdec_qk", name,
                [T(3, batch, heads * 4), T(5, batch, heads * 8)], "product", heads=heads)
            add("_contrib_interleaved_matmul_encdec_valatt", name,
                [T(5, batch, heads * 8), T(batch * heads, 3, 5)], "product", heads=heads)
    for dtype in ("float32", "float64", "float16"):
        add("_contrib_div_sqrt_dim", dtype, T(2, 3, 5, dtype=dtype), "arithmetic")


def patches():
    for name, shape, size, attrs in (
            ("2d", (2, 3, 5, 6), (5, 6), dict(kernel=(3, 2))),
            ("2d_all", (1, 2, 7, 8), (7, 8), dict(kernel=(2, 3), stride=(2, 1), dilate=(1, 2), pad=(1, 2))),
            ("2d_far", (1, 1, 3, 4), (3, 4), dict(kernel=(2, 5), stride=(1, 3), pad=(3, 6))),
            ("2d_one", (1, 2, 3, 3), (3, 3), dict(kernel=(1, 1)))):
        for dtype in ("float32", "float64"):
            full = dict(stride=(1, 1), dilate=(1, 1), pad=(0, 0))
            full.update(attrs)
            kernel, stride, dilate, pad = (full[key] for key in ("kernel", "stride", "dilate", "pad"))
            windows = [(e + 2 * p - d * (k - 1) - 1) // s + 1
                       for e, k, s, d, p in zip(size, kernel, stride, dilate, pad)]
            add("im2col", "%s_%s" % (name, dtype), T(*shape, dtype=dtype), "exact", **attrs)
            add("col2im", "%s_%s" % (name, dtype),
                T(shape[0], shape[1] * kernel[0] * kernel[1], windows[0] * windows[1], dtype=dtype),
                "reduction", output_size=size, **attrs)


def places():
    for dtype in ("float32", "int32", "int64"):
        add("_unravel_index", "flat_" + dtype, ints(0, 7, 23, 11, dtype=dtype), "exact", shape=(2, 3, 4))
        add("_unravel_index", "two_" + dtype, ints(0, 7, 19, 11, dtype=dtype).reshape(2, 2), "exact", shape=(4, 5))
    for name, axes in (("all", None), ("first", (0,)), ("last", (-1,)), ("two", (2, 0))):
        add("_contrib_index_array", name, T(2, 3, 4), "exact", **({} if axes is None else {"axes": axes}))
    for dtype in ("float32", "float64", "int32"):
        for index in ("int32", "int64"):
            add("_contrib_index_copy", "%s_%s" % (dtype, index),
                [T(5, 2, kind="ints:-9,9", dtype=dtype), ints(4, 0, dtype=index),
                 T(2, 2, kind="ints:-9,9", dtype=dtype)], "exact")
    # Lines that are long enough to be put in order by keys.
    for dtype, kind in (("float32", "distinct"), ("float64", "distinct"), ("int32", "ints:-99999,99999"), ("uint8", "ints:0,256"), ("int8", "ints:-128,128")):
        add("sort", "long_" + dtype, T(2, 150, kind=kind, dtype=dtype), "exact", axis=1, is_ascend=dtype != "int32")
    add("argsort", "long_first", T(150, 2, kind="distinct"), "exact", axis=0, is_ascend=False)
    add("argsort", "long_last", T(2, 3, 150, kind="distinct"), "exact", dtype="int32")
    # A few of a long line, which one walk finds; along the line and across lines.
    for dtype, kind in (("float32", "distinct"), ("float64", "distinct"), ("int32", "ints:-99999,99999")):
        add("topk", "few_" + dtype, T(3, 150, kind=kind, dtype=dtype), "exact", k=5, ret_typ="both", is_ascend=dtype == "float64")
    add("topk", "few_first", T(150, 3, kind="distinct"), "exact", axis=0, k=5, ret_typ="mask")
    add("topk", "long_both", T(150, 3, kind="distinct"), "exact", axis=0, k=140, ret_typ="both")
    for dtype in ("float32", "float64"):
        add("_histogram", "range_" + dtype, T(60, dtype=dtype), "arithmetic", bin_cnt=7, range=(-1.5, 2.0))
        add("_histogram", "bins_" + dtype, [T(5, 7, dtype=dtype), ints(-2, -0.5, 0, 0.7, 3, dtype=dtype)], "exact")
    add("_histogram", "range_edges", ints(-1, -0.5, 0, 0.25, 0.5, 1, 1.25, np.nan), "arithmetic", bin_cnt=8, range=(-1.0, 1.0))
    add("_histogram", "edges", [ints(-1, 0, 1, 2, 2, 2.5), ints(0, 1, 2)], "exact")
    for name, attrs in (("plain", dict(begin=(1, 0), end=(3, 4))), ("steps", dict(begin=(None, 0), end=(None, 5), step=(None, 2))),
                        ("back", dict(begin=(3,), end=(0,), step=(-1,))), ("negative", dict(begin=(-2, -3), end=(None, -1)))):
        part = np.zeros((4, 5))[tuple(slice(*p) for p in itertools.zip_longest(
            attrs["begin"], attrs["end"], attrs.get("step", ())))].shape
        for dtype in ("float32", "int32"):
            add("_slice_assign", "%s_%s" % (name, dtype), [T(4, 5, kind="ints:-9,9", dtype=dtype),
                T(*part, kind="ints:10,20", dtype=dtype)], "exact", **attrs)
            add("_slice_assign_scalar", "%s_%s" % (name, dtype), T(4, 5, kind="ints:-9,9", dtype=dtype), "exact",
                scalar=7, **attrs)
    rng = np.random.default_rng(3)
    # In float32 only: MXNet takes exp and log in float32 for float64, too.
    p = lambda *shape: T(*shape, kind="positive")
    for steps in (5, 3, 0):
        add("_contrib_hawkesll", "steps%d" % steps,
            [p(2, 3), ints(0.2, 0.3, 0.1), p(3), p(2, 3), p(2, 5), rng.integers(0, 3, (2, 5)).astype("int32"),
             ints(steps, 2), ints(30, 40)], "product")


def pictures():
    for name, shape in (("one", (4, 6, 3)), ("several", (2, 4, 6, 3)), ("grey", (4, 6, 1))):
        for dtype in ("uint8", "float32"):
            picture = T(*shape, kind="ints:0,256", dtype=dtype)
            add("_image_to_tensor", "%s_%s" % (name, dtype), picture, "arithmetic")
            add("_image_crop", "%s_%s" % (name, dtype), picture, "exact", x=1, y=2, width=4, height=2)
            if name != "several": # and even extents: MXNet leaves a middle line unwritten
                add("_image_flip_left_right", "%s_%s" % (name, dtype), picture, "exact")
                add("_image_flip_top_bottom", "%s_%s" % (name, dtype), picture, "exact")
    add("_image_normalize", "three", T(3, 4, 5), "function", mean=(0.1, 0.2, 0.3), std=(0.5, 0.6, 0.7))
    add("_image_normalize", "one", T(2, 3, 4, 5), "function", mean=0.5, std=0.25)
    add("_image_adjust_lighting", "float32", T(4, 5, 3), "norm", alpha=(0.02, -0.01, 0.03))
    add("_image_adjust_lighting", "uint8", T(7, 5, 3, kind="ints:0,256", dtype="uint8"), "step", alpha=(0.7, -0.9, 0.3))
    for channels in (3, 5):  # rows of more pixels than are made together
        for dtype in ("float32", "uint8"):
            add("_image_resize", "long%d_%s" % (channels, dtype), T(5, 26, channels, kind="ints:0,256", dtype=dtype), "step" if dtype == "uint8" else "norm", size=(43, 4))
    for interp in (0, 1):
        for name, size in (("up", (9, 8)), ("down", (3, 4)), ("both", (4, 9)), ("square", (5,))):
            add("_image_resize", "i%d_%s" % (interp, name), T(6, 7, 3), "norm", interp=interp, size=size)
    add("_image_resize", "ratio_wide", T(6, 9, 3), "norm", size=(4,), keep_ratio=True)
    add("_image_resize", "ratio_high", T(9, 6, 3), "norm", size=(4,), keep_ratio=True)
    for name, shape, size in (("less", (6, 8, 3), (4, 3)), ("uneven", (7, 9, 3), (4, 5)), ("more", (6, 7, 3), (9, 11)),
                              ("both_ways", (7, 5, 1), (8, 4))):
        for interp, method in ((3, "area"), (4, "lanczos")):
            add("_image_resize", "%s_%s" % (method, name), T(*shape), "norm", size=size, interp=interp)
            add("_image_resize", "%s_%s_uint8" % (method, name), T(*shape, kind="ints:0,256", dtype="uint8"), "step", size=size, interp=interp)
    for kind in ("brightness", "contrast", "saturation", "hue"):  # one factor, so that nothing is left to chance
        for name, picture in (("float32", T(4, 5, 3)), ("uint8", T(6, 5, 3, kind="ints:0,256", dtype="uint8")), ("grey", T(3, 4, 1))):
            if name != "grey" or kind != "hue":  # MXNet leaves its result as it was
                add("_image_random_" + kind, name, picture, "step" if name == "uint8" else "norm", min_factor=0.75, max_factor=0.75)
    add("_image_random_lighting", "none", T(4, 5, 3), "norm", alpha_std=0.0)
    hist = np.random.default_rng(4).integers(0, 40, 31).astype("float32") * np.hanning(31).astype("float32")
    for count in (5, 15, 31):
        add("_contrib_calibrate_entropy", "bins%d" % count, {"hist": np.floor(hist), "hist_edges": np.linspace(-3, 3, 32).astype("float32")},
            "norm", num_quantized_bins=count)
    add("_image_resize", "cubic", T(6, 7, 3), "norm", size=(9, 8), interp=2)


def densities():
    positive, counts = T(2, 3, kind="positive"), T(2, 3, kind="ints:0,6")
    first, second, chance = T(2, kind="positive"), T(2, kind="positive"), ints(0.3, 0.6)
    for kind, inputs in (("uniform", [positive, ints(0, -1), ints(3, 4)]), ("normal", [T(2, 3), T(2), second]),
                         ("gamma", [positive, first, second]), ("negative_binomial", [counts, first, chance]),
                         ("generalized_negative_binomial", [counts, first, second]), ("exponential", [positive, first]),
                         ("poisson", [counts, first]), ("dirichlet", [T(2, 3, 4, kind="positive"), T(2, 4, kind="positive")])):
        add("_random_pdf_" + kind, "plain", inputs, "product")
        add("_random_pdf_" + kind, "log", inputs, "product", is_log=True)
    add("_random_pdf_dirichlet", "one_place", [T(4, kind="positive"), T(4, kind="positive")], "product")


def masks():
    """Rows that a mask keeps, whose number only the run tells, and what is made of them."""
    mask = np.array([0, 1, 0, 1, 1], "float32")
    op = "_contrib_boolean_mask"
    for name, data, index in (
            ("plain", T(5, 3), mask), ("vector", T(5), mask), ("3d_int32", T(5, 2, 3), mask.astype("int32")),
            ("one", T(5, 4), np.eye(5, dtype="float32")[2]), ("all", T(5, 3), np.ones(5, "float32")),
            ("float64", T(5, 3, dtype="float64"), mask), ("signs", T(4, 2), np.array([-1.5, 0, 0.25, -0.0], "float32"))):
        add(op, name, [data, index], "exact")

    def chain(name, tolerance, of):
        def graph(mx):
            data, index = mx.sym.Variable("data"), mx.sym.Variable("index")
            return of(mx, data, index, mx.sym.contrib.boolean_mask(data, index, name="mask"))
        add(op, name, {"data": T(5, 3), "index": mask}, tolerance, graph=graph)

    chain("exp", "function", lambda mx, data, index, rows: mx.sym.exp(rows) * 2)
    chain("sums", "reduction", lambda mx, data, index, rows: mx.sym.Group([mx.sym.sum(rows, axis=0), mx.sym.mean(rows, axis=1), mx.sym.max(rows)]))
    chain("softmax", "reduction", lambda mx, data, index, rows: mx.sym.softmax(rows))
    chain("layer", "product", lambda mx, data, index, rows: mx.sym.Activation(mx.sym.FullyConnected(
        rows, mx.sym.Variable("weight", shape=(17, 3)), mx.sym.Variable("bias", shape=(17,)), num_hidden=17, name="fc"),
        act_type="relu"))
    chain("shared", "arithmetic", lambda mx, data, index, rows: rows + mx.sym.contrib.boolean_mask(data * 3, index, name="other"))
    chain("twice", "exact", lambda mx, data, index, rows: mx.sym.contrib.boolean_mask(rows, mx.sym.max(rows, axis=1) > 0, name="inner"))


FAMILIES = (hidden, masks, densities, linalg, optimizer, attention, patches, places, pictures)
