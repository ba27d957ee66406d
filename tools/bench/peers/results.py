"""The results of compare_peers as a table of text, and what changed since another.

A row shows the times of all runtimes, the ratio to the fastest peer of its bar,
the bar, and the largest difference of symc's outputs from MXNet's. The time of a
runtime whose outputs are wrong is shown, and counts for nothing.
"""
import math

from rows import AVX2_GEOMETRIC_MEAN, ROWS, bars_for

PEERS = ("openvino", "openvino-own", "onnxruntime", "mxnet")
HEADINGS = {"openvino-own": "ov's own", "onnxruntime": "onnxrt"}
MEDIAN_OF = 3  # runs, of what docs/performance.md shows

# max|x-y| / max|y| against MXNet, by the precision that a runtime computes in.
ALLOWED_ERROR = {"f32": 1e-4, "bf16": 0.1, "f16": 1e-2}
OWN = "openvino-own"  # computes in the precision that it chooses


def wrong(errors, precisions):
    """The runtimes whose outputs differ by more than their precision explains. One that chooses a lower precision by
    itself is not wrong: `coarse` names it."""
    return [runtime for runtime, error in errors.items()
            if not error <= ALLOWED_ERROR[precisions[runtime]] and (runtime != OWN or precisions[runtime] == "f32"
                                                                    or not math.isfinite(error))]


def coarse(result):
    """What there is to note about a precision that a runtime chose: how far it is from MXNet, beside its own bound."""
    precision = result.get("about", {}).get(OWN, {}).get("precision", "f32")
    error = result.get("errors", {}).get(OWN)
    if precision == "f32" or error is None or OWN in result.get("wrong", []) or error <= ALLOWED_ERROR[precision]:
        return []
    return ["%s in %s differs from MXNet by %.1e, above the bound of its precision, %g" % (
        OWN, precision, error, ALLOWED_ERROR[precision])]


def compared(row, report):
    """The peers of the ratio, and whether the bar is about it: those that were requested, among them those of the bar
    where there are any."""
    requested = report["settings"].get("peers")
    if not requested:
        return row.peers, True
    of_bar = [peer for peer in row.peers if peer in requested]
    return (of_bar or requested), len(of_bar) == len(row.peers)


def row_named(name):
    return next((row for row in ROWS if row.name == name), None)


def deciding_ratio(result, peers):
    """The ratio to the fastest of these peers; None where none gave the right outputs."""
    found = [result["ratios"][peer] for peer in peers if peer in result["ratios"] and peer not in result.get("wrong", [])]
    return min(found) if found else None


def bound_ms(result, machine):
    """The time of the FLOPs at peak or of the weights at the bandwidth of the cache
    that holds them, whichever is longer; None where the machine's probe could not measure them:
    a rate that it does not have is 0."""
    facts = result["compile"]
    if "gflop" not in facts or not machine.get("peak_gflops"):
        return None
    held = [level for level in ("l1", "l2", "l3")
            if facts["weights_bytes"] + facts["arena_bytes"] <= machine.get(level + "_bytes", 0)]
    bandwidth = next((machine[level + "_gbs"] for level in held + ["dram"] if machine.get(level + "_gbs")), 0)
    if not bandwidth:
        return None
    return max(facts["gflop"] / machine["peak_gflops"], facts["weights_bytes"] / bandwidth * 1e-9) * 1e3 / result["threads"]


