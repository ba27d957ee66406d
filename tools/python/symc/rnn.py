"""symc.rnn: recurrent networks by MXNet's names: cells, sentences in buckets, checkpoints."""
from . import rnn_io as io  # noqa: F401
from . import rnn_cell  # noqa: F401
from .checkpoint import load_checkpoint, save_checkpoint
from .rnn_cell import BaseRNNCell, GRUCell, LSTMCell, RNNCell, RNNParams  # noqa: F401
from .rnn_conv_cell import BaseConvRNNCell, ConvGRUCell, ConvLSTMCell, ConvRNNCell  # noqa: F401
from .rnn_io import BucketSentenceIter, encode_sentences  # noqa: F401
from .rnn_stack import (BidirectionalCell, DropoutCell, FusedRNNCell, ModifierCell, ResidualCell,  # noqa: F401
                        SequentialRNNCell, ZoneoutCell)


def _cells(cells):
    return [cells] if isinstance(cells, BaseRNNCell) else list(cells)


def rnn_unroll(cell, length, inputs=None, begin_state=None, input_prefix="", layout="NTC"):
    """cell.unroll, which scripts call by this name; without inputs, variables `input_prefix` + t0_data and so on."""
    from . import symbol
    if inputs is None:
        inputs = [symbol.Variable("%st%d_data" % (input_prefix, step)) for step in range(length)]
    return cell.unroll(length, inputs, begin_state, layout)


def save_rnn_checkpoint(cells, prefix, epoch, symbol, arg_params, aux_params):
    """save_checkpoint with the weights of cells unpacked: the file fits fused and other cells."""
    for each in _cells(cells):
        arg_params = each.unpack_weights(arg_params)
    save_checkpoint(prefix, epoch, symbol, arg_params, aux_params)


def load_rnn_checkpoint(cells, prefix, epoch):
    """(symbol, arg_params, aux_params) of such files, with the weights of cells packed."""
    symbol, arg_params, aux_params = load_checkpoint(prefix, epoch)
    for each in _cells(cells):
        arg_params = each.pack_weights(arg_params)
    return symbol, arg_params, aux_params


def do_rnn_checkpoint(cells, prefix, period=1):
    """A function for the end of an epoch, which saves every `period` epochs."""
    period = max(1, int(period))

    def save(iter_no, sym=None, arg=None, aux=None):
        if (iter_no + 1) % period == 0:
            save_rnn_checkpoint(cells, prefix, iter_no + 1, sym, arg, aux)
    return save
