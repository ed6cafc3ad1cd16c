// Base classes of the dist ops.
#ifndef LLMC_DIALECTS_DIST_BASE_TD
#define LLMC_DIALECTS_DIST_BASE_TD

include "mlir/IR/OpBase.td"
include "mlir/IR/SymbolInterfaces.td"
include "mlir/Interfaces/ControlFlowInterfaces.td"
include "mlir/Interfaces/FunctionInterfaces.td"
include "mlir/Interfaces/InferTypeOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"
include "dialects/Dist/DistAttrs.td"
include "dialects/Dist/DistDialect.td"
include "dialects/Dist/DistTypes.td"

class Dist_Op<string mnemonic, list<Trait> traits = []>
    : Op<Dist_Dialect, mnemonic, traits>;

def Dist_Float : RankedTensorOf<[F32, F64, BF16, F16]>;

/// An op that names a bucket in the type of an operand, checked against it.
class Dist_StateOp<string mnemonic, list<Trait> traits = []>
    : Dist_Op<mnemonic, !listconcat(
          [DeclareOpInterfaceMethods<SymbolUserOpInterface>], traits)>;

#endif // LLMC_DIALECTS_DIST_BASE_TD
