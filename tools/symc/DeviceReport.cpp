// DeviceReport.cpp: see DeviceReport.h.
#include "tools/symc/DeviceReport.h"

#include "codegen/cuda/CudaStep.h"
#include "codegen/cuda/DeviceModel.h"
#include "tools/driver/Steps.h"
#include "tools/symc/Roundings.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/FormatVariadic.h"

using namespace symc;
using codegen::CudaDevice;
using codegen::CudaKernelUse;
using codegen::CudaLaunch;

namespace {

/// A launch, its step, and what both come to for one architecture; nothing of a step on the CPU.
struct LaunchFacts {
  const CudaLaunch &launch;
  const StepDescription &step;
  CudaKernelUse use;
  codegen::LaunchEstimate estimate;
};

} // namespace

// Of the launches of one step the first has its operations and bytes, unless it only clears.
static std::vector<LaunchFacts> launchesOf(const DeviceFacts &facts, size_t architecture,
                                           llvm::ArrayRef<StepDescription> steps) {
  const CudaDevice &device = codegen::cudaDeviceOf(facts.architectures[architecture]);
  std::vector<LaunchFacts> all;
  int64_t last = -1;
  for (const CudaLaunch &launch : facts.program.launches) {
    const StepDescription &step = steps[launch.step];
    CudaKernelUse use;
    for (const CudaKernelUse &other : facts.binaries[architecture]->kernels)
      if (other.kernel == launch.kernel)
        use = other;
    bool first = !launch.clears && launch.step != std::exchange(last, launch.step);
    if (launch.hostStep >= 0) {
      all.push_back({launch, step, {}, {}});
      continue;
    }
    all.push_back({launch, step, use,
                   codegen::estimate(device, launch, use, first ? step.flops : 0,
                                     first ? step.bytes : 0, step.work)});
  }
  return all;
}

static std::string gridText(const uint32_t *sizes) {
  std::string text = std::to_string(sizes[0]);
  for (int i = 1; i < 3 && (sizes[1] > 1 || sizes[2] > 1); ++i)
    text += "x" + std::to_string(sizes[i]);
  return text;
}

void symc::printDeviceReport(Compiler &compiler, const DeviceFacts &facts, uint64_t weightsBytes,
                             llvm::raw_ostream &os) {
  std::vector<StepDescription> steps =
      describeSteps(compiler.module(), {}, 0, largestSizes(compiler.module()));
  os << "kernels as ptxas compiles them for sm_" << facts.architectures.front()
     << "; times are estimates for " << codegen::cudaDeviceOf(facts.architectures.front()).name
     << ", which nobody has measured\n"
     << "step  kernel                                   tile     grid           threads  regs  "
        "shared  stack  spills  blocks  waves     MFLOP       MB        us  node\n";
  int64_t flops = 0;
  for (const LaunchFacts &row : launchesOf(facts, 0, steps)) {
    const CudaLaunch &launch = row.launch;
    if (launch.hostStep >= 0) {
      os << llvm::format("%4d  on the CPU: ", int(launch.step))
         << facts.program.hostSteps[launch.hostStep].reason << "  " << launch.node << "\n";
      continue;
    }
    os << llvm::format("%4d  %-40s %-8s %-14s %7u %5d %7d %6d %7d %7d %6.2f %9.1f %8.2f %9.1f  ",
                       int(launch.step), launch.kernel.c_str(), launch.form.c_str(),
                       gridText(launch.grid).c_str(), launch.block[0], int(row.use.registers),
                       int(row.use.sharedBytes + launch.sharedBytes), int(row.use.stackBytes),
                       int(row.use.spillStoreBytes + row.use.spillLoadBytes),
                       int(row.estimate.occupancy.blocks), row.estimate.waves, row.step.flops / 1e6,
                       row.step.bytes / 1e6, row.estimate.microseconds)
       << launch.node << "\n";
  }
  for (const StepDescription &step : steps)
    flops += step.flops;
  size_t onHost = facts.program.hostSteps.size();
  os << "launches " << facts.program.launches.size() - onHost
     << (onHost ? ", steps on the CPU " + std::to_string(onHost) : "")
     << llvm::format(", %.6f GFLOP, arena ", flops / 1e9)
     << kernel::mainPrograms(compiler.module()).front().getArenaBytes().value_or(0)
     << " bytes, prepared weights " << weightsBytes << " bytes\n";
  printRoundings(compiler, facts, os);
  for (auto [i, name] : llvm::enumerate(facts.architectures)) {
    double total = 0;
    for (const LaunchFacts &row : launchesOf(facts, i, steps))
      total += row.estimate.microseconds;
    os << "sm_" << name << ": cubin " << facts.binaries[i]->bytes.size() << " bytes, PTX "
       << facts.binaries[i]->ptx.size() << llvm::format(" bytes; estimated at %.0f us on ", total)
       << codegen::cudaDeviceOf(name).name << "\n";
  }
}

static bool hasNode(llvm::StringRef nodes, llvm::StringRef node) {
  return llvm::is_contained(llvm::split(nodes, '+'), node);
}

bool symc::explainOnDevice(Compiler &compiler, const DeviceFacts &facts,
                           llvm::ArrayRef<RemarkText> remarks, llvm::StringRef node,
                           llvm::raw_ostream &os) {
  bool found = false;
  std::vector<StepDescription> steps =
      describeSteps(compiler.module(), {}, 0, largestSizes(compiler.module()));
  const std::string &architecture = facts.architectures.front();
  for (const LaunchFacts &row : launchesOf(facts, 0, steps)) {
    const CudaLaunch &launch = row.launch;
    if (!hasNode(row.step.nodes, node))
      continue;
    found = true;
    if (launch.hostStep >= 0) {
      os << "node '" << node << "' is computed in step " << launch.step
         << " on the CPU: " << facts.program.hostSteps[launch.hostStep].reason << "\n";
      continue;
    }
    os << "node '" << node << "' is computed in step " << launch.step << " by kernel "
       << launch.kernel << ", " << gridText(launch.grid) << " blocks of " << launch.block[0]
       << (launch.block[0] == 1 ? " thread" : " threads")
       << "\n  nodes of the step: " << row.step.nodes << "\n  output: " << row.step.output << "\n";
    if (row.step.bytes)
      os << llvm::format("  reads and writes %.3f MB, of these %.3f MB of weights\n",
                         row.step.bytes / 1e6, row.step.weightBytes / 1e6);
    if (!launch.form.empty())
      os << "  tile " << launch.form
         << (launch.measured ? llvm::formatv(", measured at {0:f2} us", launch.measured).str() : "")
         << "; the cost model expects of tiles: " << launch.reason << "\n";
    os << "  sm_" << architecture << ": " << row.use.registers << " registers, "
       << row.use.sharedBytes + launch.sharedBytes << " bytes of shared memory, "
       << row.use.stackBytes << " of stack; " << row.estimate.occupancy.blocks
       << " blocks a multiprocessor, limited by " << row.estimate.occupancy.limit
       << llvm::format(", %.2f waves\n", row.estimate.waves)
       << llvm::format("  estimated at %.1f us on ", row.estimate.microseconds)
       << codegen::cudaDeviceOf(architecture).name << ", which nobody has measured\n";
  }
  for (const RemarkText &remark : remarks)
    if (hasNode(remark.nodes, node) ||
        llvm::StringRef(remark.line).contains(("'" + node + "'").str())) {
      os << "  " << remark.line << "\n";
      found = true;
    }
  return found;
}
