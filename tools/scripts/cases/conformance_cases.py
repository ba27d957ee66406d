"""The table of the project's own conformance cases (see make_conformance.py).

One line a case (conformance_case.py): operator, name, inputs, tolerance class, attributes.
"""
import numpy as np

import conformance_detection
import conformance_edit_cases
import conformance_graphs
import conformance_lone_cases
import conformance_numpy_cases
import conformance_tensor_cases
from conformance_case import T, add, cases, ints


def layers():
    for name, shape, attrs in (
            ("plain", (3, 5), dict(num_hidden=4)),
            ("no_bias", (2, 7), dict(num_hidden=3, no_bias=True)),
            ("flatten_4d", (2, 3, 2, 2), dict(num_hidden=5)),
            ("no_flatten", (2, 3, 4), dict(num_hidden=6, flatten=False)),
            ("one", (1, 1), dict(num_hidden=1)),
            ("wide", (2, 19), dict(num_hidden=33))):
        add("FullyConnected", name, T(*shape), "product", **attrs)
    add("FullyConnected", "float64", T(2, 5, dtype="float64"), "product", num_hidden=4)

    for name, shape, attrs in (
            ("1d_k3", (2, 3, 9), dict(kernel=(3,), num_filter=4)),
            ("1d_k3_s2_p1_d2", (1, 4, 11), dict(kernel=(3,), stride=(2,), pad=(1,), dilate=(2,), num_filter=6)),
            ("1d_g2", (1, 4, 7), dict(kernel=(2,), num_group=2, num_filter=6)),
            ("2d_k3", (1, 3, 6, 7), dict(kernel=(3, 3), num_filter=4)),
            ("2d_k3_p1", (2, 2, 5, 5), dict(kernel=(3, 3), pad=(1, 1), num_filter=17)),
            ("2d_k1", (1, 5, 4, 4), dict(kernel=(1, 1), num_filter=3)),
            ("2d_k1_s2", (1, 4, 5, 5), dict(kernel=(1, 1), stride=(2, 2), num_filter=6)),
            ("2d_k2x3_s2x1", (1, 3, 7, 6), dict(kernel=(2, 3), stride=(2, 1), num_filter=5)),
            ("2d_p2x1", (1, 2, 4, 5), dict(kernel=(3, 3), pad=(2, 1), num_filter=3)),
            ("2d_d2", (1, 2, 8, 8), dict(kernel=(3, 3), dilate=(2, 2), num_filter=3)),
            ("2d_d2x3_p2", (1, 2, 7, 9), dict(kernel=(3, 3), dilate=(2, 3), pad=(2, 2), num_filter=3)),
            ("2d_no_bias", (1, 3, 5, 5), dict(kernel=(3, 3), no_bias=True, num_filter=2)),
            ("2d_g2", (1, 6, 5, 5), dict(kernel=(3, 3), num_group=2, pad=(1, 1), num_filter=4)),
            ("2d_dw", (1, 5, 6, 6), dict(kernel=(3, 3), num_group=5, pad=(1, 1), num_filter=5)),
            ("2d_dw_s2", (1, 18, 5, 5), dict(kernel=(3, 3), num_group=18, stride=(2, 2), pad=(1, 1), num_filter=18)),
            ("2d_dw_x2", (1, 3, 5, 5), dict(kernel=(3, 3), num_group=3, num_filter=6)),
            ("2d_17_16", (1, 17, 3, 3), dict(kernel=(3, 3), pad=(1, 1), num_filter=16)),
            ("2d_k5_s3", (1, 1, 11, 8), dict(kernel=(5, 5), stride=(3, 3), num_filter=2)),
            ("2d_whole_image", (2, 3, 4, 3), dict(kernel=(4, 3), num_filter=5)),
            # For algorithms that need blocks of channels, an even grid or a stride (--force-kernel).
            ("2d_k1_32_64", (2, 32, 6, 5), dict(kernel=(1, 1), num_filter=64)),
            ("2d_k1_64_96_wide", (1, 64, 14, 22), dict(kernel=(1, 1), num_filter=96)),
            ("2d_k1_32_32_odd", (1, 32, 7, 9), dict(kernel=(1, 1), num_filter=32)),
            ("2d_k3_16_32", (1, 16, 13, 15), dict(kernel=(3, 3), pad=(1, 1), num_filter=32)),
            ("2d_k3_32_48_wide", (2, 32, 17, 30), dict(kernel=(3, 3), num_filter=48)),
            ("2d_k2_p1_17_24", (2, 17, 11, 9), dict(kernel=(2, 2), pad=(1, 1), num_filter=24)),
            ("1d_k2_16_16", (1, 16, 23), dict(kernel=(2,), num_filter=16)),
            ("2d_k5_16_16", (1, 16, 12, 13), dict(kernel=(5, 5), pad=(2, 2), num_filter=16)),
            ("2d_k1x7_32_16", (1, 32, 10, 17), dict(kernel=(1, 7), pad=(0, 3), num_filter=16)),
            ("2d_k7_s2_p3", (1, 3, 20, 26), dict(kernel=(7, 7), stride=(2, 2), pad=(3, 3), num_filter=32)),
            ("2d_k11_s4_p2", (1, 3, 39, 35), dict(kernel=(11, 11), stride=(4, 4), pad=(2, 2), num_filter=16)),
            ("3d_k2", (1, 2, 4, 4, 4), dict(kernel=(2, 2, 2), num_filter=3)),
            ("3d_k3_p1_s2", (1, 2, 4, 3, 5), dict(kernel=(3, 3, 3), stride=(2, 2, 2), pad=(1, 1, 1), num_filter=2)),
            # One volume in blocks of channels, of which windows are read where they lie; and what is not.
            ("3d_k3_p1_16_16", (1, 16, 5, 4, 6), dict(kernel=(3, 3, 3), pad=(1, 1, 1), num_filter=16)),
            ("3d_k3x1x1_s2_16_24", (1, 16, 7, 3, 4), dict(kernel=(3, 1, 1), stride=(2, 1, 1), pad=(1, 0, 0), num_filter=24)),
            ("3d_k2x3x3_24_16", (1, 24, 4, 5, 5), dict(kernel=(2, 3, 3), pad=(0, 1, 1), num_filter=16)),
            ("3d_k3x1x1_d2_16_16", (1, 16, 5, 3, 4), dict(kernel=(3, 1, 1), dilate=(2, 1, 1), pad=(2, 0, 0), num_filter=16)),
            ("3d_k3_n2_16_16", (2, 16, 4, 3, 4), dict(kernel=(3, 3, 3), pad=(1, 1, 1), num_filter=16)),
            ("3d_dw_16", (1, 16, 5, 4, 4), dict(kernel=(3, 3, 3), pad=(1, 1, 1), num_group=16, num_filter=16))):
        add("Convolution", name, T(*shape), "product", **attrs)
    add("Convolution", "float64", T(1, 2, 5, 5, dtype="float64"), "product", kernel=(3, 3), num_filter=3)
    add("Convolution_v1", "k3_p1", T(1, 3, 5, 5), "product", kernel=(3, 3), pad=(1, 1), num_filter=4)

    for name, shape, attrs in (
            ("2d_k3", (1, 2, 4, 4), dict(kernel=(3, 3), num_filter=3)),
            ("2d_k4_s2_p1", (1, 3, 3, 3), dict(kernel=(4, 4), stride=(2, 2), pad=(1, 1), num_filter=2)),
            ("2d_k4_s2_p1_16_20", (1, 16, 7, 6), dict(kernel=(4, 4), stride=(2, 2), pad=(1, 1), num_filter=20)),
            ("1d_k4_s2_p1_16_8", (2, 16, 11), dict(kernel=(4,), stride=(2,), pad=(1,), num_filter=8)),
            ("2d_k3_s2_adj", (1, 2, 3, 4), dict(kernel=(3, 3), stride=(2, 2), pad=(1, 1), adj=(1, 1), num_filter=3)),
            ("2d_bias", (1, 2, 3, 3), dict(kernel=(2, 2), stride=(2, 2), no_bias=False, num_filter=4)),
            ("2d_g2", (1, 4, 3, 3), dict(kernel=(3, 3), num_group=2, num_filter=6)),
            ("2d_dw_up2", (1, 3, 3, 3), dict(kernel=(4, 4), stride=(2, 2), pad=(1, 1), num_group=3, num_filter=3)),
            ("2d_target", (1, 2, 3, 3), dict(kernel=(3, 3), stride=(2, 2), target_shape=(6, 6), num_filter=2)),
            ("1d_k3_s2", (2, 3, 5), dict(kernel=(3,), stride=(2,), num_filter=2))):
        add("Deconvolution", name, T(*shape), "product", **attrs)

    for op in ("BatchNorm", "_contrib_SyncBatchNorm", "BatchNorm_v1"):
        extra = dict(key="k") if "Sync" in op else {}
        add(op, "fixed_gamma", T(2, 3, 4, 4), "product", **extra)
        add(op, "gamma_eps", T(2, 5, 3, 2), "product", fix_gamma=False, eps=2e-5, **extra)
        add(op, "global_stats", T(1, 4, 2, 2), "product", use_global_stats=True, fix_gamma=False, **extra)
    for op in ("BatchNorm", "BatchNorm_v1"):
        add(op, "statistics", T(2, 3, 4, 4), "product", fix_gamma=False, output_mean_var=True)
    add("BatchNorm", "2d_data", T(4, 6), "product", fix_gamma=False)
    add("BatchNorm", "1d_images", T(2, 3, 5), "product", fix_gamma=False)
    add("BatchNorm", "axis_last", T(2, 3, 4, 5), "product", fix_gamma=False, axis=-1)
    add("BatchNorm", "axis2", T(2, 3, 4), "product", fix_gamma=False, axis=2)
    add("BatchNorm", "float64", T(2, 3, 2, dtype="float64"), "product", fix_gamma=False)

    for kind in ("relu", "sigmoid", "tanh", "softrelu", "softsign"):
        add("Activation", kind, T(3, 7), "function", act_type=kind)
        add("Activation", kind + "_float64", T(2, 5, dtype="float64"), "function", act_type=kind)
    add("Activation", "tanh_large", ints(-90, -9, -1e-4, 0, 1e-4, 9, 90), "function", act_type="tanh")
    add("Activation", "sigmoid_large", ints(-90, -9, -1e-4, 0, 1e-4, 9, 90), "function", act_type="sigmoid")
    add("Activation", "softrelu_large", ints(-60, -9, -1e-4, 0, 1e-4, 9, 60), "function", act_type="softrelu")
    add("LeakyReLU", "leaky", T(2, 3, 4), "function", act_type="leaky", slope=0.1)
    add("LeakyReLU", "default", T(5), "function")
    add("LeakyReLU", "elu", T(2, 9), "function", act_type="elu", slope=0.7)
    for kind in ("leaky", "elu"):
        add("LeakyReLU", kind + "_below_0", T(2, 9), "function", act_type=kind, slope=-0.5)
    add("LeakyReLU", "selu", T(2, 9), "function", act_type="selu")
    add("LeakyReLU", "gelu", T(2, 9), "function", act_type="gelu")
    add("LeakyReLU", "prelu", T(2, 4, 3, 3), "function", act_type="prelu")
    add("LeakyReLU", "prelu_shared", {"data": T(2, 4, 3), "gamma": T(1)}, "function", act_type="prelu")
    add("LeakyReLU", "prelu_of_rows", {"data": T(3, 4, 2), "gamma": T(3)}, "function", act_type="prelu")
    add("LeakyReLU", "prelu_of_elements", {"data": T(3, 4), "gamma": T(3, 4)}, "function", act_type="prelu")
    add("LeakyReLU", "prelu_of_images", {"data": T(2, 3, 4, 5), "gamma": T(2, 3)}, "function", act_type="prelu")
    add("LeakyReLU", "prelu_of_both", {"data": T(2, 3, 4), "gamma": T(2, 1)}, "function", act_type="prelu")
    add("LeakyReLU", "rrelu", T(3, 4), "function", note="the first of two outputs; MXNet leaves the second unwritten",
        graph=lambda mx: mx.sym.LeakyReLU(mx.sym.Variable("data"), act_type="rrelu", lower_bound=0.1,
                                          upper_bound=0.3, name="leakyrelu0")[0])

    for name, shape, attrs in (
            ("nchw", (2, 6, 3, 3), dict(nsize=3)),
            ("wide", (1, 7, 2, 2), dict(nsize=5, alpha=0.01, beta=0.5, knorm=1.0))):
        add("LRN", name, T(*shape), "product", **attrs)
    for mode in ("instance", "channel", "spatial"):
        add("L2Normalization", mode, T(2, 3, 4, 2), "product", mode=mode)
    add("L2Normalization", "2d", T(3, 5), "product", mode="instance", eps=1e-3)
    add("InstanceNorm", "2d", T(2, 3, 4, 5), "norm")
    add("InstanceNorm", "1d_eps", T(2, 3, 7), "norm", eps=0.01)
    add("LayerNorm", "last", T(3, 6), "product")
    add("LayerNorm", "axis1", T(2, 5, 3), "product", axis=1, eps=1e-3)
    add("LayerNorm", "3d", T(2, 3, 8), "product", axis=-1)


