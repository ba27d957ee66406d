"""Writes the inputs of operators that refuse their values: an .npz for each case of symc-run-refusals.test."""
import numpy as np


def save(name, **arrays):
    np.savez(name + ".npz", **{key: np.array(value, "float32") for key, value in arrays.items()})


image = np.arange(16).reshape(1, 1, 4, 4)
save("empty", data=np.ones((3, 2, 1)), sequence_length=[2, 0])
save("backwards", data=image, rois=[[0, 0, 0, 3, 3], [0, 3, 3, 1, 1]])
save("huge", data=image, rois=[[0, 0, 0, 1e6, 1e6]])
save("length", data=np.ones((3, 1, 4)), label=[[1, 2]], data_lengths=[9])
save("class", data=np.ones((3, 1, 4)), label=[[7, 1]])
save("chances", a=[0.9, 0.9])
np.savez("mark.npz", **{key: np.ones((1, 2), "float32") for key in ("lda", "state", "lags")},
         **{key: np.ones(2, "float32") for key in ("alpha", "beta")}, marks=np.array([[0, 5]], "int32"),
         valid_length=np.array([2], "float32"), max_time=np.array([9], "float32"))
box = [0.1, 0.1, 0.5, 0.5]
anchors = [[box, [0.1, 0.1, 0.5, 0.45]]]
save("row", anchor=anchors, label=[[[-1, *box]]], cls_pred=np.zeros((1, 2, 2)))
save("mining", anchor=anchors, label=[[[0, *box]]], cls_pred=np.zeros((1, 2, 2)))
save("info", cls_prob=np.zeros((1, 2, 2, 2)), bbox_pred=np.zeros((1, 4, 2, 2)), im_info=[[1000, 1000, 1]])
save("negative", hist=[-1, 2, 3, 4, 5, 6, 7, 8, 9], hist_edges=range(10))
