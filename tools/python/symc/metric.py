"""symc.metric: how far predictions are from labels, by MXNet's names."""
import numpy


class EvalMetric:
    """A mean over all that update() was given: sum_metric / num_inst. Classes give (sum, count) of one array by
    measure(), or write update() themselves. output_names and label_names say what update_dict takes."""

    def __init__(self, name, output_names=None, label_names=None):
        self.name, self.output_names, self.label_names = str(name), output_names, label_names
        self.reset()

    def reset(self):
        self.sum_metric, self.num_inst = 0.0, 0

    def update(self, labels, preds):
        if len(labels) != len(preds):
            raise ValueError("%d labels for %d outputs" % (len(labels), len(preds)))
        for label, pred in zip(labels, preds):
            total, count = self.measure(numpy.asarray(label), numpy.asarray(pred))
            self.sum_metric += float(total)
            self.num_inst += count

    def update_dict(self, label, pred):
        """The same of arrays by name."""
        self.update([label[name] for name in self.label_names or label],
                    [pred[name] for name in self.output_names or pred])

    def get(self):
        return self.name, self.sum_metric / self.num_inst if self.num_inst else float("nan")

    def get_name_value(self):
        return [self.get()]

    def __str__(self):
        return "EvalMetric: %s" % dict(self.get_name_value())


class CompositeEvalMetric(EvalMetric):
    """Several metrics of the same labels and outputs."""

    def __init__(self, metrics=None, name="composite", output_names=None, label_names=None):
        self.metrics = [create(each) for each in metrics or []]
        super().__init__(name, output_names, label_names)

    def add(self, metric):
        self.metrics.append(create(metric))

    def get_metric(self, index):
        return self.metrics[index]

    def reset(self):
        for each in self.metrics:
            each.reset()

    def update(self, labels, preds):
        for each in self.metrics:
            each.update(labels, preds)

    def update_dict(self, label, pred):
        for each in self.metrics:
            each.update_dict({name: label[name] for name in self.label_names or label},
                             {name: pred[name] for name in self.output_names or pred})

    def get(self):
        pairs = self.get_name_value()
        return [name for name, _ in pairs], [value for _, value in pairs]

    def get_name_value(self):
        return [pair for each in self.metrics for pair in each.get_name_value()]


def _classes(label, count):
    """The classes of a label; `count`: how many predictions there are."""
    if label.size != count:
        raise ValueError("%d labels for %d predictions" % (label.size, count))
    return label.reshape(-1).astype(int)


class Accuracy(EvalMetric):
    def __init__(self, axis=1, name="accuracy", output_names=None, label_names=None):
        super().__init__(name, output_names, label_names)
        self.axis = axis

    def measure(self, label, pred):
        if pred.shape != label.shape:
            pred = pred.argmax(self.axis)
        return (pred.reshape(-1).astype(int) == _classes(label, pred.size)).sum(), label.size


class TopKAccuracy(EvalMetric):
    def __init__(self, top_k=1, name="top_k_accuracy", output_names=None, label_names=None):
        super().__init__("%s_%d" % (name, top_k), output_names, label_names)
        self.top_k = top_k

    def measure(self, label, pred):
        best = numpy.argpartition(pred, -self.top_k, axis=1)[:, -self.top_k:]
        return (best == _classes(label, len(pred))[:, None]).any(1).sum(), label.size


class _Error(EvalMetric):
    """A mean over the elements of each array, then over arrays."""

    def measure(self, label, pred):
        return self.error(label.reshape(len(label), -1) - pred.reshape(len(pred), -1)), 1


class MAE(_Error):
    def __init__(self, name="mae", output_names=None, label_names=None):
        super().__init__(name, output_names, label_names)

    def error(self, difference):
        return numpy.abs(difference).mean()


class MSE(_Error):
    def __init__(self, name="mse", output_names=None, label_names=None):
        super().__init__(name, output_names, label_names)

    def error(self, difference):
        return (difference ** 2).mean()


class RMSE(_Error):
    def __init__(self, name="rmse", output_names=None, label_names=None):
        super().__init__(name, output_names, label_names)

    def error(self, difference):
        return numpy.sqrt((difference ** 2).mean())


class CrossEntropy(EvalMetric):
    def __init__(self, eps=1e-12, name="cross-entropy", output_names=None, label_names=None):
        super().__init__(name, output_names, label_names)
        self.eps = eps

    def measure(self, label, pred):
        label = _classes(label, len(pred))
        return -numpy.log(pred[numpy.arange(len(label)), label] + self.eps).sum(), len(label)


class CustomMetric(EvalMetric):
    """A function of label and prediction, which gives a number, or a sum and how many it is of."""

    def __init__(self, feval, name=None, allow_extra_outputs=False, output_names=None, label_names=None):
        if name is None:
            name = "custom(%s)" % feval.__name__ if "<" in feval.__name__ else feval.__name__
        super().__init__(name, output_names, label_names)
        self._feval, self._extra = feval, allow_extra_outputs

    def measure(self, label, pred):
        found = self._feval(label, pred)
        return found if isinstance(found, tuple) else (found, 1)

    def update(self, labels, preds):
        super().update(labels, preds[:len(labels)] if self._extra else preds)


def np(numpy_feval, name=None, allow_extra_outputs=False):
    """The metric of a function of arrays."""
    return CustomMetric(numpy_feval, name, allow_extra_outputs)


_NAMES = {"acc": Accuracy, "accuracy": Accuracy, "top_k_accuracy": TopKAccuracy, "top_k_acc": TopKAccuracy, "mae": MAE,
          "mse": MSE, "rmse": RMSE, "ce": CrossEntropy, "cross-entropy": CrossEntropy, "composite": CompositeEvalMetric}


def create(metric, *args, **kwargs):
    """A metric of its name, of a function, of a list of such, or itself."""
    if hasattr(metric, "update"):
        return metric
    if callable(metric):
        return CustomMetric(metric, *args, **kwargs)
    if isinstance(metric, (list, tuple)):
        return CompositeEvalMetric([create(each, *args, **kwargs) for each in metric])
    if metric not in _NAMES:
        raise ValueError("metric '%s' is unknown; there are %s" % (metric, ", ".join(sorted(_NAMES))))
    return _NAMES[metric](*args, **kwargs)
