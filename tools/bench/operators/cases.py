"""The one-operator graphs that compare_operators times: about a million elements each.

CASES maps an operator, or one with the name of a further case behind a colon, to a function of a Drawing (graph_fuzz.drawing), which puts its one node on variables.
Operators without a case stand in graph_fuzz.explained.NOT_DRAWN, or in NOT_TIMED with the reason.
"""
import numpy as np

import conformance_detection as boxes_of
import numpy_cases
from conformance_cases import UNARY

CASES = dict(numpy_cases.CASES)
NOT_TIMED = {
    "shape_array": "its result is a constant", "size_array": "its result is a constant",
    "_foreach": "its time is that of its body", "_while_loop": "its time is that of its body",
    "_cond": "its time is that of its body",
    "_sg_mkldnn_conv": "made by MXNet's oneDNN backend: the time is that of Convolution",
    "_sg_mkldnn_fully_connected": "made by MXNet's oneDNN backend: the time is that of FullyConnected",
    "multi_lars": "works on one number a layer", "amp_multicast": "oneDNN's copy of MXNet refuses it",
}
FLAT, IMAGE = (1024, 1024), (4, 64, 64, 64)
rng = np.random.default_rng(5)


def case(*operators):
    def register(function):
        for operator in operators:
            CASES[operator] = function
        return function
    return register


def f32(*shape, kind="normal"):
    if kind == "positive":
        return rng.uniform(0.2, 3, shape).astype("float32")
    if kind == "unit":
        return rng.uniform(-0.9, 0.9, shape).astype("float32")
    if kind == "above1":
        return rng.uniform(1.1, 4, shape).astype("float32")
    return rng.standard_normal(shape, dtype=np.float32)


def ints(high, *shape, low=0, dtype="float32"):
    return rng.integers(low, high, shape).astype(dtype)


def put(*arrays_, **attrs):
    """A case of a node on given arrays; functions are called first."""
    def draw(g, op):
        arrays = [array() if callable(array) else array for array in arrays_]
        g.node(op, *(g.variable(array) for array in arrays), mutable=False, **attrs)
    return draw


def named(attrs, **arrays):
    return lambda g, op: g.node(op, named={k: g.variable(v(), "weight" in k) for k, v in arrays.items()}, mutable=False, **attrs)


flat = lambda: f32(*FLAT)
image = lambda: f32(*IMAGE)

for _op, (_, _kind) in UNARY.items():
    case(_op)(put(lambda kind=_kind: ints(2, *FLAT) if kind == "zeroone" else f32(*FLAT, kind=kind)))
case("_copy", "BlockGrad", "make_loss", "zeros_like", "ones_like", "_contrib_round_ste", "_contrib_sign_ste",
     "_contrib_div_sqrt_dim", "MakeLoss", "Flatten", "all_finite", "multi_all_finite", "softmax", "log_softmax", "softmin",
     "SoftmaxActivation", "IdentityAttachKLSparseReg", "SoftmaxOutput", "LinearRegressionOutput", "LogisticRegressionOutput",
     "MAERegressionOutput", "SVMOutput", "add_n", "LayerNorm", "sort", "argsort", "argmax_channel", "transpose", "Dropout",
     "_contrib_arange_like", "_contrib_index_array", "khatri_rao")(put(flat))
case("softmax:length")(put(flat, lambda: ints(1025, 1024, low=1, dtype="int32"), use_length=True))
case("cast_storage")(put(flat, stype="default"))
case("smooth_l1")(put(flat, scalar=1.0))
case("_contrib_quadratic")(put(flat, a=1.0, b=2.0, c=3.0))
case("_contrib_gradientmultiplier")(put(flat, scalar=0.5))
case("clip")(put(flat, a_min=-1, a_max=1))
case("Cast", "amp_cast")(put(flat, dtype="float16"))
case("multi_sum_sq")(put(flat, flat, num_arrays=2))
COMPARE = ("equal", "not_equal", "greater", "greater_equal", "lesser", "lesser_equal", "logical_and", "logical_or", "logical_xor",
           "maximum", "minimum", "hypot", "mod", "power")
positive = lambda: f32(*FLAT, kind="positive")
case("elemwise_add", "elemwise_sub", "elemwise_mul", "elemwise_div", "_grad_add", "_scatter_elemwise_div",
     "_identity_with_attr_like_rhs", "reshape_like", "slice_like", "broadcast_like",
     *("_" + name for name in COMPARE))(put(positive, positive))
