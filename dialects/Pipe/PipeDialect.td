// The pipe dialect itself. Enumerations are in PipeEnums.td, attributes in
// PipeAttrs.td, ops in PipeOps.td.
#ifndef LLMC_DIALECTS_PIPE_DIALECT_TD
#define LLMC_DIALECTS_PIPE_DIALECT_TD

include "mlir/IR/OpBase.td"

def Pipe_Dialect : Dialect {
  let name = "pipe";
  let cppNamespace = "::llmc::pipe";
  let summary = "Stages, fragments, transfers, schedules";
  let description = [{
    A step as closed fragments, one per stage and kind, and the order in which
    each pipeline rank runs them. Every argument of a fragment carries a
    `pipe.source`, every result a `pipe.result`. The micro-batch loop is the
    schedule's list of actions, not IR.
  }];
  let dependentDialects = ["::llmc::dist::DistDialect"];
  let useDefaultAttributePrinterParser = 1;
  let hasRegionArgAttrVerify = 1;
  let hasRegionResultAttrVerify = 1;
  let extraClassDeclaration = [{
    /// Version of the dialect in bytecode.
    static constexpr uint64_t kVersion = 1;
    /// Argument attribute, a `#pipe.source`.
    static constexpr ::llvm::StringLiteral kSource = "pipe.source";
    /// Result attribute, a `#pipe.result`.
    static constexpr ::llvm::StringLiteral kResult = "pipe.result";
    void registerAttributes();
  }];
}

#endif // LLMC_DIALECTS_PIPE_DIALECT_TD
