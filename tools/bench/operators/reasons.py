"""Why operators are slower than MXNet's: {reason: operators}. compare_operators prints it beside their rows."""
REASONS = {
    "runs by its reference kernel, sums in double without vectors of the target; MXNet calls OpenBLAS":
        ("dot", "batch_dot", "_linalg_gemm", "_linalg_gemm2", "_linalg_syrk", "_linalg_trmm", "_linalg_trsm"),
    "runs by its reference kernel, sums in double without vectors of the target; MXNet calls batched products of OpenBLAS":
        ("_contrib_interleaved_matmul_selfatt_qk", "_contrib_interleaved_matmul_selfatt_valatt",
         "_contrib_interleaved_matmul_encdec_qk", "_contrib_interleaved_matmul_encdec_valatt"),
    "runs by its reference kernel, one place of the image after the other; MXNet calls oneDNN":
        ("Deconvolution", "LRN", "_contrib_quantized_conv", "_contrib_quantized_fully_connected", "_contrib_quantized_pooling",
         "_contrib_quantized_batch_norm", "_contrib_quantized_elemwise_mul", "_contrib_quantized_elemwise_add"),
    "runs by its reference kernel, compiled for any x86-64 processor; MXNet calls oneDNN":
        ("_contrib_quantize", "_contrib_quantize_v2", "_contrib_dequantize", "_contrib_requantize", "_contrib_quantized_act",
         "_contrib_quantized_concat"),
    "runs by its reference kernel, exponentials in double":
        ("softmax_cross_entropy", "SoftmaxActivation", "SoftmaxOutput", "softmax", "log_softmax", "softmin"),
    "a function of the accurate library, element by element, in symc and in MXNet":
        ("arccosh", "arctanh", "gammaln", "gamma", "cbrt", "sinh"),
    "divides whole numbers of 64 bits for each place; MXNet's divide in 32": ("_unravel_index", "_ravel_multi_index"),
    "runs by its reference kernel, whose loops are not vector code":
        ("_histogram", "GridGenerator", "LayerNorm", "BilinearSampler", "SpatialTransformer", "_contrib_RROIAlign", "col2im", "sort",
         "argsort", "topk", "_contrib_box_encode", "L2Normalization", "InstanceNorm", "GroupNorm", "Pad", "_linalg_makediag",
         "_contrib_box_iou", "im2col", "_linalg_extracttrian", "_linalg_maketrian"),
    "runs by its reference kernel":
        ("erfinv", "_linalg_extractdiag", "_linalg_det", "_image_flip_top_bottom", "_image_adjust_lighting", "_image_resize", "Crop",
         "Embedding", "reshape_like"),
    "runs by its reference kernel for weights that are not given at compile time": ("FullyConnected",),
}


def reason_of(operator):
    return next((reason for reason, operators in REASONS.items() if operator in operators), "not looked into")
