// EmitTest.cpp: every kind of output of the tiny model of Example.h: programs
// run, libraries load, headers compile, bytes repeat, failures leave nothing.
#include "Emission.h"
#include "codegen/emit/CHeader.h"
#include "llvm/Object/ELFObjectFile.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Program.h"
#include <climits>
#include <csignal>
#include <dlfcn.h>
#include <fcntl.h>
#include <fstream>
#include <gtest/gtest.h>
#include <sys/inotify.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace symc::codegen;
using namespace symc::codegen::test;

// Dynamic facts of an ELF file.
struct ElfFacts {
  uint16_t type = 0;
  bool interpreter = false;
  std::vector<std::string> needed, exported, undefined;
};
static ElfFacts factsOf(const std::string &path) {
  ElfFacts facts;
  auto binary = llvm::object::ObjectFile::createObjectFile(path);
  EXPECT_TRUE(bool(binary));
  auto *object = llvm::cast<llvm::object::ELF64LEObjectFile>(binary->getBinary());
  const auto &file = object->getELFFile();
  facts.type = file.getHeader().e_type;
  for (const auto &segment : llvm::cantFail(file.program_headers()))
    facts.interpreter |= segment.p_type == llvm::ELF::PT_INTERP;
  llvm::StringRef strings;
  for (const auto &section : llvm::cantFail(file.sections()))
    if (section.sh_type == llvm::ELF::SHT_DYNSYM)
      strings = llvm::cantFail(file.getStringTableForSymtab(section));
  for (const auto &entry : llvm::cantFail(file.dynamicEntries()))
    if (entry.d_tag == llvm::ELF::DT_NEEDED)
      facts.needed.push_back(strings.data() + entry.getVal());
  auto list = [&](const llvm::object::ELFSymbolRef &symbol) {
    auto flags = llvm::cantFail(symbol.getFlags());
    if (!(flags & llvm::object::SymbolRef::SF_Global))
      return;
    std::string name = llvm::cantFail(symbol.getName()).str();
    (flags & llvm::object::SymbolRef::SF_Undefined ? facts.undefined : facts.exported)
        .push_back(name);
  };
  if (facts.type == llvm::ELF::ET_REL)
    for (const llvm::object::ELFSymbolRef symbol : object->symbols())
      list(symbol);
  else
    for (const auto &symbol : object->getDynamicSymbolIterators())
      list(symbol);
  std::sort(facts.exported.begin(), facts.exported.end());
  return facts;
}

TEST_F(Emission, StaticProgramRuns) {
  EmitOptions exe = options(EmitKind::Executable, "tiny");
  ASSERT_EQ(emitTiny(exe, musl), "");
  EXPECT_EQ(files(), std::vector<std::string>{"tiny"});
  ElfFacts facts = factsOf(path("tiny"));
  EXPECT_EQ(facts.type, llvm::ELF::ET_DYN); // static PIE
  EXPECT_FALSE(facts.interpreter);
  EXPECT_TRUE(facts.needed.empty());
  writeInput();
  ASSERT_EQ(execute({path("tiny"), path("x.raw"), "--output-dir", path("out")}), 0);
  checkOutput(path("out") + "/out_output.npy");
  std::string help;
  EXPECT_EQ(execute({path("tiny"), "--help"}, &help), 0);
  EXPECT_NE(help.find("--input"), std::string::npos);
}

TEST_F(Emission, ProgramWithoutImagesIsSmall) {
  EmitOptions exe = options(EmitKind::Executable, "tiny");
  exe.images = false;
  ASSERT_EQ(emitTiny(exe, musl), "");
  uint64_t bytes = readAll(path("tiny")).size();
  printf("static program without image reader: %lu bytes\n", bytes);
  EXPECT_LT(bytes, 155000u);
}

