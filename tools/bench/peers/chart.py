"""The ratios of compare_peers as an SVG: a horizontal bar for each row, a tick
where its bar is, a line at 1. Nothing but text is needed to write it."""
from xml.sax.saxutils import escape

from results import verdict

ROW, LEFT, WIDTH, TOP = 20, 190, 520, 46
COLOURS = {"ok": "#2b7a4b", "BELOW": "#b5532a", "WRONG": "#b5532a", "": "#5b7083"}


def chart(report):
    shown = [(result,) + verdict(result, report)[:3] for result in report["rows"]]
    shown = [item for item in shown if item[1] is not None]
    scale = WIDTH / max([2.0] + [min(max(ratio, bar or 0), 4.0) for _, ratio, bar, _ in shown])
    height = TOP + ROW * len(shown) + 30
    parts = ['<svg xmlns="http://www.w3.org/2000/svg" width="%d" height="%d" font-family="sans-serif" font-size="12">'
             % (LEFT + WIDTH + 70, height),
             '<rect width="100%" height="100%" fill="white"/>',
             '<text x="10" y="18" font-size="14">peer time / symc time (longer is better)</text>',
             '<text x="10" y="34" fill="#555">%s</text>' % escape(report["machine"]["cpu"])]
    for index, (result, ratio, bar, state) in enumerate(shown):
        y = TOP + ROW * index
        name = "%s, %d thread%s" % (result["row"], result["threads"], "" if result["threads"] == 1 else "s")
        parts.append('<text x="%d" y="%d" text-anchor="end">%s</text>' % (LEFT - 8, y + 14, escape(name)))
        parts.append('<rect x="%d" y="%d" width="%.1f" height="%d" fill="%s"/>'
                     % (LEFT, y + 3, min(ratio, 4.0) * scale, ROW - 6, COLOURS[state]))
        parts.append('<text x="%.1f" y="%d" fill="#333">%.2f</text>' % (LEFT + min(ratio, 4.0) * scale + 5, y + 14, ratio))
        if bar and bar <= 4.0:
            parts.append('<line x1="%.1f" x2="%.1f" y1="%d" y2="%d" stroke="black" stroke-width="2"/>'
                         % (LEFT + bar * scale, LEFT + bar * scale, y + 1, y + ROW - 1))
    parts.append('<line x1="%.1f" x2="%.1f" y1="%d" y2="%d" stroke="#999" stroke-dasharray="3,3"/>'
                 % (LEFT + scale, LEFT + scale, TOP - 4, height - 26))
    parts.append('<text x="%d" y="%d" fill="#555">black tick: the bar of the row; dashed line: as fast as the peer</text>'
                 % (LEFT, height - 10))
    return "\n".join(parts + ["</svg>", ""])
