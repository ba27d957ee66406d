"""NumpyOp and NDArrayOp: operators in Python as scripts of MXNet 0.5 to 0.9 write them, an object a node. Each object
becomes an operator of the process, by a CustomOpProp (operator.py).

    class Softmax(mx.operator.NumpyOp): ...
    net = Softmax()(data=fc, name="softmax")
"""
import itertools

import numpy as np

from . import operator

_numbers = itertools.count()


class PythonOp:
    """What both have: shapes, names of inputs and outputs, and forward and backward over arrays."""

    def __init__(self, need_top_grad=True):
        self.need_top_grad_ = need_top_grad
        self._registered = None

    def __call__(self, *args, **kwargs):
        return self.get_symbol(*args, **kwargs)

    def get_symbol(self, *args, **kwargs):
        """A node of this object."""
        raise NotImplementedError("PythonOp is the base of NumpyOp and NDArrayOp")

    def forward(self, in_data, out_data):
        out_data[0][:] = in_data[0]

    def backward(self, out_grad, in_data, out_data, in_grad):
        in_grad[0][:] = 1.0

    def infer_shape(self, in_shape):
        """([shapes of inputs], [shapes of outputs])."""
        return in_shape, [in_shape[0]]

    def list_outputs(self):
        return ["output"]

    def list_arguments(self):
        return ["data"]

    def need_top_grad(self):
        """False of a loss."""
        return self.need_top_grad_


class NumpyOp(PythonOp):
    """forward and backward get arrays of NumPy."""

    def get_symbol(self, *args, **kwargs):
        return _symbol(self, lambda arrays: [np.asarray(each) for each in arrays], args, kwargs)


class NDArrayOp(PythonOp):
    """forward and backward get NDArrays."""

    def get_symbol(self, *args, **kwargs):
        return _symbol(self, list, args, kwargs)

    def declare_backward_dependency(self, out_grad, in_data, out_data):
        """What backward reads."""
        return [*(out_grad if self.need_top_grad() else ()), *in_data, *out_data]


def _symbol(own, seen, args, kwargs):
    """A node of the object `own`; `seen`: makes what its functions get of a list of NDArrays."""
    from .symbol import Custom
    if getattr(own, "_registered", None) is None:
        own._registered = "%s_%d" % (type(own).__name__, next(_numbers))
        operator.register(own._registered)(_prop(own, seen))
    return Custom(*args, op_type=own._registered, **kwargs)


def _prop(own, seen):
    class Computes(operator.CustomOp):
        def forward(self, is_train, req, in_data, out_data, aux):
            own.forward(in_data=seen(in_data), out_data=seen(out_data))

        def backward(self, req, out_grad, in_data, out_data, in_grad, aux):
            own.backward(out_grad=seen(out_grad), in_data=seen(in_data), out_data=seen(out_data), in_grad=seen(in_grad))

    class Describes(operator.CustomOpProp):
        def __init__(self):
            super().__init__(need_top_grad=own.need_top_grad())

        def list_arguments(self):
            return own.list_arguments()

        def list_outputs(self):
            return own.list_outputs()

        def infer_shape(self, in_shape):
            inputs, outputs = own.infer_shape(in_shape)
            return inputs, outputs, []

        def infer_type(self, in_type):
            return [np.float32] * len(in_type), [np.float32] * len(own.list_outputs()), []

        def create_operator(self, ctx, in_shapes, in_dtypes):
            return Computes()

    Describes.__doc__ = type(own).__doc__ or "An operator of Python."
    return Describes
