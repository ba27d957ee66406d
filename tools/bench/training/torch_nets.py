"""The nets of compare_training for PyTorch: the graphs of nets.py, with MXNet's parameters.

`build` gives a module whose parameters are called as MXNet's and have their shapes; a forward
pass returns scores [rows, classes]. What stands here is what PyTorch users write: fused layers where
PyTorch has them.
"""
import math

import torch
import torch.nn.functional as f

import nets


class Net(torch.nn.Module):
    """Parameters by MXNet's names, which may hold what a module's attribute may not."""

    def __init__(self, net, parameters):
        super().__init__()
        self.net = net
        self.values = torch.nn.ParameterDict()
        for name, value in parameters.items():
            self.values[name] = torch.nn.Parameter(torch.tensor(value))

    def linear(self, name, x):
        return f.linear(x, self.values[name + "_weight"], self.values[name + "_bias"])


class Lenet(Net):
    def forward(self, x):
        for number in (1, 2):
            x = f.conv2d(x, self.values["conv%d_weight" % number], self.values["conv%d_bias" % number])
            x = f.max_pool2d(torch.tanh(x), 2)
        return self.linear("fc2", torch.tanh(self.linear("fc1", x.flatten(1))))


class Mlp(Net):
    def forward(self, x):
        return self.linear("fc3", torch.relu(self.linear("fc2", torch.relu(self.linear("fc1", x)))))


class Convolutions(Net):
    """Layers as the model zoo of gluon counts them: `conv` and `norm` take the next names."""

    def conv(self, name, x, stride=1, pad=0, groups=1):
        return f.conv2d(x, self.values[name + "_weight"], self.values.get(name + "_bias"), stride, pad, 1, groups)

    def norm(self, name, x):
        # Moving statistics, which a step changes in MXNet and symc, too.
        for end, start in (("mean", torch.zeros), ("var", torch.ones)):
            key = (name + "_" + end).replace(".", "_")
            if not hasattr(self, key):
                self.register_buffer(key, start(x.shape[1]))
        keys = [(name + "_" + end).replace(".", "_") for end in ("mean", "var")]
        return f.batch_norm(x, getattr(self, keys[0]), getattr(self, keys[1]), self.values[name + "_gamma"],
                            self.values[name + "_beta"], True, 0.1, 1e-5)


class Resnet18(Convolutions):
    def forward(self, x):
        x = torch.relu(self.norm("batchnorm0", self.conv("conv0", x, 2, 3)))
        x = f.max_pool2d(x, 3, 2, 1)
        for stage in range(1, 5):
            number = 0
            for block in range(2):
                name = "stage%d_%%s%%d" % stage
                stride = 2 if stage > 1 and block == 0 else 1
                y = torch.relu(self.norm(name % ("batchnorm", number), self.conv(name % ("conv", number), x, stride, 1)))
                y = self.norm(name % ("batchnorm", number + 1), self.conv(name % ("conv", number + 1), y, 1, 1))
                number += 2
                if stride == 2:
                    x = self.norm(name % ("batchnorm", number), self.conv(name % ("conv", number), x, 2))
                    number += 1
                x = torch.relu(y + x)
        return self.linear("dense0", x.mean((2, 3)))


class Mobilenetv2(Convolutions):
    def forward(self, x):
        x = f.relu6(self.norm("features_batchnorm0", self.conv("features_conv0", x, 2, 1)))
        narrow = [32] + [16] + [24] * 2 + [32] * 3 + [64] * 4 + [96] * 3 + [160] * 3
        wide = [16] + [24] * 2 + [32] * 3 + [64] * 4 + [96] * 3 + [160] * 3 + [320]
        strides = [1, 2] * 2 + [1, 1, 2] + [1] * 6 + [2] + [1] * 3
        for number, (before, after, stride) in enumerate(zip(narrow, wide, strides)):
            name = "features_linearbottleneck%d_%%s%%d" % number
            y = f.relu6(self.norm(name % ("batchnorm", 0), self.conv(name % ("conv", 0), x)))
            y = f.relu6(self.norm(name % ("batchnorm", 1), self.conv(name % ("conv", 1), y, stride, 1, y.shape[1])))
            y = self.norm(name % ("batchnorm", 2), self.conv(name % ("conv", 2), y))
            x = x + y if stride == 1 and before == after else y
        x = f.relu6(self.norm("features_batchnorm1", self.conv("features_conv1", x)))
        return self.conv("output_pred", x.mean((2, 3), keepdim=True)).flatten(1)


class Lstm(Net):
    """torch.nn.LSTM with the parts of MXNet's one vector; gates have the same order."""

    def __init__(self, net, parameters):
        vector = parameters["rnn_parameters"]
        super().__init__(net, {name: value for name, value in parameters.items() if name != "rnn_parameters"})
        units, layers, at = nets.LSTM_UNITS, nets.LSTM_LAYERS, 0
        self.layer = torch.nn.LSTM(units, units, layers)
        with torch.no_grad():
            for shape, names in (((4 * units, units), ("weight_ih_l%d", "weight_hh_l%d")), ((4 * units,), ("bias_ih_l%d", "bias_hh_l%d"))):
                for number in range(layers):
                    for name in names:
                        count = math.prod(shape)
                        getattr(self.layer, name % number).copy_(torch.tensor(vector[at:at + count].reshape(shape)))
                        at += count

    def forward(self, x):
        return self.linear("decoder", self.layer(f.embedding(x, self.values["embed_weight"]))[0].flatten(0, 1))


class Bert(Net):
    def norm(self, name, x):
        return f.layer_norm(x, x.shape[-1:], self.values[name + "_gamma"], self.values[name + "_beta"], 1e-12)

    def forward(self, x):
        length, batch = x.shape
        x = f.embedding(x, self.values["word_weight"]) + self.values["position_weight"][:length, None]
        x = self.norm("norm", x)
        units, heads = x.shape[-1], 12
        for number in range(12):
            name = "layer%d" % number

            def apart(word):
                return self.linear("%s_attention_%s" % (name, word), x).view(length, batch, heads, units // heads).permute(1, 2, 0, 3)
            y = f.scaled_dot_product_attention(apart("query"), apart("key"), apart("value"))
            y = self.linear(name + "_projection", y.permute(2, 0, 1, 3).reshape(length, batch, units))
            x = self.norm(name + "_norm", y + x)
            y = self.linear(name + "_ffn2", f.gelu(self.linear(name + "_ffn1", x)))
            x = self.norm(name + "_ffn_norm", y + x)
        return self.linear("classifier", x[0])


NETS = {"lenet": Lenet, "mlp": Mlp, "resnet18": Resnet18, "mobilenetv2": Mobilenetv2, "lstm": Lstm, "bert": Bert}


def build(net, parameters):
    return NETS[net.name](net, parameters)
