// BankTable.cpp: see BankTable.h.
#include "tools/conformance/BankTable.h"
#include "tools/cuda-shim/Driver.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringSet.h"
#include <cstdio>

using namespace symc;
using namespace symc::conformance;

std::vector<KernelBanks> symc::conformance::banksOf(const codegen::CudaProgram &program) {
  std::vector<KernelBanks> kernels;
  llvm::StringSet<> seen;
  for (const codegen::CudaLaunch &launch : program.launches) {
    if (launch.hostStep >= 0 || !seen.insert(launch.kernel).second)
      continue;
    symc_cuda_shim_bank_count count;
    symc_cuda_shim_banks(launch.kernel.c_str(), &count);
    if (count.accesses)
      kernels.push_back({launch.kernel, launch.form.empty() ? "-" : launch.form,
                         *count.line ? count.line : "-", count.accesses, count.wavefronts,
                         count.ideal});
  }
  return kernels;
}

std::string symc::conformance::textOf(const std::vector<KernelBanks> &kernels) {
  std::string text;
  for (const KernelBanks &kernel : kernels)
    text += kernel.kernel + "," + kernel.tile + "," + kernel.line + "," +
            std::to_string(kernel.accesses) + "," + std::to_string(kernel.wavefronts) + "," +
            std::to_string(kernel.ideal) + ";";
  return text.empty() ? "-" : text;
}

std::vector<KernelBanks> symc::conformance::banksFrom(llvm::StringRef text) {
  std::vector<KernelBanks> kernels;
  llvm::SmallVector<llvm::StringRef> rows, fields;
  text.split(rows, ';', -1, /*KeepEmpty=*/false);
  for (llvm::StringRef row : rows) {
    fields.clear();
    row.split(fields, ',');
    if (fields.size() != 6)
      continue;
    KernelBanks kernel = {fields[0].str(), fields[1].str(), fields[2].str()};
    fields[3].getAsInteger(10, kernel.accesses);
    fields[4].getAsInteger(10, kernel.wavefronts);
    fields[5].getAsInteger(10, kernel.ideal);
    kernels.push_back(std::move(kernel));
  }
  return kernels;
}

static void printRow(const std::string &name, const std::string &tile, const KernelBanks &counts,
                     const std::string &line) {
  printf("%-56s %-16s %11llu %11llu %11llu %11llu  %s\n", name.c_str(), tile.c_str(),
         (unsigned long long)counts.accesses, (unsigned long long)counts.wavefronts,
         (unsigned long long)counts.ideal, (unsigned long long)(counts.wavefronts - counts.ideal),
         line.c_str());
}

void symc::conformance::printBanks(
    const std::vector<std::pair<std::string, std::vector<KernelBanks>>> &cases) {
  printf("\n%-56s %-16s %11s %11s %11s %11s  %s\n", "kernel that uses shared memory", "tile",
         "accesses", "wavefronts", "ideal", "conflicts", "most of them at");
  KernelBanks all;
  for (auto &[label, kernels] : cases)
    for (const KernelBanks &kernel : kernels) {
      printRow(label + " " + kernel.kernel, kernel.tile, kernel, kernel.line);
      all.accesses += kernel.accesses;
      all.wavefronts += kernel.wavefronts;
      all.ideal += kernel.ideal;
    }
  printRow("all", "", all, "");
}
