// The function that a kernel becomes, and its memory.
#include "codegen/Cpu/Frame.h"
#include "mlir/IR/BuiltinTypes.h"

using namespace mlir;
using namespace llmc;
using namespace llmc::codegen;

int64_t codegen::elementsOf(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  return tensor ? tensor.getNumElements() : 1;
}

/// Tensors and scalars lie in memory; a truth value takes a byte.
static Type memoryType(Type type) {
  Type element = getElementTypeOrSelf(type);
  if (element.isInteger(1))
    element = IntegerType::get(type.getContext(), 8);
  return MemRefType::get({codegen::elementsOf(type)}, element);
}

void Frame::write(Code &code, unsigned number, Value value,
                  Value offset) const {
  Value memory = results[number];
  if (!memory)
    return;
  if (accumulate[number])
    value = code.add(code.load(memory, offset, Code::lengthOf(value)), value);
  code.store(value, memory, offset);
}

Frame codegen::makeFrame(OpBuilder &builder, Location loc,
                         const FrameSignature &signature) {
  SmallVector<Type> inputs;
  for (Type type : signature.type.getInputs())
    inputs.push_back(memoryType(type));
  size_t arguments = inputs.size();
  for (Type type : signature.type.getResults())
    inputs.push_back(memoryType(type));
  size_t pointers = inputs.size();
  inputs.append(2, builder.getIndexType());

  Frame frame;
  frame.function = func::FuncOp::create(builder, loc, signature.name,
                                        builder.getFunctionType(inputs, {}));
  SmallVector<bool> shared(pointers);
  for (auto [result, alias] : llvm::enumerate(signature.aliases))
    if (alias >= 0)
      shared[alias] = shared[arguments + result] = true;
  for (size_t i = 0; i < pointers; ++i)
    if (!shared[i])
      frame.function.setArgAttr(i, "llvm.noalias", builder.getUnitAttr());
  frame.accumulate.assign(signature.accumulate.begin(),
                          signature.accumulate.end());

  Block *entry = frame.function.addEntryBlock();
  auto values = entry->getArguments();
  frame.arguments.assign(values.begin(), values.begin() + arguments);
  frame.results.assign(values.begin() + arguments, values.begin() + pointers);
  frame.begin = values[pointers];
  frame.end = values[pointers + 1];
  builder.setInsertionPointToEnd(entry);
  func::ReturnOp::create(builder, loc);
  builder.setInsertionPointToStart(entry);
  return frame;
}
