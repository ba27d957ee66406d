// Predictor.cpp: see Predictor.h.
//
// A handle of MXPredReshape whose shape no form was compiled for gets one that serves a range: the
// extents that differ from those of the first handle are open, up to a bound over the largest seen.
// One compilation then serves all sizes of an image pyramid, and all numbers of boxes; a
// predictor of another size costs the memory of its arrays. A net that takes no open extents is
// compiled for the one size. A net whose outputs are maps is compiled for open sides beforehand,
// where the cache keeps it: such nets see pictures of many sizes, and the first should not wait.
#include "tools/predict/Predictor.h"

#include "llvm/ADT/Twine.h"
#include "llvm/Support/MathExtras.h"
#include <cstdlib>
#include <cstring>
#include <set>

using namespace symc;
using namespace symc::predict;

//===----------------------------------------------------------------------===//
// Arrays
//===----------------------------------------------------------------------===//

int64_t Array::elementCount() const {
  int64_t count = 1;
  for (int64_t extent : shape)
    count *= extent;
  return count;
}

bool Array::allocate(int32_t type, llvm::ArrayRef<int64_t> extents) {
  dtype = type;
  shape.assign(extents.begin(), extents.end());
  whole = shape;
  int64_t total = symc_dtype_bytes(type);
  for (int64_t extent : extents)
    if (llvm::MulOverflow(total, extent, total))
      return false;
  size_t room = llvm::alignTo(std::max<int64_t>(total, 1), SYMC_ALIGN);
  char *memory = static_cast<char *>(std::aligned_alloc(SYMC_ALIGN, room));
  if (!memory)
    return false;
  std::memset(memory, 0, room);
  bytes = {memory, std::free};
  return true;
}

static llvm::Error noMemory(llvm::StringRef name) {
  return mistake("no memory for array " + inQuotes(name));
}

//===----------------------------------------------------------------------===//
// Making predictors
//===----------------------------------------------------------------------===//

static constexpr size_t firstOfSpace = 2; // height and width are open together

struct Predictor::Family {
  Shapes first; // of the first handle
  std::mutex mutex;
  std::map<std::string, std::set<size_t>> open; // axes that have differed from `first`
  struct Ranged {
    std::map<std::string, std::vector<DimSpec>> shapes;
    std::shared_ptr<Form> form;
  };
  std::vector<Ranged> ranged;
  std::set<std::string> refused; // texts of specs that cannot be compiled
};

static FormSpec specOf(const FormSpec &like, const Shapes &shapes) {
  FormSpec spec = like;
  spec.shapes.clear();
  for (const auto &[name, shape] : shapes) {
    std::vector<DimSpec> &dims = spec.shapes[name]; // of a scalar, too
    for (int64_t extent : shape)
      dims.push_back(DimSpec::fixed(extent));
  }
  return spec;
}

llvm::Expected<std::unique_ptr<Predictor>> Predictor::create(std::shared_ptr<Source> source,
                                                             const Shapes &shapes,
                                                             std::map<std::string, int> types,
                                                             std::vector<std::string> outputs) {
  FormSpec spec;
  spec.types = std::move(types);
  spec.outputs = std::move(outputs);
  auto family = std::make_shared<Family>();
  family->first = shapes;
  return make(std::move(source), specOf(spec, shapes), shapes, std::move(family));
}

llvm::Expected<std::unique_ptr<Predictor>> Predictor::make(std::shared_ptr<Source> source,
                                                           FormSpec spec, Shapes shapes,
                                                           std::shared_ptr<Family> family) {
  bool isFirst = shapes == family->first;
  auto form = findForm(*source, spec, Effort::Find);
  if (!form)
    return form.takeError();
  bool isNew = !*form;
  if (isNew && isFirst)
    form = findForm(*source, spec);
  if (!form)
    return form.takeError();
  std::unique_ptr<Predictor> made(new Predictor);
  made->source = std::move(source);
  made->spec = std::move(spec);
  made->shapes = std::move(shapes);
  made->family = std::move(family);
  if (!*form) {
    form = findRanged(*made->source, made->spec, made->shapes, *made->family);
    if (!form)
      return form.takeError();
    if (*form) {
      llvm::Error error = made->bind(*form);
      if (!error)
        return std::move(made);
      llvm::consumeError(std::move(error)); // it is reported for the one size
    }
    form = findForm(*made->source, made->spec);
    if (!form)
      return form.takeError();
  }
  if (llvm::Error error = made->bind(*form))
    return std::move(error);
  if (isNew && isFirst && keepsForms())
    made->prepareSides();
  return std::move(made);
}