def pooling():
    for kind in ("max", "avg", "sum", "lp"):
        tolerance = "exact" if kind == "max" else "reduction"
        extra = dict(p_value=2) if kind == "lp" else {}
        add("Pooling", kind + "_k2_s2", T(1, 2, 6, 6), tolerance, pool_type=kind, kernel=(2, 2), stride=(2, 2), **extra)
        add("Pooling", kind + "_full", T(1, 2, 7, 6), tolerance, pool_type=kind, kernel=(3, 3), stride=(2, 2),
            pooling_convention="full", **extra)
        add("Pooling", kind + "_pad", T(1, 2, 5, 5), tolerance, pool_type=kind, kernel=(3, 3), stride=(2, 2), pad=(1, 1), **extra)
        add("Pooling", kind + "_1d", T(2, 3, 8), tolerance, pool_type=kind, kernel=(3,), stride=(2,), **extra)
        add("Pooling", kind + "_global", T(2, 3, 4, 5), tolerance, pool_type=kind, kernel=(1, 1), global_pool=True, **extra)
    for kind in ("max", "avg", "sum"):
        add("Pooling", kind + "_3d", T(1, 2, 4, 4, 4), "exact" if kind == "max" else "reduction", pool_type=kind,
            kernel=(2, 2, 2), stride=(2, 2, 2))
        add("Pooling", kind + "_3d_16", T(1, 16, 5, 4, 6), "exact" if kind == "max" else "reduction", pool_type=kind,
            kernel=(3, 3, 3), stride=(2, 2, 2), pad=(1, 1, 1))
    add("Pooling", "avg_exclude_pad", T(1, 2, 5, 5), "reduction", pool_type="avg", kernel=(3, 3), stride=(2, 2),
        pad=(1, 1), count_include_pad=False)
    add("Pooling", "avg_full_exclude_pad", T(1, 1, 6, 6), "reduction", pool_type="avg", kernel=(3, 3), stride=(2, 2),
        pad=(1, 1), pooling_convention="full", count_include_pad=False)
    add("Pooling", "avg_full_pad", T(1, 1, 6, 6), "reduction", pool_type="avg", kernel=(3, 3), stride=(2, 2),
        pad=(1, 1), pooling_convention="full")
    add("Pooling", "max_k3x2_s1", T(1, 2, 5, 4), "exact", pool_type="max", kernel=(3, 2))
    for nsize in (3, 5):
        add("LRN", "long_lanes_%d" % nsize, T(1, 5, 9, 11), "product", nsize=nsize, beta=0.75 if nsize == 3 else 0.6)
    add("dot", "blocks", [T(37, 70), T(70, 45)], "product")
    add("batch_dot", "blocks", [T(2, 33, 65), T(2, 34, 65)], "product", transpose_b=True)
    for power in (1, 3): # odd powers keep the sign
        add("Pooling", "lp%d_signs" % power, T(1, 2, 6, 5), "function", pool_type="lp", kernel=(2, 3), p_value=power)
    add("Pooling", "global_1d", T(2, 3, 6), "reduction", pool_type="avg", global_pool=True)
    add("Pooling", "float64", T(1, 2, 5, 5, dtype="float64"), "reduction", pool_type="avg", kernel=(3, 3))
    add("Pooling_v1", "max", T(1, 2, 5, 5), "exact", pool_type="max", kernel=(2, 2), stride=(2, 2))
    add("Pooling_v1", "avg_full", T(1, 2, 6, 6), "reduction", pool_type="avg", kernel=(3, 3), stride=(2, 2),
        pooling_convention="full")
    add("Pooling_v1", "avg_pad", T(1, 2, 5, 5), "reduction", pool_type="avg", kernel=(3, 3), pad=(1, 1))
    add("Pooling_v1", "sum_global", T(1, 2, 4, 4), "reduction", pool_type="sum", kernel=(2, 2), global_pool=True)
    add("Pooling_v1", "max_of_nothing", T(1, 2, 4, 6), "exact", pool_type="max", kernel=(1, 1), stride=(1, 3), pooling_convention="full")
    add("Pooling_v1", "float64", T(1, 2, 5, 5, dtype="float64"), "reduction", pool_type="avg", kernel=(3, 3), pad=(1, 1))
    add("UpSampling", "nearest2", T(1, 2, 3, 3), "exact", scale=2, sample_type="nearest", num_args=1)
    add("UpSampling", "nearest3", T(2, 1, 2, 3), "exact", scale=3, sample_type="nearest", num_args=1)
    add("UpSampling", "nearest_concat", [T(1, 2, 4, 4), T(1, 3, 2, 2)], "exact", scale=2, sample_type="nearest", num_args=2)
    add("UpSampling", "bilinear", {"data": T(1, 3, 3, 4), "weight": T(3, 1, 4, 4)}, "product", scale=2,
        sample_type="bilinear", num_filter=3, num_args=2)


