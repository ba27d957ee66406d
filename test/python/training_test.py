"""If this fails, an executor computes other gradients than those of its last forward, writes them where they do not
belong, or training changes arrays at another time than in MXNet."""
import unittest

import numpy as np
import symc
from symc import executor, loaded_models, nd

sym = symc.sym


def dense(**kwargs):
    return sym.FullyConnected(sym.Variable("data"), num_hidden=2, name="fc", **kwargs)


def product(**kwargs):
    """a * b with arrays for values and gradients."""
    values = {"a": nd.array([1, 2, 3]), "b": nd.array([4, 5, 6])}
    gradients = {"a": nd.array([7, 7, 7]), "b": nd.array([8, 8, 8])}
    return (sym.Variable("a") * sym.Variable("b")).bind(None, values, gradients, **kwargs)


class Gradients(unittest.TestCase):
    def test_a_loss_needs_no_gradient_of_its_output(self):
        data, weight = np.random.RandomState(0).randn(4, 3), np.random.RandomState(1).randn(2, 3)
        label = np.array([0, 1, 1, 0])
        bound = sym.SoftmaxOutput(dense(), name="softmax").simple_bind(data=(4, 3))
        bound.arg_dict["fc_weight"][:] = weight
        found = bound.forward(is_train=True, data=data, softmax_label=label)[0].asnumpy()
        scores = np.exp(data @ weight.T)
        wanted = scores / scores.sum(1, keepdims=True)
        np.testing.assert_allclose(found, wanted, 1e-5)
        bound.backward()
        wanted[range(4), label] -= 1
        np.testing.assert_allclose(bound.grad_dict["fc_weight"], wanted.T @ data, 1e-4, 1e-6)
        np.testing.assert_allclose(bound.grad_dict["data"], wanted @ weight, 1e-4, 1e-6)
        np.testing.assert_allclose(bound.grad_dict["fc_bias"], wanted.sum(0), 1e-4, 1e-6)
        self.assertEqual(bound.grad_dict["softmax_label"].tolist(), [0] * 4)
        self.assertEqual([each.shape for each in bound.grad_arrays], [each.shape for each in bound.arg_arrays])

    def test_gradients_of_outputs(self):
        a, b = sym.Variable("a"), sym.Variable("b")
        both = sym.Group([sym.identity(a * b, name="first"), sym.identity(a + a, name="second")])
        bound = both.simple_bind(a=(2,), b=(2,))
        one, two = nd.array([10, 100]), nd.array([1, 2])
        for given in ([one, two], {"first_output": one, "second_output": two}, (one, two)):
            bound.forward(is_train=True, a=[3, 4], b=[5, 6])
            bound.backward(given)
            self.assertEqual([each.tolist() for each in bound.grad_arrays], [[52, 604], [30, 400]])
        bound = (a * b).simple_bind(a=(2,), b=(2,))
        bound.forward(is_train=True, a=[3, 4], b=[5, 6])
        bound.backward(one)
        self.assertEqual([each.tolist() for each in bound.grad_arrays], [[50, 600], [30, 400]])

    def test_write_add_and_null(self):
        for request, wanted in (("write", [[4, 10, 18], [1, 4, 9]]), ("add", [[11, 17, 25], [9, 12, 17]]),
                                ("null", [[7] * 3, [8] * 3]), ({"b": "add"}, [[7] * 3, [9, 12, 17]]),
                                (["null", "write"], [[7] * 3, [1, 4, 9]])):
            with self.subTest(request):
                bound = product(grad_req=request)
                bound.forward(is_train=True)
                bound.backward(nd.array([1, 2, 3]))
                self.assertEqual([each.tolist() for each in bound.grad_arrays], wanted)
        bound = product(grad_req="add")
        for _ in range(2):
            bound.forward(is_train=True)
            bound.backward(nd.ones(3))
        self.assertEqual(bound.grad_dict["a"].tolist(), [7 + 8, 7 + 10, 7 + 12])

    def test_arguments_without_an_array_have_no_gradient(self):
        array = nd.zeros(2)
        bound = (sym.Variable("a") * sym.Variable("b")).bind(None, [nd.ones(2), nd.ones(2)], [None, array])
        bound.forward(is_train=True)
        bound.backward(nd.array([3, 4]))
        self.assertEqual((bound.grad_dict["a"], bound.grad_dict["b"] is array, array.tolist()), (None, True, [3, 4]))

    def test_gradients_are_those_of_the_last_forward(self):
        bound = product()
        bound.forward(is_train=True)
        bound.arg_dict["a"][:] = 100
        bound.backward(nd.ones(3))
        self.assertEqual(bound.grad_dict["b"].tolist(), [1, 2, 3])
        bound.backward(nd.array([1, 0, 2]))  # of the same forward again
        self.assertEqual(bound.grad_dict["b"].tolist(), [1, 0, 6])
        bound.forward()
        bound.backward(nd.ones(3))  # of arrays as they are, behind a forward that was none of training
        self.assertEqual(bound.grad_dict["b"].tolist(), [100] * 3)

    def test_whole_numbers_have_gradients_of_zeros(self):
        embedded = sym.Embedding(sym.Variable("data"), input_dim=4, output_dim=2, name="e")
        bound = embedded.simple_bind(type_dict={"data": "int32"}, data=(3,))
        bound.grad_dict["data"][:] = 5
        bound.forward(is_train=True, data=[1, 3, 1])
        bound.backward(nd.array([[1, 2], [3, 4], [5, 6]]))
        self.assertEqual(bound.grad_dict["data"].tolist(), [0, 0, 0])
        self.assertEqual(bound.grad_dict["e_weight"].tolist(), [[0, 0], [6, 8], [0, 0], [3, 4]])

    def test_arrays_of_another_type_and_memory(self):
        whole = nd.zeros((2, 2), dtype="float64")
        bound = (sym.Variable("a") * 3).bind(None, [nd.ones(2)], [whole[:, 0]])
        bound.forward(is_train=True)
        bound.backward(nd.array([1, 2], dtype="float16"))
        self.assertEqual(whole.tolist(), [[3, 0], [6, 0]])


