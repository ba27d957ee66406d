"""If this fails, a recurrent cell makes other nodes than MXNet's, computes other values, or loses its weights in a file."""
import os
import random
import sys
import tempfile
import unittest
import warnings

import numpy as np
import symc as mx

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.append(os.path.join(HERE, os.pardir, os.pardir, "tools", "scripts", "oracles"))
import rnn_symbols

rnn = mx.rnn
STEPS, ROWS, INPUTS, HIDDEN = 3, 2, 4, 5


def close(got, wanted, **tolerances):
    np.testing.assert_allclose(np.asarray(got), np.asarray(wanted), **tolerances)  # as arrays of NumPy


def equal(got, wanted):
    np.testing.assert_array_equal(np.asarray(got), np.asarray(wanted))


def sigmoid(x):
    return 1 / (1 + np.exp(-x))


def numpy_steps(mode, w, prefix, sequence):
    """Outputs of a layer on a list of arrays, by the formulas of its cell."""
    def product(x, which):
        weight, bias = (np.array(w["%s%s_%s" % (prefix, which, kind)], subok=False) for kind in ("weight", "bias"))
        return x @ weight.T + bias
    h = c = np.zeros((ROWS, HIDDEN))
    outputs = []
    for x in sequence:
        i2h, h2h = product(x, "i2h"), product(h, "h2h")
        if mode == "lstm":
            i, f, g, o = np.split(i2h + h2h, 4, 1)
            c = sigmoid(f) * c + sigmoid(i) * np.tanh(g)
            h = sigmoid(o) * np.tanh(c)
        elif mode == "gru":
            (r, z, n), (hr, hz, hn) = np.split(i2h, 3, 1), np.split(h2h, 3, 1)
            z = sigmoid(z + hz)
            h = (1 - z) * np.tanh(n + sigmoid(r + hr) * hn) + z * h
        else:
            h = {"rnn_tanh": np.tanh, "rnn_relu": lambda v: np.maximum(v, 0)}[mode](i2h + h2h)
        outputs.append(h)
    return outputs


def cell_of(mode, prefix):
    return {"lstm": rnn.LSTMCell, "gru": rnn.GRUCell, "rnn_tanh": rnn.RNNCell,
            "rnn_relu": lambda *a, **k: rnn.RNNCell(*a, activation="relu", **k)}[mode](HIDDEN, prefix=prefix)


def drawn(net, **shapes):
    """Weights for all arguments that are no inputs."""
    rng = np.random.default_rng(7)
    found = dict(zip(net.list_arguments(), net.infer_shape(**shapes)[0]))
    return {name: (rng.standard_normal(shape) / 2).astype("float32") for name, shape in found.items()
            if name not in shapes}


DATA = np.random.default_rng(3).standard_normal((ROWS, STEPS, INPUTS)).astype("float32")
STEPWISE = [DATA[:, step].astype(float) for step in range(STEPS)]


def computed(net, weights, data=DATA):
    return [each.asnumpy() for each in net.eval(data=data, **weights)]