TEST_F(Emission, DynamicProgramRuns) {
  ASSERT_EQ(emitTiny(options(EmitKind::Executable, "tiny"), gnu), "");
  ElfFacts facts = factsOf(path("tiny"));
  EXPECT_TRUE(facts.interpreter);
  for (const std::string &library : facts.needed)
    EXPECT_TRUE(library == "libc.so.6" || library == "libm.so.6") << library;
  writeInput();
  ASSERT_EQ(execute({path("tiny"), path("x.raw"), "--output-dir", path("out")}), 0);
  checkOutput(path("out") + "/out_output.npy");
}

TEST_F(Emission, SideFileIsFoundBesideTheProgram) {
  ASSERT_EQ(emitTiny(options(EmitKind::Executable, "tiny"), musl, /*embedded=*/false), "");
  EXPECT_EQ(files(), (std::vector<std::string>{"tiny", "tiny.weights"}));
  EXPECT_EQ(readAll(path("tiny.weights")).size(), 4096u + 160u);
  writeInput();
  ASSERT_EQ(execute({path("tiny"), path("x.raw"), "--output-dir", path("out")}), 0);
  checkOutput(path("out") + "/out_output.npy");
}

TEST_F(Emission, LabelsReachTheProgram) {
  ModelInfo model = exampleModel(musl);
  for (int i = 0; i < 10; ++i)
    model.labels.push_back("class number " + std::to_string(i));
  EmitOptions exe = options(EmitKind::Executable, "tiny");
  ASSERT_EQ(emitTiny(exe, musl, true, &model), "");
  writeInput();
  std::string out;
  ASSERT_EQ(execute({path("tiny"), path("x.raw")}, &out), 0);
  EXPECT_NE(out.find("class number"), std::string::npos) << out;
}

static const std::vector<std::string> cInterface = {
    "tiny_create",        "tiny_destroy",        "tiny_get_state",   "tiny_infer_outputs",
    "tiny_last_error",    "tiny_model",          "tiny_pool_create", "tiny_pool_destroy",
    "tiny_pool_wrap",     "tiny_reset_state",    "tiny_run",         "tiny_run_extents",
    "tiny_run_image",     "tiny_set_parameters", "tiny_set_seed",    "tiny_set_state",
    "tiny_state_extents", "tiny_status_message", "tiny_status_name", "tiny_truncate_state"};

TEST_F(Emission, SharedLibraryLoads) {
  EmitOptions shared = options(EmitKind::Shared, "libtiny.so");
  ASSERT_EQ(emitTiny(shared, gnu), "");
  ElfFacts facts = factsOf(path("libtiny.so"));
  std::vector<std::string> expected = cInterface;
  expected.insert(expected.begin(), "symc_main_model");
  std::sort(expected.begin(), expected.end());
  EXPECT_EQ(facts.exported, expected);
  for (const std::string &library : facts.needed)
    EXPECT_TRUE(library == "libc.so.6" || library == "libm.so.6") << library;
  void *library = dlopen(path("libtiny.so").c_str(), RTLD_NOW | RTLD_LOCAL);
  ASSERT_NE(library, nullptr) << dlerror();
  auto *table = *static_cast<const symc_model *const *>(dlsym(library, "symc_main_model"));
  EXPECT_EQ(static_cast<const void *>(table), dlsym(library, "tiny_model"));
  EXPECT_STREQ(table->outputs[0].name, "out_output");
  EXPECT_EQ(uintptr_t(table->weights) % SYMC_ALIGN, 0u);
  EXPECT_EQ(reinterpret_cast<const float *>(table->weights)[39], 19.5f);
  dlclose(library);
}

TEST_F(Emission, SharedLibraryWantsADynamicLibc) {
  EXPECT_EQ(emitTiny(options(EmitKind::Shared, "libtiny.so"), musl),
            "a shared library needs the dynamic C library of its program, but "
            "'x86_64-linux-musl' is linked statically; pass --triple x86_64-linux-gnu");
  EXPECT_TRUE(files().empty());
}

