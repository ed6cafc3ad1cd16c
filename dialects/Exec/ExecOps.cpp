// Syntax and verifiers of the exec ops.
#include "dialects/Exec/Exec.h"
#include "mlir/IR/Builders.h"
#include "mlir/Interfaces/FunctionImplementation.h"

using namespace mlir;
using namespace llmc::exec;

/// `{role = slot, bytes = 1024, count = 2}`; bytes and count may be absent.
static ParseResult parseArenaBody(OpAsmParser &parser, RoleAttr &role,
                                  IntegerAttr &bytes, IntegerAttr &count) {
  Builder &builder = parser.getBuilder();
  SMLoc roleLoc;
  StringRef word;
  if (parser.parseLBrace() || parser.parseKeyword("role") ||
      parser.parseEqual() || parser.getCurrentLocation(&roleLoc) ||
      parser.parseKeyword(&word))
    return failure();
  std::optional<Role> known = symbolizeRole(word);
  if (!known)
    return parser.emitError(roleLoc)
           << "unknown arena role '" << word << "', expected one of parameter, "
           << "master, gradient, state, slot, scratch, send, receive, step, "
           << "workspace, snapshot";
  role = RoleAttr::get(builder.getContext(), *known);
  while (succeeded(parser.parseOptionalComma())) {
    SMLoc loc = parser.getCurrentLocation();
    StringRef key;
    int64_t value;
    if (parser.parseKeyword(&key) || parser.parseEqual() ||
        parser.parseInteger(value))
      return failure();
    IntegerAttr *slot = key == "bytes"   ? &bytes
                        : key == "count" ? &count
                                         : nullptr;
    if (!slot)
      return parser.emitError(loc)
             << "unknown key '" << key << "', expected bytes or count";
    if (*slot)
      return parser.emitError(loc) << "'" << key << "' is given twice";
    *slot = builder.getI64IntegerAttr(value);
  }
  if (!count)
    count = builder.getI64IntegerAttr(1);
  return parser.parseRBrace();
}

static void printArenaBody(OpAsmPrinter &printer, Operation *, RoleAttr role,
                           IntegerAttr bytes, IntegerAttr count) {
  printer << "{role = " << stringifyRole(role.getValue());
  if (bytes)
    printer << ", bytes = " << bytes.getInt();
  if (count && count.getInt() != 1)
    printer << ", count = " << count.getInt();
  printer << "}";
}

#define GET_OP_CLASSES
#include "dialects/Exec/ExecOps.cpp.inc"

/// Checks that `block` ends in an exec.return of values of `types`.
static LogicalResult verifyReturn(Operation *op, Block &block,
                                  TypeRange types) {
  if (block.empty() || !isa<ReturnOp>(block.back()))
    return op->emitOpError("body must end in exec.return");
  Operation &ret = block.back();
  if (ret.getNumOperands() != types.size())
    return ret.emitOpError("returns ")
           << ret.getNumOperands() << " values, expected " << types.size();
  for (auto [i, value, type] : llvm::enumerate(ret.getOperands(), types))
    if (value.getType() != type)
      return ret.emitOpError("operand ")
             << i << " has type " << value.getType() << ", expected " << type;
  return success();
}

LogicalResult DispatchOp::verify() {
  Block &block = getBody().front();
  if (block.getNumArguments() != getInputs().size())
    return emitOpError("has ") << getInputs().size() << " inputs and "
                               << block.getNumArguments() << " body arguments";
  for (auto [i, input, argument] :
       llvm::enumerate(getInputs(), block.getArguments()))
    if (input.getType() != argument.getType())
      return emitOpError("input ")
             << i << " has type " << input.getType()
             << ", its body argument has type " << argument.getType();
  if (auto flags = (*this)->getAttrOfType<DenseBoolArrayAttr>("accumulate"))
    if (flags.size() != static_cast<int64_t>(getNumResults()))
      return emitOpError("'accumulate' has ")
             << flags.size() << " entries, expected one per result, "
             << getNumResults();
  return verifyReturn(*this, block, getResultTypes());
}

ParseResult KernelOp::parse(OpAsmParser &parser, OperationState &result) {
  auto buildType = [](Builder &builder, ArrayRef<Type> arguments,
                      ArrayRef<Type> results,
                      function_interface_impl::VariadicFlag, std::string &) {
    return builder.getFunctionType(arguments, results);
  };
  return function_interface_impl::parseFunctionOp(
      parser, result, /*allowVariadic=*/false,
      getFunctionTypeAttrName(result.name), buildType,
      getArgAttrsAttrName(result.name), getResAttrsAttrName(result.name));
}

void KernelOp::print(OpAsmPrinter &printer) {
  function_interface_impl::printFunctionOp(
      printer, *this, /*isVariadic=*/false, getFunctionTypeAttrName(),
      getArgAttrsAttrName(), getResAttrsAttrName());
}

LogicalResult KernelOp::verify() {
  int64_t arguments = getArgumentTypes().size();
  int64_t results = getResultTypes().size();
  if (static_cast<int64_t>(getAccumulate().size()) != results)
    return emitOpError("'accumulate' has ")
           << getAccumulate().size() << " entries, expected one per result, "
           << results;
  if (static_cast<int64_t>(getAliases().size()) != results)
    return emitOpError("'aliases' has ")
           << getAliases().size() << " entries, expected one per result, "
           << results;
  for (auto [i, alias] : llvm::enumerate(getAliases())) {
    if (alias < -1 || alias >= arguments)
      return emitOpError("result ")
             << i << " aliases argument " << alias
             << ", expected -1 or a number below " << arguments;
    if (alias >= 0 && getArgumentTypes()[alias] != getResultTypes()[i])
      return emitOpError("result ")
             << i << " of type " << getResultTypes()[i] << " aliases argument "
             << alias << " of type " << getArgumentTypes()[alias];
    if (alias >= 0 && getAccumulate()[i])
      return emitOpError("result ")
             << i << " both accumulates and aliases argument " << alias;
  }
  return verifyReturn(*this, getBody().front(), getResultTypes());
}

