"""Conformance cases of operators on images, regions and boxes (see conformance_cases.py).

Boxes and offsets come from seeds of their own, since most numbers are no boxes; scores are
distinct, so that no order rests on a tie.
"""
import numpy as np


def boxes(seed, *shape, center=False, low=0.0):
    """Boxes within about 0 .. 1.4, as corners or as (x, y, width, height)."""
    rng = np.random.default_rng(seed)
    first, extent = rng.uniform(low, 0.8, shape + (2,)), rng.uniform(0.1, 0.6, shape + (2,))
    return np.concatenate([first, extent if center else first + extent], -1).astype(np.float32)


def regions(seed, count, images, size, rotated=False):
    """Rows (image, x1, y1, x2, y2), some beyond the image, or (image, x, y, width, height, degrees)."""
    rng = np.random.default_rng(seed)
    first, extent = rng.uniform(-1, size, (count, 2)), rng.uniform(0.5, size, (count, 2))
    columns = [rng.integers(0, images, (count, 1)), first, extent if rotated else first + extent]
    if rotated:
        columns.append(rng.uniform(-90, 90, (count, 1)))
    return np.concatenate(columns, -1).astype(np.float32)


def scored(seed, *shape, center=False, classes=3):
    """Rows (class, score, box)."""
    rng = np.random.default_rng(seed)
    count = int(np.prod(shape))
    score = (rng.permutation(count) + 1).reshape(shape + (1,)) / (count + 1.0)
    kind = rng.integers(0, classes, shape + (1,))
    box = boxes(seed + 1, *shape, center=center, low=-0.05)
    return np.concatenate([kind, score, box], -1).astype(np.float32)


