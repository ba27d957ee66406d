// FormCut.h: the cheapest split of vertices between two sides, "blocked" and
// "plain", where a cost is due whenever certain vertices lie on different sides: a
// minimum cut, found by augmenting paths. Used by ChooseLayouts.
#ifndef SYMC_CODEGEN_SCHEDULE_LAYOUT_FORMCUT_H
#define SYMC_CODEGEN_SCHEDULE_LAYOUT_FORMCUT_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include <cstdint>

namespace symc::codegen {

class FormCut {
public:
  using Vertex = unsigned;
  static constexpr Vertex plain = 0, blocked = 1; // the two sides
  FormCut() : edgesOf(2) {}

  /// A vertex whose side is free.
  Vertex add();
  void costIfPlain(Vertex vertex, int64_t cost) { connect(blocked, vertex, cost); }
  void costIfBlocked(Vertex vertex, int64_t cost) { connect(vertex, plain, cost); }
  /// Due once if any of `readers` is not on the producer's side.
  void costIfForeign(Vertex producer, llvm::ArrayRef<Vertex> readers, int64_t cost);
  /// The least total cost; then every vertex has its side.
  int64_t solve();
  /// Blocked where both sides cost the same.
  bool isBlocked(Vertex vertex) const { return !reachesPlain[vertex]; }

private:
  struct Edge {
    Vertex to;
    int64_t capacity;
  };
  /// Cut when `from` is blocked and `to` plain.
  void connect(Vertex from, Vertex to, int64_t capacity);
  int64_t augment();

  llvm::SmallVector<Edge> edges; // each followed by its reverse
  llvm::SmallVector<llvm::SmallVector<unsigned, 4>> edgesOf;
  llvm::SmallVector<bool> reachesPlain;
};

} // namespace symc::codegen

#endif // SYMC_CODEGEN_SCHEDULE_LAYOUT_FORMCUT_H