def losses():
    for name, shape, attrs in (("2d", (4, 5), {}), ("multi", (2, 3, 4), dict(multi_output=True)),
                               ("preserve", (2, 3, 4), dict(preserve_shape=True)), ("4d", (2, 2, 2, 2), {}),
                               ("multi_4d", (1, 3, 2, 2), dict(multi_output=True, use_ignore=True, ignore_label=0))):
        add("SoftmaxOutput", name, T(*shape), "reduction", **attrs)
    add("SoftmaxOutput", "large", T(3, 4, kind="ints:-80,80"), "reduction")
    add("SoftmaxActivation", "instance", T(3, 6), "reduction")
    add("SoftmaxActivation", "channel", T(2, 3, 4), "reduction", mode="channel")
    for op in ("softmax", "log_softmax", "softmin"):
        add(op, "last", T(3, 7), "reduction")
        add(op, "axis1", T(2, 4, 3), "reduction", axis=1)
        add(op, "axis0", T(3, 2), "reduction", axis=0)
        add(op, "temperature", T(2, 5), "reduction", temperature=2.5)
        add(op, "float64", T(2, 5, dtype="float64"), "reduction")
        add(op, "one", T(3, 1), "reduction")
    for op in ("softmax", "log_softmax", "softmin"): # more than a vector, and a rest, either way
        add(op, "long_rows", {"data": T(3, 37)}, "reduction", axis=-1)
        add(op, "many_pixels", {"data": T(2, 11, 5, 7)}, "reduction", axis=1)
    add("SoftmaxActivation", "two_channels", {"data": T(2, 2, 9, 11)}, "reduction", mode="channel")
    add("softmax", "length", {"data": T(3, 5), "length": ints(5, 2, 3, dtype="int32")}, "reduction", use_length=True, axis=-1)
    for op in ("LinearRegressionOutput", "LogisticRegressionOutput", "MAERegressionOutput"):
        add(op, "2d", T(3, 4), "reduction")
        add(op, "1d_scaled", T(5), "reduction", grad_scale=0.5)
    add("SVMOutput", "l2", T(3, 4), "exact")
    add("SVMOutput", "l1", T(2, 5), "exact", use_linear=True, margin=0.5)
    add("MakeLoss", "plain", T(3, 4), "exact", grad_scale=2.0)
    add("make_loss", "plain", T(2, 3), "exact")
    add("BlockGrad", "plain", T(2, 3), "exact")
    add("Dropout", "predict", T(3, 4), "exact", p=0.4)
    add("_copy", "plain", T(2, 1, 3), "exact")
    add("_copy", "int32", T(4, kind="ints:-9,9", dtype="int32"), "exact")


UNARY = dict(
    abs=("exact", "normal"), arccos=("function", "unit"), arccosh=("function", "above1"), arcsin=("function", "unit"),
    arcsinh=("function", "normal"), arctan=("function", "normal"), arctanh=("function", "unit"), cbrt=("function", "normal"),
    ceil=("exact", "normal"), cos=("function", "normal"), cosh=("function", "normal"), degrees=("arithmetic", "normal"),
    erf=("function", "normal"), erfinv=("steep", "unit"), exp=("function", "normal"), expm1=("function", "normal"),
    fix=("exact", "normal"), floor=("exact", "normal"), gamma=("steep", "positive"), gammaln=("steep", "positive"),
    hard_sigmoid=("function", "normal"), log=("function", "positive"), log10=("function", "positive"),
    log1p=("function", "positive"), log2=("function", "positive"), logical_not=("exact", "zeroone"),
    negative=("exact", "normal"), radians=("arithmetic", "normal"), rcbrt=("function", "positive"),
    reciprocal=("arithmetic", "positive"), relu=("exact", "normal"), rint=("exact", "normal"), round=("exact", "normal"),
    rsqrt=("function", "positive"), sigmoid=("function", "normal"), sign=("exact", "normal"), sin=("function", "normal"),
    sinh=("function", "normal"), softsign=("function", "normal"), sqrt=("function", "positive"),
    square=("arithmetic", "normal"), tan=("steep", "unit"), tanh=("function", "normal"), trunc=("exact", "normal"))


