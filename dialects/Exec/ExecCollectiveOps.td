// The collectives of a program: at once, or started and awaited.
#ifndef LLMC_DIALECTS_EXEC_COLLECTIVE_OPS_TD
#define LLMC_DIALECTS_EXEC_COLLECTIVE_OPS_TD

include "dialects/Exec/ExecBase.td"

class Exec_GroupOp<string mnemonic>
    : Exec_SymbolUserOp<mnemonic, [HasParent<"BlockOp">]> {
  let arguments = (ins Exec_CollectiveKind:$kind, Exec_BufferType:$input,
                       Exec_BufferType:$output, StrArrayAttr:$axes,
                       DefaultValuedAttr<Exec_When, "::llmc::exec::When::Always">:$when);
}

def Exec_CollectiveOp : Exec_GroupOp<"collective"> {
  let summary = "An exchange between the ranks of a group, done when it returns";
  let description = [{
    The group is the ranks that differ in `axes` only, in the order of their
    coordinates, first axis slowest. `all_gather` concatenates the inputs of
    all; `reduce_scatter` gives this rank's part of the sum; `all_reduce` gives
    the whole sum. Sums are float32. The output may lie where the input, or
    this rank's part of it, lies.

    Example:
    ```mlir
    exec.collective all_gather (%n) -> (%nf) {axes = ["tp"]}
    exec.collective all_reduce (%dg) -> (%dg) when last {axes = ["tp"]}
    ```
  }];
  let assemblyFormat = [{
    $kind `(` $input `)` `->` `(` $output `)` (`when` $when^)? attr-dict
  }];
}

def Exec_CollectiveStartOp : Exec_GroupOp<"collective_start"> {
  let summary = "Starts a collective that an exec.wait ends";
  let description = [{
    As `exec.collective`. Until the wait nobody may write the input, nor read or
    write the output. The wait stands in the same block: what outlives a
    block is an action of its own.

    Example:
    ```mlir
    %t = exec.collective_start all_gather (%n) -> (%nf) {axes = ["tp"]}
    ```
  }];
  let results = (outs Exec_TokenType:$token);
  let assemblyFormat = [{
    $kind `(` $input `)` `->` `(` $output `)` (`when` $when^)? attr-dict
  }];
  let hasVerifier = 1;
}

def Exec_WaitOp : Exec_Op<"wait", [HasParent<"BlockOp">]> {
  let summary = "Waits for a collective that was started";
  let description = [{
    Runs for the micro-batches for which the start runs.

    Example:
    ```mlir
    exec.wait %t
    ```
  }];
  let arguments = (ins Exec_TokenType:$token);
  let assemblyFormat = "$token attr-dict";
  let extraClassDeclaration = [{
    /// What this waits for.
    CollectiveStartOp getStart() {
      return getToken().getDefiningOp<CollectiveStartOp>();
    }
  }];
}

#endif // LLMC_DIALECTS_EXEC_COLLECTIVE_OPS_TD
