// StoredCase.cpp: see StoredCase.h.
#include "tools/conformance/StoredCase.h"

#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"

using namespace symc;
using namespace symc::conformance;

static std::string joined(llvm::StringRef folder, const llvm::Twine &name) {
  llvm::SmallString<128> path(folder);
  llvm::sys::path::append(path, name);
  return path.str().str();
}

std::optional<std::string> StoredCase::read(llvm::StringRef folder, llvm::StringRef models) {
  auto buffer = llvm::MemoryBuffer::getFile(joined(folder, "case.json"));
  if (!buffer)
    return "no case.json";
  auto json = llvm::json::parse((*buffer)->getBuffer());
  llvm::json::Object *object = json ? json->getAsObject() : nullptr;
  if (!object) {
    llvm::consumeError(json.takeError());
    return "case.json is no JSON object";
  }
  mode = object->getString("mode").value_or("predict").str();
  mxnet = object->getString("mxnet").value_or("runs").str();
  runs = object->getInteger("runs").value_or(1);
  tolerance = {object->getNumber("rtol").value_or(0), object->getNumber("atol").value_or(0)};
  if (auto *list = object->getArray("tolerances"))
    for (llvm::json::Value &pair : *list) {
      llvm::json::Array *numbers = pair.getAsArray();
      if (!numbers || numbers->size() != 2)
        return "case.json: tolerances are pairs of numbers, [rtol, atol]";
      ofOutputs.push_back(
          {(*numbers)[0].getAsNumber().value_or(0), (*numbers)[1].getAsNumber().value_or(0)});
    }
  if (auto *pairs = object->getObject("tolerances_of"))
    for (auto &[key, value] : *pairs) {
      llvm::json::Array *numbers = value.getAsArray();
      if (!numbers || numbers->size() != 2)
        return "case.json: tolerances_of are pairs of numbers, [rtol, atol]";
      ofArrays[key.str()] = {(*numbers)[0].getAsNumber().value_or(0),
                             (*numbers)[1].getAsNumber().value_or(0)};
    }
  if (auto *kinds = object->getObject("grad_req"))
    for (auto &[name, kind] : *kinds)
      (kind.getAsString() == llvm::StringRef("add") ? added : dropped).push_back(name.str());
  recompute = object->getInteger("recompute").value_or(-1);
  if (auto *names = object->getArray("outputs"))
    for (llvm::json::Value &name : *names)
      outputs.push_back(name.getAsString().value_or("").str());
  if (auto problem = readOpen(*object))
    return problem;
  auto beside = object->getString("beside");
  if (beside && *beside != "reference")
    return "case.json: beside is '" + beside->str() + "', needs 'reference'";
  besideReference = beside.has_value();
  io = joined(folder, "io.params");
  symbol = joined(folder, "symbol.json");
  params = io;
  if (auto model = object->getString("model")) {
    symbol = joined(models, *model + "-symbol.json");
    params = joined(models, object->getString("params").value_or(""));
  }
  return std::nullopt;
}

std::optional<std::string> StoredCase::readOpen(const llvm::json::Object &object) {
  auto rows = [&](llvm::StringRef key, auto each) {
    const llvm::json::Array *list = object.getArray(key);
    return !list || llvm::all_of(*list, [&](const llvm::json::Value &row) {
      return row.getAsArray() && each(*row.getAsArray());
    });
  };
  bool good = rows("open", [&](const llvm::json::Array &row) {
    if (row.size() != 5)
      return false;
    open.push_back({row[0].getAsString().value_or("").str(), row[1].getAsInteger().value_or(-1),
                    row[2].getAsInteger().value_or(0), row[3].getAsInteger().value_or(0),
                    row[4].getAsString().value_or("").str()});
    return open.back().axis >= 0;
  });
  good &= rows("sizes", [&](const llvm::json::Array &row) {
    sizes.emplace_back();
    for (const llvm::json::Value &extent : row)
      sizes.back().push_back(extent.getAsInteger().value_or(-1));
    return sizes.back().size() == open.size() &&
           llvm::all_of(sizes.back(), [](int64_t extent) { return extent >= 0; });
  });
  if (good)
    return std::nullopt;
  return "case.json: open holds [input, axis, least, most, name], sizes an extent for each";
}

bool StoredCase::readArrays(Diagnostics &diagnostics) {
  std::vector<std::string> paths{io};
  if (params != io)
    paths.push_back(params);
  for (const std::string &path : paths) {
    std::optional<params::ArrayFile> file = params::readArrays(path, diagnostics);
    if (!file)
      return false;
    files.push_back(std::move(*file));
  }
  for (const params::ArrayFile &file : files)
    for (const params::Array &array : file.arrays)
      arrays.try_emplace(array.key, &array);
  return true;
}

const params::Array *StoredCase::findInput(llvm::StringRef name) const {
  if (name.consume_front("head_grad:")) {
    auto found = llvm::find(outputs, name.str());
    return found == outputs.end() ? nullptr : find("ograd:" + llvm::Twine(found - outputs.begin()));
  }
  if (llvm::StringRef argument = name; argument.consume_front("grad:"))
    return find("grad_before:" + argument);
  const params::Array *value = find("data:" + name);
  return value ? value : find("arg:" + name);
}

