"""Operators that are Python functions: MXNet's CustomOp and CustomOpProp, compiled into this process.

Breaks where a registered operator does not compose, infer, compile or run as one of MXNet's does, or where what goes
wrong in it does not come back as an exception with its name.
"""
import unittest
import warnings

import numpy
import symc as mx

DATA = numpy.array([[1, -2, 0.5], [3, 4, -1]], "float32")


class Softmax(mx.operator.CustomOp):
    made = 0

    def __init__(self):
        Softmax.made += 1

    def forward(self, is_train, req, in_data, out_data, aux):
        x = in_data[0].asnumpy()
        y = numpy.exp(x - x.max(axis=1).reshape((x.shape[0], 1)))
        y /= y.sum(axis=1).reshape((x.shape[0], 1))
        self.assign(out_data[0], req[0], mx.nd.array(y))


@mx.operator.register("test_softmax")
class SoftmaxProp(mx.operator.CustomOpProp):
    """A softmax whose label nobody reads."""

    def __init__(self):
        super().__init__(need_top_grad=False)

    def list_arguments(self):
        return ["data", "label"]

    def infer_shape(self, in_shape):
        return [in_shape[0], (in_shape[0][0],)], [in_shape[0]], []

    def infer_type(self, in_type):
        return [in_type[0], in_type[0]], [in_type[0]], []

    def create_operator(self, ctx, in_shapes, in_dtypes):
        assert in_shapes[0] == (2, 3) and in_dtypes[0] == numpy.float32 and ctx == mx.cpu()
        return Softmax()


class Scaled(mx.operator.CustomOp):
    def __init__(self, by, fails):
        self.by, self.fails = by, fails

    def forward(self, is_train, req, in_data, out_data, aux):
        if self.fails:
            raise ValueError("as it was told")
        self.assign(out_data[0], req[0], in_data[0] * self.by)
        self.assign(out_data[1], req[1], in_data[0].sum(axis=1))


@mx.operator.register("test_scaled")
class ScaledProp(mx.operator.CustomOpProp):
    def __init__(self, by, fails=False):
        super().__init__()
        self.by, self.fails = float(by), fails == "True"

    def list_outputs(self):
        return ["scaled", "sums"]

    def infer_shape(self, in_shape):
        return in_shape, [in_shape[0], in_shape[0][:1]], []

    def create_operator(self, ctx, in_shapes, in_dtypes):
        return Scaled(self.by, self.fails)


def refused(test, call, *texts):
    with test.assertRaises(mx.SymcError) as caught:
        call()
    for text in texts:
        test.assertIn(text, str(caught.exception))


@mx.operator.register("line_scale(Tensor data, Tensor other, *, float factor=1.5, int? more=None, bool on=True, "
                      "Shape at=(), {plus|minus} how=plus, str word=w, Floats some=(0.5,)) -> (Tensor sum, Tensor last)",
                      infer_shape=lambda data, other, at, **_: (data, (*data[:-1], *at)),
                      infer_type=lambda data, other, **_: [data, "int32"])
def line_scale(data, other, **parameters):
    """What a line describes.

    More of it."""
    line_scale.given = parameters
    return [(data + other) * parameters["factor"], data[:, -parameters["at"][0]:]]


