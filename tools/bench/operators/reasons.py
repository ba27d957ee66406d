"""Why operators are slower than MXNet's: {reason: operators}. compare_operators prints it beside their rows."""
REASONS = {
    "the kernel of layers, over a matrix that is packed in every run; MXNet calls OpenBLAS":
        ("_linalg_gemm", "_linalg_gemm2", "_linalg_syrk", "dot", "batch_dot"),
    "calls the same LAPACK, from another copy of OpenBLAS": ("_linalg_det", "_linalg_slogdet", "_linalg_inverse"),
    "generated code of softmax; MXNet calls oneDNN": ("SoftmaxOutput", "SoftmaxActivation", "softmax"),
    "32 steps of an LSTM; recurrent layers have rows of their own in performance-recurrent.md": ("RNN",),
    "runs by its reference kernel, one place of the image after the other; MXNet calls oneDNN":
        ("_contrib_quantized_pooling", "_contrib_quantized_batch_norm", "_contrib_quantized_elemwise_mul",
         "_contrib_quantized_elemwise_add"),
    "the kernel over bytes, whose products are summed exactly in pairs of 16 bits where the processor has no VNNI; MXNet's oneDNN cuts sums "
    "of two products off at 16 bits there": ("_contrib_quantized_conv", "_contrib_quantized_fully_connected"),
    "runs by its reference kernel, compiled for any x86-64 processor; MXNet calls oneDNN":
        ("_contrib_quantized_act",),
    "a function of libm, element by element, in symc and in MXNet": ("_npi_blackman",),
    "one walk behind a copy of the images into zeros; MXNet's oneDNN has AVX-512, with which symc's x86-64-v4 is 1.18 times as fast":
        ("Deconvolution:depthwise",),
    "a convolution by Winograd's algorithm between copies to blocks of channels and back, a fifth of the "
    "time, which a network makes at its ends alone": ("Convolution:3x1x1",),
    "a convolution at 97 % of the core's peak between copies to blocks of channels and back, a third of the time, which a network "
    "makes at its ends alone": ("Convolution:depthwise",),
    "moves memory, as MXNet does": ("Concat", "Embedding"),
    "a convolution of 3x3x3 over the remainders of the stride, and four steps that put them side by side, a quarter of the time":
        ("Deconvolution:volume",),
    "a convolution over the remainders of the stride, and three copies to blocks of channels and back, two fifths of the time": ("Deconvolution:line",),
    "vectors of two groups whose inputs are permuted, between copies to blocks of channels and back, a third of the time":
        ("Convolution:groups of 8",),
    "a copy to blocks of channels, half of the time and more, which a network makes at its ends alone": ("Pooling", "Pooling:avg"),
    "divides whole numbers of 64 bits for each place; MXNet's divide in 32": ("_unravel_index", "_ravel_multi_index"),
    "runs by its reference kernel, whose loops are not vector code":
        ("_histogram", "GridGenerator", "BilinearSampler", "SpatialTransformer", "_contrib_RROIAlign", "col2im", "sort",
         "argsort", "topk", "_contrib_box_encode", "Pad", "_contrib_hawkesll",
         "_contrib_box_iou", "_contrib_box_decode", "_npi_percentile", "im2col", "_linalg_extracttrian", "_linalg_maketrian"),
    "runs by its reference kernel":
        ("erfinv", "_image_adjust_lighting", "_image_random_lighting", "_image_resize", "Crop", "Embedding", "take", "reshape_like",
         "_contrib_calibrate_entropy"),
    "a convolution over the remainders of the stride; MXNet calls oneDNN": ("Deconvolution",),
}


def reason_of(operator):
    return next((reason for reason, operators in REASONS.items() if operator in operators), "not looked into")
