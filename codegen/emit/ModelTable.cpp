// ModelTable.cpp: see ModelTable.h. The structures mirror abi.h field by field;
// test/unit/emit reads a table back through the C declarations.
#include "codegen/emit/ModelTable.h"

#include "llvm/IR/IRBuilder.h"

using namespace llvm;
using namespace symc::codegen;

static const InterfaceFunction functions[] = {
    {"create", "symc_create", "ipp", true},
    {"destroy", "symc_destroy", "vp", false},
    {"run", "symc_run", "ippipi", false},
    {"run_image", "symc_run_image", "ippipi", false},
    {"last_error", "symc_last_error", "pp", false},
    {"infer_outputs", "symc_infer_outputs", "ippipi", false},
    {"run_extents", "symc_run_extents", "ippi", false},
    {"set_parameters", "symc_set_parameters", "ippi", false},
    {"get_state", "symc_get_state", "ippp", false},
    {"set_state", "symc_set_state", "ippp", false},
    {"state_extents", "symc_state_extents", "ipppi", false},
    {"truncate_state", "symc_truncate_state", "ippl", false},
    {"reset_state", "symc_reset_state", "ipp", false},
    {"set_seed", "symc_set_seed", "ipl", false},
    {"status_name", "symc_status_name", "pi", false},
    {"status_message", "symc_status_message", "pi", false},
    {"pool_create", "symc_pool_create", "iip", false},
    {"pool_wrap", "symc_pool_wrap", "ippip", false},
    {"pool_destroy", "symc_pool_destroy", "vp", false},
};
static const InterfaceFunction gradientFunctions[] = {
    {"forward", "symc_forward", "ippipi", false},
    {"backward", "symc_backward", "ippipi", false},
    {"join_ranks", "symc_join_ranks", "ipipp", false},
};
static const InterfaceFunction trainingFunctions[] = {
    {"train_step", "symc_train_step", "ippipip", false},
    {"choose_updates", "symc_choose_updates", "ipi", false},
    {"updates_in_backward", "symc_updates_in_backward", "ipp", false},
    {"gradients", "symc_gradients", "ippipi", false},
    {"update", "symc_update", "ipp", false},
    {"predict", "symc_predict", "ippipi", false},
    {"initialize", "symc_initialize", "ippl", false},
    {"parameter_count", "symc_parameter_count", "i", true},
    {"parameter_name", "symc_parameter_name", "pi", true},
    {"parameter_bytes", "symc_parameter_bytes", "li", true},
    {"get_parameter", "symc_get_parameter", "ipppl", false},
    {"set_parameter", "symc_set_parameter", "ipppl", false},
    {"get_gradient", "symc_get_gradient", "ipppl", false},
    {"set_gradient", "symc_set_gradient", "ipppl", false},
    {"gradient_memory", "symc_gradient_memory", "ppp", false},
    {"watch_gradients", "symc_watch_gradients", "ippp", false},
    {"optimizer_state_count", "symc_optimizer_state_count", "ip", false},
    {"get_optimizer_state", "symc_get_optimizer_state", "ippipl", false},
    {"set_optimizer_state", "symc_set_optimizer_state", "ippipl", false},
    {"get_step", "symc_get_step", "lp", false},
    {"set_step", "symc_set_step", "ipl", false},
    {"get_schedule", "symc_get_schedule", "ipp", false},
    {"set_schedule", "symc_set_schedule", "ipp", false},
    {"get_hyper", "symc_get_hyper", "ippp", false},
    {"set_hyper", "symc_set_hyper", "ippd", false},
    {"get_iteration", "symc_get_iteration", "lp", false},
    {"set_iteration", "symc_set_iteration", "ipl", false},
    {"share_rows", "symc_share_rows", "ipll", false},
    {"join_ranks", "symc_join_ranks", "ipipp", false},
};
static const InterfaceFunction prepareFunction = {"prepare", "symc_prepare", "ipp", true};

std::vector<InterfaceFunction> symc::codegen::interfaceFunctions(const ModelInfo &model) {
  std::vector<InterfaceFunction> all(std::begin(functions), std::end(functions));
  if (model.training)
    all.insert(all.end(), std::begin(trainingFunctions), std::end(trainingFunctions));
  if (any_of(model.variants, [](const VariantInfo &variant) { return variant.hasParts; }))
    all.insert(all.end(), std::begin(gradientFunctions), std::end(gradientFunctions));
  if (!model.prepareSymbol.empty())
    all.push_back(prepareFunction);
  return all;
}

