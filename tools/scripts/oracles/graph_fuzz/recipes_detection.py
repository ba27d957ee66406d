"""Recipes of operators on images, regions, boxes and pictures. Boxes and regions come from the generators of
conformance_detection, since most numbers are no boxes; scores are distinct, so that no order rests on a tie."""
import numpy as np

import conformance_detection as boxes_of
from graph_fuzz.registry import recipe

product = dict(tolerance="product")


def seed(g):
    return g.number(0, 1 << 30)


def features(g, least=1, **how):
    return g.tensor(rank=4, dtype="float32", most=1200, **how)


def region_rows(g, data, scale, rotated=False):
    size = max(data.shape[2:]) / scale
    return g.variable(boxes_of.regions(seed(g), g.number(1, 5), data.shape[0], size, rotated=rotated))


@recipe("ROIPooling", "_contrib_ROIAlign", "_contrib_RROIAlign", weight=0.8, **product)
def regions(g, op):
    data, scale = features(g), g.pick((1.0, 0.5, 0.25))
    attrs = dict(pooled_size=(g.number(1, 4), g.number(1, 4)), spatial_scale=scale)
    if op == "_contrib_ROIAlign":
        attrs.update(sample_ratio=g.pick((None, 1, 2, 3)), aligned=g.pick((None, True)))
    if op == "_contrib_RROIAlign":
        attrs.update(sampling_ratio=g.pick((None, 1, 2)))
    g.node(op, data, region_rows(g, data, scale, op == "_contrib_RROIAlign"), mutable=False, **attrs)


@recipe("_contrib_PSROIPooling", "_contrib_DeformablePSROIPooling", weight=0.4, **product)
def sensitive(g, op):
    group, out, scale = g.number(1, 3), g.number(1, 3), g.pick((1.0, 0.5))
    data = g.tensor(shape=(g.number(1, 2), out * group * group, g.number(3, 9), g.number(3, 9)), dtype="float32")
    rois = region_rows(g, data, scale)
    attrs = dict(output_dim=out, pooled_size=group * g.number(1, 2), group_size=group, spatial_scale=scale)
    if "Deformable" not in op:
        return g.node(op, data, rois, mutable=False, **attrs)
    attrs["sample_per_part"] = g.number(1, 3)
    if g.chance(0.4):
        return g.node(op, data, rois, mutable=False, no_trans=True, **attrs)
    part = g.number(1, 3)
    trans = g.tensor(shape=(rois.shape[0], 2 * g.pick([d for d in range(1, out + 1) if out % d == 0]), part, part), dtype="float32")
    return g.node(op, data, rois, trans, mutable=False, part_size=part, trans_std=0.1, **attrs)