def verdict(result, report):
    """(ratio, bar, "ok" | "BELOW" | "WRONG" | "", note) of a row; what symc computes wrongly has no ratio."""
    row = row_named(result["row"])
    peers, judged = compared(row, report)
    bar = bars_for(row, report["settings"]["math"], report["settings"]["avx2"]).get(result["threads"]) if judged else None
    unlike = result.get("wrong", [])
    ratio = deciding_ratio(result, peers) if "ratios" in result and "symc" not in unlike else None
    notes = ["%s is wrong: %s" % (runtime, "another class than MXNet's" if row.source == "int8" else
                                  "differs from MXNet by %.1e" % result["errors"][runtime]) for runtime in unlike]
    notes += coarse(result) + result.get("problems", [])
    bound = bound_ms(result, report["machine"]) if "compile" in result else None
    allowed = float(row.note.split()[1]) if row.note.startswith("bound") else None
    met = ratio is not None and (bar is None or ratio >= bar)
    if len(result.get("runs", [None] * MEDIAN_OF)) < MEDIAN_OF:
        notes.append("no median of %d runs" % MEDIAN_OF)
    if allowed and "compile" in result and not bound:
        notes.append("its bound is not known on this machine")
    if bound and allowed:
        times = result["ms"]["symc"] / bound
        notes.append("%.1f x its bound of %.4f ms (bar %g)" % (times, bound, allowed))
        met = met and times <= allowed
    state = "WRONG" if "symc" in unlike else "" if bar is None or ratio is None else "ok" if met else "BELOW"
    return ratio, bar, state, "; ".join(notes)


def geometric_mean(ratios):
    return math.exp(sum(map(math.log, ratios)) / len(ratios)) if ratios else None


def geometric_means(report):
    """Of the ratios to OpenVINO of all rows whose bar is about it, by threads: rows and ratio."""
    ratios = {}
    for result in report["rows"]:
        ratio = verdict(result, report)[0]
        if ratio is not None and "openvino" in compared(row_named(result["row"]), report)[0]:
            ratios.setdefault(result["threads"], []).append(ratio)
    return {threads: {"rows": len(values), "ratio": geometric_mean(values)} for threads, values in sorted(ratios.items())}


def table(report, baseline=None):
    """The text of all rows, one a line, and the sums below."""
    before = {(r["row"], r["threads"]): r for r in (baseline or {}).get("rows", [])}
    lines = ["%-15s %2s %s  %6s %6s %-5s %8s%s" % (
        "row", "t", " ".join("%9s" % heading for heading in ["symc ms"] + [HEADINGS.get(peer, peer) for peer in PEERS]),
        "ratio", "bar", "", "error", "   before" if before else "")]
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
            now, then = (deciding_ratio(one, compared(row_named(one["row"]), report)[0]) for one in (result, old))
            line += "   ratio %.2f, now %+.1f %%" % (then, 100 * (now / then - 1)) if now and then else ""
        lines.append(line + ("   " + note if note else ""))
    for threads, mean in geometric_means(report).items():
        bar = "" if not report["settings"]["avx2"] else " (bar %.2f: %s)" % (
            AVX2_GEOMETRIC_MEAN, "ok" if mean["ratio"] >= AVX2_GEOMETRIC_MEAN else "BELOW")
        lines.append("geometric mean of %d rows beside OpenVINO, %d thread%s: %.3f%s"
                     % (mean["rows"], threads, "" if threads == 1 else "s", mean["ratio"], bar))
    lines.append("%d bars met, %d not met" % (states.count("ok"), states.count("BELOW") + states.count("WRONG")))
    return "\n".join(lines)


def preamble(report):
    """The machine, the versions and the settings, in words."""
    machine, settings = report["machine"], report["settings"]
    lines = ["cpu: %s, %s processors" % (machine["cpu"], machine["processors"])]
    if "peak_gflops" in machine:
        lines.append("one core: %.0f GFLOP/s of fp32 FMA; reads %s GB/s" % (machine["peak_gflops"], ", ".join(
            "%s %.0f" % (level, machine[level + "_gbs"]) for level in ("l1", "l2", "l3", "dram") if machine.get(level + "_gbs"))))
    lines.append("peers: " + ", ".join("%s %s" % item for item in sorted(report["versions"].items())))
    lines.append("symc: --target-cpu %s, --math %s" % (settings["target_cpu"] or "(default)", settings["math"] or "default"))
    lines.append("runs: median of %d, each the minimum over %d rounds of at least %g ms; one process a runtime, stopped while "
                 "another runs" % (settings["runs"], settings["rounds"], settings["milliseconds"]))
    lines.append("outputs: %s by all runtimes" % ("copied to the caller" if settings.get("copy_outputs") else "left where they are made"))
    if settings.get("peers"):
        lines.append("ratio: to %s; only rows whose bar is about that have one" % " or ".join(settings["peers"]))
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