// Compiles for open sides where all outputs are maps; what cannot be open stays as it is.
void Predictor::prepareSides() {
  auto isMap = [](const Array &array) { return array.shape.size() >= 4; };
  if (!llvm::all_of(outputs, isMap))
    return;
  bool any = false;
  for (const auto &[name, shape] : shapes)
    for (size_t axis = firstOfSpace; shape.size() >= 4 && axis < shape.size(); ++axis)
      any |= family->open[name].insert(axis).second;
  if (!any)
    return;
  auto form = findRanged(*source, spec, shapes, *family);
  if (!form)
    llvm::consumeError(form.takeError());
  family->open.clear(); // nothing has differed yet
}

// Whether a form with these extents takes the shapes; extents of one name are equal.
static bool serves(const std::map<std::string, std::vector<DimSpec>> &ranges,
                   const Shapes &shapes) {
  std::map<std::string, int64_t> named;
  for (const auto &[name, shape] : shapes) {
    auto range = ranges.find(name);
    if (range == ranges.end() || range->second.size() != shape.size())
      return false;
    for (auto [dim, extent] : llvm::zip(range->second, shape))
      if (dim.max ? extent < dim.min || extent > dim.max ||
                        named.try_emplace(dim.symbol, extent).first->second != extent
                  : extent != dim.value)
        return false;
  }
  return ranges.size() == shapes.size();
}

// The ranges of the open axes. With `joined`, axes of several inputs that have changed alike have
// one name: the batch of data and mask.
static void openAxes(const std::map<std::string, std::set<size_t>> &open, const Shapes &first,
                     const Shapes &shapes, bool joined, FormSpec &spec) {
  constexpr int64_t leastBatch = 64, leastExtent = 1024;
  struct Named {
    int64_t before, now;
    std::string symbol;
  };
  std::vector<Named> earlier; // of the inputs before
  for (const auto &[name, axes] : open) {
    std::vector<Named> own;
    for (size_t axis : axes) {
      int64_t before = first.at(name)[axis], now = shapes.at(name)[axis];
      std::string symbol = name + "." + std::to_string(axis);
      auto alike = llvm::find_if(earlier, [&](const Named &named) {
        return joined && named.before == before && named.now == now &&
               llvm::none_of(own, [&](const Named &taken) { return taken.symbol == named.symbol; });
      });
      if (alike != earlier.end())
        symbol = alike->symbol;
      own.push_back({before, now, symbol});
      // A longer range costs address space alone: an arena's pages come when they are touched.
      int64_t most = std::max(axis == 0 ? leastBatch : leastExtent,
                              int64_t(llvm::PowerOf2Ceil(std::max(before, now))));
      spec.shapes[name][axis] = DimSpec::range(1, most, symbol);
    }
    llvm::append_range(earlier, own);
  }
}

// Null where the sizes cannot be open.
llvm::Expected<std::shared_ptr<Form>> Predictor::findRanged(Source &source, const FormSpec &spec,
                                                            const Shapes &shapes, Family &family) {
  std::lock_guard<std::mutex> lock(family.mutex);
  for (const Family::Ranged &known : family.ranged)
    if (serves(known.shapes, shapes))
      return known.form;
  for (const auto &[name, shape] : shapes) {
    auto first = family.first.find(name);
    if (first == family.first.end() || first->second.size() != shape.size() ||
        llvm::is_contained(shape, 0))
      return std::shared_ptr<Form>();
    std::set<size_t> &open = family.open[name];
    for (size_t i = 0; i < shape.size(); ++i)
      if (shape[i] != first->second[i])
        open.insert(i);
    if (!open.empty() && *open.rbegin() >= firstOfSpace)
      for (size_t axis = firstOfSpace; axis < shape.size(); ++axis)
        open.insert(axis);
  }
  for (bool joined : {true, false}) {
    FormSpec wide = spec;
    openAxes(family.open, family.first, shapes, joined, wide);
    if (family.refused.count(wide.text()))
      continue;
    auto form = findForm(source, wide);
    if (form) {
      family.ranged.push_back({wide.shapes, *form});
      return *form;
    }
    llvm::consumeError(form.takeError());
    family.refused.insert(wide.text());
  }
  return std::shared_ptr<Form>();
}

llvm::Expected<std::unique_ptr<Predictor>> Predictor::share() const {
  return make(source, spec, shapes, family);
}

