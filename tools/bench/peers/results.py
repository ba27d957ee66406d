"""The results of compare_peers as a table of text, and what changed since another.

A row shows the times of all runtimes, the ratio to the fastest peer of its bar,
the bar, and the largest difference of symc's outputs from MXNet's.
"""
import math

from rows import AVX2_GEOMETRIC_MEAN, ROWS, bars_for

PEERS = ("openvino", "onnxruntime", "mxnet")


def row_named(name):
    return next((row for row in ROWS if row.name == name), None)


def deciding_ratio(result, peers):
    """The ratio to the fastest peer that the bar is about; None where none ran."""
    found = [result["ratios"][peer] for peer in peers if peer in result["ratios"]]
    return min(found) if found else None


def bound_ms(result, machine):
    """The time of the FLOPs at peak or of the weights at the bandwidth of the cache
    that holds them, whichever is longer."""
    facts = result["compile"]
    if "gflop" not in facts or "peak_gflops" not in machine:
        return None
    bandwidth = machine["dram_gbs"]
    for level in ("l1", "l2", "l3"):
        if facts["weights_bytes"] + facts["arena_bytes"] <= machine.get(level + "_bytes", 0) and level + "_gbs" in machine:
            bandwidth = machine[level + "_gbs"]
            break
    return max(facts["gflop"] / machine["peak_gflops"], facts["weights_bytes"] / bandwidth * 1e-9) * 1e3 / result["threads"]


def verdict(result, report):
    """(ratio, bar, "ok" | "BELOW" | "", note) of a row."""
    row = row_named(result["row"])
    bar = bars_for(row, report["settings"]["math"], report["settings"]["avx2"]).get(result["threads"])
    ratio = deciding_ratio(result, row.peers) if "ratios" in result else None
    notes = list(result.get("problems", []))
    bound = bound_ms(result, report["machine"]) if "compile" in result else None
    allowed = float(row.note.split()[1]) if row.note.startswith("bound") else None
    met = ratio is not None and (bar is None or ratio >= bar) and not [n for n in notes if "differs" in n]
    if bound and allowed:
        times = result["ms"]["symc"] / bound
        notes.append("%.1f x its bound of %.4f ms (bar %g)" % (times, bound, allowed))
        met = met and times <= allowed
    state = "" if bar is None or ratio is None else "ok" if met else "BELOW"
    return ratio, bar, state, "; ".join(notes)


def geometric_mean(ratios):
    return math.exp(sum(map(math.log, ratios)) / len(ratios)) if ratios else None


def geometric_means(report):
    """Of the ratios of all rows whose bar is about OpenVINO, by threads: rows and ratio."""
    ratios = {}
    for result in report["rows"]:
        ratio = verdict(result, report)[0]
        if ratio is not None and "openvino" in row_named(result["row"]).peers:
            ratios.setdefault(result["threads"], []).append(ratio)
    return {threads: {"rows": len(values), "ratio": geometric_mean(values)} for threads, values in sorted(ratios.items())}


def table(report, baseline=None):
    """The text of all rows, one a line, and the sums below."""
    before = {(r["row"], r["threads"]): r for r in (baseline or {}).get("rows", [])}
    lines = ["%-15s %2s %9s %9s %9s %9s  %6s %6s %-5s %8s%s" % (
        "row", "t", "symc ms", "openvino", "onnxrt", "mxnet", "ratio", "bar", "", "error", "   before" if before else "")]
    states = []
    for result in report["rows"]:
        ratio, bar, state, note = verdict(result, report)
        states.append(state)
        times = result.get("ms", {})
        cells = [("%9.3f" % times[name] if name in times else "%9s" % "-") for name in ("symc",) + PEERS]
        error = result.get("errors", {}).get("symc")
        line = "%-15s %2d %s  %6s %6s %-5s %8s" % (
            result["row"], result["threads"], " ".join(cells), "-" if ratio is None else "%.2f" % ratio,
            "-" if bar is None else "%.2f" % bar, state, "-" if error is None else "%.1e" % error)
        old = before.get((result["row"], result["threads"]))
        if old and "ms" in old and times:
            now, then = deciding_ratio(result, PEERS), deciding_ratio(old, PEERS)
            line += "   ratio %.2f, now %+.1f %%" % (then, 100 * (now / then - 1)) if now and then else ""
        lines.append(line + ("   " + note if note else ""))
    for threads, mean in geometric_means(report).items():
        bar = "" if not report["settings"]["avx2"] else " (bar %.2f: %s)" % (
            AVX2_GEOMETRIC_MEAN, "ok" if mean["ratio"] >= AVX2_GEOMETRIC_MEAN else "BELOW")
        lines.append("geometric mean of %d rows beside OpenVINO, %d thread%s: %.3f%s"
                     % (mean["rows"], threads, "" if threads == 1 else "s", mean["ratio"], bar))
    lines.append("%d bars met, %d not met" % (states.count("ok"), states.count("BELOW")))
    return "\n".join(lines)


def preamble(report):
    """The machine, the versions and the settings, in words."""
    machine, settings = report["machine"], report["settings"]
    lines = ["cpu: %s, %s processors" % (machine["cpu"], machine["processors"])]
    if "peak_gflops" in machine:
        lines.append("one core: %.0f GFLOP/s of fp32 FMA; reads %s GB/s" % (machine["peak_gflops"], ", ".join(
            "%s %.0f" % (level, machine[level + "_gbs"]) for level in ("l1", "l2", "l3", "dram") if level + "_gbs" in machine)))
    lines.append("peers: " + ", ".join("%s %s" % item for item in sorted(report["versions"].items())))
    lines.append("symc: --target-cpu %s, --math %s" % (settings["target_cpu"] or "(default)", settings["math"] or "default"))
    lines.append("runs: median of %d, each the minimum over %d rounds of at least %g ms; one process a runtime, stopped while "
                 "another runs" % (settings["runs"], settings["rounds"], settings["milliseconds"]))
    shown = set()
    for result in report["rows"]:
        for runtime, about in result.get("about", {}).items():
            words = ["%s=%s" % item for item in sorted(about.get("settings", {}).items())]
            words += ["%s=%s" % item for item in sorted(result["environment"].get(runtime, {}).items())]
            if runtime == "symc":
                words.append("SYMC_THREADS=%d" % result["threads"])
            text = "%s, %d thread%s: %s" % (runtime, result["threads"], "" if result["threads"] == 1 else "s", " ".join(words))
            if text not in shown:
                shown.add(text)
                lines.append(text)
    return "\n".join(lines)
