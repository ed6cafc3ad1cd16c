// Ops of the pipe dialect.
#ifndef LLMC_DIALECTS_PIPE_OPS_TD
#define LLMC_DIALECTS_PIPE_OPS_TD

include "mlir/IR/OpBase.td"
include "mlir/IR/SymbolInterfaces.td"
include "mlir/Interfaces/ControlFlowInterfaces.td"
include "mlir/Interfaces/FunctionInterfaces.td"
include "mlir/Interfaces/SideEffectInterfaces.td"
include "dialects/Dist/DistAttrs.td"
include "dialects/Pipe/PipeAttrs.td"

class Pipe_Op<string mnemonic, list<Trait> traits = []>
    : Op<Pipe_Dialect, mnemonic, traits>;

def Pipe_ProgramOp : Pipe_Op<"program", [Symbol, SymbolTable, NoTerminator,
    SingleBlock, IsolatedFromAbove,
    DeclareOpInterfaceMethods<SymbolUserOpInterface>]> {
  let summary = "A step: fragments, transfers between them, a schedule";
  let description = [{
    The step has `microbatches` micro-batches. After
    `dist-convert-global-to-local` the fragments are `dist.func` ops of the same
    names beside the program.

    Example:
    ```mlir
    pipe.program @train mesh @m microbatches 2 {
      pipe.fragment forward @F0 stage 0(...) { ... }
      pipe.schedule {kind = "1f1b", ranks = ["0F0 0B0 0F1 0B1 0U"],
                     live = array<i64: 1>}
    }
    ```
  }];
  let arguments = (ins SymbolNameAttr:$sym_name, FlatSymbolRefAttr:$mesh,
                       I64Attr:$microbatches);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = [{
    $sym_name `mesh` $mesh `microbatches` $microbatches
    attr-dict-with-keyword $body
  }];
  let hasVerifier = 1;
}

def Pipe_FragmentOp : Pipe_Op<"fragment",
    [FunctionOpInterface, IsolatedFromAbove, SingleBlock,
     HasParent<"ProgramOp">,
     DeclareOpInterfaceMethods<SymbolUserOpInterface>]> {
  let summary = "One kind of work of one stage, on global tensors";
  let description = [{
    Closed: everything it reads is an argument. Gradients are written through
    `nn.accumulate`, parameters through the update ops.

    Example:
    ```mlir
    pipe.fragment forward @F0 stage 0(
        %x0: tensor<6x4x8xf32> {pipe.source = #pipe.source<input "data" 0>},
        %g: tensor<8xf32> {pipe.source = #pipe.source<parameter @l0.g>})
        -> (tensor<6x4xf32> {pipe.result = #pipe.result<saved>}) { ... }
    ```
  }];
  let arguments = (ins SymbolNameAttr:$sym_name,
                       TypeAttrOf<FunctionType>:$function_type,
                       OptionalAttr<DictArrayAttr>:$arg_attrs,
                       OptionalAttr<DictArrayAttr>:$res_attrs,
                       Dist_KindAttr:$kind, I64Attr:$stage);
  let regions = (region SizedRegion<1>:$body);
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    ::mlir::Region *getCallableRegion() { return &getBody(); }
    ::llvm::ArrayRef<::mlir::Type> getArgumentTypes() {
      return getFunctionType().getInputs();
    }
    ::llvm::ArrayRef<::mlir::Type> getResultTypes() {
      return getFunctionType().getResults();
    }
  }];
}

def Pipe_YieldOp : Pipe_Op<"yield", [Pure, ReturnLike, Terminator,
                                     HasParent<"FragmentOp">]> {
  let summary = "Ends a fragment";
  let description = [{
    Example:
    ```mlir
    pipe.yield %loss, %r : f32, tensor<6x4xf32>
    ```
  }];
  let arguments = (ins Variadic<AnyType>:$operands);
  let assemblyFormat = "($operands^ `:` type($operands))? attr-dict";
  let builders = [OpBuilder<(ins)>];
  let hasVerifier = 1;
}

def Pipe_TransferOp : Pipe_Op<"transfer", [Symbol, HasParent<"ProgramOp">,
    DeclareOpInterfaceMethods<SymbolUserOpInterface>]> {
  let summary = "A value that one stage sends to the next";
  let description = [{
    Result `result` of fragment `source`, an argument of fragment `target`. It
    has the same sharding on both sides: rank to rank, no copy.

    Example:
    ```mlir
    pipe.transfer @X0 from @F0 result 0 to @F1 : tensor<6x4x8xf32>
    ```
  }];
  let arguments = (ins SymbolNameAttr:$sym_name, FlatSymbolRefAttr:$source,
                       I64Attr:$result, FlatSymbolRefAttr:$target,
                       TypeAttr:$type,
                       OptionalAttr<Dist_ShardingAttr>:$sharding);
  let assemblyFormat = [{
    $sym_name `from` $source `result` $result `to` $target `:` $type
    (`sharded` $sharding^)? attr-dict
  }];
}

def Pipe_TiedOp : Pipe_Op<"tied", [HasParent<"ProgramOp">,
    DeclareOpInterfaceMethods<SymbolUserOpInterface>]> {
  let summary = "A parameter that lives on two stages";
  let description = [{
    Its gradients are summed over the stages; the first stage counts it in the
    norm and writes it to checkpoints.

    Example:
    ```mlir
    pipe.tied @wte stages [0, 1]
    ```
  }];
  let arguments = (ins FlatSymbolRefAttr:$parameter,
                       DenseI64ArrayAttr:$stages);
  let assemblyFormat = "$parameter `stages` $stages attr-dict";
  let hasVerifier = 1;
}

def Pipe_ScheduleOp : Pipe_Op<"schedule", [HasParent<"ProgramOp">]> {
  let summary = "The actions of each pipeline rank, in order";
  let description = [{
    `ranks` has one list for each pipeline rank in torch's notation: `0F1` is
    the forward of stage 0, micro-batch 1; `B` backward; `SEND_F`, `RECV_F`,
    `SEND_B`, `RECV_B` the transfers; `0U` the update. `live` is how many
    micro-batches are live at once on each rank.

    Example:
    ```mlir
    pipe.schedule {kind = "gpipe", ranks = ["0F0 0F1 0B0 0B1 0U"],
                   live = array<i64: 2>}
    ```
  }];
  let arguments = (ins StrAttr:$kind, StrArrayAttr:$ranks,
                       DenseI64ArrayAttr:$live);
  let assemblyFormat = "attr-dict";
  let hasVerifier = 1;
}

#endif // LLMC_DIALECTS_PIPE_OPS_TD
