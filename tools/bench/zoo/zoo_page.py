"""The results of compare_zoo as lines of text and as docs/performance-zoo.md."""
import math

from nets import LEFT_OUT, NETS

PEERS = ("mxnet", "openvino", "onnxruntime")
BAR = 1.3  # geometric mean over the faster of MXNet and OpenVINO

PAGE = """# Architectures beside other runtimes

%(nets)d nets as users of MXNet export them, with drawn weights: those of GluonCV's model zoo, generators of pictures and two language
models (`tools/bench/zoo/nets.py`). Written by

```
compare_zoo %(flags)s --json zoo.json --markdown docs/performance-zoo.md
```

on %(cpu)s. Each ratio is a runtime's time over symc's, the median of %(runs)d runs that alternate; above 1 symc is faster. Answers are
compared with MXNet's in float64: "error" is the largest difference over the largest value of an output, at most 1e-4 or twice what MXNet
itself errs by in float32; a detector's boxes are compared as sets, with float32, those of feature pyramids not at all (`nets.py` has the reason).
"-" stands for nets that MXNet's exporter to ONNX refuses, or whose file the runtime refuses or computes otherwise. "reference" is the part of the time in reference code: of the estimated
one, or, where that is 2 %% or more, of a profiled run's (`symc-run --profile`, one thread).

%(summary)s

"""


def ratio_to(result, *peers):
    """The ratio to the fastest of `peers` that gave the right answers; None where none did."""
    found = [result["ratios"][peer] for peer in peers
             if peer in result.get("ratios", {}) and peer not in result.get("wrong", [])]
    return min(found) if found else None


def text_of(number, form="%.2f"):
    return "-" if number is None else form % number


def cells(result):
    """Of a row: symc's time, the ratios, the error, the reference code's share, seconds and MB of the compilation."""
    facts = result.get("compile", {})
    return ([text_of(result.get("ms", {}).get("symc"), "%.2f")] + [text_of(ratio_to(result, peer)) for peer in PEERS]
            + [text_of(result.get("errors", {}).get("symc"), "%.1e"), text_of(result.get("reference_measured", facts.get("reference_percent")), "%.0f %%"),
               text_of(facts.get("seconds"), "%.1f"), text_of(facts["peak_bytes"] / 1e6 if facts else None, "%.0f")])


def line(result):
    text = "%-42s %d  " % (result["row"], result["threads"]) + " ".join(
        "%*s" % (width, cell) for width, cell in zip((9, 6, 6, 6, 8, 5, 6, 6), cells(result)))
    notes = ["%s is WRONG" % runtime for runtime in result.get("wrong", [])] + result.get("problems", [])
    return text + ("   " + "; ".join(notes) if notes else "")


def summary(report):
    """Sums over all rows, by threads."""
    lines = []
    for threads in sorted({result["threads"] for result in report["rows"]}):
        rows = [result for result in report["rows"] if result["threads"] == threads]
        bad = [result["row"] for result in rows if "ms" not in result or "symc" in result.get("wrong", [])]
        beside = {result["row"]: ratio_to(result, "mxnet") for result in rows if result["row"] not in bad}
        slower = sorted(name for name, ratio in beside.items() if ratio is not None and ratio < 1)
        best = [ratio_to(result, "mxnet", "openvino") for result in rows if result["row"] not in bad]
        best = [ratio for ratio in best if ratio]
        text = "%d thread%s: %d nets" % (threads, "" if threads == 1 else "s", len(rows))
        if best:
            text += ", geometric mean over the faster of MXNet and OpenVINO %.2f (bar %g); slower than MXNet: %s" % (
                math.exp(sum(map(math.log, best)) / len(best)), BAR, ", ".join(slower) or "none")
        below = sorted(result["row"] for result in rows for net in NETS
                       if net.name == result["row"] and net.least and (ratio_to(result, "openvino") or net.least) < net.least)
        lines.append(text + ("; below their bar to OpenVINO: " + ", ".join(below) if below else "")
                     + ("; WRONG or not compared: " + ", ".join(bad) if bad else ""))
    return "\n".join(lines)


def page(report):
    by = {(result["row"], result["threads"]): result for result in report["rows"]}
    text = PAGE % {"nets": len({result["row"] for result in report["rows"]}), "flags": report["flags"],
                   "cpu": report["machine"]["cpu"], "runs": report["runs"], "summary": summary(report).replace("\n", "\n\n")}
    for threads in sorted({result["threads"] for result in report["rows"]}):
        text += "## %d thread%s\n\n| net | input | symc ms | MXNet | OpenVINO | ONNX Runtime | error | reference | compiled in s | MB |\n" % (
            threads, "" if threads == 1 else "s")
        text += "|---" * 10 + "|\n"
        for net in NETS:
            result = by.get((net.name, threads))
            if result:
                text += "| %s | %s | %s |\n" % (net.name, "x".join(map(str, net.shape)), " | ".join(cells(result)))
        text += "\n"
    text += "## Left out\n\n| nets | why |\n|---|---|\n"
    return text + "".join("| `%s` | %s |\n" % row for row in LEFT_OUT.items())