class Symbols(unittest.TestCase):
    def test_symbols_are_mxnets(self):
        facts = rnn_symbols.read(os.path.join(HERE, "rnn_symbols.txt"))
        self.assertGreater(len(facts), 80)
        for expression, expected in facts:
            with self.subTest(expression):
                self.assertEqual(rnn_symbols.shortened(rnn_symbols.lines_of(mx, expression)), expected)

    def test_names_of_parameters(self):
        shared = rnn.RNNParams("p_")
        one, other = rnn.LSTMCell(5, params=shared), rnn.LSTMCell(5, params=shared)
        net = mx.sym.Group([one.unroll(1, [mx.sym.Variable("a")])[0][0], other.unroll(1, [mx.sym.Variable("b")])[0][0]])
        self.assertEqual(sorted(set(net.list_arguments()) - {"a", "b"}),
                         ["p_h2h_bias", "p_h2h_weight", "p_i2h_bias", "p_i2h_weight"])
        both = rnn.BidirectionalCell(rnn.GRUCell(5, prefix="l_"), rnn.GRUCell(5, prefix="r_"))
        self.assertEqual(len(rnn.ResidualCell(both).params._params), 8)
        self.assertEqual(both.state_shape, [(0, 5), (0, 5)])

    def test_a_cell_of_ones_own(self):
        class Sum(rnn.BaseRNNCell):
            @property
            def state_info(self):
                return [{"shape": (0, INPUTS), "__layout__": "NC"}]

            def __call__(self, inputs, states):
                self._counter += 1
                made = inputs + states[0]
                return made, [made]
        outputs, _ = Sum("sum_").unroll(STEPS, mx.sym.Variable("data"), merge_outputs=True)
        close(computed(outputs, {})[0], DATA.cumsum(1), rtol=1e-5, atol=1e-6)

    def test_refusals(self):
        inside = rnn.LSTMCell(5)
        rnn.ResidualCell(inside)
        step = [mx.sym.Variable("x")]
        for error, text, call in (
                (mx.SymcError, r"^LSTMCell is inside of another cell \(DropoutCell, ResidualCell...\): use that one$",
                 inside.begin_state),
                (mx.SymcError, "^FusedRNNCell has no single steps: use unroll, or unfuse",
                 lambda: rnn.FusedRNNCell(5)(step[0], [])),
                (mx.SymcError, "^BidirectionalCell has no single steps: use unroll$",
                 lambda: rnn.BidirectionalCell(rnn.RNNCell(2), rnn.RNNCell(2))(step[0], [])),
                (ValueError, "^unroll needs inputs: a symbol, or a list with one for each step$",
                 lambda: rnn.RNNCell(5).unroll(2, None)),
                (ValueError, "^1 inputs for 2 steps$", lambda: rnn.RNNCell(5).unroll(2, step)),
                (ValueError, "^the sequence is a symbol of 2 outputs, needs one output, or list",
                 lambda: rnn.RNNCell(5).unroll(2, mx.sym.Group(step * 2))),
                (ValueError, "^mode is 'x', needs rnn_relu, rnn_tanh, lstm, gru$", lambda: rnn.FusedRNNCell(5, mode="x")),
                (ValueError, "^layout is 'NCT', needs NTC or TNC$",
                 lambda: rnn.FusedRNNCell(5).unroll(1, step, layout="NCT")),
                (TypeError, "^dropout is a number, got '0.5'$", lambda: rnn.DropoutCell("0.5")),
                (TypeError, "^ZoneoutCell needs a cell with single steps, got FusedRNNCell; put it around the cells inside$",
                 lambda: rnn.ZoneoutCell(rnn.FusedRNNCell(5))),
                (ValueError, "^params are given to SequentialRNNCell and to a cell of it, needs one of the two$",
                 lambda: rnn.SequentialRNNCell(rnn.RNNParams()).add(rnn.RNNCell(5, params=rnn.RNNParams()))),
                (ValueError, "^parameter 'lstm_i2h_weight' of the cell is not given$",
                 lambda: rnn.LSTMCell(5).unpack_weights({})),
                (ValueError, "^parameter 'lstm_l0_i2h_i_weight' of the cell is not given$",
                 lambda: rnn.FusedRNNCell(5).pack_weights({})),
                (ValueError, "^h2h_kernel is \\(2, 3\\), needs odd extents$",
                 lambda: rnn.ConvRNNCell((1, 3, 8, 8), 4, h2h_kernel=(2, 3))),
                (NotImplementedError, "^BaseRNNCell has no state_info$", lambda: rnn.BaseRNNCell().state_info),
                (NotImplementedError, "^BaseRNNCell has no __call__", lambda: rnn.BaseRNNCell()(1, 2))):
            with self.subTest(text):
                self.assertRaisesRegex(error, text, call)