std::string symc::codegen::weightsSymbol(const ModelInfo &model) {
  return model.prefix + "_weights";
}

namespace {

class TableBuilder {
public:
  TableBuilder(Module &module, const ModelInfo &model)
      : module(module), model(model), context(module.getContext()),
        pointer(PointerType::get(context, 0)), i8(Type::getInt8Ty(context)),
        i32(Type::getInt32Ty(context)), i64(Type::getInt64Ty(context)) {}

  Constant *table(const WeightsInfo &weights);
  Constant *pictures();
  Constant *training();
  Constant *program();
  void forward(const InterfaceFunction &function, Constant *table);
  Constant *variant(const VariantInfo &variant);
  Constant *libraries();
  Constant *batches();
  Constant *conditions();
  void runInParts(const VariantInfo &variant, Constant *batches);

  Constant *null() { return ConstantPointerNull::get(pointer); }
  Constant *number32(int64_t value) { return ConstantInt::getSigned(i32, value); }
  Constant *number64(uint64_t value) { return ConstantInt::get(i64, value); }
  Constant *real(double value) { return ConstantFP::get(Type::getDoubleTy(context), value); }
  /// An internal constant of the name <prefix>_table_<part>.
  GlobalVariable *global(StringRef part, Constant *value, unsigned alignment) {
    auto *variable =
        new GlobalVariable(module, value->getType(), /*isConstant=*/true,
                           GlobalValue::PrivateLinkage, value, model.prefix + "_table_" + part);
    variable->setAlignment(Align(alignment));
    return variable;
  }
  Constant *text(StringRef value) {
    GlobalVariable *variable = global("text", ConstantDataArray::getString(context, value), 1);
    variable->setUnnamedAddr(GlobalValue::UnnamedAddr::Global);
    return variable;
  }
  Constant *structure(ArrayRef<Constant *> fields) {
    return ConstantStruct::getAnon(context, fields);
  }
  Constant *array(StringRef part, ArrayRef<Constant *> elements) {
    if (elements.empty())
      return null();
    auto *type = ArrayType::get(elements[0]->getType(), elements.size());
    return global(part, ConstantArray::get(type, elements), 8);
  }
  Constant *numbers(StringRef part, ArrayRef<int64_t> values) {
    ArrayRef<uint64_t> bits(reinterpret_cast<const uint64_t *>(values.data()), values.size());
    return values.empty() ? null() : global(part, ConstantDataArray::get(context, bits), 8);
  }
  Constant *tensor(const TensorInfo &tensor) {
    return structure({text(tensor.name), numbers("shape", tensor.shape), number64(tensor.maxBytes),
                      number32(tensor.shape.size()), number32(tensor.dtype), number32(tensor.flags),
                      number32(0)});
  }
  Constant *tensors(StringRef part, ArrayRef<TensorInfo> tensors) {
    SmallVector<Constant *> rows;
    for (const TensorInfo &one : tensors)
      rows.push_back(tensor(one));
    return array(part, rows);
  }
  Constant *states() {
    SmallVector<Constant *> rows;
    for (const StateInfo &state : model.states)
      rows.push_back(
          structure({tensor(state.tensor), number64(state.imageOffset), number64(state.rows),
                     number32(state.axis), number32(state.stored)}));
    return array("states", rows);
  }
  /// The model's code must not take a name of the C interface.
  void giveUp(const std::string &name) {
    if (GlobalValue *taken = module.getNamedValue(name))
      taken->setName(name + "_code");
  }
  Constant *function(StringRef name, Type *result, ArrayRef<Type *> arguments) {
    if (name.empty())
      return null();
    return cast<Constant>(
        module.getOrInsertFunction(name, FunctionType::get(result, arguments, false)).getCallee());
  }

  Module &module;
  const ModelInfo &model;
  LLVMContext &context;
  PointerType *pointer;
  Type *i8, *i32, *i64;
};

} // namespace