static const char *userText = R"(
#include "tiny.h"
#include <stdio.h>
int main(void) {
  float x[40], y[40];
  symc_context *context;
  char error[256] = "";
  symc_options options = {0};
  int i;
  options.error = error;
  options.error_bytes = sizeof error;
  options.threads = 2;
  if (tiny_create(&options, &context) != 0) {
    fprintf(stderr, "%s\n", error);
    return 1;
  }
  for (i = 0; i < 40; ++i)
    x[i] = (float)(i - 20);
  if (tiny_predict(context, x, y) != 0) {
    fprintf(stderr, "%s\n", tiny_last_error(context));
    return 2;
  }
  tiny_destroy(context);
  for (i = 0; i < 40; ++i)
    if (y[i] != (float)(i - 20) * 0.5f * (float)i + 1)
      return 3;
  return 0;
}
)";

TEST_F(Emission, ArchiveAndObjectServeACProgram) {
  std::ofstream(path("user.c")) << userText;
  for (EmitKind kind : {EmitKind::Archive, EmitKind::Object, EmitKind::Shared}) {
    std::string name = kind == EmitKind::Archive  ? "libtiny.a"
                       : kind == EmitKind::Object ? "tiny.o"
                                                  : "libtiny.so";
    EmitOptions library = options(kind, name);
    library.header = path("tiny.h");
    ASSERT_EQ(emitTiny(library, gnu), "");
    if (kind == EmitKind::Object) {
      // All else is local, but the weights' hidden symbol.
      std::vector<std::string> expected = cInterface;
      expected.push_back("tiny_weights");
      EXPECT_EQ(factsOf(path(name)).exported, expected);
    }
    ASSERT_EQ(execute({SYMC_TEST_CLANG, "-std=c99", "-Wall", "-Wextra", "-Werror", "-I", folder,
                       path("user.c"), path(name), "-lm", "-lpthread", "-o", path("user"),
                       "-Wl,-rpath," + folder}),
              0);
    EXPECT_EQ(execute({path("user")}), 0) << name;
  }
}

TEST_F(Emission, TwoModelsMeetInOneProgram) {
  for (const char *prefix : {"one", "two"}) {
    ModelInfo model = exampleModel(gnu);
    model.prefix = prefix;
    EmitOptions library = options(EmitKind::Archive, std::string(prefix) + ".a");
    library.header = path(std::string(prefix) + ".h");
    ASSERT_EQ(emitTiny(library, gnu, true, &model), "");
  }
  std::ofstream(path("both.c")) << "#include \"one.h\"\n#include \"two.h\"\n"
                                   "int main(void) {\n  symc_context *a, *b;\n"
                                   "  return one_create(NULL, &a) || two_create(NULL, &b);\n}\n";
  ASSERT_EQ(execute({SYMC_TEST_CLANG, "-Wall", "-Werror", path("both.c"), path("one.a"),
                     path("two.a"), "-lm", "-lpthread", "-o", path("both")}),
            0);
  EXPECT_EQ(execute({path("both")}), 0);
}

TEST_F(Emission, HeaderStandsAlone) {
  ModelInfo model = exampleModel(gnu);
  model.inputs.push_back({"int", {}, 8, SYMC_F64, 0});
  model.inputs.push_back({"softmax_label", {4}, 16, SYMC_F32, SYMC_TENSOR_OPTIONAL});
  model.inputs.push_back({"a */ evil\nname", {2, 3}, 12, SYMC_BF16, 0});
  model.prepareSymbol = "tiny_prepare_run";
  model.parameters = {{"fc_weight", {2, 2}, 16, SYMC_F32, 0}};
  WeightsInfo weights;
  weights.place = WeightsInfo::Extern;
  weights.bytes = 160;
  std::ofstream(path("a.c")) << writeHeader(model, weights) << "\nint x;\n";
  std::ofstream(path("a.cpp")) << writeHeader(model, weights) << "\nint x;\n";
  model.dims = {{"data[0]", 1, 16}};
  model.inputs[0].shape[0] = -1;
  std::string text = writeHeader(model, weights);
  EXPECT_NE(text.find("data  f32 [data[0], 10]"), std::string::npos) << text;
  EXPECT_NE(text.find("data[0]  1..16"), std::string::npos) << text;
  std::ofstream(path("b.cpp")) << text << "\nint x;\n";
  // The runtime's own header may come first.
  std::ofstream(path("c.c")) << "#include \"symc/runtime.h\"\n" << text << "\nint x;\n";
  auto compile = [&](std::vector<std::string> args) {
    args.insert(args.begin(), {SYMC_TEST_CLANG, "-Wall", "-Wextra", "-Werror",
                               "-Wno-unused-function", "-fsyntax-only"});
    return execute(args);
  };
  EXPECT_EQ(compile({"-x", "c", "-std=c99", path("a.c")}), 0);
  EXPECT_EQ(compile({"-x", "c++", "-std=c++11", path("a.cpp")}), 0);
  EXPECT_EQ(compile({"-x", "c++", "-std=c++17", path("b.cpp")}), 0);
  EXPECT_EQ(compile({"-x", "c", "-std=c11", "-I", SYMC_TEST_RUNTIME_INCLUDE, path("c.c")}), 0);
}