LogicalResult ArenaOp::verify() {
  if (IntegerAttr bytes = getBytesAttr(); bytes && bytes.getInt() < 0)
    return emitOpError("has ")
           << bytes.getInt() << " bytes, expected at least 0";
  if (getCountAttr().getInt() < 1)
    return emitOpError("has ")
           << getCountAttr().getInt() << " instances, expected at least 1";
  return success();
}

std::optional<int64_t> llmc::exec::sizeOf(Value buffer) {
  if (auto whole = buffer.getDefiningOp<BufferOp>())
    return whole.getBytes();
  if (auto view = buffer.getDefiningOp<ViewOp>())
    return view.getBytes();
  return std::nullopt;
}

LogicalResult BufferOp::verifySymbolUses(SymbolTableCollection &tables) {
  if (tables.lookupNearestSymbolFrom<ArenaOp>(*this, getArenaAttr()))
    return success();
  return emitOpError("found no arena ") << getArenaAttr();
}

LogicalResult ViewOp::verify() {
  int64_t offset = getOffsetAttr().getInt(), bytes = getBytesAttr().getInt();
  if (offset < 0)
    return emitOpError("has offset ") << offset << ", expected at least 0";
  if (bytes < 1)
    return emitOpError("has ") << bytes << " bytes, expected at least 1";
  if (bool(getAxis()) != bool(getStride()))
    return emitOpError("has ") << (getAxis() ? "an axis" : "a stride")
                               << ", expected an axis and a stride or neither";
  if (getStride() && getStrideAttr().getInt() < 1)
    return emitOpError("has stride ")
           << getStrideAttr().getInt() << ", expected at least 1";
  std::optional<int64_t> source = sizeOf(getSource());
  if (source && bytes > *source - offset)
    return emitOpError("takes ")
           << bytes << " bytes at " << offset << " of a buffer of " << *source;
  return success();
}

LogicalResult BlockOp::verify() {
  for (Operation &op : getBody().front())
    if (!isa<LaunchOp, MatmulOp, CollectiveOp, CollectiveStartOp, WaitOp>(op))
      return op.emitError("is no instruction, expected one in an exec.block");
  return success();
}

/// All elements that two strides reach lie in the dense matrix.
static LogicalResult verifyStrides(MatmulOp op, StringRef name,
                                   ArrayRef<int64_t> strides, int64_t rows,
                                   int64_t columns) {
  if (strides.size() != 2 || strides[0] < 1 || strides[1] < 1)
    return op.emitOpError("has ") << name << " strides [" << strides
                                  << "], expected two of at least 1";
  int64_t last = (rows - 1) * strides[0] + (columns - 1) * strides[1];
  if (last < rows * columns)
    return success();
  return op.emitOpError("reaches element ")
         << last << " of its " << name << ", which has " << rows * columns;
}

LogicalResult MatmulOp::verify() {
  for (auto [name, size] :
       {std::pair("m", getM()), std::pair("n", getN()), std::pair("k", getK())})
    if (static_cast<int64_t>(size) < 1)
      return emitOpError("has ") << name << " = " << static_cast<int64_t>(size)
                                 << ", expected at least 1";
  if (failed(verifyStrides(*this, "lhs", getLhsStrides(), getM(), getK())) ||
      failed(verifyStrides(*this, "rhs", getRhsStrides(), getK(), getN())))
    return failure();
  if (getAccumulate() && (getBias() || getAddend()))
    return emitOpError("accumulates, so it cannot have an epilogue");
  return success();
}

LogicalResult LaunchOp::verifySymbolUses(SymbolTableCollection &tables) {
  auto kernel =
      tables.lookupNearestSymbolFrom<KernelOp>(*this, getKernelAttr());
  if (!kernel)
    return emitOpError("found no kernel ") << getKernelAttr();
  size_t arguments = kernel.getArgumentTypes().size();
  size_t results = kernel.getResultTypes().size();
  if (getInputs().size() == arguments && getOutputs().size() == results)
    return success();
  return emitOpError("has ")
         << getInputs().size() << " inputs and " << getOutputs().size()
         << " outputs, kernel " << getKernelAttr() << " takes " << arguments
         << " and gives " << results;
}

LogicalResult StateOp::verify() {
  if (getBuffers().size() == getRoles().size())
    return success();
  return emitOpError("has ")
         << getBuffers().size() << " buffers and " << getRoles().size()
         << " roles, expected equal numbers";
}

LogicalResult EntryOp::verifySymbolUses(SymbolTableCollection &tables) {
  Operation *program = (*this)->getParentOp();
  for (auto [action, block] :
       llvm::zip(getActions().getAsValueRange<StringAttr>(),
                 getBlocks().getAsRange<StringAttr>()))
    if (!block.empty() &&
        !isa_and_nonnull<BlockOp>(tables.lookupSymbolIn(program, block)))
      return emitOpError("action '")
             << action << "' runs no block @" << block.getValue();
  return success();
}

LogicalResult EntryOp::verify() {
  size_t actions = getActions().size();
  if (getBlocks().size() != actions || getSlots().size() != actions ||
      getMicrobatches().size() != actions)
    return emitOpError("has ")
           << actions << " actions, " << getBlocks().size() << " blocks, "
           << getSlots().size() << " slots and " << getMicrobatches().size()
           << " micro-batches, expected equal numbers";
  return success();
}