case(*("broadcast_" + name for name in ("add", "sub", "mul", "div") + COMPARE))(put(positive, lambda: f32(1024, kind="positive").reshape(1, 1024)))
case(*("_%s_scalar" % name for name in COMPARE + ("plus", "minus", "rminus", "mul", "div", "rdiv", "rmod", "rpower")),
     "_scatter_plus_scalar", "_scatter_minus_scalar")(put(positive, scalar=1.5))
case("sum", "mean", "max", "min", "prod", "nansum", "nanprod", "norm", "argmax", "argmin")(put(positive, axis=1))
case("sum:columns", "mean:columns", "max:columns", "norm:columns", "argmax:columns")(put(positive, axis=0))
case("sum:image", "mean:image", "max:image", "norm:image")(put(image, axis=(2, 3)))
case("sum:all", "mean:all", "max:all", "norm:all")(put(positive))
case("moments")(put(flat, axes=(1,)))
case("_np_cumsum")(put(flat, axis=1))
case("topk")(put(flat, k=10))
case("softmax_cross_entropy")(put(flat, lambda: ints(1024, 1024)))

# Moved data.
case("Reshape")(put(flat, shape=(512, -1)))
case("SwapAxis")(put(image, dim1=1, dim2=3))
case("expand_dims", "reverse", "stack")(put(flat, axis=0))
case("squeeze")(put(lambda: f32(1, 1024, 1024)))
case("slice")(put(flat, begin=(3, 5), end=(1000, 1020)))
case("slice_axis")(put(flat, axis=1, begin=1, end=1000))
case("_slice_assign")(put(flat, lambda: f32(512, 512), begin=(3, 5), end=(515, 517)))
case("_slice_assign_scalar")(put(flat, scalar=1.0, begin=(3, 5), end=(515, 517)))
case("Concat")(put(lambda: f32(512, 1024), lambda: f32(512, 1024), dim=1))
case("_rnn_param_concat")(put(lambda: f32(1 << 19), lambda: f32(1 << 19), dim=0, num_args=2))
case("SliceChannel")(put(flat, num_outputs=4))
case("_split_v2")(put(flat, indices=(), axis=1, sections=4))
case("tile")(put(lambda: f32(512, 512), reps=(2, 2)))
case("repeat")(put(lambda: f32(512, 1024), repeats=2, axis=1))
case("broadcast_to")(put(lambda: f32(1, 1024), shape=FLAT))
case("broadcast_axis")(put(lambda: f32(1024, 1), axis=1, size=1024))
case("depth_to_space", "space_to_depth")(put(image, block_size=2))
case("Pad")(put(image, mode="reflect", pad_width=(0, 0, 0, 0, 1, 1, 2, 2)))
case("Crop")(put(image, num_args=1, offset=(2, 3), h_w=(50, 60)))
case("diag")(put(lambda: f32(64, 128, 128), axis1=1, axis2=2))
case("where")(put(lambda: ints(2, *FLAT), flat, flat))
case("take")(put(flat, lambda: ints(1024, 1024)))
case("batch_take")(put(lambda: f32(1 << 17, 8), lambda: ints(8, 1 << 17, dtype="int32")))
case("pick")(put(lambda: f32(1 << 17, 8), lambda: ints(8, 1 << 17)))
case("one_hot")(put(lambda: ints(64, 1 << 14), depth=64))
case("Embedding")(put(lambda: ints(5000, 8192), input_dim=5000, output_dim=128))
case("gather_nd")(put(flat, lambda: ints(1024, 2, 1 << 20)))
case("scatter_nd")(put(lambda: f32(1024, 512), lambda: rng.permutation(1024).reshape(1, -1).astype("float32"), shape=(1024, 512)))
case("_contrib_index_copy")(put(flat, lambda: ints(1024, 512, dtype="int32"), lambda: f32(512, 1024)))
case("_ravel_multi_index")(put(lambda: ints(1000, 2, 1 << 19), shape=(1000, 1000)))
case("_unravel_index")(put(lambda: ints(1000000, 1 << 20), shape=(1000, 1000)))
case("_histogram")(put(flat, bin_cnt=10, range=(-3.0, 3.0)))
case("SequenceMask", "SequenceLast", "SequenceReverse")(put(lambda: f32(128, 64, 128), lambda: ints(129, 64, low=1), use_sequence_length=True))
case("_zeros", "_ones")(put(shape=FLAT))
case("_full")(put(shape=FLAT, value=2.5))
case("_eye")(put(N=1024))
case("_arange")(put(start=0, stop=1 << 20))
case("_linspace")(put(start=0, stop=1, num=1 << 20))

