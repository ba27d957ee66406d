// history.h: what a training has printed so far, for pictures of it.
#ifndef SYMC_RUNTIME_TRAIN_PROGRAM_HISTORY_H
#define SYMC_RUNTIME_TRAIN_PROGRAM_HISTORY_H

#include "../../main/problem.h"

#include <stdint.h>
#include <stdio.h>

namespace symc::train {

// A curve of any length in fixed memory: where it is full, neighbours are joined.
class Curve {
public:
  void add(double x, double y);
  int count() const { return used; }
  double x(int i) const { return xs[i]; }
  double y(int i) const { return ys[i]; }

private:
  static constexpr int room = 512;
  double xs[room], ys[room];
  int used = 0;
  int64_t perPoint = 1, pending = 0; // values joined in a point; of the one at hand
  double sumX = 0, sumY = 0;
};

struct History {
  Curve loss, train, validation; // over epochs
  const char *metric = "";
};

// Draws the loss with letters, `wide` columns; with braille dots where `dots`.
void draw_chart(const Curve &curve, const char *title, int wide, bool dots, FILE *file);
// Writes loss and metric as an SVG picture.
bool write_plot(const char *path, const char *title, const History &history, Problem &problem);

} // namespace symc::train
#endif
