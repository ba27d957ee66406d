"""If this fails, a symbol that is bound to arrays computes something else than its arrays say, or holds old ones."""
import re
import unittest

import numpy as np
import symc
from symc import executor, nd

sym = symc.sym


def dense(name="fc"):
    return sym.FullyConnected(sym.Variable("data"), num_hidden=2, name=name)


class Executors(unittest.TestCase):
    def test_arrays_are_read_at_each_forward(self):
        bound = dense().simple_bind(symc.cpu(), "null", data=(1, 3))
        self.assertEqual({name: value.shape for name, value in bound.arg_dict.items()},
                         {"data": (1, 3), "fc_weight": (2, 3), "fc_bias": (2,)})
        self.assertEqual((bound.outputs[0].tolist(), bound.grad_arrays), ([[0, 0]], [None] * 3))  # before forward
        bound.arg_dict["fc_weight"][:] = 1
        model = bound.model
        self.assertEqual(bound.forward(data=nd.array([[1, 2, 3]]))[0].asnumpy().tolist(), [[6, 6]])
        bound.arg_dict["fc_bias"][1] = 4
        self.assertEqual(bound.forward()[0].tolist(), [[6, 10]])
        np.asarray(bound.arg_dict["data"])[0, 0] = 0
        self.assertEqual(bound.forward()[0].tolist(), [[5, 9]])
        self.assertIs(bound.model, model)  # nothing was compiled again
        self.assertEqual(list(bound.output_dict), ["fc_output"])

    def test_a_parameter_that_forward_gets_becomes_an_input(self):
        bound = dense().bind(symc.cpu(), [np.ones((1, 3), "float32"), np.ones((2, 3), "float32"),
                                                    nd.zeros(2)])
        self.assertEqual([each.name for each in bound.model.inputs], ["data"])
        self.assertEqual(bound.forward(fc_bias=nd.ones(2))[0].tolist(), [[4, 4]])
        self.assertEqual([each.name for each in bound.model.inputs], ["data", "fc_bias"])

    def test_shapes_that_those_of_inputs_do_not_decide(self):
        net = sym.LeakyReLU(sym.Variable("data"), sym.Variable("prelu_gamma"), act_type="prelu", name="prelu")
        data = -np.ones((2, 2), "float32")
        for slopes, inputs in ([[2, 3]], ["data", "prelu_gamma"]), ([2, 3], ["data"]), ([[2], [3]], ["data", "prelu_gamma"]):
            slopes = np.array(slopes, "float32")
            bound = net.bind(symc.cpu(), {"data": data, "prelu_gamma": slopes})
            self.assertEqual(bound.forward()[0].tolist(), (data * slopes).tolist())
            self.assertEqual([each.name for each in bound.model.inputs], inputs)

    def test_an_input_without_elements(self):
        with symc.util.np_shape(True):
            bound = sym.contrib.index_array(sym.Variable("data")).bind(symc.cpu(), {"data": np.ones((0, 2), "float32")})
            self.assertEqual(bound.forward()[0].shape, (0, 2, 2))

    def test_auxiliary_states(self):
        normed = executor.simple_bind(sym.BatchNorm(sym.Variable("data"), name="bn", eps=0), data=(1, 2))
        normed.aux_dict["bn_moving_var"][:] = 4
        self.assertEqual(normed.forward(data=[[2, 4]])[0].tolist(), [[1, 2]])
        normed.aux_dict["bn_moving_mean"][:] = 2
        self.assertEqual(normed.forward()[0].tolist(), [[0, 1]])

    def test_states_that_a_run_changes(self):
        update = sym.sgd_mom_update(sym.Variable("w"), sym.Variable("g"), sym.Variable("mom"), lr=1.0, momentum=0.5)
        bound = executor.simple_bind(update, w=(2,), g=(2,))
        name = next(name for name in {**bound.arg_dict, **bound.aux_dict} if name == "mom")
        array = bound._array(name)
        self.assertEqual([bound.forward(g=[1, 1])[0].tolist()[0] for _ in range(2)], [-1, -1.5])
        self.assertEqual(array.tolist(), [-1.5, -1.5])
        array[:] = 2
        self.assertEqual(bound.forward()[0][0], 0)

    def test_reshape_and_types(self):
        bound = executor.simple_bind(dense(), type_dict={"data": "float64"}, data=(1, 3))
        bound.arg_dict["fc_bias"][:] = 7
        wide = bound.reshape(allow_up_sizing=True, data=(4, 3))
        self.assertIs(wide.arg_dict["fc_bias"], bound.arg_dict["fc_bias"])
        self.assertEqual((wide.forward()[0].shape, wide.outputs[0].dtype, wide.outputs[0][3, 1]),
                         ((4, 2), np.float64, 7))
        narrow = wide.reshape(data=(2, 3))  # on the same memory
        narrow.arg_dict["data"][:] = 1
        narrow.arg_dict["fc_weight"][:] = 1
        self.assertEqual(wide.arg_dict["data"].tolist(), [[1] * 3] * 2 + [[0] * 3] * 2)
        narrow.forward()
        self.assertEqual(wide.outputs[0].tolist(), [[10, 10]] * 2 + [[7, 7]] * 2)
        narrow.forward(is_train=True)
        narrow.backward([nd.ones((2, 2))])
        self.assertEqual(wide.grad_dict["fc_weight"].tolist(), [[2] * 3] * 2)
        self.assertEqual(wide.reshape(partial_shaping=True, data=(1, 2)).arg_dict["fc_weight"].shape, (2, 2))

    def test_outputs_are_the_same_arrays_at_each_forward(self):
        bound = (sym.Variable("a") + 1).simple_bind(a=(2,))
        output = bound.outputs[0]
        bound.forward(a=[1, 2])
        self.assertEqual(output.tolist(), [2, 3])
        self.assertIs(bound.forward(is_train=True, a=[5, 6])[0], output)
        self.assertEqual(output.tolist(), [6, 7])

    def test_a_callback_gets_the_outputs_of_nodes(self):
        one, two = sym.SliceChannel(dense(), num_outputs=2, name="parts")
        bound = sym.Dropout(sym.concat(one, two, name="joined"), name="dropped").simple_bind(data=(40, 3))
        bound.arg_dict["fc_bias"][:] = [5, 7]
        found = []
        for inputs, wanted in ((False, ["fc_output", "parts_output0", "parts_output1", "joined_output", "dropped_output"]),
                               (True, ["data", "fc_data", "fc_weight", "fc_weight", "fc_bias", "fc_bias", "fc_output",
                                       "parts_data", "parts_output0", "parts_output1", "joined_arg0", "joined_arg1",
                                       "joined_output", "dropped_data", "dropped_output"])):
            bound.set_monitor_callback(lambda name, array: found.append((name, array)), inputs)
            for is_train in (False, True):
                found.clear()
                output = bound.forward(is_train=is_train)[0]
                self.assertEqual([name for name, _ in found], wanted)
                values = dict(found)
                self.assertEqual(values["parts_output1"].tolist(), [[7]] * 40)
                self.assertEqual(values["dropped_output"].tolist(), output.tolist())
                self.assertEqual(0 in output, is_train)
        bound.set_monitor_callback(None)
        found.clear()
        bound.forward()
        self.assertEqual(found, [])

    def test_a_callback_gets_inputs_by_the_names_that_mxnet_registers(self):
        data = sym.Variable("data", shape=(2, 3, 4, 4))
        for made, names in ((sym.Activation(data, act_type="relu", name="f"), ["f_input0"]), (sym.exp(data, name="f"), ["f_input0"]),
                            (sym.softmax(data, name="f"), ["f_data"]), (sym.Pooling(data, kernel=(2, 2), name="f"), ["f_data"]),
                            (sym.sgd_update(data, data, lr=1, name="f"), ["f_input0", "f_input1"])):
            bound, found = made.simple_bind(), []
            bound.set_monitor_callback(lambda name, array: found.append(name), monitor_all=True)
            bound.forward()
            self.assertEqual([name for name in found if name.startswith("f_") and name != "f_output"], names)

    def test_names_that_no_option_takes(self):
        names = "a=b", "x,y", "{z} ?"
        one, two, three = map(sym.Variable, names)
        bound = (one * two + three).simple_bind(**{name: (2,) for name in names})
        for name, value in zip(names, ([1, 2], [3, 4], [5, 6])):
            bound.arg_dict[name][:] = value
        for is_train in (False, True):
            self.assertEqual(bound.forward(is_train=is_train)[0].tolist(), [8, 14])
        bound.backward(nd.array([1, 10]))
        self.assertEqual([each.tolist() for each in bound.grad_arrays], [[3, 40], [1, 20], [1, 10]])

    def test_types_that_an_operator_needs_are_float32(self):
        bound = sym.Dropout(sym.Variable("a")).simple_bind(a=(2,))
        self.assertEqual(bound.arg_dict["a"].dtype, np.float32)

    def test_eval(self):
        a = sym.Variable("a")
        both = sym.Group([a + 1, a * sym.Variable("b")])
        added, product = both.eval(a=nd.array([1, 2]), b=nd.array([3, 4]))
        self.assertEqual((type(added), added.tolist(), product.tolist()), (nd.NDArray, [2, 3], [3, 8]))

    def test_a_seed_begins_anew(self):
        bound = executor.bind(sym.random.uniform(shape=(4,)), None, {})
        first, second = bound.forward()[0].tolist(), bound.forward()[0].tolist()
        self.assertNotEqual(first, second)
        draws = []
        for _ in range(2):
            symc.random.seed(3)
            filled = nd.zeros(2)
            symc.init.Uniform()("w_weight", filled)
            draws.append(bound.forward()[0].tolist() + filled.tolist())
        self.assertEqual(draws[0], draws[1])

    def test_memory(self):
        data = sym.Variable("data")
        for _ in range(4):
            data = sym.exp(sym.FullyConnected(data, num_hidden=1024, no_bias=True))

        def megabytes(symbol, **requests):
            said = symbol.simple_bind(symc.cpu(), data=(1024, 1024), **requests).debug_str()
            self.assertTrue(said.startswith("Symbol Outputs:\n\toutput[0]="), said)
            return int(re.search(r"\nTotal (\d+) MB allocated\n", said)[1])
        alone = megabytes(data, grad_req="null")  # each layer reads the one before
        self.assertGreaterEqual(alone, 4)
        training = megabytes(data)  # whose backward reads all of them
        self.assertGreaterEqual(training, alone + 12)
        self.assertLess(megabytes(sym.BlockGrad(data)), training)

    def test_a_network_that_is_made_again_draws_the_same(self):
        def drawn(training, name=None):
            inner = sym.Dropout(sym.Variable("data"), p=0.5, name=name) + sym.random.uniform(shape=(4, 8))
            bound = sym.Dropout(inner, p=0.25).simple_bind(data=(4, 8))
            bound.arg_dict["data"][:] = 1
            symc.random.seed(5)
            values = bound.forward(is_train=training)[0].tolist()
            if training:
                bound.backward(nd.ones((4, 8)))
            return values, bound.grad_dict["data"].tolist()
        self.assertEqual(drawn(False), drawn(False))
        self.assertEqual(drawn(True), drawn(True))
        self.assertNotEqual(drawn(True), drawn(True, "mine"))  # numbers follow from names

    def test_mistakes(self):
        bound = executor.simple_bind(dense(), data=(1, 3))
        for error, text, call in (
                (ValueError, r"argument 'data' of shape \(4, 3\) is larger than \(1, 3\); allow_up_sizing=True makes",
                 lambda: bound.reshape(data=(4, 3))),
                (ValueError, r"the shape of argument 'fc_weight' changes from \(2, 3\) to \(2, 2\), and it is not among",
                 lambda: bound.reshape(data=(1, 2))),
                (symc.SymcError, "storage of 'data' is 'csr': arrays are dense",
                 lambda: executor.simple_bind(dense(), stype_dict={"data": "csr"}, data=(1, 3))),
                (TypeError, "the symbol has no argument 'x'; its arguments are data, fc_weight, fc_bias",
                 lambda: bound.forward(x=1)),
                (ValueError, r"argument 'data': expected shape \(1, 3\), got \(3,\)",
                 lambda: bound.forward(data=[1, 2, 3])),
                (symc.SymcError, "the symbol has no input 'x', whose shapes are given; its inputs are data, fc_weight",
                 lambda: executor.simple_bind(dense(), x=(1,))),
                (symc.SymcError, "the symbol has no input 'x', whose types are given",
                 lambda: executor.simple_bind(dense(), type_dict={"x": "int8"}, data=(1, 3))),
                (symc.SymcError, "shapes of data, fc_weight.* are not decided by those that are given",
                 lambda: executor.simple_bind(dense())),
                (ValueError, "1 arrays for 3 arguments", lambda: executor.bind(dense(), None, [nd.ones(1)])),
                (ValueError, "bind needs an array for argument 'fc_bias'",
                 lambda: executor.bind(dense(), None, {"data": nd.ones(1), "fc_weight": nd.ones(1)})),
                (ValueError, "the symbol has no argument 'x'", lambda: bound.copy_params_from({"x": nd.ones(1)})),
                (ValueError, r"argument 'fc_bias': expected shape \(2,\), got \(1,\)",
                 lambda: bound.copy_params_from({"fc_bias": nd.ones(1)}))):
            with self.subTest(text):
                self.assertRaisesRegex(error, text, call)
        bound.copy_params_from({"x": nd.ones(1), "fc_bias": nd.ones(2)}, allow_extra_params=True)
        self.assertEqual(bound.forward()[0].tolist(), [[1, 1]])


if __name__ == "__main__":
    unittest.main()
