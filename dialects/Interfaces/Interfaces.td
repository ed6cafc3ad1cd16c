// The op interfaces that passes ask instead of listing ops.
#ifndef LLMC_DIALECTS_INTERFACES_TD
#define LLMC_DIALECTS_INTERFACES_TD

include "mlir/IR/OpBase.td"

def DifferentiableOpInterface : OpInterface<"DifferentiableOpInterface"> {
  let cppNamespace = "::llmc";
  let description = [{
    An op with a reverse-mode rule. The rule is emitted as ordinary ops, so
    that saved values, sharding and scheduling treat them as data. Weight
    and input gradients must be separate ops, so that a schedule can delay
    the former.
  }];
  let methods = [InterfaceMethod<[{
      Emits the vector-Jacobian product at the builder's position.
      `cotangents` has one value per result, null where the result has no
      gradient (at least one is given). `wanted` has one flag per operand.
      Fills `gradients` with one value per operand, null where not wanted or
      where the derivative is zero everywhere. A gradient has the type of its
      operand.
    }],
    "void", "buildVjp",
    (ins "::mlir::OpBuilder &":$builder, "::mlir::ValueRange":$cotangents,
         "::llvm::ArrayRef<bool>":$wanted,
         "::llvm::SmallVectorImpl<::mlir::Value> &":$gradients)>];
}

def LossOpInterface : OpInterface<"LossOpInterface"> {
  let cppNamespace = "::llmc";
  let description = [{
    An op that ends the forward pass: result 0 is the loss, a sum over counted
    labels; the other results are the gradients of `seed * loss`, computed in
    the forward op since the seed is known.
  }];
  let methods = [InterfaceMethod<[{
      The number of the operand that result `result` (1 or more) is the
      gradient of.
    }],
    "unsigned", "getDifferentiatedOperand", (ins "unsigned":$result)>];
}

def KernelOpInterface : OpInterface<"KernelOpInterface"> {
  let cppNamespace = "::llmc";
  let description = [{
    An op that the code generators turn into part of a kernel. The kind says
    what `exec-form-dispatches` may join.
  }];
  let methods = [InterfaceMethod<
    "How the op walks its iteration space.",
    "::llmc::KernelKind", "getKernelKind", (ins)>];
}

#endif // LLMC_DIALECTS_INTERFACES_TD
