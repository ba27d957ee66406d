"""The architectures of compare_zoo, as users of MXNet export them, and those that are left out.

A net is a name of GluonCV's model zoo or of definitions.py here. Its shape is what one run
takes: batch, channels and the extents of a picture or, for actions, frames before them.
Segmentation, detection and actions run on smaller pictures than their users', so that a
comparison of all of them ends; extents that a backbone divides stay multiples of 32.
"""
from collections import namedtuple

# kind: what the net is for. options: further arguments of its constructor. least: the ratio to
# OpenVINO that is required, beside the ratio of 1 to MXNet that every net has to reach.
Net = namedtuple("Net", "name kind shape options least")

CLASSIFICATION, DETECTION, SEGMENTATION, POSE = "classification", "detection", "segmentation", "pose"
ACTION, DEPTH, TRACKING, GENERATOR, LANGUAGE = "action", "depth", "tracking", "generator", "language"


def picture(name, kind=CLASSIFICATION, side=224, least=None, **options):
    return Net(name, kind, (1, 3, side, side), options, least)


def segmentation(name, least=None, **options):
    return picture(name, SEGMENTATION, 160, least, **options)


def pose(name, **options):
    return Net(name, POSE, (1, 3, 256, 192), options, None)


def clip(name, frames, least=None, **options):
    return Net(name, ACTION, (1, 3, frames, 112, 112), options, least)


NETS = (
    picture("alexnet"),
    picture("vgg16"),
    picture("resnet18_v1"),
    picture("resnet50_v2"),
    picture("resnet50_v1d"),
    picture("resnet50_v1d_0.48"),
    picture("resnest50"),
    picture("se_resnet50_v1"),
    picture("resnext50_32x4d", least=1.1),
    picture("se_resnext50_32x4d"),
    picture("senet_154"),
    picture("densenet121"),
    picture("shufflenet_v1", least=1.1),
    picture("shufflenet_v2", least=1.1),
    picture("squeezenet1.1"),
    picture("googlenet"),
    picture("inceptionv3", side=299),
    picture("xception", side=299),
    picture("mobilenet1.0"),
    picture("mobilenetv2_1.0"),
    picture("mobilenetv3_large"),
    picture("mobilenetv3_small"),
    picture("darknet53"),
    picture("nasnet_4_1056"),
    picture("residualattentionnet56"),
    picture("hrnet_w18_c"),
    picture("dla34"),
    picture("cifar_resnet20_v1", side=32),
    picture("cifar_wideresnet16_10", side=32),
    picture("cifar_resnext29_32x4d", side=32),
    picture("ssd_300_vgg16_atrous_voc", DETECTION, 300),
    picture("ssd_512_resnet50_v1_voc", DETECTION, 512),
    picture("ssd_512_mobilenet1.0_voc", DETECTION, 512),
    picture("yolo3_darknet53_coco", DETECTION, 320),
    picture("yolo3_mobilenet1.0_coco", DETECTION, 320),
    picture("faster_rcnn_resnet50_v1b_voc", DETECTION, 256),
    picture("faster_rcnn_fpn_resnet50_v1b_coco", DETECTION, 256),
    picture("mask_rcnn_resnet18_v1b_coco", DETECTION, 256),
    picture("mask_rcnn_fpn_resnet18_v1b_coco", DETECTION, 256),
    picture("center_net_resnet18_v1b_voc", DETECTION, 256),
    picture("center_net_resnet18_v1b_dcnv2_voc", DETECTION, 256),
    picture("center_net_dla34_voc", DETECTION, 256),
    picture("center_net_mobilenetv3_large_duc_voc", DETECTION, 256),
    segmentation("fcn_resnet50_ade", 1.1, crop_size=160),
    segmentation("psp_resnet50_ade", crop_size=160),
    segmentation("deeplab_resnet50_ade", crop_size=160),
    segmentation("deeplab_resnest50_ade", crop_size=160),
    segmentation("deeplab_v3b_plus_wideresnet_citys", 1.1, crop_size=160, height=160, width=160),
    picture("icnet_resnet50_citys", SEGMENTATION, 320, 1.1, height=320, width=320),
    picture("fastscnn_citys", SEGMENTATION, 320, height=320, width=320),
    segmentation("danet_resnet50_citys", height=160, width=160),
    picture("hrnet_w18_small_v1_s", SEGMENTATION, 256),
    pose("simple_pose_resnet18_v1b"),
    pose("simple_pose_resnet50_v1d"),
    pose("mobile_pose_mobilenetv3_small"),
    pose("alpha_pose_resnet101_v1b_coco", num_gpus=0),
    picture("vgg16_ucf101", ACTION),
    picture("inceptionv3_kinetics400", ACTION, 299),
    clip("c3d_kinetics400", 16, 1.0),
    clip("p3d_resnet50_kinetics400", 16, 1.0),
    clip("r2plus1d_resnet18_kinetics400", 16, 1.0),
    clip("i3d_inceptionv1_kinetics400", 8, 1.0),
    clip("i3d_resnet50_v1_kinetics400", 8, 1.0),
    clip("i3d_nl5_resnet50_v1_kinetics400", 8, 1.0),
    clip("slowfast_4x16_resnet50_kinetics400", 36, 1.0),
    Net("monodepth2_resnet18_kitti_stereo_640x192", DEPTH, (1, 3, 192, 640), {}, None),
    Net("siamrpn_alexnet_v2_otb15", TRACKING, (1, 3, 287, 287), {}, None),
    Net("dcgan", GENERATOR, (1, 100, 1, 1), {}, None),
    picture("cyclegan", GENERATOR, 128),
    picture("srgan", GENERATOR, 64),
    Net("bert_base", LANGUAGE, (128, 1, 768), {}, None),
    Net("lstm_lm", LANGUAGE, (35, 1), {}, None),
)

# Nets of GluonCV that no row stands for.
LEFT_OUT = {
    "*_int8": "their parameters are downloads; compare_peers has a row of such a net",
    "*_gn": "GluonCV's group norm cannot be exported: it hands reshape extents where a symbol takes a tuple",
    "resnet*_kinetics400": "their constructors download a base; resnet50_v1d is the net",
    "smot_*": "its tracker is Python around an SSD that is here",
    "monodepth2_*posenet*": "the encoder of monodepth2 over two pictures, and four convolutions",
    "*_custom": "the net of the same name without it",
}

# Nets whose answers nobody can judge: for a region that a feature pyramid gives to another level
# (image -1) MXNet's ROIAlign on CPUs zeroes one element, of the first region, in place of its own
# (src/operator/contrib/roi_align.cc, ROIAlignForward), and what memory held is added up. symc has zeros.
UNDEFINED = ("faster_rcnn_fpn_resnet50_v1b_coco", "mask_rcnn_fpn_resnet18_v1b_coco")

# For the long tests: one of each way of computing.
SAMPLE = ("mobilenetv3_small", "cifar_resnext29_32x4d", "shufflenet_v1", "ssd_512_mobilenet1.0_voc", "fastscnn_citys",
          "r2plus1d_resnet18_kinetics400", "dcgan", "lstm_lm")


def select(names):
    """Nets by name, separated by commas; all where nothing is named."""
    wanted = [name for name in names.split(",") if name]
    unknown = set(wanted) - {net.name for net in NETS}
    if unknown:
        raise ValueError("no such net: %s; --list shows them" % ", ".join(sorted(unknown)))
    return [net for net in NETS if not wanted or net.name in wanted]
