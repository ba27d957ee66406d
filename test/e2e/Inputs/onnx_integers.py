"""Compiles quantised layers of ONNX models, runs them, and compares what they give with sums of integers, for symc-onnx-integers.test.

usage: onnx_integers.py SYMC [WORD]... (the words go to the compiler)
"""
import subprocess
import sys

import numpy as np

from onnx_bytes import model, node, opset, tensor, value_info

rng = np.random.default_rng(470)
f32, i32, i8, u8 = np.float32, np.int32, np.int8, np.uint8
failed = count = 0


def check(what, nodes, held, inputs, wanted, remark="sums products of bytes", most=1, share=0.02, domain="", version=17):
    """Integers may be `most` steps apart, and not more than that share of them; floats are close. `remark` is what the passes have to say."""
    global failed, count
    count += 1
    infos = [value_info(name, x.dtype.name, x.shape) for name, x in inputs.items()]
    outs = [value_info(name, y.dtype.name, None) for name, y in wanted.items()]
    with open("model.onnx", "wb") as file:
        file.write(model(nodes, infos, outs, [tensor(name, x) for name, x in held.items()], version, [opset(1, domain)] if domain else []))
    commands = [[sys.argv[1], "model.onnx", "--remarks", "-o", "net", *sys.argv[2:]], ["./net"]]
    for name, x in inputs.items():
        np.save(name + ".npy", x)
        commands[1] += ["--input", "%s=%s.npy" % (name, name)]
    for name in wanted:
        commands[1] += ["--output", "%s=%s.out.npy" % (name, name)]
    told = ""
    for command in commands:
        run = subprocess.run(command, capture_output=True, text=True)
        told += run.stdout + run.stderr
        if run.returncode:
            failed += 1
            print("%s: status %d of %s:\n%s" % (what, run.returncode, command[0], run.stderr))
            return
    if remark not in told:
        failed += 1
        print("%s: no remark '%s' in:\n%s" % (what, remark, told))
    for name, y in wanted.items():
        got = np.load(name + ".out.npy")
        if got.dtype != y.dtype or got.shape != y.shape:
            failed += 1
            print("%s: output %s is %s %s, wanted %s %s" % (what, name, got.dtype, got.shape, y.dtype, y.shape))
        elif y.dtype == f32:
            if not np.allclose(got, y, rtol=1e-5, atol=1e-5 * np.abs(y).max()):
                failed += 1
                print("%s: output %s differs by %g" % (what, name, np.abs(got - y).max()))
        else:
            apart = np.abs(got.astype(int) - y.astype(int))
            if apart.max() > most or np.mean(apart > 0) > share:
                failed += 1
                print("%s: output %s differs by %d, %g of it" % (what, name, apart.max(), np.mean(apart > 0)))


def levels(name, scale, zero):
    return {name + "s": f32(scale), name + "z": zero}


def quantise(real, scale, zero):
    info = np.iinfo(zero.dtype)
    return np.clip(np.rint(real / np.float64(scale)) + int(zero), info.min, info.max).astype(zero.dtype)


def convolve(x, w, stride=1, pads=(0, 0, 0, 0), dilate=1, group=1):
    """Sums of integers; x less its zero point."""
    x = np.pad(x, ((0, 0), (0, 0), (pads[0], pads[2]), (pads[1], pads[3]))).astype(np.int64)
    filters, channels, height, width = w.shape
    rows = (x.shape[2] - dilate * (height - 1) - 1) // stride + 1
    columns = (x.shape[3] - dilate * (width - 1) - 1) // stride + 1
    out = np.zeros((x.shape[0], filters, rows, columns), np.int64)
    each = filters // group
    for g in range(group):
        part, filter = x[:, g * channels:(g + 1) * channels], w[g * each:(g + 1) * each].astype(np.int64)
        for i in range(height):
            for j in range(width):
                window = part[:, :, i * dilate:i * dilate + stride * (rows - 1) + 1:stride, j * dilate:j * dilate + stride * (columns - 1) + 1:stride]
                out[:, g * each:(g + 1) * each] += np.einsum("nchw,oc->nohw", window, filter[:, :, i, j])
    return out


