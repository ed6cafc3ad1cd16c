// Arithmetic on ranks and parts of tensors.
#include "codegen/Reference/Mesh.h"

#include "llvm/ADT/STLExtras.h"

namespace llmc::reference {

int64_t Mesh::sizeOf(llvm::StringRef axis) const {
  for (auto [name, size] : llvm::zip_equal(axes, sizes))
    if (name == axis)
      return size;
  return 1;
}

int64_t Mesh::coordinate(int64_t rank, llvm::StringRef axis) const {
  int64_t coordinate = 0;
  for (size_t i = axes.size(); i-- > 0; rank /= sizes[i])
    if (axes[i] == axis)
      coordinate = rank % sizes[i];
  return coordinate;
}

int64_t Mesh::jointCoordinate(int64_t rank, Axes along) const {
  int64_t joint = 0;
  for (const std::string &axis : along)
    joint = joint * sizeOf(axis) + coordinate(rank, axis);
  return joint;
}

int64_t Mesh::jointSize(Axes along) const {
  int64_t size = 1;
  for (const std::string &axis : along)
    size *= sizeOf(axis);
  return size;
}

std::vector<int64_t> Mesh::group(int64_t rank, Axes along) const {
  std::vector<int64_t> members(jointSize(along));
  for (int64_t other = 0; other < ranks(); ++other) {
    bool together = llvm::all_of(axes, [&](const std::string &axis) {
      return llvm::is_contained(along, axis) ||
             coordinate(rank, axis) == coordinate(other, axis);
    });
    if (together)
      members[jointCoordinate(other, along)] = other;
  }
  return members;
}

std::vector<std::string> Mesh::modelAxes() const {
  std::vector<std::string> result;
  for (const std::string &axis : axes)
    if (axis != "pp" && axis != "dp")
      result.push_back(axis);
  return result;
}

int64_t globalIndex(llvm::ArrayRef<int64_t> globalShape, const Part &part,
                    int64_t element) {
  int64_t index = 0, stride = 1;
  for (size_t d = globalShape.size(); d-- > 0;) {
    index += (part.start[d] + element % part.shape[d]) * stride;
    element /= part.shape[d];
    stride *= globalShape[d];
  }
  return index;
}

Value slice(const Value &global, const Part &part) {
  Value result = Value::zeros(part.shape);
  for (int64_t i = 0; i < result.size(); ++i)
    result[i] = global[globalIndex(global.shape, part, i)];
  return result;
}

} // namespace llmc::reference