class Values(unittest.TestCase):
    def test_cells_compute_their_formulas(self):
        for mode in ("rnn_tanh", "rnn_relu", "lstm", "gru"):
            with self.subTest(mode):
                net, _ = cell_of(mode, "c_").unroll(STEPS, mx.sym.Variable("data"), merge_outputs=True)
                weights = drawn(net, data=DATA.shape)
                expected = np.stack(numpy_steps(mode, weights, "c_", STEPWISE), 1)
                close(computed(net, weights)[0], expected, rtol=1e-5, atol=1e-6)

    def test_layouts_and_lists_agree(self):
        def made(**keywords):
            outputs, _ = rnn.GRUCell(HIDDEN, prefix="c_").unroll(STEPS, mx.sym.Variable("data"), **keywords)
            return outputs if isinstance(outputs, mx.sym.Symbol) else mx.sym.Group(outputs)
        first = made(merge_outputs=True)
        weights = drawn(first, data=DATA.shape)
        expected, = computed(first, weights)
        timed, = computed(made(layout="TNC", merge_outputs=True), weights, DATA.swapaxes(0, 1))
        close(timed.swapaxes(0, 1), expected, rtol=1e-6)
        close(np.stack(computed(made(merge_outputs=False), weights), 1), expected, rtol=1e-6)

    def test_fused_and_unfused_agree(self):
        for mode, layers, both, layout in (("lstm", 2, True, "NTC"), ("gru", 2, False, "TNC"), ("rnn_tanh", 1, True, "NTC"),
                                           ("rnn_relu", 3, False, "NTC"), ("gru", 2, True, "TNC")):
            with self.subTest(mode=mode, both=both):
                fused = rnn.FusedRNNCell(HIDDEN, layers, mode, both, prefix="f_", dropout=0.5)
                data = DATA if layout == "NTC" else DATA.swapaxes(0, 1).copy()
                nets = [each.unroll(STEPS, mx.sym.Variable("data"), layout=layout, merge_outputs=True)[0]
                        for each in (fused, fused.unfuse())]
                packed = drawn(nets[0], data=data.shape)
                parts = fused.unpack_weights(packed)
                self.assertEqual(len(parts), 4 * layers * (1 + both) * len(fused._gate_names))
                equal(fused.pack_weights(parts)["f_parameters"], packed["f_parameters"])
                weights = fused.unfuse().pack_weights(parts)
                close(computed(nets[1], weights, data)[0], computed(nets[0], packed, data)[0],
                                           rtol=1e-5, atol=1e-6)
                if layers == 1:
                    sides = [numpy_steps(mode, weights, "f_l0_", STEPWISE),
                             numpy_steps(mode, weights, "f_r0_", STEPWISE[::-1])[::-1]]
                    close(computed(nets[0], packed, data)[0],
                                               np.concatenate([np.stack(side, 1) for side in sides], 2), rtol=1e-5, atol=1e-6)

    def test_states_come_out_and_go_in(self):
        cell = rnn.FusedRNNCell(HIDDEN, mode="lstm", get_next_state=True)
        outputs, states = cell.unroll(STEPS, mx.sym.Variable("data"), merge_outputs=True)
        packed = drawn(outputs, data=DATA.shape)
        last = computed(mx.sym.Group([outputs, *states]), packed)
        begin = [mx.sym.Variable("h"), mx.sym.Variable("c")]
        outputs, _ = rnn.FusedRNNCell(HIDDEN, mode="lstm").unroll(STEPS, mx.sym.Variable("data"), begin, merge_outputs=True)
        twice, = computed(outputs, {**packed, "h": last[1], "c": last[2]})
        weights = cell.unfuse().pack_weights(cell.unpack_weights(packed))
        expected = np.stack(numpy_steps("lstm", weights, "lstm_l0_", STEPWISE * 2), 1)
        close(np.concatenate([last[0], twice], 1), expected, rtol=1e-5, atol=1e-6)

    def test_cells_around_cells(self):
        stack = rnn.SequentialRNNCell()
        stack.add(rnn.BidirectionalCell(rnn.LSTMCell(HIDDEN, prefix="l_"), rnn.GRUCell(HIDDEN, prefix="r_")))
        stack.add(rnn.DropoutCell(0.5))
        stack.add(rnn.ZoneoutCell(rnn.RNNCell(HIDDEN, prefix="z_"), 0.3, 0.3))
        stack.add(rnn.ResidualCell(rnn.GRUCell(HIDDEN, prefix="g_")))
        net, _ = stack.unroll(STEPS, mx.sym.Variable("data"), merge_outputs=True)
        weights = drawn(net, data=DATA.shape)
        left = numpy_steps("lstm", weights, "l_", STEPWISE)
        right = numpy_steps("gru", weights, "r_", STEPWISE[::-1])[::-1]
        middle = numpy_steps("rnn_tanh", weights, "z_", [np.concatenate(pair, 1) for pair in zip(left, right)])
        top = [a + b for a, b in zip(middle, numpy_steps("gru", weights, "g_", middle))]
        close(computed(net, weights)[0], np.stack(top, 1), rtol=1e-5, atol=1e-6)
        parts = stack.unpack_weights(weights)
        self.assertIn("l_i2h_f_weight", parts)
        self.assertEqual(sorted(stack.pack_weights(parts)), sorted(weights))

    def test_convolutions(self):
        data = np.random.default_rng(5).standard_normal((1, 2, 3, 6, 5)).astype("float32")
        for make in (rnn.ConvRNNCell, rnn.ConvLSTMCell, rnn.ConvGRUCell):
            with self.subTest(make.__name__):
                cell = make((1, 3, 6, 5), 4, prefix="c_")
                net, _ = cell.unroll(2, mx.sym.Variable("data"), merge_outputs=True)
                weights = drawn(net, data=data.shape)
                self.assertEqual(computed(net, weights, data)[0].shape, (1, 2, 4, 6, 5))
                self.assertEqual(weights["c_h2h_weight"].shape, (4 * len(cell._gate_names), 4, 3, 3))
                first, _ = make((1, 3, 6, 5), 4, prefix="c_").unroll(1, [mx.sym.Variable("data")])
                alone = first[0].eval(data=data[:, 0], **weights)[0].asnumpy()
                close(computed(net, weights, data)[0][:, 0], alone, rtol=1e-5, atol=1e-6)

    def test_initializers(self):
        for cell in (rnn.FusedRNNCell(HIDDEN, 2, "lstm", True, forget_bias=2.0, prefix="f_"),
                     rnn.LSTMCell(HIDDEN, prefix="f_l0_", forget_bias=2.0)):
            net, _ = cell.unroll(STEPS, mx.sym.Variable("data"), merge_outputs=True)
            module = mx.mod.Module(net, label_names=None)
            module.bind([("data", DATA.shape)])
            module.init_params(mx.init.Constant(0.25))
            parts = cell.unpack_weights(module.get_params()[0])
            self.assertEqual(parts["f_l0_i2h_f_bias"].tolist(), [2] * HIDDEN)
            self.assertEqual(parts["f_l0_i2h_i_bias"].tolist(), [0] * HIDDEN)
            self.assertEqual(set(parts["f_l0_h2h_o_weight"].ravel().tolist()), {0.25})
        text = mx.init.FusedRNN(mx.init.One(), 5, 1, "gru").dumps()
        self.assertEqual(mx.init.create(text).dumps(), text)
        self.assertRaisesRegex(ValueError, "^no initialiser draws the layers of 'x'; give FusedRNN one$",
                               mx.init.FusedRNN(None, 5, 1, "gru")._init_weight, "x", mx.nd.zeros(210))


