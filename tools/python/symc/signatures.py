"""The order of MXNet's arguments, for operators whose entry in the table of operators has another.

The compiler drops what changes nothing about a result (workspace, cudnn_tune, ctx), and one of its operations may stand
for several operators. Arguments by position follow MXNet's order, as listed here; what the table lacks may be given
and is passed over.
"""

_CONVOLUTION = "kernel stride dilate pad num_filter num_group workspace no_bias cudnn_tune cudnn_off layout"
_POOLING = "kernel pool_type global_pool cudnn_off pooling_convention stride pad p_value count_include_pad layout"
_RANDOM = {"uniform": "low high", "normal": "loc scale", "gamma": "alpha beta", "exponential": "lam", "poisson": "lam",
           "negative_binomial": "k p", "generalized_negative_binomial": "mu alpha"}

#: {an operator's own name: its arguments in order}
ORDERS = {
    "Convolution": "data weight bias " + _CONVOLUTION,
    "Convolution_v1": "data weight bias " + _CONVOLUTION,
    "Deconvolution": "data weight bias kernel stride dilate pad adj target_shape num_filter num_group workspace "
                     "no_bias cudnn_tune cudnn_off layout",
    "_contrib_DeformableConvolution": "data offset weight bias kernel stride dilate pad num_filter num_group "
                                      "num_deformable_group workspace no_bias layout",
    "_contrib_ModulatedDeformableConvolution": "data offset mask weight bias kernel stride dilate pad num_filter "
                                               "num_group num_deformable_group workspace no_bias im2col_step layout",
    "_contrib_quantized_conv": "data weight bias min_data max_data min_weight max_weight min_bias max_bias "
                               + _CONVOLUTION,
    "Pooling": "data " + _POOLING,
    "_contrib_quantized_pooling": "data min_data max_data " + _POOLING,
    "BatchNorm_v1": "data gamma beta eps momentum fix_gamma use_global_stats output_mean_var",
    "IdentityAttachKLSparseReg": "data sparseness_target penalty momentum",
    "log_softmax": "data axis temperature dtype use_length",
    "softmin": "data axis temperature dtype use_length",
    "_arange": "start stop step repeat infer_range ctx dtype",
    "_contrib_arange_like": "data start step repeat ctx axis",
    "_eye": "N M k ctx dtype",
    "_full": "shape ctx dtype value",
    "_ones": "shape ctx dtype",
    "_zeros": "shape ctx dtype",
    "_random_randint": "low high shape ctx dtype",
    **{"_random_" + key: parameters + " shape ctx dtype" for key, parameters in _RANDOM.items()},
    "_random_generalized_negative_binomial_like": "data mu alpha",
}

#: Operators that take any number of symbols by position, counted by a parameter.
VARIADIC = {"Crop": "num_args", "UpSampling": "num_args"}
