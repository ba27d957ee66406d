// arrays.cpp: rows of NumPy's files: .npy, and .npz with an array for each input by its name.
#include "table.h"

#include "../../main/zip.h"

#include <string.h>

namespace symc::train {

static bool open_npy(const Request &request, Source &source, Problem &problem) {
  return open_array(request, source, read_npy, 1, problem);
}

// The input that a member is for: by its name, or, of a network with one input and one label, by
// what others call them.
static int32_t input_of(const char *member, const Request &request) {
  for (int32_t i = 0; i < request.nInputs; ++i)
    if (strcmp(request.inputs[i].name, member) == 0)
      return i;
  static const char *const dataNames[] = {"data", "x", "X", "images"}, *const labelNames[] = {
                                                                           "label", "labels", "y",
                                                                           "Y"};
  int32_t found[2] = {-1, -1}, counts[2] = {0, 0};
  for (int32_t i = 0; i < request.nInputs; ++i) {
    found[request.inputs[i].label] = i;
    ++counts[request.inputs[i].label];
  }
  for (const char *name : dataNames)
    if (counts[0] == 1 && strcmp(name, member) == 0)
      return found[0];
  for (const char *name : labelNames)
    if (counts[1] == 1 && strcmp(name, member) == 0)
      return found[1];
  return -1;
}

static bool open_npz(const Request &request, Source &source, Problem &problem) {
  Table *table = table_of(source, problem);
  Bytes bytes;
  Zip zip;
  if (!table || !read_data(request.path, bytes, problem) ||
      !zip.open(request.path, bytes.data, bytes.size, problem))
    return false;
  Zip::Member member;
  while (zip.next(member, problem)) {
    int32_t index = input_of(member.name, request);
    if (index < 0 || table->columns[index].given)
      continue;
    Bytes unpacked;
    if (!zip.extract(member, unpacked, problem) ||
        !read_npy(request.path, unpacked.data, unpacked.size, table->columns[index].array, problem))
      return false;
    table->columns[index].given = true;
  }
  return !problem.text[0] && settle_table(source, problem);
}

const Format npyFormat = {"npy", open_npy, fill_from_table, close_table};
const Format npzFormat = {"npz", open_npz, fill_from_table, close_table};

} // namespace symc::train
