// Ops of the exec dialect.
#ifndef LLMC_DIALECTS_EXEC_OPS_TD
#define LLMC_DIALECTS_EXEC_OPS_TD

include "mlir/Interfaces/ControlFlowInterfaces.td"
include "mlir/Interfaces/FunctionInterfaces.td"
include "mlir/Interfaces/SideEffectInterfaces.td"
include "dialects/Exec/ExecBase.td"
include "dialects/Exec/ExecCollectiveOps.td"

def Exec_DispatchOp : Exec_Op<"dispatch", [SingleBlock]> {
  let summary = "A group of ops that will be one kernel";
  let description = [{
    Takes and gives tensors; the region is closed over its arguments. Output j
    is added to what its destination holds when `accumulate[j]`: then result j
    must only be used by a `dist.accumulate`.

    Example:
    ```mlir
    %r, %n = exec.dispatch "rms_stat_rms_apply" (%x, %g)
        : (tensor<6x4x8xf32>, tensor<8xf32>)
        -> (tensor<6x4xf32>, tensor<6x4x8xf32>) {
    ^bb0(%a: tensor<6x4x8xf32>, %b: tensor<8xf32>):
      ...
      exec.return %s, %y : tensor<6x4xf32>, tensor<6x4x8xf32>
    }
    ```
  }];
  let arguments = (ins StrAttr:$stem, Variadic<AnyType>:$inputs);
  let results = (outs Variadic<AnyType>:$outputs);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = [{
    $stem `(` $inputs `)` attr-dict `:` functional-type($inputs, $outputs) $body
  }];
  let hasVerifier = 1;
}

