"""Nets that end in their last layer, in what predicts and in a loss, for symc-append.test; written where it is called."""
import numpy as np
import symc as mx

hidden = mx.sym.Activation(mx.sym.FullyConnected(mx.sym.Variable("data"), num_hidden=5, name="hidden"), act_type="relu", name="relu")
hidden.save("logits.json")
head = mx.sym.FullyConnected(hidden, num_hidden=3, name="head")
mx.sym.softmax(head, name="softmax0").save("headed.json")
mx.sym.SoftmaxOutput(head, name="softmax").save("whole.json")
mx.sym.softmax(mx.sym.broadcast_add(head, mx.sym.Variable("part_bias", shape=(1, 3))), axis=0, name="across").save("across.json")
mx.sym.Activation(hidden, act_type="sigmoid", name="gate").save("gated.json")
mx.sym.Group([hidden, head]).save("pair.json")

rng = np.random.RandomState(0)
shapes = {"hidden_weight": (5, 6), "hidden_bias": (5,), "head_weight": (3, 5), "head_bias": (3,)}
mx.nd.save("whole.params", {"arg:" + name: mx.nd.array(rng.randn(*shape)) for name, shape in shapes.items()})
np.savez("rows.npz", data=rng.randn(8, 6).astype("float32"), softmax_label=(np.arange(8) % 2).astype("float32"))