class Sentences(unittest.TestCase):
    SENTENCES = [[1, 2, 3], [4, 5], [6, 7, 8, 9], [1, 1], [2, 2, 2], [3, 3], [5, 4, 3, 2, 1], [9]]

    def batches(self, **keywords):
        """MXNet's batches for these seeds."""
        random.seed(3)
        np.random.seed(3)
        with warnings.catch_warnings(record=True) as told:
            warnings.simplefilter("always")
            self.iterator = rnn.BucketSentenceIter(self.SENTENCES, **keywords)
        self.told = [str(each.message) for each in told]
        return [(batch.bucket_key, batch.data[0].astype(int).tolist(), batch.label[0].astype(int).tolist(), batch.pad,
                 [tuple(each) for each in batch.provide_data]) for batch in self.iterator]

    def test_buckets(self):
        self.assertEqual(self.batches(batch_size=2, invalid_label=0), [
            (2, [[4, 5], [3, 3]], [[5, 0], [3, 0]], 0, [("data", (2, 2))]),
            (3, [[1, 2, 3], [2, 2, 2]], [[2, 3, 0], [2, 2, 0]], 0, [("data", (2, 3))]),
            (2, [[9, 0], [1, 1]], [[0, 0], [1, 0]], 0, [("data", (2, 2))])])
        self.assertEqual((self.iterator.buckets, self.iterator.default_bucket_key), ([2, 3], 3))
        self.assertEqual(self.told, ["2 sentences are longer than the largest bucket and left out"])
        self.assertEqual(str(self.iterator.provide_label[0]), "DataDesc[softmax_label,(2, 3),<class 'numpy.float32'>,NT]")
        self.assertEqual(len(list(self.iterator)), 0)
        self.iterator.reset()
        self.assertEqual(len(list(self.iterator)), 3)

    def test_time_first(self):
        found = self.batches(batch_size=2, invalid_label=0, layout="TN")
        self.assertEqual(found[1], (3, [[1, 2], [2, 2], [3, 2]], [[2, 2], [3, 2], [0, 0]], 0, [("data", (3, 2))]))
        self.assertEqual([tuple(each) for each in self.iterator.provide_data], [("data", (3, 2))])

    def test_given_buckets(self):
        found = self.batches(batch_size=1, buckets=[4, 2], dtype="int32", data_name="d")
        self.assertEqual([each[0] for each in sorted(found)], [2, 2, 2, 2, 4, 4, 4])
        self.assertIn((4, [[1, 2, 3, -1]], [[2, 3, -1, -1]], 0, [("d", (1, 4))]), found)
        self.assertRaisesRegex(ValueError, r"^no sentence fits a bucket; the buckets are none$",
                               rnn.BucketSentenceIter, [[1]], 2)
        self.assertRaisesRegex(ValueError, "^layout is 'NCT', needs NT or TN$", rnn.BucketSentenceIter, [[1]], 1,
                               layout="NCT")

    def test_encode(self):
        self.assertEqual(rnn.encode_sentences([["a", "b", "c"], ["b", "c", "d"]], start_label=1, invalid_label=0),
                         ([[1, 2, 3], [2, 3, 4]], {"\n": 0, "a": 1, "b": 2, "c": 3, "d": 4}))
        self.assertEqual(rnn.encode_sentences([["a", "b"], ["c"]], invalid_label=1),
                         ([[0, 2], [3]], {"\n": 1, "a": 0, "b": 2, "c": 3}))
        self.assertEqual(rnn.io.encode_sentences([["a", "x", "y"]], vocab={"a": 7}, unknown_token="?"),
                         ([[7, 0, 1]], {"a": 7, "?": 1}))
        self.assertRaisesRegex(ValueError, "^the word 'x' is not in the vocabulary; unknown_token takes such words$",
                               rnn.encode_sentences, [["x"]], {"a": 1})


