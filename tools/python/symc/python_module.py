"""PythonModule and PythonLossModule: modules that are Python functions, which a SequentialModule runs behind compiled ones.
They have no parameters; classes define the shapes of their outputs, compute them, and the gradients of their inputs."""
import logging

import numpy as np

from . import initializer as initializers, ndarray
from .base_module import BaseModule
from .errors import SymcError


class PythonModule(BaseModule):
    """Classes define _compute_output_shapes(), which gives [(name, shape)], forward and get_outputs, and for training
    backward and get_input_grads."""

    def __init__(self, data_names, label_names, output_names, logger=logging):
        super().__init__(logger)
        self.data_names, self.output_names = list(data_names), output_names
        self._label_names = None if label_names is None else list(label_names)
        self.data_shapes = self.label_shapes = self.output_shapes = None
        self.symbol = None

    def bind(self, data_shapes, label_shapes=None, for_training=True, inputs_need_grad=False, force_rebind=False,
             shared_module=None, grad_req="write"):
        if self.binded and not force_rebind:
            self.logger.warning("Already bound, ignoring bind()")
            return
        for shapes, names, kind in ((data_shapes, self.data_names, "data_shapes"), (label_shapes, self._label_names, "label_shapes")):
            if shapes is not None and [each[0] for each in shapes] != names:
                raise ValueError("%s are of %s, the module's are %s" % (
                    kind, ", ".join(each[0] for each in shapes) or "nothing", ", ".join(names or ()) or "nothing"))
        self.for_training, self.inputs_need_grad = bool(for_training), bool(inputs_need_grad)
        self.data_shapes, self.label_shapes, self.binded = data_shapes, label_shapes, True
        self.output_shapes = self._compute_output_shapes()

    def _compute_output_shapes(self):
        raise NotImplementedError("%s does not define _compute_output_shapes()" % type(self).__name__)

    def get_params(self):
        return {}, {}

    def init_params(self, initializer=initializers.Uniform(0.01), arg_params=None, aux_params=None, allow_missing=False,
                    force_init=False, allow_extra=False):
        self.params_initialized = True

    def init_optimizer(self, kvstore="local", optimizer="sgd", optimizer_params=(("learning_rate", 0.01),),
                       force_init=False):
        self.optimizer_initialized = True

    def update(self):
        """There are no parameters."""

    def install_monitor(self, mon):
        """Nothing of it is compiled, so that there is nothing to report."""

    def update_metric(self, eval_metric, labels, pre_sliced=False):
        if self.label_shapes is not None:
            eval_metric.update(labels[0] if pre_sliced else labels, self.get_outputs())

    def get_outputs(self, merge_multi_context=True):
        raise NotImplementedError("%s does not define get_outputs()" % type(self).__name__)


class PythonLossModule(PythonModule):
    """A loss: its output is its input, and grad_func(scores, labels) makes the gradient of the input."""

    def __init__(self, name="pyloss", data_names=("data",), label_names=("softmax_label",), logger=logging, grad_func=None):
        if len(data_names) != 1 or len(label_names) != 1:
            raise ValueError("PythonLossModule has one input and one label, got %s and %s" % (
                list(data_names), list(label_names)))
        if grad_func is not None and not callable(grad_func):
            raise TypeError("grad_func is a function of scores and labels, got %r" % (grad_func,))
        super().__init__(data_names, label_names, [name + "_output"], logger)
        self._name, self._grad_func = name, grad_func
        self._scores = self._labels = self._scores_grad = None

    def _compute_output_shapes(self):
        return [(self._name + "_output", self.data_shapes[0][1])]

    def forward(self, data_batch, is_train=None):
        self._scores = data_batch.data[0]
        if self.for_training if is_train is None else is_train:
            self._labels = data_batch.label[0]

    def get_outputs(self, merge_multi_context=True):
        return [self._scores]

    def backward(self, out_grads=None):
        if out_grads is not None:
            raise SymcError("'%s' is a loss, nothing gives its output a gradient" % self._name)
        self._check(self.for_training, "bound with for_training=True")
        self._backward_impl()

    def _backward_impl(self):
        if self._grad_func is None:
            raise NotImplementedError("'%s' has no grad_func" % self._name)
        gradient = self._grad_func(self._scores, self._labels)
        self._scores_grad = gradient if isinstance(gradient, np.ndarray) else ndarray.array(gradient)

    def get_input_grads(self, merge_multi_context=True):
        return [self._scores_grad]
