"""symc.metric: how far predictions are from labels, by MXNet's names."""
import math
from typing import Any, List, Tuple

import numpy

from .errors import nearest


def global_name_value(measure):
    """[(name, value)] since reset(), of a metric of one's own what get_name_value() gives."""
    if not hasattr(measure, "get_global"):
        return measure.get_name_value()
    names, values = measure.get_global()
    return list(zip(names, values)) if isinstance(names, list) else [(names, values)]


def check_label_shapes(labels, preds, wrap=False, shape=False):
    """Refuses labels that are not as many as outputs, or of another shape (`shape`). Returns them, as lists where `wrap`."""
    one, other = (labels.shape, preds.shape) if shape else (len(labels), len(preds))
    if one != other:
        raise ValueError("labels have shape %s, outputs %s" % (one, other) if shape else
                         "%d labels for %d outputs" % (one, other))
    if wrap:
        return [[each] if isinstance(each, numpy.ndarray) else each for each in (labels, preds)]
    return labels, preds


class EvalMetric:
    """A mean over all that update() was given: sum_metric / num_inst. Classes give (sum, count) of one array by
    measure(), or write update() themselves. output_names and label_names name what update_dict takes; further keywords
    are for get_config(). A class that writes update() may add to global_sum_metric and global_num_inst, too, as those of
    MXNet do; get_global() needs neither."""

    def __init__(self, name, output_names=None, label_names=None, **kwargs):
        self.name, self.output_names, self.label_names = str(name), output_names, label_names
        self._has_global_stats = kwargs.pop("has_global_stats", False)
        self._kwargs = kwargs
        self.reset()

    def get_config(self):
        """What makes an equal metric by its class, and the class's name."""
        return {**self._kwargs, "metric": type(self).__name__, "name": self.name, "output_names": self.output_names,
                "label_names": self.label_names}

    def reset(self) -> None:
        self.sum_metric, self.num_inst = 0.0, 0
        self.global_sum_metric, self.global_num_inst = 0.0, 0
        self._before = []

    def reset_local(self) -> None:
        """Begins anew, but for get_global(), which is of all since reset()."""
        before = [*getattr(self, "_before", []), self._state()]
        total = getattr(self, "global_sum_metric", 0.0), getattr(self, "global_num_inst", 0)
        self.reset()
        self._before = before
        self.global_sum_metric, self.global_num_inst = total

    def _state(self):
        return self.sum_metric, self.num_inst

    def get_global(self):
        """The value since reset(), whatever reset_local() did in between."""
        return self._value([*getattr(self, "_before", []), self._state()])

    def update(self, labels: Any, preds: Any) -> None:
        check_label_shapes(labels, preds)
        for label, pred in zip(labels, preds):
            total, count = self.measure(numpy.asarray(label), numpy.asarray(pred))
            self.sum_metric += float(total)
            self.num_inst += count
            self.global_sum_metric += float(total)
            self.global_num_inst += count

    def update_dict(self, label, pred):
        """The same of arrays by name."""
        self.update([label[name] for name in self.label_names or label],
                    [pred[name] for name in self.output_names or pred])

    def get(self):
        return self._value([self._state()])

    def _value(self, states):
        total, count = (sum(each) for each in zip(*states))
        return self.name, self.of_mean(total / count) if count else float("nan")

    def of_mean(self, mean):
        """The value where the mean is known."""
        return mean

    def get_name_value(self) -> "List[Tuple[str, float]]":
        return [self.get()]

    def get_global_name_value(self):
        return global_name_value(self)

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

    def reset(self) -> None:
        for each in self.metrics:
            each.reset()

    def reset_local(self) -> None:
        for each in self.metrics:
            each.reset_local()

    def get_global(self):
        pairs = [each.get_global() for each in self.metrics]
        return [name for name, _ in pairs], [value for _, value in pairs]

    def update(self, labels: Any, preds: Any) -> None:
        for each in self.metrics:
            each.update(labels, preds)

    def update_dict(self, label, pred):
        for each in self.metrics:
            each.update_dict({name: label[name] for name in self.label_names or label},
                             {name: pred[name] for name in self.output_names or pred})

    def get(self):
        pairs = self.get_name_value()
        return [name for name, _ in pairs], [value for _, value in pairs]

    def get_name_value(self) -> "List[Tuple[str, float]]":
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