TEST_F(Emission, HeaderTypesAgreeWithTheRuntime) {
  std::string print = "#include <stdio.h>\n#define P(t, f) printf(\"%zu \", offsetof(t, f));\n"
                      "int main(void) {\n";
  for (const char *field :
       {"threads", "flags", "pool", "allocator", "arena", "arena_bytes", "weights", "weights_bytes",
        "weights_file", "isa", "error", "error_bytes", "device", "stream", "ordinal"})
    print += std::string("  P(symc_options, ") + field + ")\n";
  for (const char *field : {"data", "shape", "rank", "dtype", "device", "ordinal"})
    print += std::string("  P(symc_tensor, ") + field + ")\n";
  print += "  printf(\"%zu %zu %zu\", sizeof(symc_options), sizeof(symc_tensor), "
           "sizeof(symc_allocator));\n";
  for (const char *type :
       {"F32", "F64", "F16", "U8", "I32", "I8", "I64", "BOOL", "I16", "U16", "U32", "U64", "BF16"})
    print += std::string("  printf(\" %d\", (int)SYMC_") + type + ");\n";
  print += "  return 0;\n}\n";
  std::ofstream(path("own.c")) << writeHeader(exampleModel(gnu), WeightsInfo()) << print;
  std::ofstream(path("theirs.c")) << "#include \"symc/runtime.h\"\n" << print;
  std::string own, theirs;
  ASSERT_EQ(execute({SYMC_TEST_CLANG, "-Wno-everything", "-O2", path("own.c"), "-o", path("own"),
                     "-Wl,--gc-sections", "-ffunction-sections"}),
            0);
  ASSERT_EQ(execute({SYMC_TEST_CLANG, "-I", SYMC_TEST_RUNTIME_INCLUDE, path("theirs.c"), "-o",
                     path("theirs")}),
            0);
  EXPECT_EQ(execute({path("own")}, &own), 0);
  EXPECT_EQ(execute({path("theirs")}, &theirs), 0);
  EXPECT_EQ(own, theirs);
  EXPECT_GT(own.size(), 40u);
}

TEST_F(Emission, RepeatsItsBytes) {
  struct {
    EmitKind kind;
    const char *triple;
  } kinds[] = {{EmitKind::Executable, musl}, {EmitKind::Executable, gnu}, {EmitKind::Shared, gnu},
               {EmitKind::Archive, gnu},     {EmitKind::Object, gnu},     {EmitKind::Assembly, gnu},
               {EmitKind::LLVM, gnu}};
  for (auto [kind, triple] : kinds) {
    std::string texts[2];
    for (std::string &text : texts) {
      ASSERT_EQ(emitTiny(options(kind, "tiny"), triple), "");
      text = readAll(path("tiny"));
    }
    EXPECT_FALSE(texts[0].empty());
    EXPECT_TRUE(texts[0] == texts[1]) << "kind " << int(kind);
  }
}