Constant *TableBuilder::table(const WeightsInfo &weights) {
  SmallVector<Constant *> dims, variants;
  for (const DimInfo &dim : model.dims)
    dims.push_back(structure({text(dim.name), number64(dim.min), number64(dim.max)}));
  Constant *composed = batches();
  for (const VariantInfo &variant : model.variants)
    if (!model.batches.empty())
      runInParts(variant, composed);
  for (const VariantInfo &one : model.variants)
    variants.push_back(variant(one));
  Constant *bytes = null();
  if (weights.place == WeightsInfo::Embedded && weights.bytes > 0) {
    auto *embedded =
        new GlobalVariable(module, ArrayType::get(i8, 0), /*isConstant=*/true,
                           GlobalValue::ExternalLinkage, nullptr, weightsSymbol(model));
    embedded->setVisibility(GlobalValue::HiddenVisibility);
    embedded->setAlignment(Align(SYMC_ALIGN));
    bytes = embedded;
  }
  Constant *file = weights.place == WeightsInfo::SideFile ? text(weights.fileName) : null();
  return structure(
      {number32(SYMC_MODEL_MAGIC),
       number32(SYMC_ABI_VERSION),
       text(model.prefix),
       text(model.compiler),
       text(model.triple),
       tensors("inputs", model.inputs),
       tensors("outputs", model.outputs),
       tensors("parameters", model.parameters),
       array("dims", dims),
       array("variants", variants),
       function(model.outputShapesSymbol, Type::getVoidTy(context), {pointer, pointer}),
       function(model.prepareSymbol, i32, {pointer}),
       number64(model.prepareArenaBytes),
       bytes,
       file,
       number64(weights.bytes),
       number64(weights.hash),
       number32(model.inputs.size()),
       number32(model.outputs.size()),
       number32(model.parameters.size()),
       number32(model.dims.size()),
       number32(model.variants.size()),
       number32(model.libraries.size()),
       libraries(),
       states(),
       number32(model.states.size()),
       number32(model.conditions.size()),
       composed,
       conditions(),
       function(model.checkSizesSymbol, i32, {pointer}),
       pictures(),
       number32(model.flags),
       number32(0),
       training()});
}

// Only a trainer refers to the functions that train, and to its optimizer.
Constant *TableBuilder::training() {
  if (!model.training)
    return null();
  const TrainingInfo &info = *model.training;
  WeightsInfo supplied; // prepared of the parameters of a context
  supplied.place = WeightsInfo::Extern;
  supplied.bytes = info.predictionBytes;
  Constant *prediction = null();
  if (info.prediction)
    prediction = global("prediction", TableBuilder(module, *info.prediction).table(supplied), 8);
  SmallVector<Constant *> parameters, values;
  for (const TrainedInfo &one : info.parameters)
    parameters.push_back(structure({number32(one.gradient), number32(one.isState), real(one.lrMult),
                                    real(one.wdMult), number64(one.imageOffset),
                                    one.initializer.empty() ? null() : text(one.initializer),
                                    text(one.role), number32(one.isFixedGamma), number32(0)}));
  for (double value : info.values)
    values.push_back(real(value));
  SmallVector<Constant *> watched, predict;
  for (const VariantInfo &one : model.variants)
    watched.push_back(function(one.runSymbol + "_watched", i32, {pointer}));
  if (!info.prediction)
    for (const VariantInfo &one : model.variants)
      predict.push_back(function(one.runSymbol + "_predict", i32, {pointer}));
  auto sources = [&](StringRef part, ArrayRef<symc_source> list) {
    SmallVector<Constant *> rows;
    for (symc_source source : list)
      rows.push_back(structure({number32(source.kind), number32(source.index)}));
    return array(part, rows);
  };
  return global(
      "training",
      structure({prediction, array("trained", parameters), tensors("train_inputs", info.inputs),
                 numbers("classes", info.classes), sources("sources", info.sources),
                 sources("predicted_of", info.predictedOf), sources("prepared_of", info.preparedOf),
                 module.getOrInsertGlobal("symc_optimizer_" + info.optimizer, i8),
                 array("hyper", values), info.initializer.empty() ? null() : text(info.initializer),
                 module.getOrInsertGlobal("symc_train_work", i8), number32(info.inputs.size()),
                 number32(info.nHeads), number32(info.values.size()), number32(0),
                 array("watched", watched), array("predict", predict)}),
      8);
}