# Layers.
case("Activation")(put(flat, act_type="tanh"))
case("LeakyReLU")(put(image, act_type="prelu"))
case("Convolution", "Convolution_v1")(put(lambda: f32(1, 64, 56, 56), kernel=(3, 3), pad=(1, 1), num_filter=64))
VOLUME, LINE = (1, 32, 8, 56, 56), (4, 64, 4096)
for _name, _shape, _attrs in (
        ("3x3x3", VOLUME, dict(kernel=(3, 3, 3), pad=(1, 1, 1), num_filter=32)),
        ("1x3x3", VOLUME, dict(kernel=(1, 3, 3), pad=(0, 1, 1), num_filter=32)),
        ("3x1x1", VOLUME, dict(kernel=(3, 1, 1), pad=(1, 0, 0), num_filter=32)),
        ("line of 3", LINE, dict(kernel=(3,), pad=(1,), num_filter=64)),
        ("groups of 4", (1, 128, 56, 56), dict(kernel=(3, 3), pad=(1, 1), num_group=32, num_filter=128)),
        ("groups of 8", (1, 256, 56, 56), dict(kernel=(3, 3), pad=(1, 1), num_group=32, num_filter=256)),
        ("groups of 32", (1, 256, 56, 56), dict(kernel=(3, 3), pad=(1, 1), num_group=8, num_filter=256)),
        ("depthwise", (1, 256, 56, 56), dict(kernel=(3, 3), pad=(1, 1), num_group=256, num_filter=256)),
        ("multiplier 2", (1, 128, 56, 56), dict(kernel=(3, 3), pad=(1, 1), num_group=128, num_filter=256)),
        ("depthwise volume", VOLUME, dict(kernel=(3, 3, 3), pad=(1, 1, 1), num_group=32, num_filter=32)),
        ("dilation 2", (1, 64, 56, 56), dict(kernel=(3, 3), pad=(2, 2), dilate=(2, 2), num_filter=64))):
    case("Convolution:" + _name)(put(lambda shape=_shape: f32(*shape), **_attrs))
for _name, _shape, _attrs in (
        ("volume", (1, 32, 4, 28, 28), dict(kernel=(4, 4, 4), stride=(2, 2, 2), pad=(1, 1, 1), num_filter=16)),
        ("line", (4, 64, 2048), dict(kernel=(4,), stride=(2,), pad=(1,), num_filter=32)),
        ("depthwise", (1, 64, 64, 64), dict(kernel=(4, 4), stride=(2, 2), pad=(1, 1), num_group=64, num_filter=64))):
    case("Deconvolution:" + _name)(put(lambda shape=_shape: f32(*shape), **_attrs))
case("Deconvolution")(put(lambda: f32(1, 64, 28, 28), kernel=(4, 4), stride=(2, 2), pad=(1, 1), num_filter=32))
case("_contrib_DeformableConvolution")(put(lambda: f32(1, 32, 56, 56), lambda: f32(1, 18, 56, 56), kernel=(3, 3), pad=(1, 1), num_filter=32))
case("_contrib_ModulatedDeformableConvolution")(put(lambda: f32(1, 32, 56, 56), lambda: f32(1, 18, 56, 56), lambda: f32(1, 9, 56, 56),
                                                    kernel=(3, 3), pad=(1, 1), num_filter=32))
case("Pooling", "Pooling_v1")(put(image, kernel=(3, 3), stride=(2, 2), pad=(1, 1), pool_type="max"))
for _name, _shape, _attrs in (
        ("avg", IMAGE, dict(kernel=(3, 3), stride=(2, 2), pad=(1, 1), pool_type="avg")),
        ("global avg", IMAGE, dict(kernel=(1, 1), global_pool=True, pool_type="avg")),
        ("max of volumes", VOLUME, dict(kernel=(3, 3, 3), stride=(2, 2, 2), pad=(1, 1, 1), pool_type="max")),
        ("avg of volumes", VOLUME, dict(kernel=(2, 2, 2), stride=(2, 2, 2), pool_type="avg")),
        ("max of lines", LINE, dict(kernel=(3,), stride=(2,), pad=(1,), pool_type="max"))):
    case("Pooling:" + _name)(put(lambda shape=_shape: f32(*shape), **_attrs))
