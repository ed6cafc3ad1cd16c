// The exec dialect itself, its enumerations and types. Ops are in ExecOps.td.
#ifndef LLMC_DIALECTS_EXEC_DIALECT_TD
#define LLMC_DIALECTS_EXEC_DIALECT_TD

include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/EnumAttr.td"
include "mlir/IR/OpBase.td"

def Exec_Dialect : Dialect {
  let name = "exec";
  let cppNamespace = "::llmc::exec";
  let summary = "The program of one pipeline coordinate: arenas, blocks, calls";
  let description = [{
    What runs, byte by byte. An `exec.program` declares arenas (one allocation
    each), buffers in them, kernels (closed bodies of nn ops on tensors, turned
    into code by the target) and blocks: straight lists of launches and library
    calls on buffers. Actions, outside the blocks, say which block runs for
    which micro-batch.

    `exec-form-dispatches` makes `exec.dispatch` ops on tensors inside the local
    functions; `convert-to-exec` turns every value into one buffer;
    `exec-plan-memory` gives buffers their offsets; `exec-verify` proves the
    result. No tensor value is legal outside kernels after the conversion.
  }];
  let useDefaultTypePrinterParser = 1;
  let extraClassDeclaration = [{
    /// Version of the dialect in bytecode.
    static constexpr uint64_t kVersion = 1;
  }];
}

def Exec_When : I32EnumAttr<"When",
    "the micro-batches of a step in which an instruction runs", [
      I32EnumAttrCase<"Always", 0, "always">,
      I32EnumAttrCase<"First", 1, "first">,
      I32EnumAttrCase<"NotFirst", 2, "not_first">,
      I32EnumAttrCase<"Last", 3, "last">,
      I32EnumAttrCase<"NotLast", 4, "not_last">]> {
  let cppNamespace = "::llmc::exec";
}

// The order is the arena number in the plan file; only append.
def Exec_Role : I32EnumAttr<"Role", "what an arena is for", [
      I32EnumAttrCase<"Parameter", 0, "parameter">,
      I32EnumAttrCase<"Master", 1, "master">,
      I32EnumAttrCase<"Gradient", 2, "gradient">,
      I32EnumAttrCase<"State", 3, "state">,
      I32EnumAttrCase<"Slot", 4, "slot">,
      I32EnumAttrCase<"Scratch", 5, "scratch">,
      I32EnumAttrCase<"Send", 6, "send">,
      I32EnumAttrCase<"Receive", 7, "receive">,
      I32EnumAttrCase<"Step", 8, "step">,
      I32EnumAttrCase<"Workspace", 9, "workspace">,
      I32EnumAttrCase<"Snapshot", 10, "snapshot">]> {
  let cppNamespace = "::llmc::exec";
}

def Exec_CollectiveKind : I32EnumAttr<"CollectiveKind",
    "what the ranks of a group do together", [
      I32EnumAttrCase<"AllGather", 0, "all_gather">,
      I32EnumAttrCase<"ReduceScatter", 1, "reduce_scatter">,
      I32EnumAttrCase<"AllReduce", 2, "all_reduce">]> {
  let cppNamespace = "::llmc::exec";
}

def Exec_BufferType : TypeDef<Exec_Dialect, "Buffer"> {
  let mnemonic = "buffer";
  let summary = "A range of bytes in an arena, or a view of one";
}

def Exec_TokenType : TypeDef<Exec_Dialect, "Token"> {
  let mnemonic = "token";
  let summary = "A collective that has started and that nobody has waited for";
}

#endif // LLMC_DIALECTS_EXEC_DIALECT_TD