TEST_F(Emission, TextsHoldTheCode) {
  ASSERT_EQ(emitTiny(options(EmitKind::Assembly, "tiny.s"), gnu), "");
  std::string assembly = readAll(path("tiny.s"));
  EXPECT_NE(assembly.find("vfmadd"), std::string::npos);
  EXPECT_NE(assembly.find("tiny_run"), std::string::npos);
  ASSERT_EQ(emitTiny(options(EmitKind::LLVM, "tiny.ll"), gnu), "");
  EXPECT_NE(readAll(path("tiny.ll")).find("define "), std::string::npos);
}

TEST_F(Emission, FailuresAreSentencesAndLeaveNothing) {
  EmitOptions missing = options(EmitKind::Executable, "no-such-folder/tiny");
  EXPECT_EQ(emitTiny(missing, musl),
            "cannot write '" + missing.output + "': no such file or directory");
  ::mkdir(path("folder").c_str(), 0777);
  Code code(musl);
  ASSERT_TRUE(addMlir(code, exampleText));
  EmitOptions onFolder = options(EmitKind::Executable, "folder");
  onFolder.resourceDir = resources;
  EXPECT_EQ(llvm::toString(emit(onFolder, exampleModel(musl), code, nullptr)),
            "cannot write '" + path("folder") + "': is a directory");
  Code other(musl);
  ASSERT_TRUE(addMlir(other, exampleText));
  EmitOptions bare = options(EmitKind::Executable, "tiny");
  bare.resourceDir = folder;
  EXPECT_EQ(
      llvm::toString(emit(bare, exampleModel(musl), other, nullptr)),
      "resource '" + folder +
          "/x86_64-linux-musl/main.o' does not exist; symc's folder "
          "share/symc must be complete: build the target symc-resources or install symc again");
  EXPECT_EQ(files(), std::vector<std::string>{"folder"});
}

TEST_F(Emission, ResourcesOfAnotherBuildAreRefused) {
  // A whole folder, but for the stamp.
  std::string parts = path("resources/x86_64-linux-musl");
  ASSERT_FALSE(llvm::sys::fs::create_directories(parts));
  std::string whole = std::string(resources) + "/x86_64-linux-musl";
  std::error_code failure;
  for (llvm::sys::fs::directory_iterator file(whole, failure), end; file != end && !failure;
       file.increment(failure)) {
    std::string name = file->path().substr(whole.size() + 1);
    if (name != "stamp") {
      ASSERT_FALSE(llvm::sys::fs::create_link(file->path(), parts + "/" + name));
    }
  }
  EmitOptions of = options(EmitKind::Executable, "tiny");
  auto message = [&] {
    Code code(musl);
    EXPECT_TRUE(addMlir(code, exampleText));
    of.resourceDir = path("resources");
    return llvm::toString(emit(of, exampleModel(musl), code, nullptr));
  };
  EXPECT_EQ(message(), "resource '" + parts +
                           "/stamp' does not exist; symc's folder share/symc must be complete: "
                           "build the target symc-resources or install symc again");
  std::ofstream(parts + "/stamp") << "0123456789abcdef\n";
  EXPECT_EQ(message(), "the resources in '" + parts +
                           "' are of another build of symc than this program: build the target "
                           "symc-resources or install symc again");
  EXPECT_EQ(files(), std::vector<std::string>{"resources"});
}

TEST_F(Emission, FullDiskIsAMessage) {
  // /dev/full refuses every byte; a file on it cannot be made, so text goes there.
  EmitOptions full = options(EmitKind::Assembly, "tiny.s");
  full.output = "/dev/full";
  full.resourceDir = resources;
  Code code(gnu);
  ASSERT_TRUE(addMlir(code, exampleText));
  EXPECT_EQ(llvm::toString(emit(full, exampleModel(gnu), code, nullptr)),
            "cannot write '/dev/full': no space left on device");
  // More than any disk holds.
  auto weights = WeightsFile::sideFile(path("w"), uint64_t(1) << 58);
  ASSERT_FALSE(bool(weights));
  std::string message = llvm::toString(weights.takeError());
  EXPECT_TRUE(message == "cannot write '" + path("w") + "': no space left on device" ||
              message == "cannot write '" + path("w") + "': file too large")
      << message;
  EXPECT_TRUE(files().empty());
}

