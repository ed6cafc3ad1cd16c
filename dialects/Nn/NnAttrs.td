// Attributes of the nn dialect.
#ifndef LLMC_DIALECTS_NN_ATTRS_TD
#define LLMC_DIALECTS_NN_ATTRS_TD

include "mlir/IR/AttrTypeBase.td"
include "dialects/Nn/NnDialect.td"

class Nn_Attr<string name, string attrMnemonic> : AttrDef<Nn_Dialect, name> {
  let mnemonic = attrMnemonic;
  let genVerifyDecl = 1;
}

/// A float64 that attributes can be uniqued by.
def Nn_Real : AttrParameter<"::llmc::nn::Real", "a number", "double">;

def Nn_RopeScalingAttr : Nn_Attr<"RopeScaling", "rope_scaling"> {
  let summary = "How the rotary frequencies are stretched";
  let description = [{
    `kind` is `linear` (frequencies divided by `factor`) or `llama3`
    (long wavelengths divided by `factor`, short ones kept, a ramp between).

    Example: `#nn.rope_scaling<"llama3", 8.0, 1.0, 4.0, 8192>`
  }];
  let parameters = (ins StringRefParameter<"linear or llama3">:$kind,
                        Nn_Real:$factor, Nn_Real:$lowFreqFactor,
                        Nn_Real:$highFreqFactor,
                        "int64_t":$originalMaxPositions);
  let hasCustomAssemblyFormat = 1;
}

def Nn_StorageAttr : Nn_Attr<"Storage", "storage"> {
  let summary = "Where a parameter lies in a weights file";
  let description = [{
    The parameter, seen as an (out, in) matrix (in = 1 for vectors), is the
    slice [offset, offset + out) along the out axis of tensor `file`, which
    the file stores as `shape`: (out, in), or (in, out) when `transposed`.

    Example: `#nn.storage<"h.0.attn.c_attn.weight", [32, 96], 32, transposed>`
  }];
  let parameters = (ins StringRefParameter<"tensor name">:$file,
                        ArrayRefParameter<"int64_t">:$shape,
                        "int64_t":$offset, "bool":$transposed);
  let hasCustomAssemblyFormat = 1;
}

def Nn_InitAttr : Nn_Attr<"Init", "init"> {
  let summary = "How a parameter starts when no weights file is given";
  let description = [{
    `zeros`, `ones`, or `normal` with a standard deviation: element e of file
    tensor NAME is Philox(seed, hash of NAME, e) through Box-Muller.

    Example: `#nn.init<"normal", 0.02>`
  }];
  let parameters = (ins StringRefParameter<"zeros, ones or normal">:$kind,
                        Nn_Real:$std);
  let hasCustomAssemblyFormat = 1;
}

#endif // LLMC_DIALECTS_NN_ATTRS_TD
