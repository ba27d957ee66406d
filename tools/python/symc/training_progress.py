"""What Trainer.fit shows while it trains: lines of the log, a line of the terminal that lives, or a picture in a notebook.

A picture is SVG of our own, so that no package for plots is needed; it is drawn anew behind each epoch.
"""
import logging
import sys
import time

from . import _picture

_WIDE, _HIGH, _LEFT, _BELOW = 560, 240, 60, 30
_COLOURS = ("#1f77b4", "#d62728")


def draw_history(history, metric):
    """An SVG picture of what fit returns: the metric of each epoch, in training and in validation."""
    series = [(kind, [(each["epoch"] + 1, each[key]) for each in history if key in each])
              for kind, key in (("training", "train-" + metric), ("validation", "validation-" + metric))]
    values = [value for _, points in series for _, value in points if value == value]
    low, high = (min(values), max(values)) if values else (0.0, 1.0)
    room, last = high - low or 1.0, max([place for _, points in series for place, _ in points] or [1])

    def at(place, value):
        return (_LEFT + (_WIDE - _LEFT - 20) * (place - 1) / max(last - 1, 1), _HIGH - _BELOW - (_HIGH - _BELOW - 30) * (value - low) / room)
    parts = [_picture.text(_LEFT, 18, metric), _picture.text(8, at(1, high)[1] + 4, "%.4g" % high),
             _picture.text(8, at(1, low)[1] + 4, "%.4g" % low), _picture.text(_WIDE - 100, _HIGH - 8, "%d epochs" % last)]
    for number, (kind, points) in enumerate(series):
        if points:
            line = " ".join("%.1f,%.1f" % at(*point) for point in points if point[1] == point[1])
            parts.append('<polyline fill="none" stroke="%s" stroke-width="2" points="%s"/>' % (_COLOURS[number], line))
            parts.append(_picture.text(_LEFT + 120 * (number + 1), 18, kind, ' fill="%s"' % _COLOURS[number]))
    return _picture.frame(_WIDE, _HIGH, metric, parts)


class Progress:
    """Lines of the log alone, as Module.fit's."""

    def begin(self, epochs):
        self.epochs = epochs

    def batch(self, epoch, done, total, rows, seconds, values):
        """Behind a batch: of `total`, or None in the first epoch; `rows` in `seconds` of the epoch."""

    def epoch(self, history, metric):
        """Behind an epoch, which is the last of the history."""

    def end(self):
        """Behind the last epoch, or an exception."""


class Terminal(Progress):
    """A line on standard error, too, written anew a few times a second."""

    def __init__(self, stream=None, clock=time.monotonic):
        self.stream, self.clock, self.last = stream or sys.stderr, clock, None

    def batch(self, epoch, done, total, rows, seconds, values):
        now = self.clock()
        if self.last is not None and now - self.last < 0.2:
            return
        self.last = now
        self.stream.write("\r\x1b[K" + live_text(epoch, self.epochs, done, total, rows, seconds, values))
        self.stream.flush()

    def epoch(self, history, metric):
        self.stream.write("\r\x1b[K")
        self.stream.flush()

    def end(self):
        self.epoch((), "")


class Notebook(Progress):
    """A line and a picture in the cell, which change while it runs. `display`: IPython's function."""

    def __init__(self, display=None, clock=time.monotonic):
        if display is None:
            from IPython.display import display
        self.display, self.clock, self.last, self.line, self.plot = display, clock, None, None, None

    def _show(self, handle, data):
        if handle is None:
            return self.display(data, raw=True, display_id=True)
        handle.update(data, raw=True)
        return handle

    def batch(self, epoch, done, total, rows, seconds, values):
        now = self.clock()
        if self.last is not None and now - self.last < 0.5:
            return
        self.last = now
        self.line = self._show(self.line, {"text/plain": live_text(epoch, self.epochs, done, total, rows, seconds, values)})

    def epoch(self, history, metric):
        self.plot = self._show(self.plot, {"image/svg+xml": draw_history(history, metric), "text/plain": metric})


def live_text(epoch, epochs, done, total, rows, seconds, values):
    """"Epoch 2/10  30/141  5400 samples/s  ETA 0:12  accuracy 0.9312"; ETA of the epoch."""
    parts = ["Epoch %d/%d" % (epoch + 1, epochs), "%d/%d" % (done, total) if total else str(done)]
    if seconds > 0:
        parts.append("%.0f samples/s" % (rows / seconds))
        if total:
            left = seconds / done * (total - done)
            parts.append("ETA %d:%02d" % (left // 60, left % 60))
    return "  ".join(parts + ["%s %.4f" % each for each in values])


def choose():
    """A Notebook in a notebook, a Terminal on a terminal, else lines alone."""
    shell = getattr(sys.modules.get("IPython"), "get_ipython", lambda: None)()
    if shell is not None and hasattr(shell, "kernel"):
        return Notebook()
    return Terminal() if sys.stderr.isatty() else Progress()


def fit(trainer, train_data, eval_data, num_epoch, begin_epoch, eval_metric, hyper, batch_end_callback, epoch_end_callback, prefix,
        progress):
    """Trainer.fit, whose documentation has the arguments."""
    from . import base_module, metric as metrics
    measured, tested = metrics.create(eval_metric), metrics.create(eval_metric)
    shown, log, history, total = progress or choose(), logging.getLogger(), [], None
    name = measured.get_name_value()[0][0]
    shown.begin(num_epoch)
    try:
        for epoch in range(begin_epoch, num_epoch):
            begun, rows, done = time.monotonic(), 0, 0
            measured.reset()
            train_data.reset()
            for batch in train_data:
                measured.update(batch.label, trainer.step(batch, hyper=hyper(epoch) if callable(hyper) else hyper))
                rows, done = rows + len(batch.data[0]), done + 1
                shown.batch(epoch, done, total, rows, time.monotonic() - begun, measured.get_name_value())
                _call(batch_end_callback, base_module.BatchEndParam(epoch, done - 1, measured, locals()))
            total, line = done, {"epoch": epoch}
            line.update(("train-" + key, value) for key, value in measured.get_name_value())
            line["time-cost"] = time.monotonic() - begun
            if eval_data is not None:
                line.update(("validation-" + key, value) for key, value in score(trainer, eval_data, tested))
            history.append(line)
            shown.epoch(history, name)
            for key, value in measured.get_name_value():
                log.info("Epoch[%d] Train-%s=%f", epoch, key, value)
            log.info("Epoch[%d] Time cost=%.3f", epoch, line["time-cost"])
            for key, value in tested.get_name_value() if eval_data is not None else ():
                log.info("Epoch[%d] Validation-%s=%f", epoch, key, value)
            if prefix:
                trainer.save(prefix, epoch + 1)
            if epoch_end_callback:
                _call(epoch_end_callback, epoch, trainer.symbol, *trainer.get_params())
    finally:
        shown.end()
    return history


def score(trainer, data, metric):
    """[(name, value)] of a metric over an iterator; rows that fill its last batch are not counted."""
    metric.reset()
    data.reset()
    for batch in data:
        count = len(batch.data[0]) - (batch.pad or 0)
        outputs = [each[:count] if len(each) == len(batch.data[0]) else each for each in trainer.predict(batch.data)]
        metric.update([each[:count] for each in batch.label], outputs)
    return metric.get_name_value()


def _call(callbacks, *arguments):
    for each in callbacks if isinstance(callbacks, (list, tuple)) else filter(None, [callbacks]):
        each(*arguments)