def numbers(dtype, shape):
    info = np.iinfo(dtype)
    return rng.integers(info.min, info.max + 1, shape).astype(dtype)


def convolution(what, channels, filters, kernel, zero, result, stride=1, pads=(0, 0, 0, 0), dilate=1, group=1, by_channel=True, bias=True,
                follows=(), ends=True, middle=False, size=13, images=1, remark="sums products of bytes"):
    """A convolution between DequantizeLinear and QuantizeLinear; follows: (node, bounds) behind it."""
    x = numbers(zero.dtype, (images, channels, size, size + 2))
    w = rng.integers(-127, 128, (filters, channels // group, kernel, kernel)).astype(i8)
    scales = rng.uniform(0.001, 0.01, filters if by_channel else ()).astype(f32)
    column = scales.reshape(-1, 1, 1, 1) if by_channel else scales
    b = rng.integers(-3000, 3000, filters).astype(i32)
    xs = f32(0.02)
    sums = convolve(x.astype(int) - int(zero), w, stride, pads, dilate, group)
    if bias:
        sums = sums + b.reshape(1, -1, 1, 1)
    real = sums * (np.float64(xs) * np.float64(scales).reshape(1, -1, 1, 1))
    ys = f32(np.abs(real).max() / 100)
    held = {**levels("x", xs, zero), "w": w.astype(int).__add__(128).astype(u8) if middle else w, "ws": scales,
            "wz": np.full(scales.shape, 128, u8) if middle else np.zeros(scales.shape, i8), **levels("y", ys, result)}
    nodes = [node("DequantizeLinear", ["x", "xs", "xz"], ["xd"]), node("DequantizeLinear", ["w", "ws", "wz"], ["wd"], **({"axis": 0} if by_channel else {}))]
    if bias:
        held.update(b=b, bs=(xs * scales).astype(f32) if by_channel else f32(xs * scales), bz=np.zeros(scales.shape, i32))
        nodes.append(node("DequantizeLinear", ["b", "bs", "bz"], ["bd"], **({"axis": 0} if by_channel else {})))
    nodes.append(node("Conv", ["xd", "wd"] + (["bd"] if bias else []), ["c"], kernel_shape=[kernel, kernel], strides=[stride, stride], pads=list(pads),
                      dilations=[dilate, dilate], group=group))
    last = "c"
    for number, (op, low, high) in enumerate(follows):
        operands = [last]
        if op == "Clip":
            held.update({"low%d" % number: f32(low), "high%d" % number: f32(high)})
            operands += ["low%d" % number, "high%d" % number]
        last = "f%d" % number
        nodes.append(node(op, operands, [last]))
        real = np.clip(real, low, high)
    if ends:
        nodes.append(node("QuantizeLinear", [last, "ys", "yz"], ["y"]))
        wanted = quantise(real, ys, result)
    else:
        nodes.append(node("Neg", [last], ["y"]))
        wanted = -real.astype(f32)
    check(what, nodes, held, {"x": x}, {"y": wanted}, remark)


convolution("3x3 around a zero of 114", 16, 32, 3, u8(114), u8(7), pads=(1, 1, 1, 1))
convolution("1x1", 24, 40, 1, u8(0), u8(128), by_channel=False)
convolution("signed", 20, 24, 3, i8(-11), i8(5), pads=(1, 1, 1, 1), images=2)
convolution("signed, from -128 on", 32, 16, 5, i8(-128), i8(-128), pads=(2, 2, 2, 2), follows=[("Relu", 0, np.inf)])
convolution("unequal borders", 16, 16, 3, u8(3), u8(0), stride=2, pads=(0, 0, 1, 1))
convolution("three channels", 3, 32, 3, u8(120), u8(9), stride=2, pads=(1, 1, 1, 1), bias=False)
convolution("dilated", 17, 33, 3, u8(90), i8(0), pads=(2, 2, 2, 2), dilate=2)
convolution("clipped", 16, 32, 1, u8(114), u8(7), follows=[("Clip", 0.0, 6.0)])
convolution("relu and clip", 16, 32, 1, i8(14), i8(-7), follows=[("Relu", 0, np.inf), ("Clip", -1.0, 3.0)])
convolution("weights around 128", 16, 32, 3, u8(114), u8(7), pads=(1, 1, 1, 1), middle=True, by_channel=False)
convolution("depthwise", 40, 40, 3, u8(114), u8(7), pads=(1, 1, 1, 1), group=40)
convolution("depthwise, signed, stride 2", 32, 32, 3, i8(-20), i8(5), pads=(1, 1, 1, 1), stride=2, group=32, size=14)
convolution("depthwise 5x5", 24, 24, 5, u8(0), u8(100), pads=(2, 2, 2, 2), group=24, by_channel=False)
convolution("depthwise 7x7, dilated", 16, 16, 7, i8(9), u8(100), pads=(6, 6, 6, 6), dilate=2, group=16, size=20)
convolution("to floats", 16, 32, 3, u8(114), u8(7), pads=(1, 1, 1, 1), ends=False)
convolution("depthwise to floats", 16, 16, 3, i8(3), u8(7), pads=(1, 1, 1, 1), ends=False, group=16)
convolution("groups of channels", 16, 32, 3, u8(114), u8(7), group=4, remark="is computed in floats: it has groups of several channels")


def matrix(what, op, rows, zero, result, by_channel, bias, ends=True, transposed=False, lead=(5,)):
    depth, columns = 37, 45
    x = numbers(zero.dtype, (*lead, depth))
    w = rng.integers(-127, 128, (columns, depth) if transposed else (depth, columns)).astype(i8)
    plain = w.T if transposed else w
    scales = rng.uniform(0.001, 0.01, columns if by_channel else ()).astype(f32)
    b = rng.standard_normal(columns).astype(f32)
    real = ((x.astype(int) - int(zero)) @ plain.astype(int)) * (np.float64(f32(0.02)) * np.float64(scales)) + (b if bias else 0)
    ys = f32(np.abs(real).max() / 100)
    axis = {"axis": 0 if transposed else 1} if by_channel else {}
    held = {**levels("x", 0.02, zero), "w": w, "ws": scales, "wz": np.zeros(scales.shape, i8), "b": b, **levels("y", ys, result)}
    nodes = [node("DequantizeLinear", ["x", "xs", "xz"], ["xd"]), node("DequantizeLinear", ["w", "ws", "wz"], ["wd"], **axis)]
    if op == "Gemm":
        nodes.append(node("Gemm", ["xd", "wd"] + (["b"] if bias else []), ["c"], transB=int(transposed)))
    else:
        weight = "wd"
        if transposed:
            nodes.append(node("Transpose", ["wd"], ["wt"], perm=[1, 0]))
            weight = "wt"
        nodes.append(node("MatMul", ["xd", weight], ["m" if bias else "c"]))
        if bias:
            nodes.append(node("Add", ["m", "b"], ["c"]))
    nodes.append(node("QuantizeLinear", ["c", "ys", "yz"], ["y"]) if ends else node("Neg", ["c"], ["y"]))
    check(what, nodes, held, {"x": x}, {"y": quantise(real, ys, result) if ends else -real.astype(f32)})


matrix("Gemm", "Gemm", 5, u8(114), u8(7), True, True, transposed=True)
matrix("Gemm, signed", "Gemm", 5, i8(-3), i8(7), False, False)
matrix("Gemm to floats", "Gemm", 5, i8(-3), i8(7), True, True, ends=False)
matrix("MatMul of stacks", "MatMul", 5, u8(50), u8(128), True, True, lead=(2, 7))
matrix("MatMul with transposed weights", "MatMul", 5, u8(0), i8(-7), True, True, transposed=True)
matrix("MatMul to floats", "MatMul", 5, i8(1), i8(0), False, False, ends=False, lead=(2, 3, 4))

# What moves bytes, and maxima of them.
x = numbers(u8, (1, 32, 12, 12))
held = levels("x", 0.02, u8(114))
pair = [node("DequantizeLinear", ["x", "xs", "xz"], ["d"])]
windows = np.lib.stride_tricks.sliding_window_view(np.pad(x, ((0, 0), (0, 0), (1, 1), (1, 1))), (3, 3), (2, 3))[:, :, ::2, ::2].max((4, 5))
check("MaxPool", pair + [node("MaxPool", ["d"], ["p"], kernel_shape=[3, 3], strides=[2, 2], pads=[1, 1, 1, 1]), node("QuantizeLinear", ["p", "xs", "xz"], ["y"])],
      held, {"x": x}, {"y": windows}, "", share=0)
check("Transpose and Reshape", pair + [node("Transpose", ["d"], ["t"], perm=[0, 2, 3, 1]), node("Reshape", ["t", "n"], ["r"]),
                                       node("QuantizeLinear", ["r", "xs", "xz"], ["y"])],
      {**held, "n": np.array([1, -1], np.int64)}, {"x": x}, {"y": x.transpose(0, 2, 3, 1).reshape(1, -1)}, "", share=0)
check("Concat", pair + [node("Concat", ["d", "d"], ["c"], axis=1), node("QuantizeLinear", ["c", "xs", "xz"], ["y"])], held, {"x": x},
      {"y": np.concatenate([x, x], 1)}, "", share=0)
real = (x.astype(int) - 114) * np.float64(f32(0.02))
check("Add", pair + [node("DequantizeLinear", ["z", "zs", "zz"], ["e"]), node("Add", ["d", "e"], ["a"]), node("QuantizeLinear", ["a", "ys", "yz"], ["y"])],
      {**held, **levels("z", 0.03, u8(5)), **levels("y", 0.05, u8(100))}, {"x": x, "z": x[:, ::-1].copy()},
      {"y": quantise(real + (x[:, ::-1].astype(int) - 5) * np.float64(f32(0.03)), f32(0.05), u8(100))}, "")
check("GlobalAveragePool", pair + [node("GlobalAveragePool", ["d"], ["a"]), node("QuantizeLinear", ["a", "ys", "yz"], ["y"])],
      {**held, **levels("y", 0.002, u8(100))}, {"x": x}, {"y": quantise(real.mean((2, 3), keepdims=True), f32(0.002), u8(100))}, "")

# Dynamic quantisation, as quantize_dynamic of ONNX Runtime writes it.
for name, dtype, zero, by_channel in (("int8", i8, 0, False), ("int8 by channel", i8, 0, True), ("uint8", u8, 131, False)):
    x = rng.standard_normal((2, 9, 37)).astype(f32)
    w, b = numbers(dtype, (37, 45)), rng.standard_normal(45).astype(f32)
    ws = rng.uniform(0.001, 0.01, 45 if by_channel else ()).astype(f32)
    low, high = min(x.min(), 0), max(x.max(), 0)
    scale = f32(f32(high - low) / f32(255))
    point = u8(np.clip(np.rint(-low / scale), 0, 255))
    q = np.clip(np.rint(x / scale) + int(point), 0, 255).astype(int) - int(point)
    wanted = ((q @ (w.astype(int) - zero)) * (np.float64(scale) * np.float64(ws)) + b).astype(f32)
    check("dynamic, " + name, [node("DynamicQuantizeLinear", ["x"], ["q", "s", "z"]), node("MatMulInteger", ["q", "w", "z", "wz"], ["m"]),
                               node("Cast", ["m"], ["f"], to=1), node("Mul", ["s", "ws"], ["t"]), node("Mul", ["f", "t"], ["g"]), node("Add", ["b", "g"], ["y"])],
          {"w": w, "wz": np.full(ws.shape, zero, dtype), "ws": ws, "b": b}, {"x": x}, {"y": wanted}, "sums products of bytes" if zero == 0 else "")

print("%d layers, %d differ" % (count, failed))
