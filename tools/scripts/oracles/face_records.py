#!/usr/bin/env python3
"""Runs the dataset class of insightface's arcface_torch on symc's records, with one import changed.

  face_records.py --package BUILD/python --source DATASET.PY

DATASET.PY is recognition/arcface_torch/dataset.py of insightface. `import mxnet as mx` in it becomes `import symc as mx`; all
else stays. Records are made here, as that project has them: number 0 holds how many there are. They are read one by one and
by a DataLoader with two processes. Needs PyTorch; without torchvision its transforms are stood in for. Exit status: 0 labels
and pixels are those that were written, 1 others, 2 wrong usage.
"""
import argparse
import os
import sys
import tempfile
import types

import numpy as np

SIDE, COUNT = 112, 23


def make_records(folder):
    """train.rec and train.idx; returns the pictures."""
    from symc import recordio
    draw, pictures = np.random.RandomState(0), []
    path = [os.path.join(folder, "train." + ending) for ending in ("idx", "rec")]
    with recordio.MXIndexedRecordIO(*path, "w") as writer:
        writer.write_idx(0, recordio.pack(recordio.IRHeader(2, [COUNT + 1, COUNT + 1], 0, 0), b""))
        rows, columns = np.mgrid[:SIDE, :SIDE]
        for number in range(1, COUNT + 1):
            waves = [127 + 100 * np.sin(rows / draw.uniform(9, 30) + columns / draw.uniform(9, 30)) for _ in range(3)]
            pictures.append(np.stack(waves, 2).astype("uint8"))
            header = recordio.IRHeader(0, float(number % 7), number, 0)
            writer.write_idx(number, recordio.pack_img(header, pictures[-1][..., ::-1], quality=98))
    return pictures


def stand_in():
    """What DATASET.PY takes of torchvision: byte pixels become numbers from -1 to 1; nothing is drawn."""
    import torch

    def compose(_):
        return lambda pixels: (torch.from_numpy(np.ascontiguousarray(pixels)).permute(2, 0, 1).float() / 255 - 0.5) / 0.5
    module, transforms = types.ModuleType("torchvision"), types.ModuleType("torchvision.transforms")
    module.transforms, transforms.Compose = transforms, compose
    for name in ("ToPILImage", "RandomHorizontalFlip", "ToTensor", "Normalize"):
        setattr(transforms, name, lambda *_, **__: None)
    sys.modules.update({"torchvision": module, "torchvision.transforms": transforms})


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--package", required=True)
    parser.add_argument("--source", required=True)
    options = parser.parse_args()
    sys.path.insert(0, options.package)
    import torch
    try:
        import torchvision  # noqa: F401
    except ImportError:
        stand_in()
    with open(options.source, encoding="utf-8") as file:
        text = file.read()
    changed = text.replace("import mxnet as mx", "import symc as mx")
    if changed == text:
        parser.error("%s imports no mxnet" % options.source)
    scope = types.ModuleType("dataset")
    sys.modules["dataset"] = scope
    exec(compile(changed, options.source, "exec"), vars(scope))
    with tempfile.TemporaryDirectory() as folder:
        pictures = make_records(folder)
        faces = scope.MXFaceDataset(folder, 0)
        alone = [faces[number] for number in range(len(faces))]
        loader = torch.utils.data.DataLoader(faces, batch_size=5, num_workers=2)
        together = [(sample, label) for samples, labels in loader for sample, label in zip(samples, labels)]
    wrong = 0
    for number, (picture, one, other) in enumerate(zip(pictures, alone, together), 1):
        wanted = picture.transpose(2, 0, 1).astype("float32") / 127.5 - 1
        for sample, label in (one, other):
            near = min(np.abs(np.asarray(sample) - each).mean() for each in (wanted, wanted[..., ::-1]))  # mirrored or not
            if int(label) != number % 7 or near > 0.03:
                wrong += 1
                print("record %d: label %d, distance %.3f" % (number, int(label), near))
    print("%d of %d pictures, read alone and by two processes: %d wrong" % (len(alone), COUNT, wrong))
    return 1 if wrong or len(alone) != COUNT or len(together) != COUNT else 0


if __name__ == "__main__":
    sys.exit(main())
