"""Composition, names, attributes, arithmetic and indexing by MXNet's rules; the expected texts are MXNet 1.9.1's.

Breaks where a network that a script composes has other nodes, names, attributes or outputs than under MXNet.
"""
import copy
import json
import pickle
import tempfile
import threading
import unittest
import warnings

import numpy as np

import symc as mx

S = mx.sym
V = S.Variable


def nodes(symbol):
    return json.loads(symbol.tojson())["nodes"]


def names(symbol):
    return [node["name"] for node in nodes(symbol)]


def mlp():
    x = S.FullyConnected(V("data"), name="fc1", num_hidden=8)
    return S.FullyConnected(S.Activation(x, name="relu1", act_type="relu"), name="fc2", num_hidden=4)


class CompositionTest(unittest.TestCase):
    def setUp(self):
        manager = mx.name.NameManager()
        manager.__enter__()
        self.addCleanup(manager.__exit__, None, None, None)

    def test_missing_inputs_become_variables(self):
        x = S.Convolution(V("x"), kernel=(3, 3), num_filter=2, attr={"__mood__": "calm"}, lr_mult=2)
        self.assertEqual(x.list_arguments(), ["x", "convolution0_weight", "convolution0_bias"])
        self.assertEqual(x.attr_dict()["convolution0_bias"], {
            "kernel": "(3, 3)", "num_filter": "2", "__mood__": "calm", "lr_mult": "2", "__lr_mult__": "2"})
        self.assertEqual(S.BatchNorm(V("x"), name="bn").list_auxiliary_states(), ["bn_moving_mean", "bn_moving_var"])

    def test_counted_inputs_are_numbered(self):
        self.assertEqual(S.Concat(num_args=2, name="c").list_arguments(), ["c_arg0", "c_arg1"])
        self.assertEqual(S.add_n(arg1=V("b"), arg0=V("a"), num_args=2).list_arguments(), ["a", "b"])
        self.assertEqual(S.sample_normal(V("a"), name="n").list_arguments(), ["a", "n_sigma"])
        up = S.UpSampling(V("x"), scale=2, sample_type="bilinear", num_filter=1, name="up")
        self.assertEqual(up.list_arguments(), ["x", "up_weight"])
        self.assertEqual(up.attr_dict()["up_weight"]["__init__"], '["bilinear", {}]')

    def test_positions_follow_mxnet(self):
        x = S.Convolution(V("d"), V("w"), V("b"), (3, 3), (2, 2), (1, 1), (1, 1), 8, 1, 1024, False)
        self.assertEqual(nodes(x)[3]["attrs"], {
            "kernel": "(3, 3)", "stride": "(2, 2)", "dilate": "(1, 1)", "pad": "(1, 1)", "num_filter": "8",
            "num_group": "1", "workspace": "1024", "no_bias": "False"})

    def test_compose_by_keyword_replaces_variables(self):
        net = S.Activation(S.FullyConnected(name="fc3", num_hidden=10), act_type="relu", name="act")
        self.assertEqual(net.list_arguments(), ["fc3_data", "fc3_weight", "fc3_bias"])
        made = net(fc3_data=mlp(), name="composed")
        self.assertEqual(made.list_arguments(), [
            "data", "fc1_weight", "fc1_bias", "fc2_weight", "fc2_bias", "fc3_weight", "fc3_bias"])
        self.assertEqual(made.list_outputs(), ["composed_output"])
        self.assertEqual(net.list_outputs(), ["act_output"])

    def test_states_are_written_once_for_each_node(self):
        mean, var = V("mean"), V("var")
        x = S.BatchNorm(V("x"), moving_mean=mean, moving_var=var, name="a")
        x = S.BatchNorm(x, moving_mean=mean, moving_var=var, name="b")
        self.assertEqual([node["inputs"][3] for node in nodes(x) if node["op"] == "BatchNorm"], [[3, 0, 1], [3, 0, 2]])

    def test_automatic_names(self):
        x = S.FullyConnected(S.FullyConnected(V("x"), num_hidden=1), num_hidden=1)
        self.assertEqual(names(x)[3::3], ["fullyconnected0", "fullyconnected1"])
        self.assertEqual((x + 1).name, "_plusscalar0")
        self.assertEqual((2 ** x).name, "_rpower_scalar0")
        self.assertEqual((x > x).name, "_greater0")
        self.assertEqual(x.reshape((1, -1)).name, "reshape0")
        with mx.name.Prefix("net_"):
            inner = S.FullyConnected(x, num_hidden=1)
            self.assertEqual([inner.name, (-inner).name], ["net_fullyconnected0", "net__mulscalar0"])
            self.assertEqual(S.Flatten(inner, name="flat").name, "net_flat")
        self.assertEqual((x + 1).name, "_plusscalar1")

    def test_a_manager_of_a_program(self):
        class Loud(mx.name.NameManager):
            def get(self, name, hint):
                return super().get(name, hint).upper()
        with Loud():
            self.assertEqual(S.exp(V("x")).name, "EXP0")

    def test_each_thread_counts_by_itself(self):
        found = []
        S.exp(V("x"))
        thread = threading.Thread(target=lambda: found.append(S.exp(V("x")).name))
        thread.start()
        thread.join()
        self.assertEqual(found, ["exp0"])

    def test_attribute_scopes(self):
        with mx.AttrScope(group="4", data="great"):
            x = V("x", attr={"group": "1", "force_mirroring": "True"}, lr_mult=1, shape=(2, 3), dtype=np.float16)
            with mx.AttrScope(__deep__="1", group="5"):
                y = V("y")
        self.assertEqual([each.attr(key) for each in (x, y) for key in ("group", "data")], ["1", "great", "5", "great"])
        self.assertEqual([x.attr("lr_mult"), x.attr("__force_mirroring__"), x.attr("none")], ["1", "True", None])
        self.assertEqual([x.attr("__shape__"), x.attr("__dtype__"), y.attr("__deep__")], ["(2, 3)", "2", "1"])
        self.assertEqual(S.split(x, num_outputs=2, name="s").attr("_value_index"), "0, 1")

    def test_arithmetic(self):
        a, b = V("a"), V("b")
        ops = [nodes(each)[-1]["op"] for each in (
            a + b, a - b, a * b, a / b, a % b, a ** b, a == b, a != b, a > b, a >= b, a < b, a <= b)]
        self.assertEqual(ops, ["elemwise_add", "elemwise_sub", "elemwise_mul", "elemwise_div", "_mod", "_power",
                               "_equal", "_not_equal", "_greater", "_greater_equal", "_lesser", "_lesser_equal"])
        scalars = [(nodes(each)[-1]["op"], nodes(each)[-1]["attrs"]["scalar"]) for each in (
            a + 1, 1 - a, 2 / a, 5 % a, -a, np.float32(0.1) * a, a - np.int64(3), S.maximum(2, a), S.power(2, a))]
        self.assertEqual(scalars, [
            ("_plus_scalar", "1"), ("_rminus_scalar", "1"), ("_rdiv_scalar", "2"), ("_rmod_scalar", "5"),
            ("_mul_scalar", "-1.0"), ("_mul_scalar", "0.1"), ("_minus_scalar", "3"), ("_maximum_scalar", "2"),
            ("_rpower_scalar", "2")])
        self.assertEqual([S.maximum(2, 3), S.minimum(2, 3), S.power(2, 3), S.hypot(3, 4)], [3, 2, 8, 5.0])

    def test_outputs_by_place_and_name(self):
        parts = S.SliceChannel(V("x"), num_outputs=3, name="s")
        self.assertEqual([len(parts), len(parts[1:]), parts[2].list_outputs()], [3, 2, ["s_output2"]])
        self.assertEqual(parts["s_output1"].list_outputs(), ["s_output1"])
        self.assertEqual([each.list_outputs()[0] for each in parts], parts.list_outputs())
        inside = mlp().get_internals()
        self.assertEqual(inside["fc1_output"].list_arguments(), ["data", "fc1_weight", "fc1_bias"])
        self.assertEqual(mlp().get_children().list_outputs(), ["relu1_output", "fc2_weight", "fc2_bias"])
        self.assertIsNone(V("x").get_children())
        self.assertEqual(repr(S.Group([V("a"), parts[0]])), "<Symbol group [a, s]>")

    def test_functions_of_operators_hide_no_builtins(self):
        for key in ("slice", "max", "min", "sum", "abs", "round", "sort"):
            getattr(S, key)
        self.assertEqual(len(S.split(V("x"), num_outputs=3)[1:]), 2)
        self.assertEqual(S.exp(V("x")).infer_shape(x=(2, 3))[1], [(2, 3)])


