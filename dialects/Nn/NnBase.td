// Base classes of the nn ops.
#ifndef LLMC_DIALECTS_NN_BASE_TD
#define LLMC_DIALECTS_NN_BASE_TD

include "mlir/IR/OpBase.td"
include "mlir/IR/SymbolInterfaces.td"
include "mlir/Interfaces/ControlFlowInterfaces.td"
include "mlir/Interfaces/FunctionInterfaces.td"
include "mlir/Interfaces/InferTypeOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"
include "dialects/Interfaces/Interfaces.td"
include "dialects/Nn/NnAttrs.td"
include "dialects/Nn/NnDialect.td"

/// All tensors of an nn op have static sizes of at least 1.
def Nn_StaticShapes : NativeOpTrait<"StaticShapes"> {
  let cppNamespace = "::llmc::nn";
}

class Nn_Op<string mnemonic, list<Trait> traits = []>
    : Op<Nn_Dialect, mnemonic, !listconcat([Nn_StaticShapes], traits)>;

/// Tensors of numbers.
def Nn_Float : RankedTensorOf<[F32, F64, BF16, F16]>;
def Nn_Tokens : RankedTensorOf<[I32]>;
def Nn_Mask : RankedTensorOf<[I1]>;

/// A pure op on tensors that becomes part of a kernel of kind `kind`. All
/// print as `nn.op operands attributes : (operand types) -> result types`.
class Nn_KernelOp<string mnemonic, string kind, list<Trait> traits = []>
    : Nn_Op<mnemonic, !listconcat([Pure,
          DeclareOpInterfaceMethods<KernelOpInterface>], traits)> {
  let assemblyFormat =
      "operands attr-dict `:` functional-type(operands, results)";
  let hasVerifier = 1;
  let extraClassDefinition =
      "::llmc::KernelKind $cppClass::getKernelKind() { return ::llmc::KernelKind::"
      # kind # "; }";
}

/// A kernel op with a reverse rule.
class Nn_DifferentiableOp<string mnemonic, string kind,
                          list<Trait> traits = []>
    : Nn_KernelOp<mnemonic, kind, !listconcat(
          [DeclareOpInterfaceMethods<DifferentiableOpInterface>], traits)>;

#endif // LLMC_DIALECTS_NN_BASE_TD