def elementwise():
    for op, (tolerance, kind) in UNARY.items():
        add(op, "float32", T(3, 5, kind=kind), tolerance)
    for op in ("exp", "tanh", "sqrt", "log", "sigmoid", "abs", "sin", "erf"):
        add(op, "float64", T(2, 3, kind=UNARY[op][1], dtype="float64"), UNARY[op][0])
    for op in ("exp", "sqrt", "square", "relu"):
        add(op, "float16", T(7, kind="positive", dtype="float16"), "function")
    add("smooth_l1", "sigma2", T(3, 5), "function", scalar=2.0)
    halves = ints(-2.5, -1.5, -0.5, 0.5, 1.5, 2.5, 3.5)
    for op in ("rint", "round", "fix", "trunc", "ceil", "floor"):
        add(op, "halves", halves, "exact")
    add("abs", "special", ints(-np.inf, np.inf, np.nan, -0.0), "exact")
    add("relu", "special", ints(-np.inf, np.inf, -0.0, 3e38), "exact")
    add("exp", "range", ints(-104, -87.5, -1e-6, 0, 1e-6, 88, 89), "function")
    add("log", "range", ints(1e-38, 1e-10, 1, 1e10, 3e38, np.inf), "function")
    add("erfinv", "range", ints(-1, -0.9999999, -0.99, -1e-3, -0.0, 1e-30, 0.5, 0.9965, 1, 1.5, np.nan), "steep")
    along = ints(-10.3, -2.25, -1.5, -0.5, -1e-30, -0.0, 1e-30, 0.25, 0.75, 1, 1.0001, 1.5, 2, 2.0001, 2.5, 3, 7.9, 8, 20, np.inf, np.nan)
    add("gamma", "range", np.append(along, ints(-np.inf, -1, -16777216, -40.5, 34, 36)), "steep")
    add("gammaln", "range", np.append(along, ints(-1, -16777216, -4194303.5, -40.5, 0.4999999, 1e6, 1e30, 4e36, 4.1e36)), "steep")
    add("clip", "both", T(4, 4), "exact", a_min=-0.5, a_max=0.7)
    add("clip", "relu6", T(3, 5, kind="distinct"), "exact", a_min=0, a_max=6)
    for dtype in ("float16", "float64", "int32", "uint8", "int64", "int8"):
        kind = "ints:0,9" if dtype == "uint8" else "normal"
        add("Cast", "to_" + dtype, T(2, 4, kind=kind), "exact", dtype=dtype)
        add("Cast", "from_" + dtype, T(2, 4, kind="ints:0,9", dtype=dtype), "exact", dtype="float32")
    # More than a vector and its rest: what does not fit, halves, NaN, and what is rounded to half floats.
    extremes = ints(0.5, -0.5, 2.75, -2.75, 127.5, -129.5, 255.9, 256, 300, -1, 32768, 65519.9, 65520, 2049, 2051, 1e-7, 6e-8, -0.0,
                    2147483520, 2147483648, -2147483648, -2147483904, 1e18, 9.3e18, -1e19, 3e38, -np.inf, np.inf, np.nan)
    for dtype in ("float16", "float64", "int32", "uint8", "int64", "int8", "bool"):
        add("Cast", "extremes_to_" + dtype, extremes, "exact", dtype=dtype)
        if dtype != "float64":
            add("Cast", "extremes_of_float64_to_" + dtype, extremes.astype("float64"), "exact", dtype=dtype)
    for dtype in ("int32", "int64", "int8", "uint8"):
        add("Cast", "long_" + dtype, T(5, 7, kind="ints:-99,99" if dtype[0] == "i" else "ints:0,255", dtype=dtype), "exact",
            dtype="float16")

    for dtype in ("float16", "float64", "int32"):
        add("amp_cast", dtype, T(2, 3, dtype=dtype, kind="ints:-9,9"), "exact", dtype="float32")
    for name, types in (("float64_stays", ("float16", "float64", "float32")), ("float64_first", ("float64", "float16"))):
        add("amp_multicast", name, [T(2, 3, dtype=dtype, kind="ints:-9,9") for dtype in types], "exact", num_outputs=len(types))

    exact = ("_equal", "_not_equal", "_greater", "_greater_equal", "_lesser", "_lesser_equal", "_logical_and", "_logical_or",
             "_logical_xor", "_maximum", "_minimum")
    for op in exact:
        kind = "zeroone" if "logical" in op or "equal" in op else "distinct"
        add(op, "float32", [T(3, 4, kind=kind), T(3, 4, kind=kind)], "exact")
        add(op + "_scalar", "float32", T(3, 4, kind=kind), "exact", scalar=1.0 if kind == "zeroone" else 0.6)
        broadcast = "broadcast_" + op[1:]
        add(broadcast, "row", [T(3, 4, kind=kind), T(1, 4, kind=kind)], "exact")
        add(broadcast, "outer", [T(3, 1, kind=kind), T(1, 5, kind=kind)], "exact")
    for op, tolerance in (("add", "arithmetic"), ("sub", "arithmetic"), ("mul", "arithmetic"), ("div", "function")):
        add("elemwise_" + op, "float32", [T(2, 5), T(2, 5)], tolerance)
        add("elemwise_" + op, "float64", [T(2, 2, dtype="float64"), T(2, 2, dtype="float64")], tolerance)
        add("broadcast_" + op, "row", [T(3, 4), T(1, 4)], tolerance)
        add("broadcast_" + op, "column", [T(3, 1), T(3, 4)], tolerance)
        add("broadcast_" + op, "4d", [T(2, 3, 1, 2), T(1, 3, 4, 1)], tolerance)
        add("broadcast_" + op, "one", [T(1, 1), T(2, 3)], tolerance)
    add("elemwise_add", "int32", [T(5, kind="ints:-9,9", dtype="int32"), T(5, kind="ints:-9,9", dtype="int32")], "exact")
    add("elemwise_mul", "int32", [T(5, kind="ints:-9,9", dtype="int32"), T(5, kind="ints:-9,9", dtype="int32")], "exact")
    for op, kind, tolerance in (("_power", "positive", "steep"), ("_hypot", "normal", "function"), ("_mod", "positive", "function")):
        add(op, "float32", [T(3, 4, kind=kind), T(3, 4, kind=kind)], tolerance)
        add("broadcast_" + op[1:], "row", [T(3, 4, kind=kind), T(1, 4, kind=kind)], tolerance)
        add(op + "_scalar", "float32", T(3, 4, kind=kind), tolerance, scalar=1.7)
    add("_mod", "signs", [ints(7, -7, 7, -7, 5.5, -5.5), ints(3, 3, -3, -3, 2, 2)], "function")
    for op, scalar in (("_plus_scalar", 1.5), ("_minus_scalar", 0.25), ("_rminus_scalar", 2.0), ("_mul_scalar", -3.0),
                       ("_div_scalar", 1.7), ("_rdiv_scalar", 1.7)):
        add(op, "float32", T(3, 4), "function" if "div" in op else "arithmetic", scalar=scalar)
        add(op, "float64", T(2, 2, dtype="float64"), "function", scalar=scalar)
    add("_rpower_scalar", "float32", T(3, 4), "steep", scalar=1.7)
    add("_rmod_scalar", "float32", T(3, 4, kind="positive"), "function", scalar=7.3)
    for count in (1, 2, 4):
        add("add_n", "of_%d" % count, [T(2, 3) for _ in range(count)], "arithmetic")


