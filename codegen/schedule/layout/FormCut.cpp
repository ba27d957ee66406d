// FormCut.cpp: shortest augmenting paths from "blocked" to "plain"; what is left
// unreachable are the sides. See FormCut.h.
#include "codegen/schedule/layout/FormCut.h"

#include <algorithm>
#include <limits>

using namespace symc::codegen;

static constexpr int64_t kUnlimited = std::numeric_limits<int64_t>::max() / 4;

FormCut::Vertex FormCut::add() {
  edgesOf.emplace_back();
  return edgesOf.size() - 1;
}

void FormCut::connect(Vertex from, Vertex to, int64_t capacity) {
  if (from == to)
    return;
  edgesOf[from].push_back(edges.size());
  edges.push_back({to, capacity});
  edgesOf[to].push_back(edges.size());
  edges.push_back({from, 0});
}

void FormCut::costIfForeign(Vertex producer, llvm::ArrayRef<Vertex> readers, int64_t cost) {
  if (readers.empty())
    return;
  Vertex anyBlocked = add(), allBlocked = add();
  for (Vertex reader : readers) {
    connect(reader, anyBlocked, kUnlimited);
    connect(allBlocked, reader, kUnlimited);
  }
  connect(anyBlocked, producer, cost);
  connect(producer, allBlocked, cost);
}

// Pushes as much as one shortest path holds; 0 when there is none.
int64_t FormCut::augment() {
  constexpr unsigned none = ~0u;
  llvm::SmallVector<unsigned> by(edgesOf.size(), none); // the edge that found a vertex
  llvm::SmallVector<Vertex> queue{blocked};
  for (size_t i = 0; i < queue.size() && by[plain] == none; ++i)
    for (unsigned edge : edgesOf[queue[i]]) {
      Vertex to = edges[edge].to;
      if (edges[edge].capacity > 0 && by[to] == none && to != blocked) {
        by[to] = edge;
        queue.push_back(to);
      }
    }
  if (by[plain] == none)
    return 0;
  int64_t amount = kUnlimited;
  for (Vertex v = plain; v != blocked; v = edges[by[v] ^ 1].to)
    amount = std::min(amount, edges[by[v]].capacity);
  for (Vertex v = plain; v != blocked; v = edges[by[v] ^ 1].to) {
    edges[by[v]].capacity -= amount;
    edges[by[v] ^ 1].capacity += amount;
  }
  return amount;
}

int64_t FormCut::solve() {
  int64_t total = 0;
  while (int64_t amount = augment())
    total += amount;
  // Backwards from "plain" over edges that hold more.
  reachesPlain.assign(edgesOf.size(), false);
  reachesPlain[plain] = true;
  llvm::SmallVector<Vertex> queue{plain};
  for (size_t i = 0; i < queue.size(); ++i)
    for (unsigned edge : edgesOf[queue[i]]) {
      Vertex from = edges[edge].to;
      if (edges[edge ^ 1].capacity > 0 && !reachesPlain[from]) {
        reachesPlain[from] = true;
        queue.push_back(from);
      }
    }
  return total;
}
