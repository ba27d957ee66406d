"""symc.metric: how far predictions are from labels, by MXNet's names."""
import numpy as np


class EvalMetric:
    """A mean over all that update() was given; classes give (sum, count) of one array."""

    def __init__(self, name):
        self.name = name
        self.reset()

    def reset(self):
        self.sum, self.count = 0.0, 0

    def update(self, labels, preds):
        if len(labels) != len(preds):
            raise ValueError("%d labels for %d outputs" % (len(labels), len(preds)))
        for label, pred in zip(labels, preds):
            total, count = self.measure(np.asarray(label), np.asarray(pred))
            self.sum += float(total)
            self.count += count

    def get(self):
        return self.name, self.sum / self.count if self.count else float("nan")

    def get_name_value(self):
        return [self.get()]


class Accuracy(EvalMetric):
    def __init__(self, axis=1, name="accuracy"):
        super().__init__(name)
        self.axis = axis

    def measure(self, label, pred):
        if pred.shape != label.shape:
            pred = pred.argmax(self.axis)
        return (pred.reshape(-1).astype(int) == label.reshape(-1).astype(int)).sum(), label.size


class TopKAccuracy(EvalMetric):
    def __init__(self, top_k=1):
        super().__init__("top_k_accuracy_%d" % top_k)
        self.top_k = top_k

    def measure(self, label, pred):
        best = np.argpartition(pred, -self.top_k, axis=1)[:, -self.top_k:]
        return (best == label.reshape(-1, 1).astype(int)).any(1).sum(), label.size


class _Error(EvalMetric):
    """A mean over the elements of each array, then over arrays."""

    def measure(self, label, pred):
        return self.error(label.reshape(len(label), -1) - pred.reshape(len(pred), -1)), 1


class MAE(_Error):
    def __init__(self, name="mae"):
        super().__init__(name)

    def error(self, difference):
        return np.abs(difference).mean()


class MSE(_Error):
    def __init__(self, name="mse"):
        super().__init__(name)

    def error(self, difference):
        return (difference ** 2).mean()


class RMSE(_Error):
    def __init__(self, name="rmse"):
        super().__init__(name)

    def error(self, difference):
        return np.sqrt((difference ** 2).mean())


class CrossEntropy(EvalMetric):
    def __init__(self, eps=1e-12, name="cross-entropy"):
        super().__init__(name)
        self.eps = eps

    def measure(self, label, pred):
        label = label.reshape(-1).astype(int)
        return -np.log(pred[np.arange(len(label)), label] + self.eps).sum(), len(label)


class CustomMetric(EvalMetric):
    """A function of label and prediction."""

    def __init__(self, feval, name=None):
        super().__init__(name or feval.__name__)
        self.measure = lambda label, pred: (feval(label, pred), 1)


_NAMES = {"acc": Accuracy, "accuracy": Accuracy, "top_k_accuracy": TopKAccuracy, "mae": MAE, "mse": MSE, "rmse": RMSE,
          "ce": CrossEntropy, "cross-entropy": CrossEntropy}


def create(metric, **kwargs):
    """A metric of its name, of a function, or itself."""
    if hasattr(metric, "update"):
        return metric
    if callable(metric):
        return CustomMetric(metric)
    if metric not in _NAMES:
        raise ValueError("metric '%s' is unknown; there are %s" % (metric, ", ".join(sorted(_NAMES))))
    return _NAMES[metric](**kwargs)
