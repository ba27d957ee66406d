// Finds the clearest face of a picture and describes it: face PICTURE.png [LEAST-SCORE]. Four
// models are linked in: pnet looks at the picture in several sizes, rnet and onet judge what it
// proposes, and embed makes a vector of the face, in which pictures of one person are near to each
// other.
#include "embed.h"
#include "onet.h"
#include "pnet.h"
#include "rnet.h"
#include <symc/model.hpp>
#define STB_IMAGE_IMPLEMENTATION
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <stb_image.h>
#include <vector>

using Pixels = symc::Span<const uint8_t, symc::Any, symc::Any, 3>; // RGB
struct Box {
  float x, y, width, height, score;
  bool isNear(const Box &b) const { return std::hypot(x - b.x, y - b.y) < b.width / 2; }
};
struct Picture {
  int height, width;
  std::vector<uint8_t> bytes; // [height, width, 3]
  // What the box holds, in so many pixels.
  Picture cut(const Box &box, int rows, int columns) const {
    Picture made{rows, columns, std::vector<uint8_t>(size_t(rows) * columns * 3)};
    for (int i = 0; i < rows * columns; ++i) {
      int row = int(box.y + box.height * (i / columns + 0.5f) / rows);
      int column = int(box.x + box.width * (i % columns + 0.5f) / columns);
      size_t at = size_t(std::clamp(row, 0, height - 1)) * width + std::clamp(column, 0, width - 1);
      std::copy_n(&bytes[3 * at], 3, &made.bytes[3 * size_t(i)]);
    }
    return made;
  }
  symc::Inputs<Pixels> input() const { return symc::Inputs(*Pixels::over(bytes, height, width)); }
};
static void check(const symc::Status &status) {
  if (!status)
    std::exit((std::fprintf(stderr, "face: %s\n", status.sentence().c_str()), 1));
}
// The best boxes that are near no better one, at most 50.
static std::vector<Box> best(std::vector<Box> boxes) {
  std::stable_sort(boxes.begin(), boxes.end(), [](auto &a, auto &b) { return a.score > b.score; });
  std::vector<Box> kept;
  for (const Box &box : boxes)
    if (kept.size() < 50 &&
        std::none_of(kept.begin(), kept.end(), [&](auto &other) { return box.isNear(other); }))
      kept.push_back(box);
  return kept;
}
int main(int argc, char **argv) {
  const float least = argc > 2 ? std::strtof(argv[2], nullptr) : 0.6f;
  Picture all{};
  uint8_t *file = stbi_load(argc > 1 ? argv[1] : "", &all.width, &all.height, nullptr, 3);
  if (!file)
    check({SYMC_STATUS_BAD_PICTURE, std::string("no picture: ") + stbi_failure_reason()});
  all.bytes.assign(file, file + size_t(all.width) * all.height * 3);
  auto pnet = SYMC_MODEL(pnet).create(), rnet = SYMC_MODEL(rnet).create();
  auto onet = SYMC_MODEL(onet).create(), embed = SYMC_MODEL(embed).create();
  for (auto *net : {&pnet, &rnet, &onet, &embed})
    check(net->status());
  std::vector<Box> boxes;
  for (float scale = 0.6f; std::min(all.width, all.height) * scale >= 12; scale *= 0.709f) {
    Picture small = all.cut({0, 0, float(all.width), float(all.height), 0}, int(all.height * scale),
                            int(all.width * scale));
    const int64_t rows = (small.height - 9) / 2, columns = (small.width - 9) / 2; // of windows
    std::vector<float> probs(2 * rows * columns), shifts(4 * rows * columns);
    auto prob = pnet_prob_output_span::over(probs, rows, columns);
    auto shift = pnet_shift_output_span::over(shifts, rows, columns);
    check(pnet->runImage(small.input(), symc::Outputs(*prob, *shift)));
    for (int64_t i = 0; i < rows * columns; ++i)
      if (float score = probs[rows * columns + i]; score >= least) // a face of 12 x 12 there
        boxes.push_back({2 * float(i % columns) / scale, 2 * float(i / columns) / scale, 12 / scale,
                         12 / scale, score});
  }
  float prob[2], shift[4], points[10], vector[128];
  auto judge = [&](symc::Context &net, int side, const auto &outputs) {
    for (Box &box : boxes = best(std::move(boxes))) {
      check(net.runImage(all.cut(box, side, side).input(), outputs));
      box = {box.x + shift[0] * box.width, box.y + shift[1] * box.height,
             box.width * (1 + shift[2] - shift[0]), box.height * (1 + shift[3] - shift[1]),
             prob[1]};
    }
    auto isWorse = [&](const Box &box) { return box.score < least; };
    boxes.erase(std::remove_if(boxes.begin(), boxes.end(), isWorse), boxes.end());
  };
  using symc::Outputs;
  judge(*rnet, 24, Outputs(rnet_prob_output_span(prob), rnet_shift_output_span(shift)));
  judge(*onet, 48,
        Outputs(onet_prob_output_span(prob), onet_shift_output_span(shift),
                onet_points_output_span(points)));
  check(boxes.empty() ? symc::Status(SYMC_STATUS_RUN_FAILED, "no face") : symc::Status());
  const Box face = best(boxes)[0];
  check(embed->runImage(all.cut(face, 112, 112).input(), Outputs(embed_face_output_span(vector))));
  std::printf("box %.1f %.1f %.1f %.1f\nembedding", face.x, face.y, face.width, face.height);
  std::for_each(vector, vector + 128, [](float value) { std::printf(" %.4f", value); });
  std::puts("");
}