case("FullyConnected")(put(lambda: f32(64, 1024), num_hidden=1024))
case("BatchNorm", "BatchNorm_v1", "InstanceNorm", "L2Normalization")(put(image))
case("_contrib_SyncBatchNorm")(put(image, key="k"))
case("_contrib_BatchNormWithReLU")(put(image, fix_gamma=False))
case("GroupNorm")(put(image, num_groups=8))
case("LRN")(put(image, nsize=5))
case("UpSampling")(put(lambda: f32(1, 64, 64, 64), scale=2, sample_type="nearest", num_args=1))
case("_contrib_AdaptiveAvgPooling2D")(put(image, output_size=(7, 7)))
case("_contrib_BilinearResize2D")(put(lambda: f32(1, 64, 64, 64), height=128, width=128))
case("CTCLoss")(put(lambda: f32(128, 64, 128), lambda: ints(128, 64, 20, low=1)))


@case("RNN")
def rnn(g, op):
    size, gates = 256, 4
    g.node(op, named=dict(data=g.variable(f32(32, 8, size)), parameters=g.variable(f32((2 * size + 2) * size * gates) * np.float32(0.03), True),
                          state=g.variable(f32(1, 8, size)), state_cell=g.variable(f32(1, 8, size))),
           mode="lstm", state_size=size, num_layers=1, mutable=False)


# Products and linear algebra.
square = lambda: f32(512, 512)
case("dot", "_linalg_gemm2")(put(square, square))
case("_linalg_gemm")(put(square, square, square))
case("batch_dot")(put(lambda: f32(16, 256, 256), lambda: f32(16, 256, 256)))
case("_linalg_syrk")(put(square))


def definite():
    half = f32(64, 128, 128)
    return (half @ half.transpose(0, 2, 1) + 128 * np.eye(128, dtype="float32")).astype("float32")


lower = lambda: np.linalg.cholesky(definite()).astype("float32")
case("_linalg_potrf", "_linalg_inverse", "_linalg_sumlogdiag", "_linalg_slogdet", "_linalg_gelqf", "_linalg_syevd",
     "_linalg_extractdiag", "_linalg_extracttrian")(put(definite))
