// history.cpp: see history.h.
#include "history.h"

#include "arrays_file.h"
#include "durable.h"

#include <math.h>
#include <stdarg.h>
#include <string.h>

namespace symc::train {

void Curve::add(double x, double y) {
  if (!isfinite(y))
    return;
  sumX += x;
  sumY += y;
  if (++pending < perPoint)
    return;
  if (used == room) {
    for (int i = 0; i < room / 2; ++i) {
      xs[i] = (xs[2 * i] + xs[2 * i + 1]) / 2;
      ys[i] = (ys[2 * i] + ys[2 * i + 1]) / 2;
    }
    used = room / 2;
    perPoint *= 2;
    return; // the point at hand goes on
  }
  xs[used] = sumX / double(pending);
  ys[used++] = sumY / double(pending);
  sumX = sumY = 0;
  pending = 0;
}

namespace {
struct Range {
  double low = INFINITY, high = -INFINITY;
  void take(double value) {
    low = value < low ? value : low;
    high = value > high ? value : high;
  }
  void widen() {
    if (!(high > low)) {
      double by = fabs(low) > 0 ? fabs(low) * 0.05 : 1;
      low -= by;
      high += by;
    }
  }
  double part(double value) const { return (value - low) / (high - low); }
};
} // namespace

static void take_curve(const Curve &curve, Range &xs, Range &ys) {
  for (int i = 0; i < curve.count(); ++i) {
    xs.take(curve.x(i));
    ys.take(curve.y(i));
  }
}

// --- Letters -----------------------------------------------------------------

static void put_braille(unsigned dots, FILE *file) {
  unsigned code = 0x2800 + dots;
  fprintf(file, "%c%c%c", 0xe0 | code >> 12, 0x80 | (code >> 6 & 63), 0x80 | (code & 63));
}

void draw_chart(const Curve &curve, const char *title, int wide, bool dots, FILE *file) {
  constexpr int tall = 8, mostWide = 160;
  if (curve.count() < 2)
    return;
  wide = wide < 20 ? 20 : wide > mostWide ? mostWide : wide;
  int across = dots ? 2 : 1, down = dots ? 4 : 1;
  static const unsigned char bits[4][2] = {{1, 8}, {2, 16}, {4, 32}, {64, 128}};
  unsigned char cells[tall][mostWide] = {};
  Range xs, ys;
  take_curve(curve, xs, ys);
  xs.widen();
  ys.widen();
  // Each column shows the line between the points around it.
  auto mark = [&](int row, int column) {
    cells[row / down][column / across] |= dots ? bits[row % 4][column % 2] : 1;
  };
  int point = 0, before = 0;
  for (int column = 0; column < wide * across; ++column) {
    double x = xs.low + (xs.high - xs.low) * column / (wide * across - 1);
    while (point + 2 < curve.count() && curve.x(point + 1) < x)
      ++point;
    double x0 = curve.x(point), x1 = curve.x(point + 1), y0 = curve.y(point),
           y1 = curve.y(point + 1);
    double part = x1 > x0 ? (x - x0) / (x1 - x0) : 0;
    part = part < 0 ? 0 : part > 1 ? 1 : part;
    int row = int((1 - ys.part(y0 + (y1 - y0) * part)) * (tall * down - 1) + 0.5);
    before = column == 0 ? row : before;
    for (int at = row; at != before; at += at < before ? 1 : -1) // what is steep has no gaps
      mark(at, column);
    mark(row, column);
    before = row;
  }
  fprintf(file, "%s\n", title);
  for (int row = 0; row < tall; ++row) {
    double at = ys.high - (ys.high - ys.low) * row / (tall - 1);
    if (row == 0 || row == tall - 1)
      fprintf(file, "%10.4g |", at);
    else
      fprintf(file, "%10s |", "");
    int last = wide;
    while (last > 0 && !cells[row][last - 1])
      --last;
    for (int column = 0; column < last; ++column)
      if (dots)
        put_braille(cells[row][column], file);
      else
        fputc(cells[row][column] ? '*' : ' ', file);
    fputc('\n', file);
  }
  char begin[32], end[32];
  snprintf(begin, sizeof begin, "%.3g", xs.low);
  snprintf(end, sizeof end, "%.3g", xs.high);
  fprintf(file, "%10s  %s%*s epochs\n", "", begin, wide - int(strlen(begin)), end);
}

// --- SVG ---------------------------------------------------------------------

namespace {
struct Svg {
  Growing text;
  Problem &problem;
  bool whole = true;
  explicit Svg(Problem &problem) : problem(problem) {}

