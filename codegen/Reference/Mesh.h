// Ranks, their coordinates, and which part of a global tensor is whose.
#ifndef LLMC_CODEGEN_REFERENCE_MESH_H
#define LLMC_CODEGEN_REFERENCE_MESH_H

#include "codegen/Reference/Value.h"
#include "llvm/ADT/StringRef.h"

#include <string>
#include <vector>

namespace llmc::reference {

/// The axes of a mesh, slowest first; a rank is its place in that order.
struct Mesh {
  std::vector<std::string> axes;
  std::vector<int64_t> sizes;

  int64_t ranks() const { return elementsOf(sizes); }
  /// 1 for an axis that the mesh lacks.
  int64_t sizeOf(llvm::StringRef axis) const;
  int64_t coordinate(int64_t rank, llvm::StringRef axis) const;

  using Axes = llvm::ArrayRef<std::string>;
  /// The coordinate along several axes as one, first axis slowest.
  int64_t jointCoordinate(int64_t rank, Axes along) const;
  int64_t jointSize(Axes along) const;
  /// The ranks that differ from `rank` in `along` only, by joint coordinate.
  std::vector<int64_t> group(int64_t rank, Axes along) const;

  /// The axes that split a layer's tensors: all but pp and dp.
  std::vector<std::string> modelAxes() const;
};

/// A block of a global tensor.
struct Part {
  std::vector<int64_t> start, shape;
};

/// The elements of `part`.
Value slice(const Value &global, const Part &part);

/// The index in a global tensor of element `element` of a part of it.
int64_t globalIndex(llvm::ArrayRef<int64_t> globalShape, const Part &part,
                    int64_t element);

} // namespace llmc::reference

#endif // LLMC_CODEGEN_REFERENCE_MESH_H
