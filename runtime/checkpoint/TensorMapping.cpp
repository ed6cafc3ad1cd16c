// Slices and transposes between memory and files.
#include "runtime/checkpoint/TensorMapping.h"

#include "runtime/base/Philox.h"
#include "test/faults/Fault.h"

#include <algorithm>

namespace llmc::rt {

Status TensorMapping::check() const {
  bool vector = fileShape.size() == 1 && in == 1 && !transposed;
  bool matrix = fileShape.size() == 2 && in == fileShape[transposed ? 0 : 1];
  bool sizes = out > 0 && in > 0 && outOffset >= 0;
  if (sizes && (vector || matrix) && out <= fileOut() &&
      outOffset <= fileOut() - out)
    return Status::success();
  return Status::error(
      "rows " + std::to_string(outOffset) + " to " + std::to_string(outOffset) +
      " + " + std::to_string(out) + " of " + std::to_string(in) +
      " columns do not lie in tensor '" + file + "' " + shapeText(fileShape) +
      (transposed ? ", transposed" : ""));
}

void gather(const WeightView &view, const TensorMapping &mapping, float *out) {
  if (!mapping.transposed) {
    view.read(uint64_t(mapping.fileIndexOf(0)), uint64_t(mapping.elements()),
              out);
    return;
  }
  std::vector<float> column(size_t(mapping.out));
  for (int64_t i = 0; i < mapping.in; ++i) {
    view.read(uint64_t(mapping.fileIndexOf(i)), column.size(), column.data());
    for (int64_t o = 0; o < mapping.out; ++o)
      out[o * mapping.in + i] = column[size_t(o)];
  }
}

Status readTensors(const WeightsFile &weights, const std::string &prefix,
                   const std::vector<TensorRef> &tensors,
                   const std::vector<std::string> &buffers) {
  Expected<std::vector<NamedShape>> wanted = fileTensors(tensors);
  if (!wanted)
    return wanted.takeStatus();
  for (NamedShape &tensor : *wanted)
    tensor.name = prefix + tensor.name;
  if (Status checked = weights.check(*wanted, buffers); !checked)
    return checked;
  for (const TensorRef &tensor : tensors)
    gather(*weights.find(prefix + tensor.mapping.file), tensor.mapping,
           tensor.data);
  return Status::success();
}

/// The slices of file tensor `name`, in the order of their rows.
static std::vector<TensorRef> slicesOf(const std::string &name,
                                       const std::vector<TensorRef> &tensors) {
  std::vector<TensorRef> slices;
  for (const TensorRef &tensor : tensors)
    if (tensor.mapping.file == name)
      slices.push_back(tensor);
  std::stable_sort(slices.begin(), slices.end(), [](auto &a, auto &b) {
    return a.mapping.outOffset < b.mapping.outOffset;
  });
  return slices;
}

static Status checkSlices(const std::vector<TensorRef> &slices) {
  const TensorMapping &first = slices.front().mapping;
  int64_t row = 0;
  for (const TensorRef &slice : slices) {
    const TensorMapping &mapping = slice.mapping;
    if (Status checked = mapping.check(); !checked)
      return checked;
    if (mapping.fileShape != first.fileShape ||
        mapping.transposed != first.transposed)
      return Status::error("the slices of tensor '" + first.file +
                           "' disagree about its shape or layout");
    if (mapping.outOffset != row)
      break;
    row += mapping.out;
  }
  int64_t covered = 0;
  for (const TensorRef &slice : slices)
    covered += slice.mapping.out;
  if (row == first.fileOut() && covered == row)
    return Status::success();
  return Status::error("the slices of tensor '" + first.file +
                       "' do not cover its " + std::to_string(first.fileOut()) +
                       " rows exactly once");
}

Expected<std::vector<NamedShape>>
fileTensors(const std::vector<TensorRef> &tensors) {
  std::map<std::string, std::vector<TensorRef>> byName;
  for (const TensorRef &tensor : tensors)
    byName[tensor.mapping.file].push_back(tensor);
  std::vector<NamedShape> result;
  for (auto &[name, unordered] : byName) {
    std::vector<TensorRef> slices = slicesOf(name, unordered);
    if (Status checked = checkSlices(slices); !checked)
      return checked;
    result.push_back({name, slices.front().mapping.fileShape});
  }
  return result;
}

Status scatter(const std::string &name, const std::vector<TensorRef> &tensors,
               SafetensorsWriter &writer) {
  std::vector<TensorRef> slices = slicesOf(name, tensors);
  if (!slices.front().mapping.transposed ||
      LLMC_FAULT("checkpoint-forgets-transpose")) {
    for (const TensorRef &slice : slices)
      if (Status written =
              writer.write(slice.data, uint64_t(slice.mapping.elements()));
          !written)
        return written;
    return Status::success();
  }
  std::vector<float> row(size_t(slices.front().mapping.fileOut()));
  for (int64_t i = 0; i < slices.front().mapping.in; ++i) {
    for (const TensorRef &slice : slices)
      for (int64_t o = 0; o < slice.mapping.out; ++o)
        row[size_t(slice.mapping.outOffset + o)] =
            slice.data[o * slice.mapping.in + i];
    if (Status written = writer.write(row.data(), row.size()); !written)
      return written;
  }
  return Status::success();
}

void initialiseNormal(const TensorMapping &mapping, uint64_t seed,
                      double stddev, float *out) {
  uint64_t name = hashName(mapping.file);
  if (!mapping.transposed)
    return fillNormal(out, mapping.elements(), seed, name,
                      uint64_t(mapping.fileIndexOf(0)), stddev);
  for (int64_t e = 0; e < mapping.elements(); ++e)
    fillNormal(out + e, 1, seed, name, uint64_t(mapping.fileIndexOf(e)),
               stddev);
}

} // namespace llmc::rt