llvm::Expected<std::unique_ptr<Predictor>> Predictor::reshape(const Shapes &changes) const {
  Shapes wanted = shapes;
  for (const auto &[name, shape] : changes) {
    if (auto found = wanted.find(name); found != wanted.end()) {
      found->second = shape;
      continue;
    }
    // A label, which nobody reads, has the extents that follow from those of the data.
    int32_t i = symc_find_input(&form->table(), name.c_str());
    if (i < 0 || !(form->table().inputs[i].flags & SYMC_TENSOR_OPTIONAL))
      return mistake("cannot find input key " + inQuotes(name) + " among those of MXPredCreate");
  }
  return make(source, specOf(spec, wanted), wanted, family);
}

// Inputs in the order of the form's, as the runtime takes them: nobody reads a label.
static std::vector<symc_tensor> viewsOf(const symc_model &table, llvm::ArrayRef<Array> inputs) {
  std::vector<symc_tensor> views;
  for (auto [i, input] : llvm::enumerate(inputs)) {
    views.push_back(input.view());
    if (table.inputs[i].flags & SYMC_TENSOR_OPTIONAL)
      views.back().data = nullptr;
  }
  return views;
}

static llvm::Error allocateOutputs(Form &form, llvm::ArrayRef<Array> inputs,
                                   std::vector<Array> &outputs) {
  const symc_model &table = form.table();
  std::string error;
  Form::Lease lease(form, error);
  if (!lease.get())
    return mistake(error);
  std::vector<symc_tensor> views = viewsOf(table, inputs);
  int32_t total = 0;
  for (int32_t i = 0; i < table.n_outputs; ++i)
    total += table.outputs[i].rank;
  std::vector<int64_t> extents(total + 1);
  if (symc_infer_outputs(lease.get(), views.data(), views.size(), extents.data(), total))
    return mistake(symc_last_error(lease.get()));
  llvm::ArrayRef<int64_t> left = extents;
  outputs.assign(table.n_outputs, {});
  for (int32_t i = 0; i < table.n_outputs; ++i) {
    const symc_tensor_info &info = table.outputs[i];
    if (!outputs[i].allocate(info.dtype, left.take_front(info.rank)))
      return noMemory(info.name);
    left = left.drop_front(info.rank);
  }
  return llvm::Error::success();
}

// The shapes of a form's inputs where those that a program gave are `shapes`: an extent of 0 is the
// one that inference found, and an open extent that nobody gave, of a label, that of its name.
static std::vector<std::vector<int64_t>> inputShapes(const symc_model &table,
                                                     const Shapes &shapes) {
  std::vector<std::vector<int64_t>> all;
  std::vector<int64_t> sizes(table.n_dims);
  for (int32_t i = 0; i < table.n_inputs; ++i) {
    const symc_tensor_info &info = table.inputs[i];
    std::vector<int64_t> &shape = all.emplace_back(info.shape, info.shape + info.rank);
    auto given = shapes.find(info.name);
    if (given == shapes.end() || given->second.size() != shape.size())
      continue;
    for (auto [extent, wanted] : llvm::zip(shape, given->second)) {
      if (extent < 0)
        sizes[-(extent + 1)] = wanted;
      if (extent < 0 || wanted != 0)
        extent = wanted;
    }
  }
  for (std::vector<int64_t> &shape : all)
    for (int64_t &extent : shape)
      if (extent < 0)
        extent = sizes[-(extent + 1)];
  return all;
}

// Inputs and outputs for the form. What was set already stays, where its input does.
llvm::Error Predictor::bind(std::shared_ptr<Form> wanted) {
  const symc_model &table = wanted->table();
  std::vector<Array> newInputs(table.n_inputs), newOutputs;
  std::vector<std::vector<int64_t>> newShapes = inputShapes(table, shapes);
  for (int32_t i = 0; i < table.n_inputs; ++i) {
    const char *name = table.inputs[i].name;
    int32_t old = form ? symc_find_input(&form->table(), name) : -1;
    if (old >= 0 && inputs[old].shape == newShapes[i])
      newInputs[i] = inputs[old];
    else if (!newInputs[i].allocate(table.inputs[i].dtype, newShapes[i]))
      return noMemory(name);
  }
  if (llvm::Error error = allocateOutputs(*wanted, newInputs, newOutputs))
    return error;
  ownContext.reset(); // before its form
  form = std::move(wanted);
  inputs = std::move(newInputs);
  outputs = std::move(newOutputs);
  return llvm::Error::success();
}

