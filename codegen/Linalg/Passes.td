// Passes from kernels of nn ops to linalg.
#ifndef LLMC_CODEGEN_LINALG_PASSES_TD
#define LLMC_CODEGEN_LINALG_PASSES_TD

include "mlir/Pass/PassBase.td"

def ConvertExecKernelsToLinalg
    : Pass<"convert-exec-kernels-to-linalg", "::mlir::ModuleOp"> {
  let summary = "Turn the kernels of layers into functions of linalg ops";
  let description = [{
    Kernels of elementwise ops, row reductions and column reductions become
    `func.func` on tensors with one `linalg.generic` per step. The leading
    `exec.row_rank` dimensions of every generic are the rows. Kernels that are
    one root op (attention, embedding, updates ...) stay: targets have their
    own code for them.
  }];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::func::FuncDialect",
    "::mlir::linalg::LinalgDialect", "::mlir::math::MathDialect",
    "::mlir::tensor::TensorDialect"];
}

#endif // LLMC_CODEGEN_LINALG_PASSES_TD