class GradientSymbols(unittest.TestCase):
    def test_of_a_loss(self):
        loss = sym.make_loss(sym.Variable("a") * sym.Variable("b"))
        gradients = loss.gradient(["b", "a"])
        self.assertEqual((gradients.list_outputs(), gradients.list_arguments()), (["b_grad", "a_grad"], ["a", "b"]))
        self.assertEqual(gradients.infer_shape(a=(2,))[1], [(2,), (2,)])
        found = gradients.eval(a=nd.array([1, 2]), b=nd.array([3, 4]))
        self.assertEqual([each.tolist() for each in found], [[1, 2], [3, 4]])

    def test_of_outputs(self):
        parts = sym.SliceChannel(sym.Variable("a"), num_outputs=2, name="parts")
        bound = sym.Group([parts[0] * 2, parts[1]]).grad("a").simple_bind(a=(1, 2))
        names = list(bound.arg_dict)
        self.assertEqual((names[0], names[1][-7:], names[2]), ("a", "_0_grad", "parts_0_grad"))
        bound.arg_dict[names[1]][:] = 10
        self.assertEqual(bound.forward(parts_0_grad=[[1]])[0].tolist(), [[20, 1]])
        self.assertEqual(list(bound.output_dict), ["a_grad"])
        net = sym.Variable("a") * 5
        found = net.gradient("a").bind(None, {"a": nd.ones(2), net.name + "_0_grad": nd.array([1, 2])}).forward()
        self.assertEqual(found[0].tolist(), [5, 10])

    def test_mistakes(self):
        gradients = (sym.Variable("a") * 5).gradient("a")
        for error, text, call in (
                (ValueError, "the symbol has no argument 'b'; its arguments are a", lambda: sym.Variable("a").gradient("b")),
                (ValueError, "the gradients have no argument 'x'; arguments are a, ",
                 lambda: gradients.eval(a=nd.ones(2), x=nd.ones(2))),
                (TypeError, "the gradients have no argument 'x'", lambda: gradients.simple_bind(a=(2,)).forward(x=1)),
                (symc.SymcError, "the gradient of 'a' is wanted, whose elements are int32",
                 lambda: gradients.eval(a=nd.ones(2, dtype="int32"))),
                (TypeError, "", lambda: sym.exp(gradients))):
            with self.subTest(text):
                self.assertRaisesRegex(error, text, call)