class InferenceTest(unittest.TestCase):
    def test_shapes(self):
        arguments, outputs, states = mlp().infer_shape(data=(2, 3))
        self.assertEqual([arguments, outputs, states], [[(2, 3), (8, 3), (8,), (4, 8), (4,)], [(2, 4)], []])
        self.assertEqual(mlp().infer_shape((2, 3))[0], arguments)
        with warnings.catch_warnings(record=True) as said:
            warnings.simplefilter("always")
            self.assertEqual(mlp().infer_shape(), (None, None, None))
        self.assertEqual(str(said[0].message), "shapes of data, fc1_weight, fc2_weight are not decided by those that are given")

    def test_types(self):
        self.assertEqual(mlp().infer_type(data="float16"), ([np.float16] * 5, [np.float16], []))
        self.assertEqual(mlp().infer_type_partial(), ([None] * 5, [None], []))
        cast = S.FullyConnected(S.Cast(V("data"), dtype=np.float32), num_hidden=2, name="fc")
        self.assertEqual(cast.infer_type_partial(), ([None, np.float32, np.float32], [np.float32], []))

    def test_numpy_shapes(self):
        x = S.dot(V("x"), V("y"))
        with mx.np_shape():
            self.assertEqual(x.infer_shape_partial(x=(-1, 3), y=(3, 5))[1], [(-1, 5)])
            self.assertEqual(S.sin(V("x")).infer_shape_partial()[1], [None])
            self.assertEqual(json.loads(x.tojson())["attrs"]["is_np_shape"], ["int", 1])
        self.assertEqual(x.infer_shape_partial(x=(0, 3), y=(3, 5))[1], [(0, 5)])


class FilesTest(unittest.TestCase):
    def test_round_trips(self):
        x = mlp()
        with tempfile.NamedTemporaryFile(suffix=".json") as file:
            x.save(file.name)
            self.assertEqual(S.load(file.name).tojson(), x.tojson())
        for again in (pickle.loads(pickle.dumps(x)), copy.copy(x), copy.deepcopy(x), S.load_json(x.tojson())):
            self.assertEqual(again.tojson(), x.tojson())

    def test_casts_of_mixed_precision_are_left_out(self):
        x = S.FullyConnected(S.amp_cast(V("x"), dtype="float16", name="cast"), num_hidden=2, name="fc")
        self.assertEqual(names(x), ["x", "fc_weight", "fc_bias", "fc"])
        self.assertIn('"amp_cast"', x.tojson(remove_amp_cast=False))


if __name__ == "__main__":
    unittest.main()
