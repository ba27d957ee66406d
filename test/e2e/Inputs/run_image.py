"""run_image.py PACKAGE LIBRARY PICTURE PIXELS ANSWERS: what a library with preprocessing makes of arrays of bytes."""
import json
import sys

import numpy as np

sys.path.insert(0, sys.argv[1])
import symc  # noqa: E402

wanted = np.fromfile(sys.argv[5], "float32").reshape(1, 10)
pixels = np.fromfile(sys.argv[4], "uint8").reshape(28, 28)
with symc.Model(sys.argv[2]) as model:
    for name, picture in (("file", np.fromfile(sys.argv[3], "uint8")), ("gray", pixels),
                          ("colours", np.repeat(pixels[:, :, None], 3, axis=2))):
        print(name, np.array_equal(model(picture), wanted))
    try:
        model(pixels.reshape(28, 14, 2))
    except ValueError as error:
        print("ValueError:", error)

nodes = [{"op": "null", "name": "data", "inputs": []}, {"op": "_copy", "name": "y", "inputs": [[0, 0, 0]]}]
with open("copy-symbol.json", "w", encoding="utf-8") as file:
    json.dump({"nodes": nodes, "arg_nodes": [0], "heads": [[1, 0, 0]]}, file)
picture = np.arange(105, dtype="uint8").reshape(5, 7, 3)
with symc.compile("copy-symbol.json", shapes={"data": (1, 3, "4..8", "4..8")},
                  options=["--preprocess", "data=bgr,mean=1/2/3"]) as model:
    out = model(picture)
    wanted = picture[:, :, ::-1].transpose(2, 0, 1)[None].astype("float32") - np.float32([1, 2, 3]).reshape(1, 3, 1, 1)
    print("any size", out.shape, np.array_equal(out, wanted))