class Training(unittest.TestCase):
    def test_dropout_has_one_mask_forward_and_backward(self):
        bound = sym.Dropout(sym.Variable("a"), p=0.5).simple_bind(a=(1000,))
        ones = nd.ones(1000)
        masks = []
        for _ in range(2):
            masks.append(bound.forward(is_train=True, a=ones)[0].tolist())
            self.assertEqual(set(masks[-1]), {0, 2})
            bound.backward(ones)
            self.assertEqual(bound.grad_dict["a"].tolist(), masks[-1])
        self.assertNotEqual(*masks)
        self.assertEqual(bound.forward()[0].tolist(), [1] * 1000)

    def test_gradients_of_prediction(self):
        bound = sym.Dropout(sym.Variable("a"), p=0.5).simple_bind(a=(100,))
        bound.forward(a=nd.ones(100))
        bound.backward(nd.ones(100), is_train=False)
        self.assertEqual(bound.grad_dict["a"].tolist(), [1] * 100)
        bound = sym.Dropout(sym.Variable("a"), p=0.5, mode="always").simple_bind(a=(100,))
        output = bound.forward(a=nd.ones(100))[0]
        bound.backward(nd.ones(100), is_train=False)
        self.assertEqual((set(output.tolist()), bound.grad_dict["a"].tolist()), ({0, 2}, output.tolist()))
        bound = sym.BatchNorm(sym.Variable("data"), name="bn", eps=0).simple_bind(data=(3, 1))
        bound.aux_dict["bn_moving_var"][:] = 4
        bound.forward(data=[[1], [2], [9]])
        bound.backward(nd.array([[1], [2], [3]]), is_train=False)
        np.testing.assert_allclose(bound.grad_dict["data"], [[0.5], [1], [1.5]], 1e-5)

    def test_a_seed_begins_anew(self):
        bound = sym.Dropout(sym.Variable("a"), p=0.5).simple_bind(a=(100,))
        masks = []
        for _ in range(2):
            symc.random.seed(5)
            masks.append(bound.forward(is_train=True, a=nd.ones(100))[0].tolist())
        self.assertEqual(*masks)

    def test_statistics_change_in_backward(self):
        normed = sym.BatchNorm(sym.Variable("data"), name="bn", eps=0, momentum=0.5, fix_gamma=False)
        bound = normed.simple_bind(data=(4, 1))
        data = np.array([[1], [3], [5], [7]], np.float32)
        bound.arg_dict["bn_gamma"][:] = 1
        bound.aux_dict["bn_moving_var"][:] = 1
        found = bound.forward(is_train=True, data=data)[0].asnumpy()
        np.testing.assert_allclose(found, (data - 4) / np.sqrt(5), 1e-5)
        self.assertEqual([each.tolist() for each in bound.aux_arrays], [[0], [1]])
        bound.backward(nd.array([[1], [0], [0], [0]]))
        np.testing.assert_allclose(np.ravel(bound.aux_arrays), [2, 0.5 * 1 + 0.5 * 5], 1e-5)
        np.testing.assert_allclose(bound.grad_dict["bn_gamma"], found[0], 1e-5)
        bound.aux_dict["bn_moving_mean"][:] = 8
        bound.backward(nd.array([[1], [0], [0], [0]]))  # again, of what the arrays hold
        np.testing.assert_allclose(np.ravel(bound.aux_arrays), [6, 0.5 * 3 + 0.5 * 5], 1e-5)
        bound.aux_dict["bn_moving_mean"][:], bound.aux_dict["bn_moving_var"][:] = 2, 3
        found = bound.forward(data=data)[0].asnumpy()  # prediction reads them
        np.testing.assert_allclose(found, (data - 2) / np.sqrt(3), 1e-5)

    def test_a_momentum_changes_in_forward(self):
        step = sym.sgd_mom_update(sym.Variable("w"), sym.Variable("g"), sym.Variable("mom"), lr=0.5, momentum=0.5)
        bound = sym.Group([step, sym.Variable("a") * 2]).simple_bind(grad_req={"a": "write"}, w=(1,), g=(1,), a=(1,))
        bound.arg_dict["g"][:] = 1
        for momentum in (-0.5, -0.75):
            bound.forward(is_train=True)
            self.assertEqual(bound.aux_dict["mom"].tolist(), [momentum])

    def test_given_statistics(self):
        normed = sym.BatchNorm(sym.Variable("data"), name="bn", eps=0, use_global_stats=True, fix_gamma=False)
        bound = normed.simple_bind(data=(2, 1))
        bound.arg_dict["bn_gamma"][:] = 3
        for mean, variance in ((1, 4), (2, 9)):
            bound.aux_dict["bn_moving_mean"][:], bound.aux_dict["bn_moving_var"][:] = mean, variance
            found = bound.forward(is_train=True, data=[[1], [5]])[0].asnumpy()
            np.testing.assert_allclose(found, (np.array([[1], [5]]) - mean) / np.sqrt(variance) * 3, 1e-5)
            bound.backward(nd.array([[1], [10]]))
            np.testing.assert_allclose(bound.grad_dict["data"], np.array([[1], [10]]) * 3 / np.sqrt(variance), 1e-5)
            self.assertEqual([each.tolist() for each in bound.aux_arrays], [[mean], [variance]])

    def test_training_without_gradients(self):
        bound = sym.Dropout(sym.Variable("a"), p=0.5).simple_bind(grad_req="null", a=(100,))
        self.assertEqual(set(bound.forward(is_train=True, a=nd.ones(100))[0].tolist()), {0, 2})
        bound.backward()  # computes nothing

    def test_a_network_learns(self):
        random = np.random.RandomState(3)
        data = random.randn(64, 5).astype(np.float32)
        label = (data @ random.randn(5, 3)).argmax(1)
        hidden = sym.Activation(sym.FullyConnected(sym.Variable("data"), num_hidden=16, name="one"), act_type="tanh")
        net = sym.SoftmaxOutput(sym.FullyConnected(hidden, num_hidden=3, name="two"), name="softmax")
        bound = net.simple_bind(grad_req={"one_weight": "write", "two_weight": "write", "one_bias": "write",
                                          "two_bias": "write"}, data=(64, 5))
        for name, array in bound.arg_dict.items():
            array[:] = random.uniform(-0.3, 0.3, array.shape)

        def accuracy():
            return (bound.forward(data=data)[0].asnumpy().argmax(1) == label).mean()
        before = accuracy()
        for _ in range(100):
            bound.forward(is_train=True, data=data, softmax_label=label)
            bound.backward()
            for name, gradient in bound.grad_dict.items():
                if gradient is not None:
                    bound.arg_dict[name] -= gradient * (1 / 64)
        self.assertLess(before, 0.8)
        self.assertGreater(accuracy(), 0.95)

    def test_code_is_shared(self):
        net = sym.Variable("a") * 5
        made = [net.simple_bind(a=(7,)) for _ in range(3)]
        for bound in made[:2]:
            bound.forward(is_train=True)
        count = len(loaded_models._kept)
        made[2].forward(is_train=True, a=np.ones(7))
        self.assertEqual((len(loaded_models._kept), made[2].outputs[0].tolist(), made[0].outputs[0].tolist()),
                         (count, [5] * 7, [0] * 7))


