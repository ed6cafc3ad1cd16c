// Passes from kernels of nn ops to linalg.
#ifndef LLMC_CODEGEN_LINALG_PASSES_TD
#define LLMC_CODEGEN_LINALG_PASSES_TD

include "mlir/Pass/PassBase.td"

def ConvertExecKernelsToLinalg
    : Pass<"convert-exec-kernels-to-linalg", "::mlir::ModuleOp"> {
  let summary = "Turn the kernels of layers into functions of linalg ops";
  let description = [{
    Precondition: `exec.kernel` ops whose bodies are nn ops on static tensors.
    Postcondition: kernels of elementwise ops, row reductions and column
    reductions are `func.func` on tensors with one `linalg.generic` per step; the
    leading `exec.row_rank` dimensions of every generic are the rows. Kernels that
    are one root op (attention, embedding, updates ...) stay: targets have
    their own code for them.

    Before:
    ```mlir
    exec.kernel @relu(%a: tensor<2x4x8xf32>) -> tensor<2x4x8xf32> ... {
      %h = nn.relu %a : (tensor<2x4x8xf32>) -> tensor<2x4x8xf32>
      exec.return %h : tensor<2x4x8xf32>
    }
    ```
    After:
    ```mlir
    func.func @relu(%a: tensor<2x4x8xf32>) -> tensor<2x4x8xf32>
        attributes {exec.row_rank = 2 : i64, ...} {
      %0 = tensor.empty() : tensor<2x4x8xf32>
      %h = linalg.generic {...} ins(%a : ...) outs(%0 : ...) { ... }
      return %h : tensor<2x4x8xf32>
    }
    ```
  }];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::func::FuncDialect",
    "::mlir::linalg::LinalgDialect", "::mlir::math::MathDialect",
    "::mlir::tensor::TensorDialect"];
}

#endif // LLMC_CODEGEN_LINALG_PASSES_TD