// Only a model that has code for another device refers to that device's functions.
Constant *TableBuilder::variant(const VariantInfo &variant) {
  SmallVector<Constant *> programs;
  for (const std::string &symbol : variant.programSymbols)
    programs.push_back(module.getOrInsertGlobal(symbol, i8));
  static const char *const functions[SYMC_DEVICE_COUNT] = {nullptr, "symc_cuda_device"};
  const char *device = functions[variant.device];
  auto part = [&](StringRef suffix) {
    return variant.hasParts ? function((variant.runSymbol + suffix).str(), i32, {pointer}) : null();
  };
  return structure({text(variant.isa), number64(variant.cpuLevel), number64(variant.arenaBytes),
                    function(variant.runSymbol, i32, {pointer}), number32(variant.device),
                    number32(programs.size()), array("programs", programs),
                    device ? module.getOrInsertGlobal(device, i8) : null(), part("_forward"),
                    part("_backward")});
}

Constant *TableBuilder::conditions() {
  SmallVector<Constant *> rows;
  for (const ConditionInfo &condition : model.conditions) {
    SmallVector<Constant *> sizes;
    for (int32_t size : condition.sizes)
      sizes.push_back(number32(size));
    rows.push_back(structure(
        {text(condition.sentence), array("sizes", sizes), number32(sizes.size()), number32(0)}));
  }
  return array("conditions", rows);
}

// Only a model that calls libraries refers to what opens them.
Constant *TableBuilder::libraries() {
  SmallVector<Constant *> rows;
  for (const LibraryInfo &library : model.libraries) {
    SmallVector<Constant *> files, symbols;
    for (const std::string &file : library.files)
      files.push_back(text(file));
    for (const std::string &symbol : library.symbols)
      symbols.push_back(text(symbol));
    rows.push_back(
        structure({text(library.name), array("files", files), array("symbols", symbols),
                   module.getOrInsertGlobal(library.functionsSymbol, i8), number32(files.size()),
                   number32(symbols.size()), function("symc_open_library", i32, {pointer})}));
  }
  return array("libraries", rows);
}

// For each remainder of a division by the smallest size the smallest sum that leaves it.
// Sizes are added to the sums that are known until none becomes smaller.
static std::vector<int64_t> leastSums(ArrayRef<int64_t> sizes) {
  int64_t smallest = sizes.back();
  std::vector<int64_t> least(smallest, -1);
  least[0] = 0;
  for (bool changed = true; changed;) {
    changed = false;
    for (int64_t remainder = 0; remainder < smallest; ++remainder)
      for (int64_t size : sizes) {
        if (least[remainder] < 0)
          continue;
        int64_t sum = least[remainder] + size, &known = least[sum % smallest];
        if (known >= 0 && known <= sum)
          continue;
        known = sum;
        changed = true;
      }
  }
  return least;
}

Constant *TableBuilder::batches() {
  if (model.batches.empty())
    return null();
  return global(
      "batches",
      structure({numbers("sizes", model.batches), numbers("least", leastSums(model.batches)),
                 numbers("row_bytes", model.rowBytes), number32(model.batches.size()),
                 number32(model.rowBytes.size())}),
      8);
}

// int32_t <runSymbol>(const symc_frame *): the runtime puts the batch together from the
// variant's functions, with room for its pointers on this function's stack.
void TableBuilder::runInParts(const VariantInfo &variant, Constant *batches) {
  SmallVector<Constant *> code;
  for (const std::string &symbol : variant.batchSymbols)
    code.push_back(function(symbol, i32, {pointer}));
  auto *made = Function::Create(FunctionType::get(i32, {pointer}, false),
                                GlobalValue::ExternalLinkage, variant.runSymbol, module);
  IRBuilder<> b(BasicBlock::Create(context, "entry", made));
  Value *io = b.CreateAlloca(ArrayType::get(pointer, std::max<size_t>(model.rowBytes.size(), 1)));
  FunctionCallee run = module.getOrInsertFunction(
      "symc_run_batches", FunctionType::get(i32, {pointer, pointer, pointer, pointer}, false));
  b.CreateRet(b.CreateCall(run, {made->getArg(0), batches, array("code", code), io}));
}

