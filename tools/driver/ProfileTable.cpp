// ProfileTable.cpp: see ProfileTable.h.
#include "tools/driver/ProfileTable.h"

#include "llvm/ADT/StringSet.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"
#include <map>

using namespace symc;

// Steps that move what others compute.
static bool serves(const StepDescription &step) {
  llvm::StringRef kernel = step.kernel;
  return kernel == "fill" || kernel == "copy" || kernel.starts_with("pack");
}

static llvm::StringRef firstNode(llvm::StringRef nodes) { return nodes.split('+').first; }

// The number of the step whose row each step is part of: its own, or for a fill or a copy that of
// the next step of its nodes, else of the last one, else of the step before it.
static std::vector<size_t> ownersOf(llvm::ArrayRef<StepDescription> steps) {
  std::vector<size_t> owners(steps.size());
  for (size_t i = 0; i < steps.size(); ++i) {
    owners[i] = i;
    if (!serves(steps[i]))
      continue;
    auto sameNode = [&](size_t k) {
      return !serves(steps[k]) && !steps[i].nodes.empty() &&
             firstNode(steps[k].nodes) == firstNode(steps[i].nodes);
    };
    std::optional<size_t> found;
    for (size_t k = i + 1; k < steps.size() && !found; ++k)
      if (sameNode(k))
        found = k;
    for (size_t k = i; k-- > 0 && !found;)
      if (sameNode(k) || (steps[i].nodes.empty() && !serves(steps[k])))
        found = k;
    owners[i] = found.value_or(i);
  }
  return owners;
}

static void add(ProfileRow &row, const ProfileRow &other) {
  row.milliseconds += other.milliseconds;
  row.least += other.least;
  row.flops += other.flops;
  row.bytes += other.bytes;
  row.steps += other.steps;
}

std::vector<ProfileRow> symc::profileRows(llvm::ArrayRef<StepDescription> steps,
                                          llvm::ArrayRef<double> milliseconds, size_t top,
                                          llvm::ArrayRef<double> least) {
  std::vector<ProfileRow> rows;
  std::map<std::string, size_t> rowOf; // of nodes; steps without any stand alone
  std::vector<double> longest;
  std::vector<size_t> owners = ownersOf(steps);
  for (size_t i = 0; i < milliseconds.size(); ++i) {
    const StepDescription unknown{"-", "-", "", 0, 0, 0, "", 0};
    const StepDescription &step = i < steps.size() ? steps[i] : unknown;
    const StepDescription &owner = i < steps.size() ? steps[owners[i]] : unknown;
    std::string key = owner.nodes.empty() ? "step " + std::to_string(i) : owner.nodes;
    auto [found, fresh] = rowOf.try_emplace(key, rows.size());
    if (fresh) {
      rows.push_back({key, owner.kernel, owner.why});
      longest.push_back(-1);
    }
    ProfileRow &row = rows[found->second];
    add(row,
        {"", "", "", milliseconds[i], i < least.size() ? least[i] : 0, step.flops, step.bytes, 1});
    if (double &most = longest[found->second]; !serves(step) && milliseconds[i] > most) {
      most = milliseconds[i];
      row.kernel = step.kernel;
      row.why = step.why;
    }
  }
  llvm::stable_sort(rows, [](const ProfileRow &a, const ProfileRow &b) {
    return a.milliseconds > b.milliseconds;
  });
  if (top && rows.size() > top + 1) {
    ProfileRow others;
    for (const ProfileRow &row : llvm::ArrayRef(rows).drop_front(top))
      add(others, row);
    others.nodes = std::to_string(rows.size() - top) + " others";
    others.kernel = "-";
    rows.resize(top);
    rows.push_back(others);
  }
  return rows;
}

std::string symc::profileTable(llvm::ArrayRef<ProfileRow> rows) {
  std::string text;
  llvm::raw_string_ostream os(text);
  ProfileRow all;
  for (const ProfileRow &row : rows)
    add(all, row);
  bool bounded = all.least > 0;
  os << "        ms   share  GFLOP/s       MB" << (bounded ? "  roof" : "")
     << "  steps  kernel                             node\n";
  for (const ProfileRow &row : rows) {
    double time = row.milliseconds;
    os << llvm::format("%10.4f %6.1f%%", time,
                       all.milliseconds > 0 ? 100 * time / all.milliseconds : 0);
    if (row.flops && time > 0)
      os << llvm::format(" %8.2f", row.flops / time * 1e-6);
    else
      os << "        -";
    if (row.bytes)
      os << llvm::format(" %8.3f", row.bytes * 1e-6);
    else
      os << "        -";
    if (bounded && row.least > 0 && time > 0)
      os << llvm::format("  %3.0f%%", 100 * row.least / time);
    else if (bounded)
      os << "     -";
    os << llvm::format("  %5d  %-33s  ", int(row.steps), row.kernel.c_str()) << row.nodes
       << (row.why.empty() ? "" : "  ") << row.why << "\n";
  }
  os << llvm::format("total %.4g ms in %d steps", all.milliseconds, int(all.steps));
  if (all.flops && all.milliseconds > 0)
    os << llvm::format(", %.3f GFLOP, %.2f GFLOP/s", all.flops * 1e-9,
                       all.flops / all.milliseconds * 1e-6);
  os << "\n";
  return text;
}
