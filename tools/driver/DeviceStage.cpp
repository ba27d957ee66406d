// DeviceStage.cpp: the kernels of a CUDA device through NVRTC: images of a program, or the files of
// --emit=ptx, cubin and sass.
#include "codegen/cuda/Nvdisasm.h"
#include "codegen/emit/Cores.h"
#include "tools/driver/Compiler.h"
#include "tools/driver/KernelStore.h"
#include "tools/driver/NvrtcPlace.h"
#include "llvm/ADT/StringExtras.h"

#include <atomic>

using namespace symc;
using codegen::CudaImage;

std::vector<WantedImage> symc::imagesFor(llvm::ArrayRef<std::string> architectures) {
  std::vector<WantedImage> wanted;
  std::string plain = "80";
  for (const std::string &name : llvm::reverse(architectures))
    if (llvm::all_of(name, llvm::isDigit))
      plain = name;
  for (const std::string &name : architectures)
    wanted.push_back({name, CudaImage::Cubin});
  wanted.push_back({plain, CudaImage::Ptx});
  return wanted;
}

// Cubins and PTX of all programs at once, but for PTX that a cubin is made of, which comes with it.
bool Compiler::compileForDevice(llvm::ArrayRef<codegen::CudaProgram> programs,
                                llvm::ArrayRef<WantedImage> wanted, CudaBinaries &binaries) {
  if (!nvrtc) {
    auto opened = codegen::Nvrtc::open(nvrtcPlace());
    if (!opened)
      return report(opened.takeError());
    nvrtc = std::move(*opened);
    store = std::make_unique<KernelStore>();
    nvrtc->keepIn(*store);
  }
  binaries.resize(programs.size() * wanted.size());
  std::vector<std::string> errors(binaries.size());
  auto compile = [&](size_t i) {
    const WantedImage &image = wanted[i % wanted.size()];
    auto binary = nvrtc->compile(programs[i / wanted.size()].source, request.prefix + ".cu",
                                 image.architecture, image.kind);
    if (binary)
      binaries[i] = *binary;
    else
      errors[i] = llvm::toString(binary.takeError());
  };
  auto comesAlong = [&](const WantedImage &image) {
    return image.kind == CudaImage::Ptx && llvm::any_of(wanted, [&](const WantedImage &other) {
             return other.kind == CudaImage::Cubin && other.architecture == image.architecture;
           });
  };
  std::vector<size_t> work, rest;
  for (size_t i = 0; i < binaries.size(); ++i)
    (comesAlong(wanted[i % wanted.size()]) ? rest : work).push_back(i);
  std::atomic<size_t> done{0};
  std::atomic<bool> stop{false};
  codegen::forEachOnCores(
      work.size(),
      [&](int64_t i) {
        if (stop)
          return;
        compile(work[i]);
        ++done;
      },
      [&] {
        if (onStage && work.size() > 1)
          onStage("nvrtc, " + std::to_string(done) + " of " + std::to_string(work.size()) +
                  " images");
        if (mayGoOn && !mayGoOn())
          stop = true;
      });
  if (stop)
    return report(codegen::cancelled());
  for (const std::string &error : errors)
    if (!error.empty())
      return report(llvm::createStringError(error));
  llvm::for_each(rest, compile); // cannot fail: their cubins are there
  if (std::string problem = store->problem(); !problem.empty())
    diagnostics.warning(request.model.name(), {},
                        "kernels are compiled anew each time: " + problem);
  return true;
}

std::optional<DeviceFacts> Compiler::deviceFacts(size_t count) {
  if (beside) {
    std::optional<DeviceFacts> facts;
    alsoBeside([&](Compiler &other) {
      facts = other.deviceFacts(count);
      return facts.has_value();
    });
    return facts;
  }
  std::optional<codegen::CudaProgram> program = deviceProgram();
  if (!program)
    return std::nullopt;
  DeviceFacts facts;
  facts.architectures.assign(request.cudaArchs.begin(),
                             request.cudaArchs.begin() + std::min(count, request.cudaArchs.size()));
  std::vector<WantedImage> wanted;
  for (const std::string &name : facts.architectures)
    wanted.push_back({name, CudaImage::Cubin});
  if (!stage("nvrtc", [&] { return compileForDevice(*program, wanted, facts.binaries); }))
    return std::nullopt;
  facts.program = std::move(*program);
  return facts;
}

std::optional<std::vector<std::string>>
Compiler::deviceFiles(DeviceForm form, llvm::ArrayRef<std::string> architectures) {
  std::optional<codegen::CudaProgram> program = deviceProgram();
  if (!program)
    return std::nullopt;
  std::vector<WantedImage> wanted;
  for (const std::string &name : architectures)
    wanted.push_back({name, form == DeviceForm::Ptx ? CudaImage::Ptx : CudaImage::Cubin});
  CudaBinaries binaries;
  if (!stage("nvrtc", [&] { return compileForDevice(*program, wanted, binaries); }))
    return std::nullopt;
  std::vector<std::string> files;
  for (const auto &binary : binaries)
    files.push_back(binary->bytes);
  if (form == DeviceForm::Ptx)
    for (std::string &text : files)
      text.pop_back(); // the 0
  if (form != DeviceForm::Sass)
    return files;
  auto disassemble = [&] {
    auto program = codegen::Nvdisasm::find(nvdisasmPlace());
    if (!program)
      return report(program.takeError());
    for (std::string &file : files) {
      llvm::Expected<std::string> text = program->disassemble(file);
      if (!text)
        return report(text.takeError());
      file = *text;
    }
    return true;
  };
  if (!stage("nvdisasm", disassemble))
    return std::nullopt;
  return files;
}
