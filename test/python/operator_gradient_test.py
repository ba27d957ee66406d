"""Gradients of operators that are Python functions: backward of MXNet's CustomOp, called by compiled code.

Breaks where backward gets other arrays than MXNet gives it, or is not called, or where what goes wrong in it does not come
back as an exception with its name.
"""
import unittest

import numpy
import symc as mx

A = numpy.array([[1, -2, 0.5], [3, 4, -1]], "float32")
B = numpy.array([[2, 1, -1], [0.5, -3, 2]], "float32")


class Product(mx.operator.CustomOp):
    """a * b, of which the gradient reads inputs, the output and the gradient of the output."""

    def forward(self, is_train, req, in_data, out_data, aux):
        self.assign(out_data[0], req[0], in_data[0] * in_data[1])

    def backward(self, req, out_grad, in_data, out_data, in_grad, aux):
        numpy.testing.assert_array_equal(out_data[0].asnumpy(), in_data[0].asnumpy() * in_data[1].asnumpy())
        self.assign(in_grad[0], req[0], out_grad[0] * in_data[1])
        self.assign(in_grad[1], req[1], out_grad[0] * in_data[0])


@mx.operator.register("test_product")
class ProductProp(mx.operator.CustomOpProp):
    def list_arguments(self):
        return ["a", "b"]

    def infer_type(self, in_type):
        return [in_type[0]] * 2, [in_type[0]], []

    def create_operator(self, ctx, in_shapes, in_dtypes):
        return Product()


class Distance(mx.operator.CustomOp):
    """In prediction it has another result."""

    def forward(self, is_train, req, in_data, out_data, aux):
        self.assign(out_data[0], req[0], in_data[0] if is_train else -in_data[0])

    def backward(self, req, out_grad, in_data, out_data, in_grad, aux):
        self.assign(in_grad[0], req[0], out_data[0] - in_data[1])
        self.assign(in_grad[1], req[1], 0)


@mx.operator.register("test_distance")
class DistanceProp(mx.operator.CustomOpProp):
    def __init__(self):
        super().__init__(need_top_grad=False)

    def list_arguments(self):
        return ["data", "label"]

    def infer_type(self, in_type):
        return [in_type[0]] * 2, [in_type[0]], []

    def create_operator(self, ctx, in_shapes, in_dtypes):
        return Distance()


@mx.operator.register("test_forward_only")
class ForwardOnlyProp(mx.operator.CustomOpProp):
    def create_operator(self, ctx, in_shapes, in_dtypes):
        class ForwardOnly(mx.operator.CustomOp):
            def forward(self, is_train, req, in_data, out_data, aux):
                self.assign(out_data[0], req[0], in_data[0])
        return ForwardOnly()


@mx.operator.register("test_line(Tensor data) -> Tensor")
def line(data):
    return 2 * data


def compiled(net, **shapes):
    return mx.compile(net, {}, shapes, options=["--gradients", "all"])


class BackwardTest(unittest.TestCase):
    def test_backward_is_called_in_the_middle_of_a_graph(self):
        a, b = mx.sym.Variable("a"), mx.sym.Variable("b")
        net = mx.sym.square(mx.sym.Custom(mx.sym.exp(a), b, op_type="test_product", name="p"), name="s")
        model = compiled(net, a=A.shape, b=B.shape)
        self.assertEqual([each.name for each in model.inputs], ["a", "b", "head_grad:s_output"])
        for scale in (1, -2):
            gradient = numpy.full_like(A, scale)
            outputs = dict(zip([each.name for each in model.outputs], model(**{"a": A, "b": B, "head_grad:s_output": gradient})))
            product = numpy.exp(A) * B
            numpy.testing.assert_allclose(outputs["s_output"], product ** 2, rtol=1e-5)
            numpy.testing.assert_allclose(outputs["grad:a"], scale * 2 * product * product, rtol=1e-5)
            numpy.testing.assert_allclose(outputs["grad:b"], scale * 2 * product * numpy.exp(A), rtol=1e-5)

    def test_an_operator_that_reads_no_gradient_is_a_loss(self):
        net = mx.sym.Custom(2 * mx.sym.Variable("data"), mx.sym.Variable("label"), op_type="test_distance", name="d")
        model = compiled(net, data=A.shape, label=B.shape)
        self.assertEqual([each.name for each in model.inputs], ["data", "label"])
        outputs = dict(zip([each.name for each in model.outputs], model(data=A, label=B)))
        numpy.testing.assert_array_equal(outputs["grad:data"], 2 * (2 * A - B))
        numpy.testing.assert_array_equal(outputs["grad:label"], numpy.zeros_like(B))
        numpy.testing.assert_array_equal(outputs["d_output"], 2 * A)
        model = mx.compile(net, {}, {"data": A.shape, "label": B.shape})
        numpy.testing.assert_array_equal(model(data=A, label=B), -2 * A)

    def test_operators_without_a_gradient(self):
        data = mx.sym.Variable("data")
        model = compiled(mx.sym.Custom(data, op_type="test_forward_only", name="f"), data=A.shape)
        with self.assertRaisesRegex(mx.SymcError, "node 'f_backward': backward of 'test_forward_only': NotImplementedError: "
                                                  "backward"):
            model(**{"data": A, "head_grad:f_output": A})
        with self.assertRaisesRegex(mx.SymcError, "node 'l': has no gradient: the library that describes 'test_line' has no "
                                                  "gradient kernels for it"):
            compiled(mx.sym.Custom(data, op_type="test_line", name="l"), data=A.shape)


if __name__ == "__main__":
    unittest.main()