class NegativeLogLikelihood(CrossEntropy):
    def __init__(self, eps=1e-12, name="nll-loss", output_names=None, label_names=None):
        super().__init__(eps, name, output_names, label_names)


class Perplexity(EvalMetric):
    """The exponential of the mean cross-entropy over all labels but ignore_label. Classes lie along `axis`."""

    def __init__(self, ignore_label, axis=-1, name="perplexity", output_names=None, label_names=None):
        super().__init__(name, output_names, label_names)
        self.ignore_label, self.axis = ignore_label, axis

    def measure(self, label, pred):
        pred = numpy.moveaxis(pred, self.axis, -1).reshape(-1, pred.shape[self.axis])
        label = _classes(label, len(pred))
        chosen = pred[numpy.arange(len(label)), label.clip(0, pred.shape[1] - 1)]
        counted = label != self.ignore_label if self.ignore_label is not None else numpy.ones(len(label), bool)
        return -numpy.log(numpy.maximum(1e-10, chosen[counted])).sum(), int(counted.sum())

    def of_mean(self, mean):
        return math.exp(mean)


class Loss(EvalMetric):
    """The mean of all elements of the outputs; there are no labels."""

    def __init__(self, name="loss", output_names=None, label_names=None):
        super().__init__(name, output_names, label_names)

    def update(self, _, preds):
        for each in [preds] if isinstance(preds, numpy.ndarray) else preds:
            self.sum_metric += float(numpy.asarray(each).sum())
            self.num_inst += each.size


class Torch(Loss):
    """Loss, by the name that it had for criterions of Torch."""

    def __init__(self, name="torch", output_names=None, label_names=None):
        super().__init__(name, output_names, label_names)


class Caffe(Loss):
    """Loss, by the name that it had for criterions of Caffe."""

    def __init__(self, name="caffe", output_names=None, label_names=None):
        super().__init__(name, output_names, label_names)


class _Binary(EvalMetric):
    """A number of the four counts of two classes: the mean of each update's ("macro"), or of all counts ("micro")."""

    def __init__(self, name, output_names, label_names, average):
        if average not in ("macro", "micro"):
            raise ValueError("average is %r, needs macro or micro" % (average,))
        self.average = average
        super().__init__(name, output_names, label_names)

    def reset(self) -> None:
        super().reset()
        self._counts = numpy.zeros((2, 2))  # label, prediction

    def _state(self):
        return self.sum_metric, self.num_inst, self._counts

    def update(self, labels: Any, preds: Any) -> None:
        check_label_shapes(labels, preds)
        for label, pred in zip(labels, preds):
            pred = numpy.asarray(pred).argmax(1)
            label = _classes(numpy.asarray(label), pred.size)
            if len(numpy.unique(label)) > 2:
                raise ValueError("%s needs two classes, the labels have %d" % (self.name, len(numpy.unique(label))))
            counts = numpy.zeros((2, 2))
            numpy.add.at(counts, ((label == 1).astype(int), (pred == 1).astype(int)), 1)
            self._counts += counts
            self.sum_metric += self.of_counts(counts)
            self.num_inst += 1

    def _value(self, states):
        if self.average == "macro":
            return super()._value([each[:2] for each in states])
        counts = sum(each[2] for each in states)
        return self.name, self.of_counts(counts) if counts.any() else float("nan")


class F1(_Binary):
    """The harmonic mean of precision and recall."""

    def __init__(self, name="f1", output_names=None, label_names=None, average="macro"):
        super().__init__(name, output_names, label_names, average)

    @staticmethod
    def of_counts(counts):
        (_, false), (missed, true) = counts
        return float(2 * true / (2 * true + false + missed)) if true else 0.0


