"""SSD over VGG-16 with 300 x 300 pixels (Liu et al. 2015), as it detects.

data [N, 3, 300, 300] -> detection_output [N, 8732, 6]: class (-1: none), score, left, top, right, bottom of each box,
suppressed where a better one lies over it. Layers six and seven of VGG are convolutions, the first of them dilated.
"""
import symc as mx

#: What boxes are predicted from: layer, or filters, stride and pad of the two convolutions that make one more; anchors'
#: sizes, aspect ratios and step in pixels.
SCALES = (
    ("relu4_3", (0.1, 0.141), (1, 2, 0.5), 8),
    ("relu7", (0.2, 0.272), (1, 2, 0.5, 3, 1 / 3), 16),
    ((512, 2, 1), (0.37, 0.447), (1, 2, 0.5, 3, 1 / 3), 32),
    ((256, 2, 1), (0.54, 0.619), (1, 2, 0.5, 3, 1 / 3), 64),
    ((256, 1, 0), (0.71, 0.79), (1, 2, 0.5), 100),
    ((256, 1, 0), (0.88, 0.961), (1, 2, 0.5), 300),
)


def convolution(x, name, relu_name, filters, kernel, stride=1, pad=0, dilate=1):
    more = {"dilate": (dilate, dilate)} if dilate > 1 else {}
    x = mx.sym.Convolution(x, kernel=(kernel, kernel), pad=(pad, pad), stride=(stride, stride), num_filter=filters,
                           name=name, **more)
    return mx.sym.Activation(x, act_type="relu", name=relu_name)


def vgg(data):
    """{name of a layer that is read again: its symbol}"""
    x, layers = data, {}
    for stage, count in enumerate((2, 2, 3, 3, 3), start=1):
        for number in range(1, count + 1):
            place = "%d_%d" % (stage, number)
            x = convolution(x, "conv" + place, "relu" + place, min(64 * 2 ** (stage - 1), 512), 3, pad=1)
        layers["relu" + place] = x
        # 75 pixels become 38, and the last pooling keeps 19.
        how = {3: {"pooling_convention": "full"}, 5: {"pad": (1, 1)}}.get(stage, {})
        kernel, stride = ((3, 3), (1, 1)) if stage == 5 else ((2, 2), (2, 2))
        x = mx.sym.Pooling(x, pool_type="max", kernel=kernel, stride=stride, name="pool%d" % stage, **how)
    x = convolution(x, "fc6", "relu6", 1024, 3, pad=6, dilate=6)
    layers["relu7"] = convolution(x, "fc7", "relu7", 1024, 1)
    return layers


def features():
    """The six layers, from the finest to the coarsest."""
    layers = vgg(mx.sym.Variable("data"))
    found = []
    for number, (source, *_) in enumerate(SCALES):
        if isinstance(source, str):
            found.append(layers[source])
            continue
        filters, stride, pad = source
        x, name = found[-1], "multi_feat_%d_conv_" % number
        x = convolution(x, name + "1x1_conv", name + "1x1_relu", max(128, filters // 2), 1)
        found.append(convolution(x, name + "3x3_conv", name + "3x3_relu", filters, 3, stride, pad))
    return found


def predict(x, name, filters):
    """[N, pixels * filters], a pixel's numbers side by side."""
    bias = mx.sym.Variable(name + "_bias", attr={"__lr_mult__": "2.0"})
    x = mx.sym.Convolution(x, bias=bias, kernel=(3, 3), stride=(1, 1), pad=(1, 1), num_filter=filters, name=name)
    return mx.sym.Flatten(mx.sym.transpose(x, axes=(0, 2, 3, 1)))


def get_symbol(num_classes=20, image_size=300, nms_thresh=0.45, nms_topk=400):
    """num_classes without the background, which is class 0 of cls_prob. The steps of anchors are those of 300 pixels;
    at another image_size they follow from the extents of each layer."""
    locations, classes, boxes = [], [], []
    for x, (_, sizes, ratios, step) in zip(features(), SCALES):
        name, anchors = x.name, len(sizes) + len(ratios) - 1
        if name == "relu4_3":  # its values are much larger than the other layers'
            x = mx.sym.L2Normalization(x, mode="channel", name=name + "_norm")
            scale = mx.sym.Variable(name + "_scale", shape=(1, 512, 1, 1), attr={"__wd_mult__": "0.1"})
            x = mx.sym.broadcast_mul(scale, x)
        locations.append(predict(x, name + "_loc_pred_conv", anchors * 4))
        classes.append(predict(x, name + "_cls_pred_conv", anchors * (num_classes + 1)))
        steps = (step / 300, step / 300) if image_size == 300 else (-1.0, -1.0)
        boxes.append(mx.sym.Flatten(mx.sym.contrib.MultiBoxPrior(x, sizes=sizes, ratios=ratios, clip=False, steps=steps,
                                                                name=name + "_anchors")))
    location = mx.sym.Concat(*locations, dim=1, name="multibox_loc_pred")
    score = mx.sym.Reshape(mx.sym.Concat(*classes, dim=1), shape=(0, -1, num_classes + 1))
    score = mx.sym.softmax(mx.sym.transpose(score, axes=(0, 2, 1), name="multibox_cls_pred"), axis=1, name="cls_prob")
    box = mx.sym.Reshape(mx.sym.Concat(*boxes, dim=1), shape=(0, -1, 4), name="multibox_anchors")
    return mx.sym.contrib.MultiBoxDetection(score, location, box, name="detection", nms_threshold=nms_thresh,
                                            force_suppress=False, variances=(0.1, 0.1, 0.2, 0.2), nms_topk=nms_topk)