class Compiled(unittest.TestCase):
    def test_compile_with_gradients(self):
        with symc.compile(dense(no_bias=True), shapes={"data": (1, 3), "fc_weight": (2, 3)}, gradients="all") as model:
            self.assertEqual([each.name for each in model.outputs], ["fc_output", "grad:data", "grad:fc_weight"])
            self.assertEqual([each.name for each in model.inputs], ["data", "fc_weight", "head_grad:fc_output"])
            weight = np.arange(6, dtype=np.float32).reshape(2, 3)
            data, head = np.array([[1, 2, 3]], np.float32), np.array([[10, 1]], np.float32)
            found = model(**{"data": data, "fc_weight": weight, "head_grad:fc_output": head})
        for one, two in zip(found, (data @ weight.T, head @ weight, head.T @ data)):
            np.testing.assert_allclose(one, two)

    def test_grad_req(self):
        for request in ({"data": "add"}, "add"):
            with symc.compile(sym.make_loss(sym.Variable("data") * 3), shapes={"data": (2,)}, gradients=["data"],
                              grad_req=request) as model:
                self.assertEqual([each.name for each in model.inputs], ["data", "grad:data"])
                found = model(**{"data": np.ones(2, "float32"), "grad:data": np.array([10, 20], "float32")})
                self.assertEqual(found[1].tolist(), [13, 23])

    def test_mistakes(self):
        def compiled(**kwargs):
            return lambda: symc.compile(dense(), shapes={"data": (1, 3)}, **kwargs)
        bound = executor.simple_bind(dense(), data=(1, 3))
        refused = executor.simple_bind(sym.khatri_rao(sym.Variable("a"), sym.Variable("b")), a=(2, 3), b=(2, 3))
        for error, text, call in (
                (TypeError, 'grad_req needs gradients, names of arguments or "all"', compiled(grad_req={"data": "add"})),
                (TypeError, "gradients is a list of names, or \"all\", got 3", compiled(gradients=3)),
                (TypeError, "grad_req is 'add' for all arguments; name them in gradients, or pass a dict",
                 compiled(gradients="all", grad_req="add")),
                (symc.SymcError, "'sum' is no way to treat the gradient of 'data'",
                 compiled(gradients="all", grad_req={"data": "sum"})),
                (symc.SymcError, "a gradient of 'x' is named, which is no argument that the outputs depend on",
                 compiled(gradients=["x"], options=["--random-weights"])),
                (symc.SymcError, "backward needs the gradient of output 'fc_output', which is no loss; pass it in "
                 "out_grads, or make the output a loss by sym.make_loss", bound.backward),
                (symc.SymcError, "backward needs the gradient of output 'fc_output'", lambda: bound.backward([None])),
                (ValueError, r"the gradient of output 'fc_output' has shape \(2,\), needs \(1, 2\)",
                 lambda: bound.backward([nd.ones(2)])),
                (TypeError, "gradients of outputs are arrays, got 1", lambda: bound.backward([1])),
                (symc.SymcError, "khatri_rao.*has no gradient, in MXNet neither", lambda: refused.forward(is_train=True)),
                (ValueError, "grad_req of 'data' is 'sum', needs 'write', 'add' or 'null'",
                 lambda: executor.simple_bind(dense(), grad_req="sum", data=(1, 3))),
                (ValueError, "grad_req has 1 entries for 3 arguments",
                 lambda: executor.simple_bind(dense(), grad_req=["write"], data=(1, 3))),
                (ValueError, r"the array for the gradient of 'a' has shape \(3,\), the argument \(2,\)",
                 lambda: (sym.Variable("a") * 2).bind(None, [nd.ones(2)], [nd.ones(3)])),
                (TypeError, "the gradient of 'a' is written to an array, got 'x'",
                 lambda: (sym.Variable("a") * 2).bind(None, [nd.ones(2)], ["x"]))):
            with self.subTest(text):
                self.assertRaisesRegex(error, text, call)


if __name__ == "__main__":
    unittest.main()
