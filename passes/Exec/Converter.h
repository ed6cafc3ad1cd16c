// The state that the parts of convert-to-exec share.
#ifndef LLMC_PASSES_EXEC_CONVERTER_H
#define LLMC_PASSES_EXEC_CONVERTER_H

#include "dialects/Dist/Dist.h"
#include "dialects/Nn/Nn.h"
#include "dialects/Pipe/Pipe.h"
#include "passes/Exec/MatmulShape.h"
#include "passes/Exec/Program.h"
#include "test/faults/Fault.h"

#include <set>

namespace llmc::exec {

/// A matrix product whose operands are known.
struct MatmulCall {
  MatmulShape shape;
  mlir::Value lhs, rhs, bias, addend; // buffers; the last two may be null
};

/// Converts local functions to blocks, in the order in which a micro-batch
/// runs them.
class Converter {
public:
  explicit Converter(mlir::ModuleOp module)
      : module(module), symbols(module), program(module) {}

  mlir::LogicalResult run();

private:
  // ConvertToExec.cpp
  mlir::LogicalResult convertFunc(dist::FuncOp func);
  mlir::LogicalResult bindArguments(dist::FuncOp func);
  void bindResults(dist::FuncOp func);
  mlir::LogicalResult convertOp(mlir::Operation &op);
  mlir::LogicalResult convertDispatch(DispatchOp dispatch);
  mlir::LogicalResult convertLibrary(DispatchOp dispatch);
  void convertKernel(DispatchOp dispatch);
  void convertView(dist::ViewOp view);
  void convertAccumulate(dist::AccumulateOp accumulate);
  mlir::LogicalResult
  convertAccumulateContract(dist::AccumulateContractOp contract);
  mlir::LogicalResult declareEntries();
  void declareParameters();

  // ConvertLoss.cpp
  mlir::LogicalResult convertCrossEntropy(nn::CrossEntropyOp loss);
  void sumLosses(mlir::Value losses, mlir::RankedTensorType type,
                 mlir::Location loc);

  // ConvertUpdate.cpp
  void convertNorm(dist::NormSquaredOp norm);
  void convertClip(nn::ClipFactorOp clip);
  void convertAdamw(dist::AdamwOp update);
  void convertSgd(dist::SgdOp update);

  /// The buffer of a value of the function that is being converted; made (in
  /// scratch) for a result that has none yet.
  mlir::Value bufferOf(mlir::Value value);
  /// Emits a product; with `gradient` it contributes to that parameter's
  /// gradient, else it overwrites `out`.
  void emitMatmul(const MatmulCall &call, mlir::Value out, bool accumulate,
                  When when, mlir::Location loc, mlir::Operation *origin);
  void emitMatmulGradient(const MatmulCall &call, mlir::Value bucket,
                          llvm::StringRef parameter, mlir::Location loc,
                          mlir::Operation *origin);
  /// Where a parameter's part of a bucket role lies; `handle` is a value of
  /// bucket type.
  mlir::Value bucketView(mlir::Value handle, llvm::StringRef parameter);
  mlir::Value bucketBuffer(dist::BucketOp bucket, dist::Role role);
  /// The bucket that a handle belongs to.
  dist::BucketOp bucketOf(mlir::Value handle);
  /// True for the first contribution to a parameter in a micro-batch.
  bool contributesFirst(llvm::StringRef parameter) {
    return contributed.insert(parameter.str()).second &&
           !LLMC_FAULT("exec-first-adds");
  }
  /// The accumulate that is the only user of a value, if there is one.
  static dist::AccumulateOp soleAccumulate(mlir::Value value);

  mlir::ModuleOp module;
  mlir::SymbolTable symbols;
  ProgramBuilder program;
  std::string entry; // of the function that is being converted
  llvm::DenseMap<mlir::Value, mlir::Value> buffers; // looked up only
  std::map<std::pair<std::string, int64_t>, mlir::Value> saved;
  std::map<std::pair<std::string, std::string>, mlir::Value> inputs;
  std::map<std::pair<std::string, dist::Role>, mlir::Value> bucketBuffers;
  std::set<std::string> contributed;
};

} // namespace llmc::exec

#endif // LLMC_PASSES_EXEC_CONVERTER_H