def many(seed, count, classes):
    """Rows as scored() has them, small boxes of which hundreds overlap nothing, and scores of which several are equal."""
    rng = np.random.default_rng(seed)
    first = rng.uniform(0, 1, (count, 2))
    extent = rng.uniform(0.01, 0.06, (count, 2))
    columns = [rng.integers(0, classes, (count, 1)), rng.integers(1, count // 2, (count, 1)) / count, first, first + extent]
    return np.concatenate(columns, -1).astype(np.float32)


def labels(seed, images, rows, classes):
    """Rows (class, box); the last rows of each image but the first are -1."""
    rng = np.random.default_rng(seed)
    table = np.concatenate([rng.integers(0, classes, (images, rows, 1)), boxes(seed, images, rows)], -1)
    for image in range(1, images):
        table[image, max(0, rows - image):] = -1
    return table.astype(np.float32)


def probabilities(seed, images, classes, anchors):
    value = np.random.default_rng(seed).uniform(0.01, 1, (images, classes, anchors))
    return (value / value.sum(1, keepdims=True)).astype(np.float32)


def single_shot(add, T):
    prior = "_contrib_MultiBoxPrior"
    add(prior, "default", T(1, 3, 2, 3), "function")
    add(prior, "sizes_ratios", T(2, 3, 4, 5), "function", sizes=(0.2, 0.45), ratios=(1, 2, 0.5))
    add(prior, "first_ratio", T(1, 1, 3, 2), "function", sizes=(0.3, 0.6), ratios=(2, 0.5))
    add(prior, "clip", T(1, 3, 3, 3), "function", sizes=(0.9,), clip=True)
    add(prior, "steps_offsets", T(1, 3, 3, 4), "function", steps=(0.3, 0.2), offsets=(0.0, 1.0))
    add(prior, "one_step", T(1, 3, 3, 4), "function", steps=(0.0, 0.2))
    add(prior, "rank5", T(1, 2, 3, 2, 4), "function")

    detection = "_contrib_MultiBoxDetection"
    for name, seed, attrs in (
            ("default", 1, {}), ("no_clip", 2, dict(clip=False)), ("threshold", 3, dict(threshold=0.5)),
            ("nothing_left", 4, dict(threshold=1.0)), ("nms_off", 5, dict(nms_threshold=0)),
            ("nms_all", 6, dict(nms_threshold=1)), ("force", 7, dict(force_suppress=True, nms_threshold=0.2)),
            ("topk", 8, dict(nms_topk=3)), ("variances", 9, dict(variances=(0.3, 0.2, 0.1, 0.4)))):
        inputs = [probabilities(seed, 2, 4, 12), T(2, 48), boxes(seed, 1, 12)]
        add(detection, name, dict(zip(("cls_prob", "loc_pred", "anchor"), inputs)), "product", **attrs)

    add(detection, "many", {"cls_prob": probabilities(10, 1, 3, 300), "loc_pred": T(1, 1200), "anchor": many(11, 300, 1)[None, :, 2:]},
        "product", nms_threshold=0.3)

    target = "_contrib_MultiBoxTarget"
    for name, seed, attrs in (
            ("default", 1, {}), ("overlap", 2, dict(overlap_threshold=0.2)), ("pairs_only", 3, dict(overlap_threshold=-1)),
            ("ignore", 4, dict(ignore_label=-2, negative_mining_ratio=1)),
            ("mining", 5, dict(negative_mining_ratio=2, negative_mining_thresh=0.9)),
            ("variances", 6, dict(variances=(0.3, 0.2, 0.1, 0.4)))):
        inputs = [boxes(seed + 20, 1, 24), labels(seed, 3, 3, 4), T(3, 5, 24)]
        add(target, name, dict(zip(("anchor", "label", "cls_pred"), inputs)), "product", **attrs)
    wide = np.concatenate([labels(9, 2, 2, 3), np.full((2, 2, 2), 0.5, np.float32)], -1)
    add(target, "wide_label", {"anchor": boxes(29, 1, 10), "label": wide, "cls_pred": T(2, 4, 10)}, "product")


def proposals(add, T):
    def inputs(images, anchors, rows, columns, stride, short=0, scale=1.0):
        rng = np.random.default_rng(images * 100 + anchors * 10 + stride)
        count = images * 2 * anchors * rows * columns
        score = (rng.permutation(count) + 1.0).reshape(images, 2 * anchors, rows, columns) / (count + 1)
        offset = rng.standard_normal((images, 4 * anchors, rows, columns)) * 0.3
        info = np.tile([[stride * rows - short, stride * (columns - (short > 0)), scale]], (images, 1))
        return {"cls_prob": score.astype(np.float32), "bbox_pred": offset.astype(np.float32),
                "im_info": info.astype(np.float32)}
    for name, anchors, stride, more, attrs in (
            ("plain", 2, 8, {}, dict(scales=(2, 4), ratios=(1,), rpn_post_nms_top_n=10, rpn_min_size=4)),
            ("ratios", 3, 16, {}, dict(scales=(2,), rpn_post_nms_top_n=6, rpn_pre_nms_top_n=30, threshold=0.5)),
            ("scores", 1, 8, {}, dict(scales=(2,), ratios=(1,), rpn_post_nms_top_n=8, output_score=True, rpn_min_size=0)),
            ("padded", 1, 8, dict(short=3), dict(scales=(2,), ratios=(1,), rpn_post_nms_top_n=30, rpn_min_size=2)),
            ("scaled", 1, 8, dict(scale=2.0), dict(scales=(3,), ratios=(0.7,), rpn_post_nms_top_n=5, rpn_min_size=9)),
            ("corners", 2, 4, {}, dict(scales=(2, 3), ratios=(1,), rpn_post_nms_top_n=7, iou_loss=True, rpn_min_size=1))):
        for op, images in (("_contrib_Proposal", 1), ("_contrib_MultiProposal", 3)):
            add(op, name, inputs(images, anchors, 4, 5, stride, **more), "product", feature_stride=stride, **attrs)


    for op, images in (("_contrib_Proposal", 1), ("_contrib_MultiProposal", 2)):
        add(op, "many", inputs(images, 2, 12, 16, 16), "product", feature_stride=16, scales=(0.5, 1), ratios=(1,), threshold=0.2,
            rpn_pre_nms_top_n=350, rpn_post_nms_top_n=150, rpn_min_size=2)


def box_operators(add, T):
    nms = "_contrib_box_nms"
    add(nms, "many", {"data": many(1, 400, 2)}, "arithmetic", id_index=0, overlap_thresh=0.1)
    add(nms, "many_topk", {"data": many(2, 400, 2)}, "arithmetic", topk=300, overlap_thresh=0.05)
    for name, shape, attrs in (
            ("default", (12,), {}), ("batch", (2, 3, 8), dict(overlap_thresh=0.2)),
            ("classes", (14,), dict(id_index=0, overlap_thresh=0.1)),
            ("force", (14,), dict(id_index=0, force_suppress=True, overlap_thresh=0.1)),
            ("background", (14,), dict(id_index=0, background_id=1, overlap_thresh=0.1)),
            ("valid", (12,), dict(valid_thresh=0.6)), ("nothing_left", (12,), dict(valid_thresh=2)),
            ("topk", (2, 9), dict(topk=4, overlap_thresh=0.3)), ("topk0", (6,), dict(topk=0)),
            ("to_center", (10,), dict(out_format="center", overlap_thresh=0.3))):
        add(nms, name, {"data": scored(len(name), *shape)}, "arithmetic", **attrs)
    for name, out in (("center", "center"), ("to_corner", "corner")):
        add(nms, name, {"data": scored(3, 2, 9, center=True)}, "arithmetic", in_format="center", out_format=out)
    other = scored(5, 8)[:, [1, 2, 3, 4, 5, 0]]
    add(nms, "other_places", {"data": np.concatenate([other, other], -1)}, "arithmetic", score_index=0, coord_start=1, id_index=5)

    for name, left, right, center in (("corner", (4,), (5,), False), ("center", (2, 3), (4,), True),
                                      ("ranks", (2, 1, 2), (1, 3), False)):
        add("_contrib_box_iou", name, {"lhs": boxes(1, *left, center=center), "rhs": boxes(2, *right, center=center)},
            "arithmetic", format="center" if center else "corner")
    wide = {"lhs": boxes(3, 3).astype(np.float64), "rhs": boxes(4, 2).astype(np.float64)}
    add("_contrib_box_iou", "float64", wide, "arithmetic")

    rng = np.random.default_rng(6)
    add("_contrib_box_encode", "plain", {
        "samples": rng.integers(-1, 2, (2, 7)).astype(np.float32), "matches": rng.integers(0, 3, (2, 7)).astype(np.float32),
        "anchors": boxes(7, 2, 7), "refs": boxes(8, 2, 3), "means": T(4), "stds": T(4, kind="positive")}, "product")
    for name, center, attrs in (("center", True, {}), ("corner", False, dict(format="corner")),
                                ("stds", True, dict(std0=0.1, std1=0.1, std2=0.2, std3=0.2)), ("clip", True, dict(clip=0.3))):
        add("_contrib_box_decode", name, {"data": T(2, 5, 4), "anchors": boxes(9, 1, 5, center=center)}, "product", **attrs)
    add("_contrib_box_decode", "many", {"data": T(2, 45, 4), "anchors": boxes(9, 1, 45)}, "product", std0=0.1, std3=0.2)

    for name, shape, attrs in (("plain", (4, 6), dict(threshold=0.1)), ("batch", (2, 2, 5, 3), dict(threshold=0.4)),
                               ("rising", (3, 5, 4), dict(threshold=0.6, is_ascend=True)),
                               ("topk", (6, 6), dict(threshold=1e-12, topk=2))):
        count = int(np.prod(shape))
        score = np.random.default_rng(count).permutation(count).reshape(shape) / float(count)
        add("_contrib_bipartite_matching", name, {"data": score.astype(np.float32)}, "exact", **attrs)


def region_pooling(add, T):
    def pool(op, name, data, rois, **attrs):
        add(op, name, {"data": data, "rois": rois}, "product", **attrs)
    align = "_contrib_ROIAlign"
    pool(align, "adaptive", T(2, 3, 7, 6), regions(1, 4, 2, 6), pooled_size=(2, 3), spatial_scale=1.0)
    pool(align, "sampled", T(2, 3, 7, 6), regions(2, 4, 2, 12), pooled_size=(3, 2), spatial_scale=0.5, sample_ratio=3)
    pool(align, "aligned", T(1, 2, 7, 6), regions(3, 3, 1, 6), pooled_size=(2, 2), spatial_scale=1.0, aligned=True)
    pool(align, "sensitive", T(1, 12, 7, 6), regions(4, 3, 1, 6), pooled_size=(2, 3), spatial_scale=1.0, position_sensitive=True)
    pool(align, "float64", T(1, 2, 5, 5, dtype="float64"), regions(5, 2, 1, 5).astype(np.float64), pooled_size=(2, 2), spatial_scale=1.0)
    # Windows that read pixels often, of more channels than are summed together; and few windows of a large image.
    pool(align, "many", T(2, 70, 7, 6), regions(12, 9, 2, 6), pooled_size=(3, 3), spatial_scale=1.0, sample_ratio=2)
    pool(align, "few", T(1, 9, 14, 15), regions(13, 2, 1, 6), pooled_size=(2, 2), spatial_scale=1.0)
    pool("_contrib_RROIAlign", "adaptive", T(2, 2, 7, 6), regions(6, 3, 2, 6, rotated=True), pooled_size=(2, 3), spatial_scale=1.0)
    pool("_contrib_RROIAlign", "sampled", T(1, 2, 7, 6), regions(7, 3, 1, 12, rotated=True), pooled_size=(3, 1), spatial_scale=0.5, sampling_ratio=2)
    pool("ROIPooling", "plain", T(2, 3, 7, 6, kind="distinct"), regions(8, 4, 2, 6), pooled_size=(2, 3), spatial_scale=1.0)
    pool("ROIPooling", "equal", T(2, 2, 7, 6, kind="ints:-2,3"), regions(8, 4, 2, 6), pooled_size=(3, 2), spatial_scale=1.0)
    pool("ROIPooling", "scaled", T(1, 2, 7, 6, kind="distinct"), regions(9, 4, 1, 12), pooled_size=(3, 3), spatial_scale=0.5)
    sensitive = "_contrib_PSROIPooling"
    pool(sensitive, "default_groups", T(2, 18, 7, 6), regions(10, 3, 2, 6), output_dim=2, pooled_size=3, spatial_scale=1.0)
    pool(sensitive, "groups", T(1, 12, 7, 6), regions(11, 3, 1, 12), output_dim=3, pooled_size=4, group_size=2, spatial_scale=0.5)
    moved = "_contrib_DeformablePSROIPooling"
    pool(moved, "no_trans", T(1, 18, 7, 6), regions(12, 3, 1, 6), output_dim=2, pooled_size=3, group_size=3, spatial_scale=1.0,
         no_trans=True, sample_per_part=2)
    add(moved, "on_pixels", {"data": T(2, 8, 9, 9), "rois": np.array([[0, 0, 0, 7, 7], [1, 2, 1, 5, 8]], "float32"),
                             "trans": np.zeros((2, 2, 2, 2), "float32")}, "product", output_dim=2, pooled_size=2, group_size=2,
        spatial_scale=0.5, trans_std=0.5, sample_per_part=2)
    add(moved, "trans", {"data": T(1, 8, 7, 6), "rois": regions(13, 3, 1, 6), "trans": T(3, 4, 2, 2)}, "product", output_dim=2,
        pooled_size=4, group_size=2, part_size=2, spatial_scale=1.0, trans_std=0.1, sample_per_part=3)


def windows(add, T):
    for name, attrs, extent, deformable, *channels in (
            ("plain", dict(kernel=(3, 3)), (4, 4), 1), ("groups", dict(kernel=(3, 3), pad=(1, 1), num_group=2), (6, 6), 1),
            ("deformable_groups", dict(kernel=(2, 3), num_deformable_group=2), (5, 4), 2),
            ("steps", dict(kernel=(3, 3), pad=(2, 1), stride=(2, 1), dilate=(2, 1)), (3, 6), 1),
            ("no_bias", dict(kernel=(1, 1), no_bias=True), (6, 6), 1),
            # As many channels as fill vectors.
            ("channels", dict(kernel=(2, 3), pad=(1, 1)), (7, 6), 1, 67),
            ("channels_of_groups", dict(kernel=(2, 2), pad=(1, 1), num_deformable_group=2), (7, 7), 2, 40)):
        taps = attrs["kernel"][0] * attrs["kernel"][1] * deformable
        inputs = {"data": T(2, *channels or (4,), 6, 6), "offset": T(2, 2 * taps, *extent)}
        add("_contrib_DeformableConvolution", name, inputs, "product", num_filter=4, **attrs)
        add("_contrib_ModulatedDeformableConvolution", name, dict(inputs, mask=T(2, taps, *extent, kind="unit")), "product",
            num_filter=4, **attrs)
    for name, attrs in (("default", dict(max_displacement=1)), ("kernel", dict(kernel_size=3, max_displacement=1, pad_size=2)),
                        ("strides", dict(max_displacement=2, stride1=2, stride2=2, pad_size=2)),
                        ("odd_stride", dict(max_displacement=3, stride2=2, pad_size=3)),
                        ("differences", dict(max_displacement=1, is_multiply=False, pad_size=1)), ("still", dict(max_displacement=0))):
        add("Correlation", name, {"data1": T(2, 3, 7, 6), "data2": T(2, 3, 7, 6)}, "product", **attrs)
    equal = {name: T(2, 3, 7, 6, kind="ints:-2,3") for name in ("data1", "data2")}
    add("Correlation", "equal", equal, "product", kernel_size=3, max_displacement=2, stride2=2, is_multiply=False, pad_size=3)
    add("_contrib_DeformableConvolution", "whole", {"data": T(2, 4, 6, 6), "offset": T(2, 18, 4, 4, kind="ints:-2,3")}, "product",
        num_filter=4, kernel=(3, 3))


def sampling(add, T):
    resize = "_contrib_BilinearResize2D"
    for name, shape, attrs in (
            ("larger", (2, 3, 4, 5), dict(height=7, width=9)), ("smaller", (1, 2, 9, 8), dict(height=4, width=3)),
            ("halves", (1, 2, 4, 5), dict(height=7, width=9, align_corners=False)), ("one", (1, 2, 4, 5), dict(height=1, width=1)),
            ("scales", (1, 2, 4, 5), dict(scale_height=2.0, scale_width=1.5)),
            ("odd_scale", (1, 2, 5, 6), dict(mode="odd_scale", scale_height=2.0, scale_width=0.5)),
            ("even_down", (1, 2, 5, 6), dict(mode="to_even_down")), ("even_up", (1, 2, 5, 6), dict(mode="to_even_up")),
            ("odd_down", (1, 2, 5, 6), dict(mode="to_odd_down")), ("odd_up", (1, 2, 5, 6), dict(mode="to_odd_up"))):
        add(resize, name, {"data": T(*shape)}, "reduction", **attrs)
    add(resize, "like", {"data": T(1, 2, 4, 5), "like": T(1, 1, 6, 3)}, "reduction", mode="like")
    add(resize, "float64", {"data": T(1, 2, 4, 5, dtype="float64")}, "reduction", height=6, width=6)
    for name, size in (("default", ()), ("one", (1,)), ("square", (3,)), ("two", (2, 5)), ("same", (6, 7))):
        add("_contrib_AdaptiveAvgPooling2D", name, T(2, 3, 6, 7), "reduction", **(dict(output_size=size) if size else {}))
    add("SpatialTransformer", "plain", {"data": T(2, 3, 5, 6), "loc": T(2, 6, kind="unit")}, "product", target_shape=(4, 5),
        transform_type="affine", sampler_type="bilinear")
    add("SpatialTransformer", "outside", {"data": T(2, 3, 5, 6), "loc": T(2, 6)}, "product", target_shape=(9, 11),
        transform_type="affine", sampler_type="bilinear")
    # Places on pixels, where MXNet's rounding decides which four pixels are around one.
    turned = np.array([[1, 0, 0, 0, 1, 0], [0, -1, 0, 1, 0, 0.5]], "float32")
    add("SpatialTransformer", "on_pixels", {"data": T(2, 3, 5, 5), "loc": turned}, "product", target_shape=(5, 5),
        transform_type="affine", sampler_type="bilinear")
    for name, grid, extents in (("affine", dict(transform_type="affine", target_shape=(7, 5)), None),
                                ("warp", dict(transform_type="warp"), (2, 2, 7, 5))):
        where = np.round(2 * np.random.default_rng(7).standard_normal(extents)).astype("float32") / 2 if extents else turned

        def graph(mx, grid=grid):
            places = mx.sym.GridGenerator(mx.sym.Variable("where"), name="grid", **grid)
            return mx.sym.BilinearSampler(mx.sym.Variable("data"), places, name="sampled")
        add("BilinearSampler", "on_pixels_" + name, {"data": T(2, 3, 7, 5), "where": where}, "product", graph=graph)
    add("GridGenerator", "affine", T(2, 6), "product", transform_type="affine", target_shape=(3, 4))
    add("GridGenerator", "warp", T(2, 2, 4, 5), "product", transform_type="warp")
    add("BilinearSampler", "plain", {"data": T(2, 3, 5, 6), "grid": T(2, 2, 4, 3, kind="unit")}, "product")
    add("BilinearSampler", "large", {"data": T(2, 3, 5, 6), "grid": T(2, 2, 9, 8)}, "product")
    add("BilinearSampler", "outside", {"data": T(1, 2, 4, 4), "grid": T(1, 2, 3, 3)}, "product")
    add("_contrib_gradientmultiplier", "plain", T(2, 3), "exact", scalar=0.5)
    add("_contrib_quadratic", "plain", T(2, 3), "arithmetic", a=0.5, b=-2, c=1)


def detectors(add, T):
    """The tails of well-known detectors, each on a small body."""
    def body(mx, filters):
        data = mx.sym.Variable("data")
        return mx.sym.Activation(mx.sym.Convolution(data, kernel=(3, 3), pad=(1, 1), stride=(2, 2), num_filter=filters, name="body"),
                                 act_type="relu")

    def ssd(mx):
        classes, scores, offsets, anchors = 4, [], [], []
        feature = body(mx, 8)
        for level in range(2):
            head = {name: mx.sym.Convolution(feature, kernel=(3, 3), pad=(1, 1), num_filter=3 * count, name="%s%d" % (name, level))
                    for name, count in (("cls", classes), ("loc", 4))}
            flat = {name: mx.sym.Flatten(mx.sym.transpose(value, axes=(0, 2, 3, 1))) for name, value in head.items()}
            scores.append(flat["cls"])
            offsets.append(flat["loc"])
            anchors.append(mx.sym.contrib.MultiBoxPrior(feature, sizes=(0.2 + 0.3 * level, 0.3 + 0.3 * level), ratios=(1, 2), clip=True))
            feature = mx.sym.Pooling(feature, kernel=(2, 2), stride=(2, 2), pool_type="max")
        score = mx.sym.transpose(mx.sym.Reshape(mx.sym.Concat(*scores, dim=1), shape=(0, -1, classes)), axes=(0, 2, 1))
        probability = mx.sym.SoftmaxActivation(score, mode="channel")
        return mx.sym.contrib.MultiBoxDetection(probability, mx.sym.Concat(*offsets, dim=1), mx.sym.Concat(*anchors, dim=1),
                                                threshold=0.3, nms_threshold=0.4, name="detection")

    def faster_rcnn(mx):
        feature = body(mx, 6)
        score = mx.sym.Convolution(feature, kernel=(1, 1), num_filter=4, name="score")
        probability = mx.sym.Reshape(mx.sym.SoftmaxActivation(mx.sym.Reshape(score, shape=(0, 2, -1, 0)), mode="channel"),
                                     shape=(0, 4, -1, 0))
        offset = mx.sym.Convolution(feature, kernel=(1, 1), num_filter=8, name="offset")
        rois = mx.sym.contrib.MultiProposal(probability, offset, mx.sym.Variable("im_info"), feature_stride=2, scales=(2, 4),
                                            ratios=(1,), rpn_min_size=1, rpn_post_nms_top_n=5, rpn_pre_nms_top_n=40)
        pooled = mx.sym.contrib.ROIAlign(feature, rois, pooled_size=(3, 3), spatial_scale=0.5)
        return mx.sym.softmax(mx.sym.FullyConnected(pooled, num_hidden=4, name="class"))

    def keypoints(mx):
        """A deformable layer whose offsets come from data, and boxes by box_nms."""
        feature = body(mx, 4)
        offset = mx.sym.Convolution(feature, kernel=(3, 3), pad=(1, 1), num_filter=18, name="offset")
        moved = mx.sym.contrib.DeformableConvolution(feature, offset, kernel=(3, 3), pad=(1, 1), num_filter=6, name="moved")
        rows = mx.sym.Reshape(mx.sym.transpose(moved, axes=(0, 2, 3, 1)), shape=(0, -1, 6))
        return mx.sym.contrib.box_nms(rows, overlap_thresh=0.3, valid_thresh=-9, in_format="center", name="boxes")[0]

    def cross_correlation(mx):
        """Each channel of one image filtered by that of another, as trackers look for a template."""
        template = mx.sym.Convolution(mx.sym.Variable("template"), kernel=(3, 3), num_filter=24, name="template_map")
        weight = mx.sym.Reshape(template, shape=(-1, 1, 3, 4))
        image = mx.sym.Convolution(mx.sym.Variable("data"), kernel=(3, 3), num_filter=24, name="search_map")
        found = mx.sym.Convolution(image, weight, kernel=(3, 4), num_filter=24, num_group=24, no_bias=True, name="correlation")
        return mx.sym.Activation(found, act_type="relu")

    def full_correlation(mx):
        """All channels of an image filtered by what another one is, with padding."""
        image, template = mx.sym.Variable("data"), mx.sym.Activation(mx.sym.Variable("template"), act_type="relu")
        window = dict(kernel=(3, 2), pad=(1, 0), num_filter=6, no_bias=True)
        found = mx.sym.Convolution(image, template, name="correlation", **window)
        thin, few = (mx.sym.slice_axis(of, axis=1, begin=0, end=3) for of in (image, template))
        few = mx.sym.Convolution(thin, few, name="few", **window)
        return mx.sym.Activation(found + few, act_type="relu")

    add("_chains", "full_correlation", {"data": T(2, 20, 9, 10), "template": T(6, 20, 3, 2)}, "product", graph=full_correlation)

    def best_boxes(mx):
        """The best of many boxes, as detectors keep them."""
        boxes = mx.sym.contrib.box_nms(mx.sym.Variable("data"), overlap_thresh=0.1, topk=250, id_index=0, name="boxes")[0]
        return mx.sym.slice_axis(boxes, axis=1, begin=0, end=40, name="best")

    add("_chains", "best_boxes", {"data": np.stack([many(3, 300, 2), many(4, 300, 1)])}, "arithmetic", graph=best_boxes)
    add("_chains", "cross_correlation", {"data": T(1, 3, 11, 12), "template": T(1, 3, 5, 6)}, "product", graph=cross_correlation)
    add("_chains", "ssd", {"data": T(2, 3, 12, 12)}, "product", graph=ssd)
    add("_chains", "faster_rcnn", {"data": T(2, 3, 12, 16), "im_info": np.array([[12, 16, 1], [12, 14, 1]], np.float32)}, "product",
        graph=faster_rcnn)
    add("_chains", "keypoints", {"data": T(2, 3, 8, 8)}, "product", graph=keypoints)


def add_all(add, T):
    for family in (single_shot, proposals, box_operators, region_pooling, windows, sampling, detectors):
        family(add, T)