// The link neither reads nor writes the weights: its input is small whatever they
// take, and a file that the linker did not make of it is refused.
TEST_F(Emission, WeightsPassByTheLinker) {
  constexpr uint64_t bytes = 64 << 20;
  auto weights = WeightsFile::embedded(exampleModel(musl), bytes, path("tiny"));
  ASSERT_TRUE(bool(weights));
  (*weights)->data()[0] = 7;
  (*weights)->release();
  EXPECT_EQ((*weights)->data()[0], 7) << "the file lost what was written";
  ASSERT_FALSE((*weights)->seal());
  auto place = (*weights)->placeholder();
  ASSERT_TRUE(bool(place));
  uint64_t size = 0;
  ASSERT_FALSE(llvm::sys::fs::file_size(place->path(), size));
  EXPECT_LT(size, 8192u);
  std::ofstream(path("other"), std::ios::binary) << std::string(200, '\0');
  EXPECT_EQ(llvm::toString((*weights)->fill(path("other"), path("tiny"))),
            "internal error: the linked file has no section for the weights");
  EXPECT_EQ(llvm::toString((*weights)->fill(path("missing"), path("tiny"))),
            "cannot write '" + path("tiny") + "': no such file or directory");
}

TEST_F(Emission, InterruptedWorkLeavesNothing) {
  for (int number : {SIGINT, SIGTERM}) {
    pid_t child = fork();
    if (child == 0) {
      removeFilesOnSignals();
      auto output = OutputFile::create(path("tiny"), true);
      auto weights = WeightsFile::embedded(exampleModel(musl), 1 << 20, path("tiny"));
      auto side = WeightsFile::sideFile(path("tiny.weights"), 1 << 20);
      bool made = bool(output) && bool(weights) && bool(side) && files().size() == 2;
      if (made)
        raise(number);
      _exit(made ? 1 : 2);
    }
    int status = 0;
    ASSERT_EQ(waitpid(child, &status, 0), child);
    EXPECT_TRUE(WIFSIGNALED(status)) << "status " << status;
    EXPECT_TRUE(files().empty());
  }
}

// A library's host has handlers of its own, and threads that make files meanwhile.
TEST_F(Emission, WhoDoesNotAskKeepsSignalsAndMask) {
  struct sigaction before, after;
  ASSERT_EQ(sigaction(SIGINT, nullptr, &before), 0);
  mode_t mask = umask(027);
  EXPECT_EQ(emitTiny(options(EmitKind::Executable, "program"), musl), "");
  EXPECT_EQ(emitTiny(options(EmitKind::Archive, "tiny.a"), musl), "");
  umask(mask);
  ASSERT_EQ(sigaction(SIGINT, nullptr, &after), 0);
  EXPECT_EQ(before.sa_handler, after.sa_handler);
  struct stat program, archive;
  ASSERT_EQ(stat(path("program").c_str(), &program), 0);
  ASSERT_EQ(stat(path("tiny.a").c_str(), &archive), 0);
  EXPECT_EQ(program.st_mode & 0777, 0750u);
  EXPECT_EQ(archive.st_mode & 0777, 0640u);
}