def reductions():
    for op in ("sum", "mean", "max", "min", "prod", "nansum", "nanprod"):
        tolerance = "exact" if op in ("max", "min") else "reduction"
        kind = "distinct" if op in ("max", "min") else "positive" if "prod" in op else "normal"
        add(op, "all", T(2, 3, kind=kind), tolerance)
        add(op, "axis1", T(2, 3, 4, kind=kind), tolerance, axis=1)
        add(op, "axes_keep", T(2, 3, 4, kind=kind), tolerance, axis=(0, 2), keepdims=True)
        add(op, "exclude", T(2, 3, 4, kind=kind), tolerance, axis=1, exclude=True)
        add(op, "negative_axis", T(2, 5, kind=kind), tolerance, axis=-1)
        add(op, "float64", T(2, 5, kind=kind, dtype="float64"), tolerance, axis=1)
    nans = ints(1, np.nan, 3, np.nan, 0.5, 2).reshape(2, 3)
    add("nansum", "nans", nans, "reduction", axis=1)
    add("nanprod", "nans", nans, "reduction", axis=1)
    for name, attrs in (("all", {}), ("l1", dict(ord=1, axis=1)), ("l2_axes", dict(ord=2, axis=(0, 2), keepdims=True))):
        add("norm", name, T(2, 3, 4), "reduction", **attrs)
    for op in ("argmax", "argmin"):
        add(op, "axis1", T(3, 5, kind="distinct"), "exact", axis=1)
        add(op, "axis0_keep", T(3, 5, kind="distinct"), "exact", axis=0, keepdims=True)
        add(op, "all", T(2, 3, kind="distinct"), "exact")
    for name, a, b, attrs in (("2d", (3, 4), (4, 5), {}), ("ta", (4, 3), (4, 5), dict(transpose_a=True)),
                              ("tb", (3, 4), (5, 4), dict(transpose_b=True)), ("vectors", (6,), (6,), {}),
                              ("matrix_vector", (3, 4), (4,), {}), ("3d", (2, 3, 4), (4, 2), {}),
                              ("tatb", (4, 3), (5, 4), dict(transpose_a=True, transpose_b=True))):
        add("dot", name, [T(*a), T(*b)], "product", **attrs)
    for name, a, b, attrs in (("plain", (2, 3, 4), (2, 4, 5), {}), ("ta", (2, 4, 3), (2, 4, 5), dict(transpose_a=True)),
                              ("tb", (3, 2, 4), (3, 5, 4), dict(transpose_b=True)),
                              ("tatb", (1, 4, 3), (1, 5, 4), dict(transpose_a=True, transpose_b=True))):
        add("batch_dot", name, [T(*a), T(*b)], "product", **attrs)