@recipe("_contrib_DeformableConvolution", "_contrib_ModulatedDeformableConvolution", weight=0.6, **product)
def deformable(g, op):
    groups, moved = g.number(1, 2), g.number(1, 2)
    channels = groups * moved * g.number(1, 3)
    data = g.tensor(shape=(g.number(1, 2), channels, g.number(3, 8), g.number(3, 8)), dtype="float32")
    kernel, stride, pad, dilate = ((g.number(low, high), g.number(low, high)) for low, high in ((1, 3), (1, 2), (0, 1), (1, 1)))
    out = [(e + 2 * p - d * (k - 1) - 1) // s + 1 for e, k, s, p, d in zip(data.shape[2:], kernel, stride, pad, dilate)]
    taps = kernel[0] * kernel[1] * moved
    inputs = [data, g.tensor(shape=(data.shape[0], 2 * taps, *out), dtype="float32", kind="normal")]
    if "Modulated" in op:
        inputs.append(g.tensor(shape=(data.shape[0], taps, *out), dtype="float32", kind="unit"))
    g.node(op, *inputs, kernel=kernel, stride=stride, pad=pad, dilate=dilate, num_group=groups, num_deformable_group=moved,
           num_filter=groups * g.number(1, 4), no_bias=g.pick((None, True)), mutable=False)


@recipe("Correlation", weight=0.3, **product)
def correlation(g, op):
    data = g.tensor(shape=(g.number(1, 2), g.number(1, 4), g.number(4, 9), g.number(4, 9)), dtype="float32")
    kernel, reach, far = g.pick((1, 1, 3)), g.number(0, 2), g.number(1, 2)
    g.node(op, data, g.tensor(shape=data.shape, dtype="float32"), kernel_size=kernel, max_displacement=reach, stride1=g.number(1, 2),
           stride2=far, pad_size=reach + kernel // 2 + g.number(0, 1), is_multiply=g.chance(0.6), mutable=False)


@recipe("GridGenerator", "SpatialTransformer", "BilinearSampler", weight=0.6, **product)
def samplers(g, op):
    batch, size = g.number(1, 3), (g.number(2, 7), g.number(2, 7))
    if op == "GridGenerator" and g.chance(0.5):
        return g.node(op, g.tensor(shape=(batch, 2, *size), dtype="float32"), transform_type="warp", mutable=False)
    if op == "GridGenerator":
        return g.node(op, g.tensor(shape=(batch, 6), dtype="float32"), transform_type="affine", target_shape=size, mutable=False)
    data = g.tensor(shape=(batch, g.number(1, 3), g.number(2, 8), g.number(2, 8)), dtype="float32")
    if op == "BilinearSampler":
        return g.node(op, data, g.tensor(shape=(batch, 2, *size), dtype="float32", kind=g.pick(("unit", "normal"))), mutable=False)
    return g.node(op, data, g.tensor(shape=(batch, 6), dtype="float32", kind="unit"), target_shape=size, transform_type="affine",
                  sampler_type="bilinear", mutable=False)


@recipe("_contrib_MultiBoxPrior", weight=0.4, tolerance="function")
def prior(g, op):
    data = g.tensor(rank=4, most=600, dtype="float32")
    g.node(op, data, sizes=tuple(g.real(0.1, 0.9) for _ in range(g.number(1, 3))), clip=g.pick((None, True)),
           ratios=tuple(g.real(0.4, 2.5) for _ in range(g.number(1, 3))), steps=g.pick((None, (0.3, 0.2))),
           offsets=g.pick((None, (0.0, 1.0))))


@recipe("_contrib_MultiBoxDetection", weight=0.3, **product)
def detection(g, op):
    images, classes, anchors = g.number(1, 3), g.number(2, 5), g.number(1, 20)
    g.node(op, g.variable(boxes_of.probabilities(seed(g), images, classes, anchors)),
           g.tensor(shape=(images, 4 * anchors), dtype="float32", kind="unit"), g.variable(boxes_of.boxes(seed(g), 1, anchors)),
           clip=g.pick((None, False)), threshold=g.pick((None, 0.2, 0.5)), nms_threshold=g.pick((None, 0.2, 0.7)),
           force_suppress=g.pick((None, True)), nms_topk=g.pick((None, 3)), mutable=False)


@recipe("_contrib_MultiBoxTarget", weight=0.3, **product)
def target(g, op):
    images, classes, anchors = g.number(1, 3), g.number(1, 4), g.number(1, 24)
    mining = g.pick((None, 1, 2))
    g.node(op, g.variable(boxes_of.boxes(seed(g), 1, anchors)), g.variable(boxes_of.labels(seed(g), images, g.number(1, 4), classes)),
           g.tensor(shape=(images, classes + 1, anchors), dtype="float32", kind="distinct", test=lambda e: e.symbol is None),
           overlap_threshold=g.pick((None, 0.2, 0.7)), negative_mining_ratio=mining,
           negative_mining_thresh=0.9 if mining else None, mutable=False)


@recipe("_contrib_Proposal", "_contrib_MultiProposal", weight=0.4, **product)
def proposal(g, op):
    images = 1 if op.endswith("_Proposal") else g.number(1, 3)
    scales, ratios, stride = g.pick(((2,), (2, 4))), g.pick(((1,), (0.5, 1, 2))), g.pick((4, 8, 16))
    anchors, rows, columns = len(scales) * len(ratios), g.number(1, 5), g.number(1, 5)
    count = images * 2 * anchors * rows * columns
    score = (g.rng.permutation(count) + 1.0).reshape(images, 2 * anchors, rows, columns) / (count + 1)
    offset = g.rng.standard_normal((images, 4 * anchors, rows, columns)) * 0.3
    info = np.tile([[stride * rows, stride * columns, g.pick((1.0, 2.0))]], (images, 1))
    g.node(op, *(g.variable(v.astype("float32")) for v in (score, offset, info)), scales=scales, ratios=ratios,
           feature_stride=stride, rpn_post_nms_top_n=g.number(1, 12), rpn_pre_nms_top_n=g.pick((None, 12, 40)),
           rpn_min_size=g.pick((1, 4)), threshold=g.pick((None, 0.5)), output_score=g.pick((None, True)), mutable=False)


@recipe("_contrib_box_nms", weight=0.4, tolerance="arithmetic")
def nms(g, op):
    shape = (*g.shape(g.number(0, 2), most=4), g.number(1, 14))
    center = g.chance(0.3)
    data = g.variable(boxes_of.scored(seed(g), *shape, center=center))
    g.node(op, data, overlap_thresh=g.pick((None, 0.1, 0.3)), valid_thresh=g.pick((None, 0.3)), topk=g.pick((None, 4)),
           id_index=g.pick((None, 0)), force_suppress=g.pick((None, True)), in_format="center" if center else None,
           out_format=g.pick((None, "center")), mutable=False)


@recipe("_contrib_box_iou", "_contrib_box_decode", "_contrib_box_encode", weight=0.4, **product)
def box_numbers(g, op):
    if op.endswith("iou"):
        center = g.chance(0.4)
        left, right = (g.variable(boxes_of.boxes(seed(g), *g.shape(g.number(1, 2), most=12), center=center)) for _ in range(2))
        return g.node(op, left, right, format="center" if center else "corner", mutable=False)
    batch, count = g.number(1, 3), g.number(1, 9)
    if op.endswith("decode"):
        center = g.chance(0.5)
        anchors = g.variable(boxes_of.boxes(seed(g), 1, count, center=center))
        return g.node(op, g.tensor(shape=(batch, count, 4), dtype="float32", kind="unit"), anchors, clip=g.pick((None, 0.3)),
                      format="center" if center else "corner", std0=g.pick((None, 0.1)), mutable=False)
    refs = g.number(1, 4)
    arrays = (g.rng.integers(-1, 2, (batch, count)), g.rng.integers(0, refs, (batch, count)), boxes_of.boxes(seed(g), batch, count),
              boxes_of.boxes(seed(g), batch, refs), g.rng.uniform(-1, 1, 4), g.rng.uniform(0.1, 1, 4))
    return g.node(op, *(g.variable(a.astype("float32")) for a in arrays), mutable=False)


@recipe("_contrib_bipartite_matching", weight=0.2, tolerance="exact")
def matching(g, op):
    shape = (*g.shape(g.number(0, 1), most=3), g.number(1, 7), g.number(1, 7))
    count = int(np.prod(shape))
    scores = (g.rng.permutation(count).reshape(shape) / count).astype("float32")
    g.node(op, g.variable(scores), threshold=g.real(0.05, 0.6), is_ascend=g.chance(0.4), topk=g.pick((None, 2)), mutable=False)


# Pictures: rows, columns, colours.
def picture(g, batch=False):
    shape = (*((g.number(1, 3),) if batch else ()), g.number(2, 12), g.number(2, 12), g.pick((1, 3, 3)))
    return g.tensor(shape=shape, dtype=g.pick(("uint8", "float32")), kind="ints:0,256")


@recipe("_image_to_tensor", "_image_crop", weight=0.3, tolerance="arithmetic")
def picture_parts(g, op):
    data = picture(g, g.chance(0.3))
    if op == "_image_to_tensor":
        return g.node(op, data)
    rows, columns = data.shape[-3:-1]
    x, y = g.number(0, columns - 1), g.number(0, rows - 1)
    return g.node(op, data, x=x, y=y, width=g.number(1, columns - x), height=g.number(1, rows - y), mutable=False)


@recipe("_image_flip_left_right", "_image_flip_top_bottom", weight=0.3, tolerance="exact")
def flip(g, op):
    g.node(op, g.tensor(shape=(2 * g.number(1, 5), 2 * g.number(1, 5), g.pick((1, 3))), dtype=g.pick(("uint8", "float32")),
                        kind="ints:0,256"))  # of odd extents MXNet leaves the middle line unwritten


@recipe("_image_normalize", "_image_adjust_lighting", "_image_resize", weight=0.4, tolerance="norm")
def picture_values(g, op):
    if op == "_image_normalize":
        data = g.tensor(shape=(3, g.number(1, 7), g.number(1, 7)), dtype="float32")
        return g.node(op, data, mean=tuple(g.real(0, 1) for _ in range(3)), std=tuple(g.real(0.2, 1) for _ in range(3)))
    data = g.tensor(shape=(g.number(2, 9), g.number(2, 9), 3), dtype="float32", kind="ints:0,256")
    if op == "_image_adjust_lighting":
        return g.node(op, data, alpha=tuple(g.real(-0.1, 0.1) for _ in range(3)))
    return g.node(op, data, size=(g.number(1, 12), g.number(1, 12)), interp=g.number(0, 4), mutable=False)


@recipe("_image_random_brightness", "_image_random_contrast", "_image_random_saturation", "_image_random_hue",
        "_image_random_lighting", weight=0.3, tolerance="norm")
def fixed_chance(g, op):
    data = g.tensor(shape=(g.number(1, 9), g.number(1, 9), 3), dtype="float32", kind="ints:0,256")
    factor = g.real(0, 2)
    attrs = dict(alpha_std=0.0) if op.endswith("lighting") else dict(min_factor=factor, max_factor=factor)
    g.node(op, data, mutable=False, **attrs)
