// Cache.cpp: see Cache.h.
#include "tools/symc/Cache.h"

#include "frontend/Diagnostics.h"
#include "tools/cache/ModelCache.h"
#include "tools/driver/CommandLine.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Format.h"
#include <ctime>

using namespace symc;

static const char *const help =
    R"(symc cache lists and removes the compiled models that programs with libsymc_predict keep, and what
NVRTC made of kernels for CUDA, which symc keeps.

USAGE: symc cache [--list | --clear | --path]

OPTIONS:
  --list    model, size, last use and options of each, the last used first (default); of kernels
            the architecture and NVRTC's version
  --clear   remove all of them; programs that have one loaded keep it until they end
  --path    print the folder
  --help    this page

ENVIRONMENT:
  SYMC_CACHE_DIR     the folder (default: symc in XDG_CACHE_HOME, else ~/.cache/symc); it must be the
                     user's own, and nobody else's to write
  SYMC_CACHE_LIMIT   bytes of all entries together, as in 500M or 4G (default 2G); the one that was
                     used longest ago goes first; 0 keeps none

EXIT STATUS:
  0 done   2 wrong usage   3 the folder cannot be used
)";

static int fail(llvm::Error error) {
  llvm::errs() << "symc: error: " << llvm::toString(std::move(error)) << "\n";
  return ExitOutput;
}

// "12.3 MB".
static std::string sizeText(uint64_t bytes) {
  static const char *const units[] = {"B", "kB", "MB", "GB"};
  double size = double(bytes);
  size_t unit = 0;
  while (size >= 1000 && unit + 1 < std::size(units)) {
    size /= 1000;
    ++unit;
  }
  std::string text;
  llvm::raw_string_ostream(text) << llvm::format(unit && size < 100 ? "%.1f " : "%.0f ", size)
                                 << units[unit];
  return text;
}

static std::string timeText(int64_t seconds) {
  time_t time = seconds;
  struct tm parts;
  char text[32] = "";
  if (::localtime_r(&time, &parts))
    ::strftime(text, sizeof text, "%Y-%m-%d %H:%M", &parts);
  return text;
}

// "2 models", "1 model and 3 sets of kernels".
static std::string countText(size_t models, size_t kernels) {
  std::string text = std::to_string(models) + (models == 1 ? " model" : " models");
  if (kernels)
    text += " and " + std::to_string(kernels) + (kernels == 1 ? " set" : " sets") + " of kernels";
  return text;
}

static void printEntries(llvm::ArrayRef<CacheEntry> entries, const std::string &folder,
                         uint64_t limit) {
  uint64_t total = 0;
  size_t kernels = 0;
  llvm::outs() << llvm::left_justify("model", 24) << llvm::right_justify("size", 9) << "  "
               << llvm::left_justify("last use", 18) << "options\n";
  for (const CacheEntry &entry : entries) {
    total += entry.bytes;
    kernels += entry.kind == CacheKind::Kernels;
    llvm::outs() << llvm::left_justify(entry.facts.model, 24)
                 << llvm::right_justify(sizeText(entry.bytes), 9) << "  "
                 << llvm::left_justify(timeText(entry.lastUse), 18) << entry.facts.options << "\n";
  }
  llvm::outs() << countText(entries.size() - kernels, kernels) << ", " << sizeText(total)
               << " of at most " << sizeText(limit) << ", in '" << folder << "'\n";
}

int symc::manageCache(llvm::ArrayRef<const char *> arguments) {
  llvm::StringRef action = arguments.empty() ? "--list" : arguments.front();
  if (arguments.size() > 1) {
    llvm::errs() << "symc: error: symc cache takes one option, found " << arguments.size() << "\n"
                 << "symc: note: symc cache --help lists its options\n";
    return ExitUsage;
  }
  if (action == "--help" || action == "-h") {
    llvm::outs() << help;
    return ExitOk;
  }
  if (action != "--list" && action != "--clear" && action != "--path") {
    llvm::errs() << "symc: error: symc cache has no " << inQuotes(action) << "\n"
                 << "symc: note: symc cache --help lists its options\n";
    return ExitUsage;
  }
  std::string folder = ModelCache::defaultFolder();
  if (action == "--path" && !folder.empty()) {
    llvm::outs() << folder << "\n";
    return ExitOk;
  }
  llvm::Expected<uint64_t> limit = ModelCache::limitFromEnvironment();
  if (!limit)
    return fail(limit.takeError());
  if (!folder.empty() && !llvm::sys::fs::exists(folder)) { // nor is one made to be looked at
    llvm::outs() << "no models are kept: there is no folder '" << folder << "'\n";
    return ExitOk;
  }
  llvm::Expected<ModelCache> cache = ModelCache::open(folder, *limit);
  if (!cache)
    return fail(cache.takeError());
  if (action == "--list") {
    printEntries(cache->list(), folder, *limit);
    return ExitOk;
  }
  llvm::Expected<ModelCache::Removed> removed = cache->clear();
  if (!removed)
    return fail(removed.takeError());
  llvm::outs() << "removed " << countText(removed->models, removed->kernels) << " from '" << folder
               << "'\n";
  return ExitOk;
}