class SchemaTest(unittest.TestCase):
    def test_a_line_and_a_function(self):
        a, b = mx.sym.Variable("a"), mx.sym.Variable("b")
        net = mx.sym.line_scale(a, b, more=3, at=(2,), how="minus", name="s")
        self.assertEqual(net.list_outputs(), ["s_sum", "s_last"])
        self.assertEqual(net.infer_shape(a=(2, 3), b=(2, 3))[1], [(2, 3), (2, 2)])
        self.assertTrue(mx.sym.line_scale.__doc__.startswith("What a line describes.\n"))
        total, last = mx.compile(net, shapes={"a": (2, 3), "b": (2, 3)})(DATA, DATA)
        numpy.testing.assert_array_equal(total, 3 * DATA)
        numpy.testing.assert_array_equal(last, DATA[:, 1:].astype("int32"))
        self.assertEqual(line_scale.given, {"factor": 1.5, "more": 3, "on": True, "at": (2,), "how": "minus", "word": "w",
                                            "some": (0.5,)})
        total, _ = mx.nd.line_scale(mx.nd.array(DATA), mx.nd.array(DATA), at=1, word="x y", some=(1, 2), on=False)
        self.assertEqual(total[0, 0], 3)
        self.assertEqual(line_scale.given, {"factor": 1.5, "more": None, "on": False, "at": (1,), "how": "plus",
                                            "word": "x y", "some": (1.0, 2.0)})

    def test_one_output_and_no_functions_of_shapes(self):
        @mx.operator.register("line_double(Tensor data) -> Tensor")
        def double(data):
            return 2 * data
        self.assertEqual(double(4), 8)
        model = mx.compile(mx.sym.line_double(mx.sym.Variable("data")), shapes={"data": ("1..4", 3)})
        numpy.testing.assert_array_equal(model(DATA), 2 * DATA)
        numpy.testing.assert_array_equal(model(DATA[:1]), 2 * DATA[:1])

    def test_mistakes(self):
        def line(schema, function=lambda *_, **__: None, **keywords):
            mx.operator.register(schema, **keywords)(function)
        refused(self, lambda: line("line_a(Tensor data, *, real x=1) -> Tensor"), "schema, column 24: needs a type")
        line("line_once(Tensor data) -> Tensor")
        refused(self, lambda: line("line_once(Tensor data) -> Tensor"), "'line_once'")
        self.assertRaisesRegex(TypeError, "^operator 'name': infer_shape and infer_type belong to an operator of one line$",
                               mx.operator.register, "name", infer_shape=tuple)
        line("line_wrong(Tensor data, *, int shape=1) -> Tensor", lambda data, shape: data[:, :shape])
        line("line_many(Tensor data) -> Tensor", lambda data: [data, data])
        line("line_shapes(Tensor data) -> Tensor", infer_shape=lambda data: [data, data])
        one = mx.nd.array(DATA)
        refused(self, lambda: mx.nd.line_wrong(one), r"function of 'line_wrong': ValueError: a result has shape (2, 1), "
                "needs (2, 3)")
        refused(self, lambda: mx.nd.line_many(one), "function of 'line_many': ValueError: 2 results, needs 1")
        refused(self, lambda: mx.nd.line_shapes(one), "infer_shape of 'line_shapes': ValueError: 2 results, needs 1")


class OlderClasses(unittest.TestCase):
    """NumpyOp and NDArrayOp, as scripts of MXNet 0.5 have them."""

    def test_a_loss_of_numpy(self):
        class Softmax(mx.operator.NumpyOp):
            def __init__(self):
                super().__init__(False)

            def list_arguments(self):
                return ["data", "label"]

            def infer_shape(self, in_shape):
                return [in_shape[0], (in_shape[0][0],)], [in_shape[0]]

            def forward(self, in_data, out_data):
                test.assertIs(type(in_data[0]), numpy.ndarray)
                out_data[0][:] = numpy.exp(in_data[0])
                out_data[0][:] /= out_data[0].sum(axis=1, keepdims=True)

            def backward(self, out_grad, in_data, out_data, in_grad):
                in_grad[0][:] = out_data[0]
                in_grad[0][numpy.arange(2), in_data[1].astype(int)] -= 1
        test, made = self, Softmax()
        net = made(data=2 * mx.sym.Variable("data"), name="softmax")
        self.assertEqual(net.list_arguments(), ["data", "softmax_label"])
        bound = net.simple_bind(mx.cpu(), data=(2, 3), grad_req={"data": "write", "softmax_label": "null"})
        bound.forward(is_train=True, data=mx.nd.array(DATA), softmax_label=mx.nd.array([2, 0]))
        bound.backward()
        whole = numpy.exp(2 * DATA)
        whole /= whole.sum(1, keepdims=True)
        numpy.testing.assert_allclose(bound.outputs[0].asnumpy(), whole, rtol=1e-5)
        numpy.testing.assert_allclose(bound.grad_dict["data"].asnumpy(), 2 * (whole - [[0, 0, 1], [1, 0, 0]]), rtol=1e-4, atol=1e-6)
        self.assertEqual(made(data=mx.sym.Variable("x"), name="again").list_arguments(), ["x", "again_label"])

    def test_arrays_of_mxnet(self):
        class Double(mx.operator.NDArrayOp):
            def forward(self, in_data, out_data):
                out_data[0][:] = in_data[0] * 2

            def backward(self, out_grad, in_data, out_data, in_grad):
                in_grad[0][:] = out_grad[0] * 2
        bound = Double()(mx.sym.Variable("data")).simple_bind(mx.cpu(), data=(2, 3))
        bound.forward(is_train=True, data=mx.nd.array(DATA))
        bound.backward([mx.nd.array(DATA)])
        numpy.testing.assert_allclose(bound.outputs[0].asnumpy(), 2 * DATA)
        numpy.testing.assert_allclose(bound.grad_dict["data"].asnumpy(), 2 * DATA)
        with self.assertRaisesRegex(NotImplementedError, "^PythonOp is the base of NumpyOp and NDArrayOp$"):
            mx.operator.PythonOp()(mx.sym.Variable("data"))