def shapes():
    add("Flatten", "4d", T(2, 3, 2, 2), "exact")
    add("Flatten", "2d", T(2, 3), "exact")
    for name, shape, target in (("plain", (2, 6), (3, 4)), ("minus1", (2, 6), (-1, 3)), ("zero", (2, 3, 4), (0, -1)),
                                ("minus2", (2, 3, 4), (3, 2, -2)), ("minus3", (2, 3, 4), (-3, 4)),
                                ("minus4", (2, 6, 2), (0, -4, 2, -1, 0)), ("minus2_all", (2, 3), (-2, 1, 1))):
        add("Reshape", name, T(*shape), "exact", shape=target)
    add("Reshape", "reverse", T(8, 3, 2), "exact", shape=(-1, 0), reverse=True)
    for name, shape, axes in (("2d", (3, 4), ()), ("3d", (2, 3, 4), (2, 0, 1)), ("nhwc", (1, 3, 4, 5), (0, 2, 3, 1)),
                              ("5d", (1, 2, 3, 2, 2), (4, 2, 0, 1, 3)), ("1d", (4,), ())):
        add("transpose", name, T(*shape), "exact", axes=axes)
    add("transpose", "int32", T(2, 3, kind="ints:-9,9", dtype="int32"), "exact")
    add("SwapAxis", "0_2", T(2, 3, 4), "exact", dim1=0, dim2=2)
    add("SwapAxis", "1_3", T(2, 3, 1, 4), "exact", dim1=1, dim2=3)
    add("expand_dims", "0", T(3, 4), "exact", axis=0)
    add("expand_dims", "last", T(3, 4), "exact", axis=-1)
    add("squeeze", "all", T(1, 3, 1, 2), "exact")
    add("squeeze", "axis", T(1, 3, 1, 2), "exact", axis=2)
    add("squeeze", "axes", T(1, 3, 1, 1), "exact", axis=(0, 2))
    add("slice", "plain", T(4, 5), "exact", begin=(1, 0), end=(3, 4))
    add("slice", "steps", T(6, 7), "exact", begin=(0, 6), end=(6, 0), step=(2, -2))
    add("slice", "none", T(4, 5, 2), "exact", begin=(None, 1), end=(None, -1))
    add("slice", "negative", T(5, 4), "exact", begin=(-3, -2), end=(-1, None))
    add("slice_axis", "1", T(3, 6), "exact", axis=1, begin=2, end=5)
    add("slice_axis", "open", T(3, 6, 2), "exact", axis=-2, begin=-3, end=None)
    add("slice_like", "all", [T(4, 5), T(2, 3)], "exact")
    add("slice_like", "axes", [T(4, 5, 3), T(2, 9, 2)], "exact", axes=(0, 2))
    for name, shapes_, attrs in (("dim1", ((2, 3), (2, 2)), {}), ("dim0", ((1, 4), (3, 4), (2, 4)), dict(dim=0)),
                                 ("dim2", ((1, 2, 3), (1, 2, 1)), dict(dim=2)), ("images", ((1, 3, 2, 2), (1, 17, 2, 2)), {}),
                                 ("one", ((2, 3),), {}), ("last", ((2, 2, 2), (2, 2, 1)), dict(dim=-1))):
        add("Concat", name, [T(*shape) for shape in shapes_], "exact", num_args=len(shapes_), **attrs)
    add("SliceChannel", "axis1", T(2, 6, 2), "exact", num_outputs=3)
    add("SliceChannel", "one_part", T(2, 3), "exact", num_outputs=1)
    add("SliceChannel", "squeeze", T(2, 3, 2), "exact", num_outputs=3, squeeze_axis=True)
    add("SliceChannel", "axis2", T(1, 2, 4), "exact", num_outputs=2, axis=2)
    add("Pooling", "avg_window_outside", T(1, 3, 9, 2), "reduction", kernel=(1, 2), stride=(3, 3), pool_type="avg",
        pooling_convention="full")
    # Windows that hold padding alone.
    add("Pooling", "sum_pad_beyond", T(1, 3, 4, 5), "reduction", kernel=(2, 1), stride=(2, 1), pad=(3, 2), pool_type="sum")
    add("Pooling", "sum_3d_pad_beyond", T(1, 2, 3, 4, 3), "reduction", kernel=(1, 2, 2), stride=(1, 2, 3), pad=(1, 4, 2),
        pool_type="sum", pooling_convention="full")
    add("Pooling", "lp_pad_beyond", T(1, 17, 4, 4), "reduction", kernel=(2, 2), stride=(3, 3), pad=(5, 5), pool_type="lp",
        p_value=2)
    add("Pooling_v1", "max_pad_beyond", T(1, 2, 4, 4), "exact", pool_type="max", kernel=(2, 2), pad=(3, 2))
    add("Pooling_v1", "avg_pad_beyond", T(1, 2, 4, 4), "reduction", pool_type="avg", kernel=(2, 2), pad=(3, 2), stride=(2, 2),
        pooling_convention="full")
    add("_split_v2", "uneven", T(2, 7, 2), "exact", indices="()", sections=3)
    add("_split_v2", "parts", T(2, 7), "exact", indices="(0, 3)", axis=-1)
    add("stack", "0", [T(2, 3), T(2, 3)], "exact", axis=0, num_args=2)
    add("stack", "last", [T(2, 3), T(2, 3), T(2, 3)], "exact", axis=-1, num_args=3)
    for name, reps in (("longer", (2, 1, 2)), ("shorter", (3,)), ("same", (2, 2))):
        add("tile", name, T(2, 3), "exact", reps=reps)
    add("repeat", "flat", T(2, 3), "exact", repeats=2)
    add("repeat", "axis1", T(2, 3), "exact", repeats=3, axis=1)
    add("reverse", "0", T(3, 4), "exact", axis=0)
    add("reverse", "both", T(3, 4, 2), "exact", axis=(0, 2))
    add("broadcast_to", "row", T(1, 3), "exact", shape=(4, 3))
    add("broadcast_to", "keep", T(1, 3, 1), "exact", shape=(2, 0, 4))
    add("broadcast_axis", "one", T(1, 3, 1), "exact", axis=2, size=4)
    add("broadcast_axis", "two", T(1, 3, 1), "exact", axis=(0, 2), size=(2, 3))
    add("broadcast_like", "plain", [T(1, 3), T(4, 3)], "exact")
    add("broadcast_like", "axes", [T(1, 3, 1), T(5, 2)], "exact", lhs_axes=(0,), rhs_axes=(0,))
    add("depth_to_space", "2", T(1, 8, 2, 3), "exact", block_size=2)
    add("space_to_depth", "2", T(1, 2, 4, 6), "exact", block_size=2)
    add("Crop", "offset", T(1, 2, 6, 6), "exact", num_args=1, offset=(1, 2), h_w=(3, 4))
    add("Crop", "like", [T(1, 2, 6, 6), T(1, 1, 4, 3)], "exact", num_args=2)
    add("Crop", "center", [T(1, 2, 6, 6), T(1, 1, 4, 4)], "exact", num_args=2, center_crop=True)
    widths = (0, 0, 0, 0, 1, 2, 2, 1)
    add("Pad", "constant", T(1, 2, 3, 4), "exact", mode="constant", constant_value=1.5, pad_width=widths)
    add("Pad", "edge", T(1, 2, 3, 4), "exact", mode="edge", pad_width=widths)
    add("Pad", "reflect", T(1, 2, 3, 4), "exact", mode="reflect", pad_width=widths)
    add("Pad", "constant_5d", T(1, 1, 2, 2, 2), "exact", mode="constant", pad_width=(0, 0, 0, 0, 1, 0, 0, 1, 1, 1))


def indices():
    add("Embedding", "1d", {"data": ints(0, 3, 2, 3)}, "exact", input_dim=4, output_dim=3)
    add("Embedding", "2d_int32", {"data": ints(0, 4, 1, 2, 2, 3, dtype="int32").reshape(2, 3)}, "exact", input_dim=5, output_dim=2)
    add("Embedding", "clipped", {"data": ints(-1, 0, 9)}, "exact", input_dim=4, output_dim=2)
    add("take", "axis0", [T(4, 3), ints(3, 0, 1)], "exact")
    add("take", "axis1_wrap", [T(2, 5), ints(-1, 6, 2)], "exact", axis=1, mode="wrap")
    add("take", "clip", [T(4, 2), ints(-3, 9, 1).reshape(1, 3)], "exact", mode="clip")
    add("pick", "last", [T(3, 4), ints(0, 3, 2)], "exact")
    add("pick", "axis0_keep", [T(3, 4), ints(0, 2, 1, 1)], "exact", axis=0, keepdims=True)
    add("pick", "clip", [T(2, 3), ints(-1, 7)], "exact", axis=1)
    add("one_hot", "plain", ints(0, 2, 1, 3), "exact", depth=4)
    add("one_hot", "values", ints(1, 0, 5).reshape(3, 1), "exact", depth=3, on_value=2.0, off_value=-1.0)
    add("one_hot", "int32", ints(1, 0), "exact", depth=3, dtype="int32")
    add("where", "same", [T(2, 4, kind="zeroone"), T(2, 4), T(2, 4)], "exact")
    add("where", "rows", [T(3, kind="zeroone"), T(3, 2), T(3, 2)], "exact")
    for dtype in ("float64", "float16", "int32", "uint8"):
        add("where", "rows_" + dtype, [T(5, kind="zeroone", dtype=dtype), T(5, 3, 7), T(5, 3, 7)], "exact")
        add("where", "same_" + dtype, [T(5, 7, kind="zeroone", dtype=dtype), T(5, 7), T(5, 7)], "exact")
    add("zeros_like", "plain", T(2, 3), "exact")
    add("ones_like", "plain", T(2, 3), "exact")
    for op in ("_zeros", "_ones"):
        add(op, "plain", {}, "exact", shape=(2, 3))
        add(op, "int32", {}, "exact", shape=(4,), dtype="int32")
    add("_full", "plain", {}, "exact", shape=(2, 2), value=1.5)
    add("_arange", "stop", {}, "arithmetic", start=0, stop=5)
    add("_arange", "step_repeat", {}, "arithmetic", start=1, stop=3, step=0.5, repeat=2)
    for dtype in ("float16", "float64", "int32", "int64", "uint8", "int8"):
        add("one_hot", "index_" + dtype, ints(0, 2, 11, 12, 13, 200 if dtype == "uint8" else -1, 7, 3, 5, dtype=dtype), "exact", depth=13)
        add("one_hot", "long_" + dtype, ints(1, 0, 5.9, -0.5, 3e9, -3e9), "exact", depth=19, on_value=3, off_value=1, dtype=dtype)
        add("_arange", "long_" + dtype, {}, "exact", start=3, stop=103, step=4, dtype=dtype)
    add("_arange", "fractions", {}, "exact", start=-1.3, stop=2.9, step=0.1)
    add("_arange", "halves", {}, "exact", start=-1.3, stop=2.9, step=0.1, dtype="float16")
    add("_contrib_arange_like", "whole", T(3, 7), "exact", start=0.3, step=0.1)
    add("_contrib_arange_like", "halves", T(3, 7, dtype="float16"), "exact", start=0.3, step=0.1)
    add("_contrib_arange_like", "float16", T(3, 19, dtype="float16"), "exact", axis=1, start=2)
    add("_arange", "down", {}, "arithmetic", start=5, stop=1, step=-1.5)
    for op in ("SequenceMask", "SequenceLast", "SequenceReverse"):
        add(op, "whole", {"data": T(4, 2, 3)}, "exact")
        add(op, "lengths", {"data": T(4, 2, 3), "lengths": ints(2, 4)}, "exact", use_sequence_length=True)
    for dtype in ("float16", "float64", "int32", "int64", "uint8"):
        lengths = ints(1, 3, 5, 0, 9, *(() if dtype[0] != "f" else (2.9,)), dtype=dtype)
        for shape in ((5, len(lengths)), (5, len(lengths), 11)):
            rank = "_%dd" % len(shape)
            add("SequenceMask", "of_" + dtype + rank, {"data": T(*shape), "lengths": lengths}, "exact", use_sequence_length=True, value=2)
            data = T(len(lengths), 13, *shape[2:], kind="ints:0,99", dtype=dtype)
            add("SequenceMask", "data_" + dtype + rank, {"data": data, "lengths": lengths.astype("float32")}, "exact",
                use_sequence_length=True, value=7, axis=1)
    add("SequenceMask", "value_axis1", {"data": T(2, 4, 3), "lengths": ints(1, 3)}, "exact", use_sequence_length=True,
        value=-7, axis=1)
    add("SequenceLast", "axis1", {"data": T(2, 4, 3), "lengths": ints(1, 3)}, "exact", use_sequence_length=True, axis=1)