case("_linalg_det")(put(lambda: definite() / 128))
case("_linalg_potri")(put(lower))
case("_linalg_trmm", "_linalg_trsm")(put(lower, lambda: f32(64, 128, 128)))
case("_linalg_makediag")(put(lambda: f32(64, 128)))
case("_linalg_maketrian")(put(lambda: f32(64, 128 * 129 // 2)))
case("_contrib_interleaved_matmul_selfatt_qk")(put(lambda: f32(128, 4, 12 * 64 * 3), heads=12))
case("_contrib_interleaved_matmul_selfatt_valatt")(put(lambda: f32(128, 4, 12 * 64 * 3), lambda: f32(48, 128, 128), heads=12))
case("_contrib_interleaved_matmul_encdec_qk")(put(lambda: f32(128, 4, 768), lambda: f32(128, 4, 1536), heads=12))
case("_contrib_interleaved_matmul_encdec_valatt")(put(lambda: f32(128, 4, 1536), lambda: f32(48, 128, 128), heads=12))
case("im2col")(put(lambda: f32(1, 64, 56, 56), kernel=(3, 3), pad=(1, 1)))
case("col2im")(put(lambda: f32(1, 64 * 9, 56 * 56), output_size=(56, 56), kernel=(3, 3), pad=(1, 1)))

# Images, regions, boxes.
ROIS = lambda: boxes_of.regions(3, 64, 4, 40)
case("ROIPooling")(put(image, ROIS, pooled_size=(7, 7), spatial_scale=1.0))
case("_contrib_ROIAlign")(put(image, ROIS, pooled_size=(7, 7), spatial_scale=1.0, sample_ratio=2))
case("_contrib_RROIAlign")(put(image, lambda: boxes_of.regions(3, 64, 4, 40, rotated=True), pooled_size=(7, 7), spatial_scale=1.0, sampling_ratio=2))
case("_contrib_PSROIPooling")(put(lambda: f32(4, 8 * 49, 32, 32), lambda: boxes_of.regions(3, 64, 4, 30), output_dim=8, pooled_size=7, spatial_scale=1.0))
case("_contrib_DeformablePSROIPooling")(put(lambda: f32(4, 8 * 49, 32, 32), lambda: boxes_of.regions(3, 64, 4, 30), output_dim=8, pooled_size=7,
                                            group_size=7, spatial_scale=1.0, no_trans=True, sample_per_part=2))
case("Correlation")(put(lambda: f32(1, 32, 64, 64), lambda: f32(1, 32, 64, 64), max_displacement=4, pad_size=4))
case("GridGenerator")(put(lambda: f32(8, 6), transform_type="affine", target_shape=(256, 256)))
case("BilinearSampler")(put(image, lambda: f32(4, 2, 64, 64, kind="unit")))
case("SpatialTransformer")(put(image, lambda: f32(4, 6, kind="unit"), target_shape=(64, 64), transform_type="affine", sampler_type="bilinear"))
case("_contrib_MultiBoxPrior")(put(lambda: f32(1, 3, 200, 200), sizes=(0.2, 0.3), ratios=(1, 2, 0.5)))
case("_contrib_MultiBoxDetection")(put(lambda: boxes_of.probabilities(1, 1, 21, 8000), lambda: f32(1, 32000), lambda: boxes_of.boxes(2, 1, 8000),
                                       nms_topk=400))
case("_contrib_MultiBoxTarget")(put(lambda: boxes_of.boxes(1, 1, 8000), lambda: boxes_of.labels(2, 4, 8, 20), lambda: f32(4, 21, 8000)))


def proposal(images):
    def draw(g, op):
        count = images * 24 * 38 * 50
        arrays = [(rng.permutation(count) / count).reshape(images, 24, 38, 50), f32(images, 48, 38, 50) * 0.3,
                  np.tile([[600, 800, 1.0]], (images, 1))]
        g.node(op, *(g.variable(a.astype("float32")) for a in arrays), mutable=False)
    return draw


case("_contrib_Proposal")(proposal(1))
case("_contrib_MultiProposal")(proposal(2))
case("_contrib_box_nms")(put(lambda: boxes_of.scored(1, 1, 4000), id_index=0, topk=1000))
case("_contrib_box_iou")(put(lambda: boxes_of.boxes(1, 1024), lambda: boxes_of.boxes(2, 1024)))
case("_contrib_box_decode")(put(lambda: f32(8, 32768, 4), lambda: boxes_of.boxes(2, 1, 32768)))
case("_contrib_box_encode")(put(lambda: ints(2, 8, 32768, low=-1), lambda: ints(16, 8, 32768), lambda: boxes_of.boxes(1, 8, 32768),
                                lambda: boxes_of.boxes(2, 8, 16), lambda: f32(4), lambda: f32(4, kind="positive")))
case("_contrib_bipartite_matching")(put(lambda: (rng.permutation(1 << 18) / (1 << 18)).reshape(512, 512).astype("float32"), threshold=0.1))
picture = lambda: ints(256, 592, 592, 3, dtype="uint8")
case("_image_to_tensor", "_image_flip_left_right", "_image_flip_top_bottom")(put(picture))
case("_image_crop")(put(picture, x=7, y=9, width=500, height=500))
case("_image_resize")(put(picture, size=(400, 300)))
case("_image_normalize")(put(lambda: f32(3, 592, 592), mean=(0.1, 0.2, 0.3), std=(0.5, 0.6, 0.7)))
case("_image_random_brightness", "_image_random_contrast", "_image_random_saturation", "_image_random_hue")(
    put(lambda: ints(256, 592, 592, 3).astype("float32"), min_factor=0.75, max_factor=0.75))
case("_image_random_lighting")(put(lambda: ints(256, 592, 592, 3).astype("float32"), alpha_std=0.0))
case("_contrib_allclose")(put(lambda: np.ones(FLAT, "float32"), lambda: np.ones(FLAT, "float32")))
case("_contrib_calibrate_entropy")(put(lambda: ints(100, 1001).astype("float32"), lambda: np.linspace(-3, 3, 1002).astype("float32")))
case("_image_adjust_lighting")(put(lambda: ints(256, 592, 592, 3), alpha=(0.1, 0.2, 0.3)))
case("_contrib_hawkesll")(put(lambda: f32(64, 8, kind="positive"), lambda: f32(8, kind="positive") * 0.1, lambda: f32(8, kind="positive"),
                              lambda: f32(64, 8, kind="positive"), lambda: f32(64, 2048, kind="positive"), lambda: ints(8, 64, 2048, dtype="int32"),
                              lambda: ints(2049, 64), lambda: np.full(64, 9000, "float32")))

# Update steps.
from graph_fuzz.recipes_training import STATES


@case(*STATES)
def update(g, op):
    dtype = "float16" if op.startswith(("mp_", "_mp_")) else "float32"
    inputs = {name: g.variable(f32(*FLAT).astype(dtype)) for name in ("weight", "grad")}
    attrs = {} if "lamb" in op else dict(lr=0.125)
    if op == "ftml_update" or "lamb" in op:
        attrs["t"], attrs["wd"] = 2, 0.0
    order = None
    if "adamw" in op:
        attrs["eta"], inputs["rescale_grad"] = 1.0, g.variable(np.ones(1, "float32"))
        order = ("weight", "grad", *STATES[op], "rescale_grad")
    g.update(op, inputs, STATES[op], **attrs, **({"order": order} if order else {}))


@case("lamb_update_phase2", "mp_lamb_update_phase2")
def lamb_second(g, op):
    half = op.startswith("mp_")
    inputs = dict(weight=g.variable(f32(*FLAT).astype("float16" if half else "float32")), g=g.variable(flat()),
                  r1=g.variable(np.ones(1, "float32")), r2=g.variable(np.ones(1, "float32")))
    g.update(op, inputs, ("weight32",) if half else (), lr=0.125)


# Integers.
i8 = lambda *shape: ints(100, *shape, low=-100, dtype="int8")
u8 = lambda *shape: ints(200, *shape, dtype="uint8")
low, high = (lambda: np.array([-2], "float32")), (lambda: np.array([2], "float32"))
case("_contrib_quantize")(named(dict(out_type="uint8"), data=lambda: f32(*FLAT, kind="unit"), min_range=low, max_range=high))
case("_contrib_quantize_v2")(put(flat, min_calib_range=-2.0, max_calib_range=2.0, out_type="int8"))
case("_contrib_dequantize")(named({}, data=lambda: i8(*FLAT), min_range=low, max_range=high))
case("_contrib_requantize")(named(dict(min_calib_range=-1.0, max_calib_range=1.0), data=lambda: ints(100000, *FLAT, low=-100000, dtype="int32"),
                                  min_range=low, max_range=high))
case("_contrib_quantized_conv")(named(dict(kernel=(3, 3), pad=(1, 1), num_filter=64, no_bias=True, layout="NCHW"), data=lambda: u8(1, 64, 56, 56),
                                      weight=lambda: i8(64, 64, 3, 3), min_data=lambda: np.zeros(1, "float32"), max_data=high, min_weight=low, max_weight=high))
case("_contrib_quantized_fully_connected")(named(dict(num_hidden=1024, no_bias=True), data=lambda: u8(64, 1024), weight=lambda: i8(1024, 1024),
                                                 min_data=lambda: np.zeros(1, "float32"), max_data=high, min_weight=low, max_weight=high))
case("_contrib_quantized_pooling")(named(dict(kernel=(3, 3), stride=(2, 2), pool_type="max"), data=lambda: u8(*IMAGE), min_data=low, max_data=high))
case("_contrib_quantized_act")(named(dict(act_type="relu"), data=lambda: i8(*IMAGE), min_data=low, max_data=high))
case("_contrib_quantized_flatten")(named({}, data=lambda: i8(*IMAGE), min_data=low, max_data=high))
case("_contrib_quantized_elemwise_add", "_contrib_quantized_elemwise_mul")(named(
    dict(min_calib_range=-3.0, max_calib_range=3.0), lhs=lambda: i8(*FLAT), rhs=lambda: i8(*FLAT), lhs_min=low, lhs_max=high, rhs_min=low, rhs_max=high))
case("_contrib_quantized_concat")(put(lambda: i8(4, 32, 64, 64), lambda: i8(4, 32, 64, 64), low, high, low, high, num_args=2, dim=1))
case("_contrib_quantized_embedding")(put(lambda: ints(5000, 8192), lambda: i8(5000, 128), low, high, input_dim=5000, output_dim=128))


@case("_contrib_quantized_batch_norm")
def quantised_norm(g, op):
    inputs = {name: g.variable(make()) for name, make in dict(data=lambda: i8(*IMAGE), gamma=lambda: f32(64), beta=lambda: f32(64),
                                                            min_data=low, max_data=high).items()}
    g.update(op, inputs, ("mean", "var"), shape=(64,), order=("data", "gamma", "beta", "mean", "var", "min_data", "max_data"),
             min_calib_range=-4.0, max_calib_range=4.0)