TEST_F(Emission, UnnamedFilesNeverHaveAName) {
  int noName = open(folder.c_str(), O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
  if (noName < 0)
    GTEST_SKIP() << "this file system wants a name for every file";
  close(noName);
  int watch = inotify_init1(IN_NONBLOCK | IN_CLOEXEC);
  ASSERT_GE(inotify_add_watch(watch, folder.c_str(), IN_CREATE), 0);
  ASSERT_TRUE(bool(UnnamedFile::onDisk(path("tiny"), 1 << 20)));
  char event[sizeof(inotify_event) + NAME_MAX + 1];
  EXPECT_EQ(read(watch, event, sizeof event), -1) << "an interrupt then would leave the file";
  ASSERT_TRUE(bool(OutputFile::create(path("tiny"), true)));
  EXPECT_GT(read(watch, event, sizeof event), 0) << "the watch sees nothing at all";
  close(watch);
}

TEST_F(Emission, EveryKernelCanBeLinked) {
  if (!llvm::sys::fs::exists(std::string(resources) + "/" + musl + "/optable.o"))
    GTEST_SKIP() << "the resources have no op table";
  EmitOptions exe = options(EmitKind::Executable, "tiny");
  exe.opTable = true;
  ASSERT_EQ(emitTiny(exe, musl), "");
  writeInput();
  ASSERT_EQ(execute({path("tiny"), path("x.raw"), "--output-dir", path("out")}), 0);
  checkOutput(path("out") + "/out_output.npy");
}

// While it lives no file of this process may grow over so many bytes.
struct FileLimit {
  explicit FileLimit(rlim_t bytes) {
    signal(SIGXFSZ, SIG_IGN);
    getrlimit(RLIMIT_FSIZE, &before);
    rlimit limit = {bytes, before.rlim_max};
    setrlimit(RLIMIT_FSIZE, &limit);
  }
  ~FileLimit() { setrlimit(RLIMIT_FSIZE, &before); }
  rlimit before;
};

TEST_F(Emission, LinksThatDoNotFitAreAMessage) {
  std::string message;
  {
    FileLimit limit(40000);
    message = emitTiny(options(EmitKind::Executable, "tiny"), musl);
  }
  EXPECT_EQ(message, "cannot write '" + path("tiny") + "': file too large");
  EXPECT_TRUE(files().empty());
  {
    FileLimit limit(3);
    auto file = UnnamedFile::inMemory("four");
    ASSERT_FALSE(bool(file));
    message = llvm::toString(file.takeError());
  }
  EXPECT_EQ(message, "cannot write 'a file in memory': file too large");
}

TEST_F(Emission, DamagedResourcesAreAMessage) {
  ::mkdir(path("share").c_str(), 0777);
  std::string own = path("share") + "/" + musl, shipped = std::string(resources) + "/" + musl;
  ::mkdir(own.c_str(), 0777);
  for (const char *name : {"main.o", "pictures.o", "core.o", "images.o", "rcrt1.o", "crti.o",
                           "crtn.o", "builtins.a", "stamp"})
    ASSERT_EQ(::symlink((shipped + "/" + name).c_str(), (own + "/" + name).c_str()), 0);
  std::ofstream(own + "/libc.a") << "nonsense\n";
  std::ofstream(own + "/kernels.bc") << "nonsense\n";
  EmitOptions exe = options(EmitKind::Executable, "tiny");
  exe.resourceDir = path("share");
  for (int round = 0; round < 2; ++round) {
    Code code(musl);
    ASSERT_TRUE(addMlir(code, exampleText));
    std::string message = llvm::toString(emit(exe, exampleModel(musl), code, nullptr));
    EXPECT_EQ(message, round == 0 ? "resource '" + own + "/kernels.bc' is no bitcode of LLVM " +
                                        LLVM_VERSION_STRING + ": expected top-level entity"
                                  : "cannot link '" + exe.output + "': " + own +
                                        "/libc.a:1: unknown directive: nonsense");
    ::unlink((own + "/kernels.bc").c_str());
  }
  EXPECT_EQ(files(), std::vector<std::string>{"share"});
}

TEST_F(Emission, HugeWeightsAreRefused) {
  auto weights = WeightsFile::embedded(exampleModel(musl), uint64_t(3) << 30, path("tiny"));
  ASSERT_FALSE(bool(weights));
  EXPECT_EQ(llvm::toString(weights.takeError()),
            "weights of 3221225472 bytes cannot be embedded, at most 2147483648 can; pass "
            "--weights=file");
}

TEST_F(Emission, UnknownMachine) {
  Code code("vax-linux-gnu");
  EXPECT_EQ(llvm::toString(code.optimise({})),
            "LLVM has no code generator for 'vax-unknown-linux-gnu'");
}
