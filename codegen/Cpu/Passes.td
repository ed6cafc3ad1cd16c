// Passes from linalg functions and root kernels to LLVM's dialect.
#ifndef LLMC_CODEGEN_CPU_PASSES_TD
#define LLMC_CODEGEN_CPU_PASSES_TD

include "mlir/Pass/PassBase.td"

def CpuLowerToLoops : Pass<"cpu-lower-to-loops", "::mlir::ModuleOp"> {
  let summary = "Turn linalg functions and root kernels into vector loops";
  let description = [{
    Precondition: `convert-exec-kernels-to-linalg` has run. Postcondition: each
    function and each root kernel is `func.func @NAME(arguments, results, begin,
    end)` on flat memrefs, a loop over [begin, end) of the kernel's parallel
    dimension; no tensor is left. Elementwise producers are computed where they
    are read: no intermediate value is stored. `lanes` is the number of
    float32 in a vector register.

    Before: the function of linalg ops above.

    After:
    ```mlir
    func.func @relu(%a: memref<64xf32> {llvm.noalias},
                    %h: memref<64xf32> {llvm.noalias}, %begin: index, %end: index) {
      scf.for %row = %begin to %end step %c1 {
        %x = vector.load %a[%at] : memref<64xf32>, vector<8xf32>
        ...
        vector.store %y, %h[%at] : memref<64xf32>, vector<8xf32>
      }
      return
    }
    ```
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
  let description = [{
    Precondition: math ops on float32 and vectors of it. Postcondition: no
    `math.exp`, `math.exp2`, `math.log` or `math.erf` on them is left: none calls
    a library, so that LLVM keeps loops in vector registers.

    Before: `%y = math.log %x : vector<16xf32>`

    After: polynomials in `arith` ops on `vector<16xf32>`.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::math::MathDialect",
                           "::mlir::vector::VectorDialect"];
}

def CpuConvertToLLVM : Pass<"cpu-convert-to-llvm", "::mlir::ModuleOp"> {
  let summary = "Convert loops to LLVM's dialect and add the kernel entries";
  let description = [{
    Precondition: functions as `cpu-lower-to-loops` makes them. Postcondition: the
    LLVM dialect only (every other op is reported); memrefs are bare pointers;
    each function @NAME is the internal `@NAME.body`, and `@NAME(args, begin,
    end)` is an entry of the kernel calling convention, which loads the
    pointers.

    Before: `func.func @relu(%a: memref<64xf32> ..., %end: index)`

    After:
    ```mlir
    llvm.func internal @relu.body(%a: !llvm.ptr {llvm.noalias},
        %h: !llvm.ptr {llvm.noalias}, %begin: i64, %end: i64) { ... }
    llvm.func @relu(%args: !llvm.ptr, %begin: i64, %end: i64) {
      ...
      llvm.call @relu.body(%a, %h, %begin, %end) : ...
      llvm.return
    }
    ```
  }];
  let dependentDialects = ["::mlir::LLVM::LLVMDialect",
                           "::mlir::cf::ControlFlowDialect"];
}

#endif // LLMC_CODEGEN_CPU_PASSES_TD