//===----------------------------------------------------------------------===//
// Inputs and outputs
//===----------------------------------------------------------------------===//

static llvm::Error checkCount(const llvm::Twine &what, const Array &array, uint64_t count) {
  if (uint64_t(array.elementCount()) == count)
    return llvm::Error::success();
  return mistake(what + " is " + params::shapeText(array.shape) + ", " +
                 llvm::Twine(array.elementCount()) + " elements, but the size that was given is " +
                 llvm::Twine(count));
}

llvm::Error predict::copyOut(const Array &array, const llvm::Twine &what, void *data,
                             uint64_t count) {
  if (llvm::Error error = checkCount(what, array, count))
    return error;
  std::memcpy(data, array.bytes.get(), array.byteCount());
  return llvm::Error::success();
}

// MXNet lets a program write any argument, weights too: one that is written becomes an input.
llvm::Error Predictor::makeInput(llvm::StringRef name) {
  size_t number;
  auto weight = source->findWeight(name, number);
  if (!weight)
    return weight.takeError();
  auto whole = source->graphWith(spec.outputs, /*internals=*/false);
  if (!whole)
    return whole.takeError();
  bool isVariable = llvm::any_of((*whole)->nodes, [&](const symbol::Node &node) {
    return node.isVariable() && node.name == name;
  });
  if (!*weight || !isVariable || (*weight)->kind == params::ParamKind::Aux)
    return mistake("cannot find input key " + inQuotes(name));
  Shapes with = shapes;
  with[name.str()] = (*weight)->shape;
  FormSpec changed = specOf(spec, with);
  changed.types[name.str()] = int((*weight)->dtype);
  auto wanted = findForm(*source, changed);
  if (!wanted)
    return wanted.takeError();
  spec = std::move(changed);
  shapes = std::move(with);
  family = std::make_shared<Family>();
  family->first = shapes;
  watchedForm.reset();
  return bind(*wanted);
}

llvm::Error Predictor::setInput(llvm::StringRef key, const void *data, uint64_t count) {
  auto find = [&]() -> Array * {
    int32_t i = symc_find_input(&form->table(), key.str().c_str());
    return i < 0 ? nullptr : &inputs[i];
  };
  Array *input = find();
  if (!input) {
    if (llvm::Error error = makeInput(key))
      return error;
    input = find();
  }
  if (llvm::Error error = checkCount("input " + inQuotes(key), *input, count))
    return error;
  std::memcpy(input->bytes.get(), data, input->byteCount());
  begun = false;
  return llvm::Error::success();
}

llvm::Expected<const Array *> Predictor::output(uint32_t index) const {
  if (index < outputs.size())
    return &outputs[index];
  return mistake("output " + llvm::Twine(index) + " was requested, but the model has " +
                 llvm::Twine(outputs.size()));
}

//===----------------------------------------------------------------------===//
// Runs
//===----------------------------------------------------------------------===//

// Every form of a source has the inputs of this one.
llvm::Error Predictor::run(Form &used, std::vector<Array> &results) {
  std::vector<Array> arrays;
  for (int32_t i = 0; i < used.table().n_inputs; ++i)
    arrays.push_back(inputs[symc_find_input(&form->table(), used.table().inputs[i].name)]);
  std::vector<symc_tensor> in = viewsOf(used.table(), arrays), out;
  for (const Array &result : results)
    out.push_back(result.wholeView());
  std::string error;
  Form::Lease lease(used, error, used.table().n_states ? &ownContext : nullptr);
  if (!lease.get())
    return mistake(error);
  if (symc_run(lease.get(), in.data(), in.size(), out.data(), out.size()))
    return mistake(symc_last_error(lease.get()));
  int32_t total = 0;
  for (const Array &result : results)
    total += result.shape.size();
  std::vector<int64_t> all(total + 1);
  if (symc_run_extents(lease.get(), all.data(), total))
    return mistake(symc_last_error(lease.get()));
  llvm::ArrayRef<int64_t> left = all;
  for (Array &result : results) {
    result.shrink(left.take_front(result.shape.size()));
    left = left.drop_front(result.shape.size());
  }
  return llvm::Error::success();
}