class Checkpoints(unittest.TestCase):
    def test_weights_go_between_forms(self):
        fused = rnn.FusedRNNCell(HIDDEN, 2, "lstm", bidirectional=True, prefix="f_")
        net, _ = fused.unroll(STEPS, mx.sym.Variable("data"), merge_outputs=True)
        weights = drawn(net, data=DATA.shape)
        with tempfile.TemporaryDirectory() as folder:
            prefix = os.path.join(folder, "net")
            save = rnn.do_rnn_checkpoint(fused, prefix, period=2)
            save(0, net, weights, {})
            self.assertEqual(os.listdir(folder), [])
            save(1, net, weights, {})
            self.assertEqual(sorted(os.listdir(folder)), ["net-0002.params", "net-symbol.json"])
            self.assertIn("arg:f_r1_h2h_o_bias", mx.nd.load(prefix + "-0002.params"))
            symbol, again, states = rnn.load_rnn_checkpoint([fused], prefix, 2)
            self.assertEqual((symbol.list_outputs(), states), (net.list_outputs(), {}))
            equal(again["f_parameters"], weights["f_parameters"])
            stack = fused.unfuse()
            unrolled, _ = stack.unroll(STEPS, mx.sym.Variable("data"), merge_outputs=True)
            _, parts, _ = rnn.load_rnn_checkpoint(stack, prefix, 2)
        close(computed(unrolled, parts)[0], computed(net, weights)[0], rtol=1e-5, atol=1e-6)

    def test_rnn_unroll(self):
        outputs, _ = rnn.rnn_unroll(rnn.RNNCell(HIDDEN), 2, input_prefix="in_")
        self.assertIn("in_t1_data", mx.sym.Group(outputs).list_arguments())


if __name__ == "__main__":
    unittest.main()