int64_t StoredCase::count(llvm::StringRef prefix) const {
  return llvm::count_if(arrays.keys(),
                        [&](llvm::StringRef key) { return key.starts_with(prefix); });
}

// Inputs of a case, in the order of its files.
static std::vector<std::pair<std::string, const params::Array *>>
inputsOf(const std::vector<params::ArrayFile> &files) {
  std::vector<std::pair<std::string, const params::Array *>> inputs;
  for (const params::ArrayFile &file : files)
    for (const params::Array &array : file.arrays)
      if (llvm::StringRef name = array.key; name.consume_front("data:"))
        inputs.push_back({name.str(), &array});
  return inputs;
}

StoredCase::Opening StoredCase::openingAlong(int64_t axis) const {
  Opening opening;
  for (auto &[name, array] : inputsOf(files)) {
    if (axis >= (int64_t)array->shape.size())
      continue;
    if (!opening.extent)
      opening.extent = array->shape[axis];
    if (array->shape[axis] == opening.extent && array->elementCount())
      opening.ranges.push_back({name, axis});
  }
  if (!opening.extent)
    opening.ranges.clear();
  return opening;
}

std::vector<StoredCase::Opening> StoredCase::openings() const {
  std::vector<Opening> openings;
  auto inputs = inputsOf(files);
  for (auto &[name, array] : inputs)
    for (auto [axis, extent] : llvm::enumerate(array->shape)) {
      if (!array->elementCount())
        continue;
      Opening opening{extent, {{name, axis}}, {}};
      for (auto &[other, beside] : inputs)
        for (auto [place, equal] : llvm::enumerate(beside->shape))
          if (other != name && equal == extent)
            opening.inferred.push_back({other, place});
      openings.push_back(std::move(opening));
    }
  return openings;
}

void StoredCase::keep(const std::string &key, params::DType dtype, llvm::ArrayRef<int64_t> shape,
                      std::vector<char> bytes) {
  auto array = std::make_shared<params::Array>();
  array->setKey(key);
  array->dtype = dtype;
  array->shape.assign(shape.begin(), shape.end());
  array->byteCount = bytes.size();
  auto held = std::make_shared<std::vector<char>>(std::move(bytes));
  array->data = held->data();
  array->owned = std::shared_ptr<const char>(held, held->data());
  arrays[key] = array.get();
  kept.push_back(std::move(array));
}

// The array's values in another shape, from the first one on where there are more.
static std::vector<char> repeated(const params::Array &array, llvm::ArrayRef<int64_t> shape) {
  int64_t bytes = params::elementBytes(array.dtype);
  for (int64_t extent : shape)
    bytes *= extent;
  std::vector<char> values(bytes);
  for (size_t i = 0; i < values.size() && array.byteCount; ++i)
    values[i] = array.data[i % array.byteCount];
  return values;
}

void StoredCase::keepResized(const std::string &key, const params::Array &array, int64_t axis,
                             int64_t extent) {
  std::vector<int64_t> shape = array.shape;
  shape[axis] = extent;
  keep(key, array.dtype, shape, repeated(array, shape));
}

void StoredCase::fitInput(llvm::StringRef name, llvm::ArrayRef<int64_t> shape) {
  const params::Array *array = findInput(name);
  if (!array || llvm::ArrayRef<int64_t>(array->shape) == shape)
    return;
  keep(array->key, array->dtype, shape, repeated(*array, shape));
}

StoredCase StoredCase::withoutResults() const {
  StoredCase other;
  other.symbol = symbol;
  other.params = params;
  other.io = io;
  other.tolerance = tolerance;
  other.ofOutputs = ofOutputs;
  other.runs = runs;
  other.outputs = outputs;
  other.added = added;
  other.dropped = dropped;
  other.recompute = recompute;
  other.ofArrays = ofArrays;
  for (auto &entry : arrays)
    if (llvm::StringRef key = entry.getKey();
        !key.starts_with("out:") && !key.starts_with("aux_out:") && !key.starts_with("grad:"))
      other.arrays[key] = entry.second;
  return other;
}

StoredCase StoredCase::atSizes(llvm::ArrayRef<int64_t> extents) const {
  StoredCase other = withoutResults();
  for (auto [dim, extent] : llvm::zip_equal(open, extents)) {
    const params::Array *array = other.find("data:" + dim.input);
    if (!array || dim.axis >= (int64_t)array->shape.size())
      continue;
    other.keepResized("data:" + dim.input, *array, dim.axis, extent);
  }
  return other;
}

StoredCase StoredCase::resized(const Opening &opening, int64_t extent) const {
  StoredCase other = withoutResults();
  for (const auto &[name, axis] :
       llvm::concat<const std::pair<std::string, int64_t>>(opening.ranges, opening.inferred))
    other.keepResized("data:" + name, *other.find("data:" + name), axis, extent);
  return other;
}
