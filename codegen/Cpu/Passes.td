// Passes from linalg functions and root kernels to LLVM's dialect.
#ifndef LLMC_CODEGEN_CPU_PASSES_TD
#define LLMC_CODEGEN_CPU_PASSES_TD

include "mlir/Pass/PassBase.td"

def CpuLowerToLoops : Pass<"cpu-lower-to-loops", "::mlir::ModuleOp"> {
  let summary = "Turn linalg functions and root kernels into vector loops";
  let description = [{
    Each becomes `func.func @NAME(arguments, results, begin, end)` on flat
    memrefs, a loop over [begin, end) of the kernel's parallel dimension.
    Elementwise producers are computed where they are read: no intermediate
    value is stored. `lanes` is the number of float32 in a vector register.
  }];
  let options = [
    Option<"lanes", "lanes", "int64_t", "16", "float32 elements of a register">];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::func::FuncDialect",
    "::mlir::math::MathDialect", "::mlir::memref::MemRefDialect",
    "::mlir::scf::SCFDialect", "::mlir::vector::VectorDialect"];
}

def CpuExpandMath : Pass<"cpu-expand-math", "::mlir::ModuleOp"> {
  let summary = "Write exp, exp2, log and erf as vectorisable arithmetic";
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::math::MathDialect",
                           "::mlir::vector::VectorDialect"];
}

def CpuConvertToLLVM : Pass<"cpu-convert-to-llvm", "::mlir::ModuleOp"> {
  let summary = "Convert loops to LLVM's dialect and add the kernel entries";
  let description = [{
    Memrefs become bare pointers. Each function @NAME becomes internal and gets
    an entry `@NAME(args, begin, end)` of the kernel calling convention, which
    loads the pointers. Reports every op that stays outside the LLVM dialect.
  }];
  let dependentDialects = ["::mlir::LLVM::LLVMDialect",
                           "::mlir::cf::ControlFlowDialect"];
}

#endif // LLMC_CODEGEN_CPU_PASSES_TD