def chains():
    """Small graphs of several operators, where fusion and planning have work."""
    def mlp(mx):
        x = mx.sym.FullyConnected(mx.sym.Variable("data"), num_hidden=8, name="fc1")
        x = mx.sym.Activation(x, act_type="relu", name="relu1")
        return mx.sym.SoftmaxOutput(mx.sym.FullyConnected(x, num_hidden=3, name="fc2"), name="softmax")

    def residual(mx):
        data = mx.sym.Variable("data")
        x = mx.sym.Convolution(data, kernel=(3, 3), pad=(1, 1), num_filter=4, no_bias=True, name="conv1")
        x = mx.sym.Activation(mx.sym.BatchNorm(x, fix_gamma=False, name="bn1"), act_type="relu")
        x = mx.sym.Convolution(x, kernel=(3, 3), pad=(1, 1), num_filter=4, name="conv2")
        return mx.sym.Activation(x + data, act_type="relu", name="out")

    def inception(mx):
        data = mx.sym.Variable("data")
        a = mx.sym.Convolution(data, kernel=(1, 1), num_filter=3, name="a")
        b = mx.sym.Convolution(data, kernel=(3, 3), pad=(1, 1), num_filter=5, name="b")
        c = mx.sym.Pooling(data, kernel=(3, 3), stride=(1, 1), pad=(1, 1), pool_type="max", name="c")
        return mx.sym.Concat(a, mx.sym.Activation(b, act_type="tanh"), c, name="joined")

    def two_heads(mx):
        x = mx.sym.Convolution(mx.sym.Variable("data"), kernel=(3, 3), num_filter=4, name="conv")
        x = mx.sym.LeakyReLU(x, act_type="prelu", name="prelu")
        return mx.sym.Group([mx.sym.softmax(mx.sym.Flatten(x), name="one"), mx.sym.sum(x, axis=(2, 3), name="two")])

    def separable(mx):
        x = mx.sym.Convolution(mx.sym.Variable("data"), kernel=(3, 3), pad=(1, 1), num_group=4, num_filter=4,
                               no_bias=True, name="dw")
        x = mx.sym.clip(mx.sym.BatchNorm(x, fix_gamma=False, name="bn"), a_min=0, a_max=6)
        return mx.sym.Convolution(x, kernel=(1, 1), num_filter=6, name="pw")

    def shared_weight(mx):
        weight = mx.sym.Variable("w")
        x = mx.sym.FullyConnected(mx.sym.Variable("data"), weight=weight, num_hidden=5, no_bias=True, name="f1")
        return mx.sym.FullyConnected(mx.sym.tanh(x), weight=weight, num_hidden=5, no_bias=True, name="f2")

    def computed_layer(mx):
        """A layer whose weight another layer computes."""
        data = mx.sym.Variable("data")
        weight = mx.sym.Reshape(mx.sym.FullyConnected(mx.sym.sum(data, axis=0, keepdims=True), num_hidden=24, name="maker"), shape=(4, 6))
        return mx.sym.tanh(mx.sym.FullyConnected(data, weight=weight, num_hidden=4, name="made"))

    def attention(mx):
        query, key = mx.sym.Variable("data"), mx.sym.Variable("key")
        scores = mx.sym.softmax(mx.sym.batch_dot(query, key, transpose_b=True) * 0.5)
        return mx.sym.batch_dot(scores, key, name="mixed")

    def normalise(mx):
        data = mx.sym.Variable("data")
        centred = mx.sym.broadcast_sub(data, mx.sym.mean(data, axis=1, keepdims=True))
        return mx.sym.broadcast_div(centred, mx.sym.sqrt(mx.sym.mean(mx.sym.square(centred), axis=1, keepdims=True) + 0.01))

    def transition(mx):
        data = mx.sym.Variable("data")
        x = mx.sym.Convolution(data, kernel=(1, 1), num_filter=6, name="mix")
        x = mx.sym.Pooling(x, kernel=(2, 2), stride=(2, 2), pool_type="avg", name="down")
        y = mx.sym.Pooling(data, kernel=(3, 3), pad=(1, 1), pool_type="avg", name="around")
        y = mx.sym.Activation(mx.sym.Convolution(y, kernel=(1, 1), num_filter=2, name="narrow"), act_type="relu",
                              name="relu")
        return mx.sym.Group([x, y])

    def instance_norms(mx):
        x = mx.sym.Convolution(mx.sym.Variable("data"), kernel=(3, 3), pad=(1, 1), num_filter=20, name="conv1")
        y = mx.sym.InstanceNorm(mx.sym.tanh(x, name="bent"), name="norm1")
        y = mx.sym.Activation(mx.sym.elemwise_add(y, x, name="sum"), act_type="relu", name="relu")
        y = mx.sym.Convolution(y, kernel=(3, 3), pad=(1, 1), num_filter=18, name="conv2")
        return mx.sym.Convolution(mx.sym.L2Normalization(y, mode="spatial", name="norm2"), kernel=(1, 1), num_filter=3, name="conv3")

    def volumes(mx):
        def conv(x, depth, size, name, stride=1):
            kernel, pad = (depth, size, size), (depth // 2, size // 2, size // 2)
            return mx.sym.Convolution(x, kernel=kernel, pad=pad, stride=(stride, 1, 1), num_filter=16, name=name)
        x = mx.sym.Activation(conv(mx.sym.Variable("data"), 1, 3, "image"), act_type="relu")
        x = mx.sym.Activation(conv(x, 3, 1, "time") + x, act_type="relu")
        return mx.sym.Concat(conv(x, 5, 1, "lateral", 2), conv(x, 3, 3, "volume", 2), dim=1)

    for graph, inputs in ((mlp, T(2, 6)), (residual, T(1, 4, 5, 5)), (inception, T(1, 4, 4, 4)), (two_heads, T(1, 2, 4, 4)),
                          (computed_layer, T(5, 6)), (separable, T(1, 4, 5, 5)), (shared_weight, T(2, 5)), (normalise, T(3, 6)),
                          (transition, T(1, 4, 6, 6)), (instance_norms, T(2, 3, 9, 11)),
                          (volumes, T(1, 3, 6, 5, 7))):
        add("_chains", graph.__name__, {"data": inputs}, "product", graph=graph)
    add("_chains", "attention", {"data": T(2, 3, 4), "key": T(2, 5, 4)}, "product", graph=attention)


def empty_windows():
    """Poolings whose last windows hold no pixel, behind layers that are computed before or after them."""
    def pooled(mx, x, name, rank=2, stride=3, convention="full", **attrs):
        return mx.sym.Pooling(x, kernel=(2,) * rank, stride=(stride,) * rank, pooling_convention=convention, name=name,
                              **{"pool_type": "avg", **attrs})

    def mixed(mx):
        x = mx.sym.Convolution(mx.sym.Variable("data"), kernel=(1, 1), num_filter=2, name="mix")
        return pooled(mx, x, "beside")

    def normalised(mx):
        x = mx.sym.Convolution(mx.sym.Variable("data"), kernel=(1, 1), num_filter=5, no_bias=True, name="mix")
        return pooled(mx, mx.sym.BatchNorm(x, fix_gamma=False, name="norm"), "beside")

    def without_padding(mx):
        x = mx.sym.Convolution(mx.sym.Variable("data"), kernel=(1, 1), num_filter=5, name="mix")
        return pooled(mx, x, "beside", stride=4, pad=(1, 1), count_include_pad=False)

    def line(mx):
        x = mx.sym.Convolution(mx.sym.Variable("data"), kernel=(1,), num_filter=5, name="mix")
        return pooled(mx, x, "beside", rank=1)

    def volume(mx):
        x = mx.sym.Convolution(mx.sym.Variable("data"), kernel=(1, 1, 1), num_filter=5, name="mix")
        return pooled(mx, x, "beside", rank=3)

    def others(mx):
        x = mx.sym.Convolution(mx.sym.Variable("data"), kernel=(1, 1), num_filter=4, name="mix")
        # The maximum of nothing is the least number of the type.
        return mx.sym.Group([mx.sym.clip(pooled(mx, x, kind, pool_type=kind), a_min=-20, a_max=20) for kind in ("sum", "max")])

    def cut(mx):
        """Here last windows hold a pixel."""
        x = mx.sym.Convolution(mx.sym.Variable("data"), kernel=(1, 1), num_filter=6, name="mix")
        return pooled(mx, x, "down", stride=2)

    for graph, inputs in ((mixed, T(1, 3, 9, 9)), (normalised, T(2, 4, 6, 9)), (without_padding, T(1, 3, 5, 9)),
                          (line, T(2, 3, 9)), (volume, T(1, 3, 6, 6, 6)), (others, T(1, 2, 6, 6)), (cut, T(1, 4, 7, 7))):
        add("_chains", "empty_windows_" + graph.__name__, {"data": inputs}, "product", graph=graph)


def repeats():
    """One value as several operands of a node, which is computed where one of them ends up."""
    def layer(mx, filters, name="conv", data=None):
        data = mx.sym.Variable("data") if data is None else data
        return mx.sym.Convolution(data, kernel=(3, 3), pad=(1, 1), num_filter=filters, name=name)

    def behind(mx, x):
        return mx.sym.Convolution(x, kernel=(3, 3), pad=(1, 1), num_filter=4, name="behind")

    def concat_last(mx):
        x = layer(mx, 8)
        return mx.sym.Concat(x, x, name="joined")

    def concat_thrice(mx):
        x = mx.sym.relu(mx.sym.Variable("data"), name="bent")
        return behind(mx, mx.sym.Concat(x, x, x, name="joined"))

    def concat_passed(mx):
        x = layer(mx, 20)
        parts = [x, mx.sym.identity(x), mx.sym.BlockGrad(x), mx.sym.Dropout(x)]
        return behind(mx, mx.sym.Concat(*parts, name="joined"))

    def concat_equal(mx):
        data = mx.sym.Variable("data")
        return behind(mx, mx.sym.Concat(mx.sym.tanh(data, name="one"), mx.sym.tanh(data, name="two"), name="joined"))

    def concat_nested(mx):
        data = mx.sym.Variable("data")
        x, y = layer(mx, 16, data=data), layer(mx, 8, "other", data)
        inner = mx.sym.Concat(x, y, x, name="inner")
        outer = mx.sym.Concat(inner, x, inner, y, name="outer")
        return mx.sym.Group([behind(mx, outer), x, outer])

    def concat_parts(mx):
        x = layer(mx, 24)
        first = mx.sym.slice_axis(x, axis=1, begin=0, end=16)
        return behind(mx, mx.sym.Concat(x, first, mx.sym.slice_axis(x, axis=1, begin=5, end=13), first, name="joined"))

    def concat_images(mx):
        x = layer(mx, 16)
        return behind(mx, mx.sym.Concat(x, x, dim=0, name="joined"))

    def pixels_between(mx):
        """Images between each other, one computed from another."""
        x = layer(mx, 16)
        y = mx.sym.Convolution(x, kernel=(1, 1), num_filter=16, name="next")
        return behind(mx, mx.sym.depth_to_space(mx.sym.Concat(x, y, x + y, mx.sym.relu(y)), block_size=2))

    def sums(mx):
        data = mx.sym.Variable("data")
        x = layer(mx, 12, data=data)
        y = mx.sym.add_n(x, x, x)
        return mx.sym.Group([mx.sym.elemwise_add(y, y), mx.sym.elemwise_mul(layer(mx, 12, "other", data), y) + y, x, x])

    for graph, inputs in ((concat_last, T(2, 3, 5, 4)), (concat_thrice, T(1, 8, 6, 5)), (concat_passed, T(2, 3, 4, 5)),
                          (concat_equal, T(1, 8, 5, 5)), (concat_nested, T(2, 3, 4, 4)), (concat_parts, T(2, 3, 4, 4)),
                          (concat_images, T(2, 3, 4, 5)), (pixels_between, T(2, 3, 4, 4)), (sums, T(1, 3, 4, 5))):
        add("_chains", "repeats_" + graph.__name__, {"data": inputs}, "product", graph=graph)


def all_cases():
    if not cases:
        for family in (layers, pooling, losses, elementwise, reductions, shapes, indices, chains, empty_windows, repeats,
                       *conformance_tensor_cases.FAMILIES, *conformance_numpy_cases.FAMILIES,
                       *conformance_edit_cases.FAMILIES, *conformance_lone_cases.FAMILIES):
            family()
        conformance_detection.add_all(add, T)
        conformance_graphs.families(add, T)
    return cases
