// Enumerations of the pipe dialect.
#ifndef LLMC_DIALECTS_PIPE_ENUMS_TD
#define LLMC_DIALECTS_PIPE_ENUMS_TD

include "mlir/IR/EnumAttr.td"

class Pipe_Enum<string name, string summary, list<EnumCase> cases>
    : I32Enum<name, summary, cases> {
  let cppNamespace = "::llmc::pipe";
}

def Pipe_SourceKind : Pipe_Enum<"SourceKind", "where an argument comes from", [
  I32EnumCase<"input", 0>, I32EnumCase<"scalar", 1>,
  I32EnumCase<"parameter", 2>, I32EnumCase<"saved", 3>,
  I32EnumCase<"transfer", 4>]>;

def Pipe_ResultKind : Pipe_Enum<"ResultKind", "what a result is for", [
  I32EnumCase<"loss", 0>, I32EnumCase<"logits", 1>, I32EnumCase<"saved", 2>,
  I32EnumCase<"transfer", 3>]>;

#endif // LLMC_DIALECTS_PIPE_ENUMS_TD