  void put(const char *format, ...) __attribute__((format(printf, 2, 3))) {
    char line[512];
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(line, sizeof line, format, arguments);
    va_end(arguments);
    length = length < int(sizeof line) ? length : int(sizeof line) - 1;
    whole = whole && text.add(line, size_t(length), problem);
  }
};

struct Frame {
  double left, top, wide, tall;
};
} // namespace

static void put_curve(Svg &svg, const Curve &curve, const Range &xs, const Range &ys,
                      const Frame &frame, const char *colour) {
  if (curve.count() == 0)
    return;
  svg.put("<polyline fill=\"none\" stroke=\"%s\" stroke-width=\"1.5\" points=\"", colour);
  for (int i = 0; i < curve.count(); ++i)
    svg.put("%.1f,%.1f ", frame.left + xs.part(curve.x(i)) * frame.wide,
            frame.top + (1 - ys.part(curve.y(i))) * frame.tall);
  svg.put("\"/>\n");
}

static void put_axes(Svg &svg, const Range &xs, const Range &ys, const Frame &frame) {
  constexpr int ticks = 5;
  svg.put("<rect x=\"%.0f\" y=\"%.0f\" width=\"%.0f\" height=\"%.0f\" fill=\"none\" "
          "stroke=\"#999\"/>\n",
          frame.left, frame.top, frame.wide, frame.tall);
  for (int i = 0; i < ticks; ++i) {
    double part = double(i) / (ticks - 1), y = frame.top + (1 - part) * frame.tall;
    svg.put("<line x1=\"%.0f\" y1=\"%.1f\" x2=\"%.0f\" y2=\"%.1f\" stroke=\"#eee\"/>\n"
            "<text x=\"%.0f\" y=\"%.1f\" text-anchor=\"end\">%.4g</text>\n",
            frame.left, y, frame.left + frame.wide, y, frame.left - 6, y + 4,
            ys.low + (ys.high - ys.low) * part);
    svg.put("<text x=\"%.1f\" y=\"%.0f\" text-anchor=\"middle\">%.3g</text>\n",
            frame.left + part * frame.wide, frame.top + frame.tall + 16,
            xs.low + (xs.high - xs.low) * part);
  }
}

// Text as XML has it.
static void put_text(Svg &svg, double x, double y, const char *colour, const char *text) {
  svg.put("<text x=\"%.0f\" y=\"%.0f\" fill=\"%s\">", x, y, colour);
  for (; *text; ++text)
    if (strchr("<>&", *text))
      svg.put("&#%d;", *text);
    else
      svg.put("%c", *text);
  svg.put("</text>\n");
}

bool write_plot(const char *path, const char *title, const History &history, Problem &problem) {
  Svg svg(problem);
  const Frame upper = {70, 40, 520, 170}, lower = {70, 250, 520, 170};
  const char *blue = "#1f6fb4", *orange = "#d9730d";
  svg.put("<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"640\" height=\"460\" "
          "font-family=\"sans-serif\" font-size=\"11\">\n"
          "<rect width=\"640\" height=\"460\" fill=\"white\"/>\n");
  Range xs, losses, values;
  take_curve(history.loss, xs, losses);
  take_curve(history.train, xs, values);
  take_curve(history.validation, xs, values);
  xs.widen();
  losses.widen();
  values.widen();
  char label[160];
  snprintf(label, sizeof label, "%.120s: loss", title);
  put_text(svg, upper.left, upper.top - 10, "black", label);
  if (history.loss.count()) {
    put_axes(svg, xs, losses, upper);
    put_curve(svg, history.loss, xs, losses, upper, blue);
  }
  if (history.train.count() + history.validation.count()) {
    snprintf(label, sizeof label, "%.100s, training", history.metric);
    put_text(svg, lower.left, lower.top - 10, blue, label);
    put_text(svg, lower.left + 260, lower.top - 10, orange,
             history.validation.count() ? "validation" : "");
    put_axes(svg, xs, values, lower);
    put_curve(svg, history.train, xs, values, lower, blue);
    put_curve(svg, history.validation, xs, values, lower, orange);
  }
  put_text(svg, lower.left + lower.wide / 2 - 20, lower.top + lower.tall + 34, "black", "epochs");
  svg.put("</svg>\n");
  return svg.whole && write_durably(path, svg.text.data(), svg.text.size(), problem);
}

} // namespace symc::train