llvm::Error Predictor::forward() {
  begun = false;
  if (!callback)
    return run(*form, outputs);
  auto count = nodeCount();
  if (!count)
    return count.takeError();
  if (llvm::Error error = runWatched())
    return error;
  for (size_t step = 0; step < *count; ++step)
    if (llvm::Error error = reportStep(step))
      return error;
  return llvm::Error::success();
}

// Code runs as a whole: the first step computes everything, the others count. A callback receives
// a node at its step.
llvm::Expected<int> Predictor::partialForward(int step) {
  auto count = nodeCount();
  if (!count)
    return count.takeError();
  if (step < 0)
    return mistake("step " + llvm::Twine(step) + " was requested, but steps count from 0");
  if (size_t(step) >= *count)
    return 0;
  if (!begun)
    if (llvm::Error error = callback ? runWatched() : run(*form, outputs))
      return std::move(error);
  int left = int(*count) - step - 1;
  begun = left > 0;
  if (callback)
    if (llvm::Error error = reportStep(step))
      return std::move(error);
  return left;
}

//===----------------------------------------------------------------------===//
// Callbacks
//===----------------------------------------------------------------------===//

void Predictor::setMonitor(PredMonitorCallback function, void *user, bool all) {
  callback = function;
  callbackUser = user;
  watchInputs = all;
  begun = false;
}

llvm::Expected<size_t> Predictor::nodeCount() {
  if (!nodes) {
    auto graph = source->graphWith(spec.outputs, /*internals=*/true);
    if (!graph)
      return graph.takeError();
    nodes = *graph;
    order = symbol::postOrder(*nodes);
  }
  return order.size();
}

// The outputs of every node; this predictor's own stand before them.
llvm::Error Predictor::runWatched() {
  if (!watchedForm) {
    FormSpec all = spec;
    all.internals = true;
    auto found = findForm(*source, all);
    if (!found)
      return found.takeError();
    ownContext.reset();
    watchedForm = *found;
    watched.clear();
  }
  if (watched.empty())
    if (llvm::Error error = allocateOutputs(*watchedForm, inputs, watched))
      return error;
  if (llvm::Error error = run(*watchedForm, watched))
    return error;
  for (auto [i, output] : llvm::enumerate(outputs))
    output = watched[i];
  return llvm::Error::success();
}

// The value of a variable: an input, or what the parameters hold.
llvm::Expected<Array> Predictor::valueOf(llvm::StringRef variable) const {
  if (int32_t i = symc_find_input(&form->table(), variable.str().c_str()); i >= 0)
    return inputs[i];
  size_t number;
  auto info = source->findWeight(variable, number);
  if (!info)
    return info.takeError();
  auto weights = source->weights();
  if (!weights)
    return weights.takeError();
  Array array;
  if (!*info || !array.allocate(int32_t((*info)->dtype), (*info)->shape))
    return noMemory(variable);
  params::ArrayValues values = (*weights)->values(number);
  std::memcpy(array.bytes.get(), values.bytes.data(), values.bytes.size());
  return array;
}

llvm::Error Predictor::reportStep(size_t step) {
  uint32_t id = order[step];
  const symbol::Node &node = nodes->nodes[id];
  if (node.isVariable())
    return llvm::Error::success();
  auto call = [&](const std::string &name, const Array &array) {
    callback(name.c_str(), handOut(array), callbackUser);
  };
  auto resultOf = [&](uint32_t source, uint32_t index) -> const Array * {
    for (size_t i = outputs.size(); i < nodes->heads.size(); ++i)
      if (nodes->heads[i].node == source && nodes->heads[i].index == index)
        return &watched[i];
    return nullptr;
  };
  const TableCatalog &operators = source->catalog();
  auto facts = operators.lookup(node.op, node.attrs);
  for (auto [i, entry] : llvm::enumerate(node.inputs)) {
    if (!watchInputs)
      break;
    const symbol::Node &from = nodes->nodes[entry.node];
    std::string name =
        node.name + "_" +
        (facts && facts->inputs && i < facts->inputs->size() ? (*facts->inputs)[i]
                                                             : "input" + std::to_string(i));
    if (!from.isVariable()) {
      if (const Array *result = resultOf(entry.node, entry.index))
        call(name, *result);
      continue;
    }
    auto value = valueOf(from.name);
    if (!value)
      return value.takeError();
    call(from.name, *value);
    call(name, *value);
  }
  for (size_t i = outputs.size(); i < nodes->heads.size(); ++i)
    if (nodes->heads[i].node == id)
      call(operators.outputName(node, nodes->heads[i].index), watched[i]);
  return llvm::Error::success();
}