class MCC(_Binary):
    """Matthews' correlation coefficient."""

    def __init__(self, name="mcc", output_names=None, label_names=None, average="macro"):
        super().__init__(name, output_names, label_names, average)

    @staticmethod
    def of_counts(counts):
        sums = [each for each in (*counts.sum(0), *counts.sum(1)) if each]
        return float((counts[0, 0] * counts[1, 1] - counts[0, 1] * counts[1, 0]) / math.sqrt(math.prod(sums)))


class PearsonCorrelation(EvalMetric):
    """The mean correlation of an output and its label over updates."""

    def __init__(self, name="pearsonr", output_names=None, label_names=None):
        super().__init__(name, output_names, label_names)

    def measure(self, label, pred):
        return numpy.corrcoef(pred.ravel().astype(float), label.ravel().astype(float))[0, 1], 1


class PCC(EvalMetric):
    """The correlation of classes and predicted classes, of any number of classes: MCC's where there are two."""

    def __init__(self, name="pcc", output_names=None, label_names=None):
        super().__init__(name, output_names, label_names)

    def reset(self) -> None:
        super().reset()
        self._counts = numpy.zeros((2, 2))  # prediction, label

    def _state(self):
        return self.sum_metric, self.num_inst, self._counts

    def update(self, labels: Any, preds: Any) -> None:
        check_label_shapes(labels, preds)
        for label, pred in zip(labels, preds):
            pred = numpy.asarray(pred).argmax(1).reshape(-1)
            label = _classes(numpy.asarray(label), pred.size)
            self._counts = _sum_of_counts([self._counts, numpy.zeros((max(pred.max(), label.max()) + 1,) * 2)])
            numpy.add.at(self._counts, (pred, label), 1)
            self.num_inst += 1

    def _value(self, states):
        counts = _sum_of_counts([each[2] for each in states])
        count, predicted, labels = counts.sum(), counts.sum(1), counts.sum(0)
        spread = (predicted * (count - predicted)).sum() * (labels * (count - labels)).sum()
        shared = (counts.diagonal() * count - predicted * labels).sum()
        return self.name, float(shared / math.sqrt(spread)) if spread else float("nan")


def _sum_of_counts(parts):
    """The sum of square arrays of several sizes."""
    total = numpy.zeros((max(len(each) for each in parts),) * 2)
    for each in parts:
        total[:len(each), :len(each)] += each
    return total


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

    def update(self, labels: Any, preds: Any) -> None:
        super().update(labels, preds[:len(labels)] if self._extra else preds)


def np(numpy_feval, name=None, allow_extra_outputs=False):
    """The metric of a function of arrays."""
    return CustomMetric(numpy_feval, name, allow_extra_outputs)


_NAMES = {"acc": Accuracy, "accuracy": Accuracy, "top_k_accuracy": TopKAccuracy, "top_k_acc": TopKAccuracy, "mae": MAE,
          "mse": MSE, "rmse": RMSE, "ce": CrossEntropy, "cross-entropy": CrossEntropy, "nll_loss": NegativeLogLikelihood, "nll-loss": NegativeLogLikelihood,
          "perplexity": Perplexity, "loss": Loss, "f1": F1, "mcc": MCC, "pearsonr": PearsonCorrelation, "pcc": PCC,
          "torch": Torch, "caffe": Caffe, "composite": CompositeEvalMetric}


def register(klass):
    """Makes a class known to create() by its name in small letters."""
    _NAMES[klass.__name__.lower()] = klass
    return klass


def create(metric, *args, **kwargs):
    """A metric of its name, of a function, of a list of such, or itself."""
    if hasattr(metric, "update"):
        return metric
    if callable(metric):
        return CustomMetric(metric, *args, **kwargs)
    if isinstance(metric, (list, tuple)):
        return CompositeEvalMetric([create(each, *args, **kwargs) for each in metric])
    if str(metric).lower() not in _NAMES:
        raise ValueError("metric '%s' is unknown; %s" % (metric, nearest(str(metric).lower(), sorted(_NAMES))))
    return _NAMES[metric.lower()](*args, **kwargs)