def Exec_KernelOp : Exec_Op<"kernel",
    [Symbol, FunctionOpInterface, IsolatedFromAbove, SingleBlock]> {
  let summary = "A closed body of nn ops that becomes one function of machine code";
  let description = [{
    The body computes results from arguments, all tensors or scalars. Code
    generation gives `void k(const KernelArgs *, int64 begin, int64 end)`: one
    pointer for each argument, then one for each result; scalars lie in memory
    too. `accumulate` holds, for each result, whether the kernel adds to its
    memory instead of overwriting it. `aliases` holds, for each result, the
    number of the argument whose memory it may share, or -1.

    Example:
    ```mlir
    exec.kernel @gelu_768(%a: tensor<6x4x32xf32>) -> tensor<6x4x32xf32>
        attributes {accumulate = array<i1: false>, aliases = array<i64: 0>} {
      %h = nn.gelu %a : (tensor<6x4x32xf32>) -> tensor<6x4x32xf32>
      exec.return %h : tensor<6x4x32xf32>
    }
    ```
  }];
  let arguments = (ins SymbolNameAttr:$sym_name,
                       TypeAttrOf<FunctionType>:$function_type,
                       OptionalAttr<DictArrayAttr>:$arg_attrs,
                       OptionalAttr<DictArrayAttr>:$res_attrs,
                       DenseBoolArrayAttr:$accumulate,
                       DenseI64ArrayAttr:$aliases);
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

def Exec_ReturnOp : Exec_Op<"return", [Pure, ReturnLike, Terminator]> {
  let summary = "Ends a kernel or a dispatch";
  let description = [{
    Example:
    ```mlir
    exec.return %h : tensor<6x4x32xf32>
    ```
  }];
  let arguments = (ins Variadic<AnyType>:$operands);
  let assemblyFormat = "($operands^ `:` type($operands))? attr-dict";
}

def Exec_ProgramOp : Exec_SymbolUserOp<"program",
    [Symbol, SymbolTable, NoTerminator, NoRegionArguments, SingleBlock,
     IsolatedFromAbove]> {
  let summary = "Everything that one pipeline coordinate executes";
  let description = [{
    Holds arenas, kernels, buffers, blocks and entries. Ranks with the same
    pipeline coordinate share the text: they differ in their `coordinates`
    along those axes of `mesh`. Without a mesh there is one rank.

    Example:
    ```mlir
    exec.program @pp0 mesh @m attributes {coordinates = ["dp", "tp"]} { ... }
    ```
  }];
  let arguments = (ins SymbolNameAttr:$sym_name,
                       OptionalAttr<FlatSymbolRefAttr>:$mesh,
                       OptionalAttr<StrArrayAttr>:$coordinates);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = [{
    $sym_name (`mesh` $mesh^)? attr-dict-with-keyword $body
  }];
  let builders = [OpBuilder<(ins "::llvm::StringRef":$name), [{
    build($_builder, $_state, $_builder.getStringAttr(name),
          ::mlir::FlatSymbolRefAttr(), ::mlir::ArrayAttr());
  }]>];
  let extraClassDeclaration = [{
    /// The number of ranks along an axis of the mesh; nothing if there is no
    /// such axis, or no mesh.
    std::optional<int64_t> getAxisSize(::llvm::StringRef axis,
                                       ::mlir::SymbolTableCollection &tables);
  }];
}

def Exec_ArenaOp : Exec_Op<"arena", [Symbol]> {
  let summary = "One allocation, made once at start-up";
  let description = [{
    `bytes` of one instance, `count` instances (of `slot`, `send` and `receive`:
    one per live micro-batch). Bytes are known after `exec-plan-memory`.

    Example:
    ```mlir
    exec.arena @slot {role = slot, bytes = 1024, count = 2}
    ```
  }];
  let arguments = (ins SymbolNameAttr:$sym_name, Exec_Role:$role,
                       OptionalAttr<I64Attr>:$bytes,
                       DefaultValuedAttr<I64Attr, "1">:$count);
  let assemblyFormat = [{
    $sym_name custom<ArenaBody>($role, $bytes, $count) attr-dict
  }];
  let hasVerifier = 1;
}

def Exec_BufferOp : Exec_SymbolUserOp<"buffer"> {
  let summary = "A range of bytes of an arena";
  let description = [{
    One per value. `value` names what it holds. `entry` is the name of the
    entry whose blocks use it; buffers of different entries may overlap in
    `slot` and `scratch`. `offset` is set by `exec-plan-memory`; in an arena of
    slots it is relative to the slot of the running micro-batch. Equal buffers
    are different memory: each op is an allocation.

    Example:
    ```mlir
    %r = exec.buffer @slot {bytes = 96 : i64, value = "layers.0.rstd"}
    ```
  }];
  let arguments = (ins FlatSymbolRefAttr:$arena, I64Attr:$bytes,
                       OptionalAttr<I64Attr>:$offset, StrAttr:$value,
                       OptionalAttr<StrAttr>:$entry);
  let results = (outs Res<Exec_BufferType, "", [MemAlloc]>:$result);
  let assemblyFormat = "$arena attr-dict";
}

def Exec_ViewOp : Exec_SymbolUserOp<"view", [Pure]> {
  let summary = "A part of a buffer";
  let description = [{
    With `axis` the part begins `stride` bytes later for each step of this rank's
    coordinate along that axis of the mesh: one text for all ranks. A view of
    a view adds another axis.

    Example:
    ```mlir
    %u = exec.view %bucket {offset = 0 : i64, bytes = 512 : i64}
    %shard = exec.view %bucket {offset = 0 : i64, bytes = 576 : i64,
                                axis = "dp", stride = 576 : i64}
    ```
  }];
  let arguments = (ins Exec_BufferType:$source, I64Attr:$offset,
                       I64Attr:$bytes, OptionalAttr<StrAttr>:$axis,
                       OptionalAttr<I64Attr>:$stride);
  let builders = [OpBuilder<(ins "::mlir::Value":$source, "int64_t":$offset,
                                 "int64_t":$bytes), [{
    build($_builder, $_state, source.getType(), source,
          $_builder.getI64IntegerAttr(offset),
          $_builder.getI64IntegerAttr(bytes), ::mlir::StringAttr(),
          ::mlir::IntegerAttr());
  }]>];
  let results = (outs Exec_BufferType:$result);
  let assemblyFormat = "$source attr-dict";
  let hasVerifier = 1;
}

def Exec_BlockOp : Exec_Op<"block",
    [Symbol, NoTerminator, NoRegionArguments, SingleBlock]> {
  let summary = "Instructions that run together for one micro-batch";
  let description = [{
    Not isolated: instructions name the program's buffers. Nothing else stands in
    a block.

    Example:
    ```mlir
    exec.block @F0 { ... }
    ```
  }];
  let arguments = (ins SymbolNameAttr:$sym_name);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = "$sym_name attr-dict-with-keyword $body";
  let hasVerifier = 1;
}

def Exec_LaunchOp : Exec_SymbolUserOp<"launch",
    [HasParent<"BlockOp">, AttrSizedOperandSegments]> {
  let summary = "Runs a kernel";
  let description = [{
    Inputs and outputs are in the order of the kernel's arguments and results.

    Example:
    ```mlir
    exec.launch @gelu_768 (%a) -> (%h)
    exec.launch @fill_97x8 () -> (%dw) when first
    ```
  }];
  let arguments = (ins FlatSymbolRefAttr:$kernel,
                       Variadic<Exec_BufferType>:$inputs,
                       Variadic<Exec_BufferType>:$outputs,
                       DefaultValuedAttr<Exec_When, "::llmc::exec::When::Always">:$when);
  let assemblyFormat = [{
    $kernel `(` $inputs `)` `->` `(` $outputs `)` (`when` $when^)? attr-dict
  }];
}

def Exec_MatmulOp : Exec_Op<"matmul", [HasParent<"BlockOp">, AttrSizedOperandSegments]> {
  let summary = "A call of the target's matmul";
  let description = [{
    out[i, j] (+)= sum over l of lhs[i, l] * rhs[l, j], float32, then the
    epilogue: `+ bias[j]`, then `+ addend[i, j]` (dense, as `out`). Strides are in
    elements: lhs by (m, k), rhs by (k, n); `out` is dense. With `accumulate` the
    sum is added to `out`, and there is no epilogue. `workspace` is the library's
    scratch in bytes.

    Example:
    ```mlir
    exec.matmul (%n, %u) bias(%b) -> %a {m = 24 : i64, n = 32 : i64, k = 8 : i64,
        lhs_strides = array<i64: 8, 1>, rhs_strides = array<i64: 1, 8>}
    ```
  }];
  let arguments = (ins Exec_BufferType:$lhs, Exec_BufferType:$rhs,
                       Optional<Exec_BufferType>:$bias,
                       Optional<Exec_BufferType>:$addend,
                       Exec_BufferType:$out, I64Attr:$m, I64Attr:$n,
                       I64Attr:$k, DenseI64ArrayAttr:$lhs_strides,
                       DenseI64ArrayAttr:$rhs_strides, UnitAttr:$accumulate,
                       OptionalAttr<I64Attr>:$workspace,
                       DefaultValuedAttr<Exec_When, "::llmc::exec::When::Always">:$when);
  let assemblyFormat = [{
    `(` $lhs `,` $rhs `)` (`bias` `(` $bias^ `)`)? (`add` `(` $addend^ `)`)?
    `->` $out (`when` $when^)? attr-dict
  }];
  let hasVerifier = 1;
}

def Exec_InputOp : Exec_Op<"input", [HasParent<"ProgramOp">]> {
  let summary = "A buffer that the host fills before a block runs, or reads after";
  let description = [{
    `role` is `tokens` or `labels` (int32 [T, B] of the micro-batch), or `logits`
    (float32 [T, B, V]), which the host reads.

    Example:
    ```mlir
    exec.input %t {role = "tokens", shape = array<i64: 6, 4>, entry = "train_step"}
    ```
  }];
  let arguments = (ins Exec_BufferType:$buffer, StrAttr:$role,
                       DenseI64ArrayAttr:$shape, StrAttr:$entry);
  let assemblyFormat = "$buffer attr-dict";
}

def Exec_ScalarOp : Exec_Op<"scalar", [HasParent<"ProgramOp">]> {
  let summary = "A scalar of the step arena and who writes it";
  let description = [{
    `role`: `lr`, `t`, `clip`, `inv_scale`, `seed` are written by the host before
    the step; `loss`, `norm_squared`, `factor`, `ok` by kernels.

    Example:
    ```mlir
    exec.scalar %lr {role = "lr"}
    ```
  }];
  let arguments = (ins Exec_BufferType:$buffer, StrAttr:$role);
  let assemblyFormat = "$buffer attr-dict";
}

def Exec_StateOp : Exec_Op<"state", [HasParent<"ProgramOp">]> {
  let summary = "Where one parameter lies and where its optimiser state does";
  let description = [{
    `buffers` are views, in the order of `roles`: `parameter`, `gradient`, then
    `moment1`, `moment2` or `momentum`.

    Example:
    ```mlir
    exec.state @l0.u (%p, %g, %m, %v) {roles = ["parameter", "gradient", "moment1", "moment2"]}
    ```
  }];
  let arguments = (ins FlatSymbolRefAttr:$parameter,
                       Variadic<Exec_BufferType>:$buffers, StrArrayAttr:$roles);
  let assemblyFormat = "$parameter `(` $buffers `)` attr-dict";
  let hasVerifier = 1;
}

def Exec_EntryOp : Exec_SymbolUserOp<"entry", [HasParent<"ProgramOp">]> {
  let summary = "A list of actions that the host can start";
  let description = [{
    Action i, written in the notation of `passes/Scheduling/Action.h`, runs
    block `blocks[i]` in slot `slots[i]` for micro-batch `microbatches[i]`. The
    block of a send or a receive is empty.

    Example:
    ```mlir
    exec.entry "train_step" {actions = ["0F0", "0B0", "0U"],
        blocks = ["F0", "B0", "U0"], slots = array<i64: 0, 0, 0>,
        microbatches = array<i64: 0, 0, 0>}
    ```
  }];
  let arguments = (ins StrAttr:$name, StrArrayAttr:$actions,
                       StrArrayAttr:$blocks, DenseI64ArrayAttr:$slots,
                       DenseI64ArrayAttr:$microbatches);
  let assemblyFormat = "$name attr-dict";
  let hasVerifier = 1;
}

#endif // LLMC_DIALECTS_EXEC_OPS_TD
