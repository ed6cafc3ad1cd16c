// Enumerations of the dist dialect.
#ifndef LLMC_DIALECTS_DIST_ENUMS_TD
#define LLMC_DIALECTS_DIST_ENUMS_TD

include "mlir/IR/EnumAttr.td"

class Dist_Enum<string name, string summary, list<EnumCase> cases>
    : I32Enum<name, summary, cases> {
  let cppNamespace = "::llmc::dist";
}

/// `compute` is the copy in the compute type that a `master` of higher
/// precision is rounded to; `parameter` is the one copy where both are the
/// same.
def Dist_Role : Dist_Enum<"Role", "what a bucket holds", [
  I32EnumCase<"parameter", 0>, I32EnumCase<"compute", 1>,
  I32EnumCase<"master", 2>, I32EnumCase<"gradient", 3>,
  I32EnumCase<"moment1", 4>, I32EnumCase<"moment2", 5>,
  I32EnumCase<"momentum", 6>]>;

def Dist_Kind : Dist_Enum<"FragmentKind", "what a fragment computes", [
  I32EnumCase<"forward", 0>, I32EnumCase<"backward", 1>,
  I32EnumCase<"update", 2>, I32EnumCase<"evaluate", 3>,
  I32EnumCase<"logits", 4>]>;

def Dist_Predicate : Dist_Enum<"Predicate", "micro-batches of a step", [
  I32EnumCase<"first_microbatch", 0>, I32EnumCase<"not_first_microbatch", 1>,
  I32EnumCase<"last_microbatch", 2>, I32EnumCase<"not_last_microbatch", 3>]>;

#endif // LLMC_DIALECTS_DIST_ENUMS_TD
