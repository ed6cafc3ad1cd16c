// Attributes of the pipe dialect.
#ifndef LLMC_DIALECTS_PIPE_ATTRS_TD
#define LLMC_DIALECTS_PIPE_ATTRS_TD

include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/EnumAttr.td"
include "dialects/Pipe/PipeDialect.td"
include "dialects/Pipe/PipeEnums.td"

def Pipe_SourceAttr : AttrDef<Pipe_Dialect, "Source"> {
  let mnemonic = "source";
  let summary = "Where an argument of a fragment comes from";
  let description = [{
    * `<input "tokens" 0>`: argument 0 of the micro-batch, with its role;
    * `<scalar "lr">`: a number of the step, written before it runs;
    * `<parameter @l0.u>`: the value of a parameter;
    * `<saved @F0 2>`: result 2 of a fragment of the same stage and
      micro-batch;
    * `<transfer @X0>`: what another stage sends.

    `index` is 0 for the kinds that print none.
  }];
  let parameters = (ins EnumParameter<Pipe_SourceKind>:$kind,
                        "::mlir::StringAttr":$name, "int64_t":$index);
  let hasCustomAssemblyFormat = 1;
}

def Pipe_ResultAttr : AttrDef<Pipe_Dialect, "Result"> {
  let mnemonic = "result";
  let summary = "What a result of a fragment is for";
  let description = [{
    `loss` and `logits` leave the program, `saved` is read by a later fragment
    of the same stage and micro-batch, `transfer` is sent to another stage.

    Example: `#pipe.result<saved>`
  }];
  let parameters = (ins EnumParameter<Pipe_ResultKind>:$kind);
  let assemblyFormat = "`<` $kind `>`";
}

#endif // LLMC_DIALECTS_PIPE_ATTRS_TD