class OperatorTest(unittest.TestCase):
    def test_example_of_mxnet(self):
        before = Softmax.made
        net = mx.sym.Custom(2 * mx.sym.Variable("data"), name="softmax", op_type="test_softmax")
        self.assertEqual(net.list_arguments(), ["data", "softmax_label"])
        self.assertEqual(net.infer_shape(data=(2, 3))[0], [(2, 3), (2,)])
        self.assertIn('"op": "Custom"', net.tojson())
        self.assertIn("A softmax whose label nobody reads", mx.sym.test_softmax.__doc__)
        power = numpy.exp(2 * DATA)
        model = mx.compile(mx.sym.load_json(net.tojson()), shapes={"data": (2, 3), "softmax_label": (2,)})
        for _ in range(3):
            numpy.testing.assert_allclose(model(data=DATA, softmax_label=numpy.zeros(2, "float32")),
                                          power / power.sum(axis=1, keepdims=True), rtol=1e-5)
        self.assertEqual(Softmax.made, before + 1)

    def test_parameters_outputs_and_types(self):
        for dtype in ("float32", "float64", "int32"):
            net = mx.sym.Custom(mx.sym.Variable("data"), op_type="test_scaled", by=3, name="s")
            model = mx.compile(net, shapes={"data": "1..4,3"}, dtypes={"data": dtype})
            for rows in (1, 2):
                scaled, sums = model(DATA[:rows].astype(dtype))
                numpy.testing.assert_array_equal(scaled, 3 * DATA[:rows].astype(dtype))
                numpy.testing.assert_array_equal(sums, DATA[:rows].astype(dtype).sum(axis=1))

    def test_weights_and_layers_around_it(self):
        net = mx.sym.FullyConnected(mx.sym.Variable("data"), num_hidden=4, no_bias=True, name="fc")
        net = mx.sym.relu(mx.sym.Custom(net, op_type="test_scaled", by=-1, name="s")[0])
        weight = numpy.arange(12, dtype="float32").reshape(4, 3)
        stages = []
        model = mx.compile(net, {"fc_weight": weight}, {"data": (2, 3)}, progress=stages.append)
        numpy.testing.assert_allclose(model(DATA), numpy.maximum(-DATA @ weight.T, 0), rtol=1e-6)
        self.assertIn("load", stages)
        self.assertIn("data", model.describe())
        model.close()

    def test_a_class_that_names_itself(self):
        """As Python 2 calls its base class, in most public scripts."""
        class Thrice(mx.operator.CustomOp):
            def forward(self, is_train, req, in_data, out_data, aux):
                self.assign(out_data[0], req[0], 3 * in_data[0])

        def declare(name):
            @mx.operator.register(name)
            class Late(mx.operator.CustomOpProp):
                def __init__(self):
                    super(Late, self).__init__(need_top_grad=False)

                def create_operator(self, ctx, in_shapes, in_dtypes):
                    return Thrice()
        declare("test_late")
        net = mx.sym.Custom(mx.sym.Variable("data"), op_type="test_late", name="s")
        declare("test_later")  # known first by a text
        text = net.tojson().replace("test_late", "test_later")
        for each in (net, mx.sym.load_json(text)):
            numpy.testing.assert_array_equal(mx.compile(each, shapes={"data": (2, 3)})(DATA), 3 * DATA)

    def test_mistakes_of_an_operator(self):
        data = mx.sym.Variable("data")
        model = mx.compile(mx.sym.Custom(data, op_type="test_scaled", by=1, fails=True, name="s"), shapes={"data": (2, 3)})
        refused(self, lambda: model(DATA), "node 's': forward of 'test_scaled': ValueError: as it was told")
        refused(self, model.memory_plan, "has operators of Python, and no memory plan")
        refused(self, model.profile, "has operators of Python, and no probes")
        bad = mx.sym.Custom(data, op_type="test_scaled", by="much", name="s")
        refused(self, lambda: mx.compile(bad, shapes={"data": (2, 3)}),
                "infer_shape of 'test_scaled': ValueError: could not convert string to float")
        net = mx.sym.Custom(data, op_type="test_scaled", by=1)
        refused(self, lambda: mx.compile(net, shapes={"data": (2, 3)}, output="none.so"),
                "operator 'test_scaled' is a Python function, which no file can hold; leave output out")

        def stop(stage):
            raise KeyboardInterrupt
        with self.assertRaises(KeyboardInterrupt):
            mx.compile(net, shapes={"data": (2, 3)}, progress=stop)

    def test_mistakes_of_a_description(self):
        class Wrong(mx.operator.CustomOpProp):
            def list_auxiliary_states(self):
                return ["mean"]

        class Any(mx.operator.CustomOpProp):
            def __init__(self, **kwargs):
                super().__init__()

        class Few(mx.operator.CustomOpProp):
            def infer_shape(self, in_shape):
                return in_shape, [], []

        class Broken(mx.operator.CustomOpProp):
            def list_arguments(self):
                return self.names

        refused(self, lambda: mx.operator.register("test_wrong")(Wrong),
                "operator 'test_wrong' has the auxiliary state 'mean'; operators of Python have none here")
        refused(self, lambda: mx.operator.register("test_any")(Any),
                "operator 'test_any': parameters of __init__ have names, '**kwargs' may be any")
        refused(self, lambda: mx.operator.register("test_broken")(Broken),
                "operator 'test_broken': its inputs and outputs are not known: AttributeError: ")
        mx.operator.register("test_few")(Few)
        net = mx.sym.Custom(mx.sym.Variable("data"), op_type="test_few")
        refused(self, lambda: mx.compile(net, shapes={"data": (2, 3)}), "0 shapes of outputs, needs 1")

    def test_a_name_that_a_built_in_operator_has(self):
        @mx.operator.register("softmax")
        class Same(SoftmaxProp):
            def infer_shape(self, in_shape):
                return [in_shape[0], (in_shape[0][0],)], [in_shape[0]], []
        before, data = Softmax.made, mx.sym.Variable("data")
        whole = numpy.exp(DATA - DATA.max(1, keepdims=True))
        whole /= whole.sum(1, keepdims=True)
        net = mx.sym.load_json(mx.sym.Custom(data=data, op_type="softmax", name="net").tojson())
        self.assertEqual(net.list_arguments(), ["data", "net_label"])
        ran = net.bind(mx.cpu(), {"data": mx.nd.array(DATA), "net_label": mx.nd.zeros(2)}).forward()[0].asnumpy()
        numpy.testing.assert_allclose(ran, whole, rtol=1e-6)
        numpy.testing.assert_allclose(mx.nd.Custom(mx.nd.array(DATA), mx.nd.zeros(2), op_type="softmax").asnumpy(), whole, rtol=1e-6)
        self.assertGreater(Softmax.made, before)
        before = Softmax.made
        built_in = mx.sym.softmax(data).bind(mx.cpu(), {"data": mx.nd.array(DATA)}).forward()[0].asnumpy()
        numpy.testing.assert_allclose(built_in, whole, rtol=1e-6)
        self.assertEqual(Softmax.made, before)

    def test_remarks_are_warnings(self):
        net = mx.sym.Custom(mx.sym.Variable("data"), op_type="test_scaled", by=1)
        with warnings.catch_warnings(record=True) as told:
            warnings.simplefilter("always")
            mx.compile(net, shapes={"data": (2, 3)}, options=["--remarks"])
        self.assertTrue(all(str(each.message).startswith("remark: ") for each in told))


if __name__ == "__main__":
    unittest.main()
