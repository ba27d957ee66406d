"""Recurrent cells whose products are convolutions, by MXNet's names: states are pictures.

They take the rules of gates from rnn_cell.py.
"""
from . import symbol
from .rnn_cell import Gru, Lstm, Plain


def _leaky(inputs, **kwargs):
    return symbol.LeakyReLU(inputs, act_type="leaky", slope=0.2, **kwargs)


class BaseConvRNNCell:
    """What the three cells share. `input_shape` is that of a step, with the batch."""

    def __init__(self, input_shape, num_hidden, h2h_kernel=(3, 3), h2h_dilate=(1, 1), i2h_kernel=(3, 3),
                 i2h_stride=(1, 1), i2h_pad=(1, 1), i2h_dilate=(1, 1), i2h_weight_initializer=None,
                 h2h_weight_initializer=None, i2h_bias_initializer="zeros", h2h_bias_initializer="zeros",
                 activation=_leaky, prefix=None, params=None, conv_layout="NCHW"):
        super().__init__(self._default_prefix if prefix is None else prefix, params)
        if any(extent % 2 == 0 for extent in h2h_kernel):
            raise ValueError("h2h_kernel is %s, needs odd extents" % (tuple(h2h_kernel),))
        self._num_hidden, self._activation, self._layout = num_hidden, activation, conv_layout
        self._of_input = {"kernel": i2h_kernel, "stride": i2h_stride, "pad": i2h_pad, "dilate": i2h_dilate}
        pad = tuple(dilate * (extent - 1) // 2 for dilate, extent in zip(h2h_dilate, h2h_kernel))
        self._of_state = {"kernel": h2h_kernel, "dilate": h2h_dilate, "pad": pad, "stride": (1, 1)}
        picture = symbol.Convolution(data=symbol.Variable("data"), num_filter=num_hidden, layout=conv_layout,
                                     **self._of_input)
        self._shape = (0, *picture.infer_shape(data=tuple(input_shape))[1][0][1:])
        self._variables(i2h_weight=i2h_weight_initializer, h2h_weight=h2h_weight_initializer,
                        i2h_bias=i2h_bias_initializer, h2h_bias=h2h_bias_initializer)

    def _state(self):
        return {"shape": self._shape, "__layout__": self._layout}

    def _product(self, data, weight, bias, name, of):
        return symbol.Convolution(data=data, weight=weight, bias=bias, name=name, layout=self._layout,
                                  num_filter=self._num_hidden * len(self._gates), **of)


class ConvRNNCell(BaseConvRNNCell, Plain):
    _default_prefix = "ConvRNN_"


class ConvLSTMCell(BaseConvRNNCell, Lstm):
    _default_prefix = "ConvLSTM_"

    @property
    def _slices(self):
        return {"axis": self._layout.find("C")}


class ConvGRUCell(BaseConvRNNCell, Gru):
    _default_prefix = "ConvGRU_"