// Only a model that was compiled with preprocessing refers to the functions that do it, and only
// one that takes files of pictures to their decoder.
Constant *TableBuilder::pictures() {
  SmallVector<Constant *> steps;
  for (auto [p, image] : zip_equal(model.preprocess, model.meanImages)) {
    SmallVector<Constant *> mean, std;
    for (int c = 0; c < 4; ++c) {
      mean.push_back(real(p.mean[c]));
      std.push_back(real(p.std[c]));
    }
    auto *four = ArrayType::get(Type::getDoubleTy(context), 4);
    steps.push_back(structure(
        {number32(p.enabled), number32(p.source_layout), number32(p.model_layout),
         number32(p.order), number32(p.resize), number32(p.resize_short), number32(p.channels),
         number32(0), real(p.scale), ConstantArray::get(four, mean), ConstantArray::get(four, std),
         image.empty()
             ? null()
             : global("mean_image", ConstantDataArray::get(context, ArrayRef(image)), 4)}));
  }
  if (steps.empty())
    return null();
  Type *size = i64;
  auto *open =
      function("symc_open_picture", i32, {pointer, i32, pointer, pointer, pointer, pointer, size});
  auto *fill =
      function("symc_fill_picture", i32, {pointer, i32, pointer, pointer, pointer, pointer, size});
  Constant *decode = null(), *release = null();
  if (model.decodesPictures) {
    decode = function("symc_decode_image", i32,
                      {pointer, size, i32, pointer, pointer, pointer, pointer});
    release = function("symc_release_pixels", Type::getVoidTy(context), {pointer});
  }
  return global("pictures", structure({array("preprocess", steps), open, fill, decode, release}),
                8);
}

Constant *TableBuilder::program() {
  SmallVector<Constant *> labels;
  for (const std::string &label : model.labels)
    labels.push_back(text(label));
  auto optional = [&](const std::string &string) { return string.empty() ? null() : text(string); };
  return structure({array("labels", labels), number64(model.labels.size()),
                    optional(model.symbolJson), optional(model.optimizerText)});
}

// The function `<prefix>_<suffix>`: passes its arguments on.
void TableBuilder::forward(const InterfaceFunction &f, Constant *table) {
  auto typeOf = [&](char letter) -> Type * {
    switch (letter) {
    case 'v':
      return Type::getVoidTy(context);
    case 'i':
      return i32;
    case 'l':
      return i64;
    case 'd':
      return Type::getDoubleTy(context);
    default:
      return pointer;
    }
  };
  SmallVector<Type *> arguments;
  for (char letter : StringRef(f.signature).drop_front())
    arguments.push_back(typeOf(letter));
  Type *result = typeOf(f.signature[0]);
  giveUp(model.prefix + "_" + f.suffix);
  auto *made =
      Function::Create(FunctionType::get(result, arguments, false), GlobalValue::ExternalLinkage,
                       model.prefix + "_" + f.suffix, module);
  SmallVector<Value *> values;
  if (f.takesModel) {
    arguments.insert(arguments.begin(), pointer);
    values.push_back(table);
  }
  for (Argument &argument : made->args())
    values.push_back(&argument);
  FunctionCallee callee =
      module.getOrInsertFunction(f.runtime, FunctionType::get(result, arguments, false));
  IRBuilder<> b(BasicBlock::Create(context, "entry", made));
  CallInst *call = b.CreateCall(callee, values);
  call->setTailCall();
  result->isVoidTy() ? b.CreateRetVoid() : b.CreateRet(call);
}

std::vector<std::string> symc::codegen::addModelTable(Module &module, const ModelInfo &model,
                                                      const WeightsInfo &weights,
                                                      Interface interface) {
  TableBuilder builder(module, model);
  Constant *value = builder.table(weights);
  bool program = interface == Interface::Program;
  std::vector<std::string> visible;
  auto define = [&](const std::string &name, Constant *constant) {
    auto *variable = new GlobalVariable(module, constant->getType(), /*isConstant=*/true,
                                        GlobalValue::ExternalLinkage, constant, name);
    variable->setAlignment(Align(8));
    visible.push_back(name);
    return variable;
  };
  GlobalVariable *table = define(model.prefix + "_model", value);
  if (program)
    visible.clear();
  if (program || interface == Interface::Shared)
    define("symc_main_model", table); // a pointer, for programs that run any model
  if (program && (!model.labels.empty() || !model.symbolJson.empty()))
    define("symc_main_program", builder.program());
  if (interface == Interface::Library || interface == Interface::Shared) {
    for (const InterfaceFunction &function : interfaceFunctions(model)) {
      builder.forward(function, table);
      visible.push_back(model.prefix + "_" + function.suffix);
    }
  }
  return visible;
}
