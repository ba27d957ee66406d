"""How far the answers of a runtime are from MXNet's: tensors by their largest difference,
detections as sets of rows.

A detector's outputs have a row a box: class, score, corners, perhaps a mask. The order of
boxes whose scores are close, and which of two overlapping ones remains, hang on the last bits
of the scores, so that rows are matched with each other."""
import numpy as np

ALLOWED = 1e-4      # of a tensor's largest value
ALLOWED_ROWS = 0.02  # part of a detector's rows that may have no partner


def tensor_error(ours, wanted):
    """max|x-y| / max|y|; infinite where they do not fit."""
    if ours.size != wanted.size or not np.isfinite(ours).all():
        return float("inf")
    return float(np.abs(ours.reshape(wanted.shape) - wanted).max() / max(float(np.abs(wanted).max()), 1e-30))


def rows_of(outputs):
    """[rows, columns] of a detector's outputs [batch, rows, ...], each scaled by its largest value."""
    rows = outputs[0].shape[0] * outputs[0].shape[1]
    return np.concatenate([np.asarray(value, np.float64).reshape(rows, -1) for value in outputs], axis=1)


def unmatched(ours, wanted):
    """The part of the wanted rows that no row of ours equals within ALLOWED, each used once."""
    if [x.size for x in ours] != [y.size for y in wanted]:
        return 1.0
    x, y = rows_of([a.reshape(b.shape) for a, b in zip(ours, wanted)]), rows_of(wanted)
    scale = np.maximum(np.abs(y).max(0), 1e-30)
    x, y = x / scale, y / scale
    free, lost = np.ones(len(x), bool), 0
    for row in y:
        near = np.flatnonzero(free & (np.abs(x[:, 0] - row[0]) <= ALLOWED) & (np.abs(x[:, 1] - row[1]) <= ALLOWED))
        near = near[(np.abs(x[near] - row) <= 10 * ALLOWED).all(1)]
        if len(near):
            free[near[0]] = False
        else:
            lost += 1
    return lost / len(y)


def detection_error(ours, wanted):
    """At most ALLOWED where the answers agree: the error of the tensors, or, where rows have other
    places, the part of rows without a partner, scaled so that ALLOWED_ROWS is the limit."""
    if len(ours) < len(wanted):
        return float("inf")
    worst = max(tensor_error(x, y) for x, y in zip(ours, wanted))
    return worst if worst <= ALLOWED else unmatched(ours[:len(wanted)], wanted) * ALLOWED / ALLOWED_ROWS


def judge_detection(path, wanted):
    with np.load(path) as file:
        return detection_error([file["arr_%d" % number] for number in range(len(file.files))], wanted)


def allowed(own):
    """The largest error of an answer, MXNet's own in float32 being `own`."""
    return max(ALLOWED, 2 * own)
