// What the ops of the exec dialect share.
#ifndef LLMC_DIALECTS_EXEC_BASE_TD
#define LLMC_DIALECTS_EXEC_BASE_TD

include "mlir/IR/SymbolInterfaces.td"
include "dialects/Exec/ExecDialect.td"

class Exec_Op<string mnemonic, list<Trait> traits = []>
    : Op<Exec_Dialect, mnemonic, traits>;

/// An op whose symbols are looked up when the program around it is verified.
class Exec_SymbolUserOp<string mnemonic, list<Trait> traits = []>
    : Exec_Op<mnemonic,
              traits # [DeclareOpInterfaceMethods<SymbolUserOpInterface>]>;

#endif // LLMC_DIALECTS_EXEC_BASE_TD
