// The nn dialect's registration and the generated definitions of its ops.
#include "dialects/Interfaces/Bytecode.h"
#include "dialects/Nn/Nn.h"

using namespace mlir;
using namespace llmc::nn;

#include "dialects/Nn/NnDialect.cpp.inc"

#define GET_OP_CLASSES
#include "dialects/Nn/NnOps.cpp.inc"

void NnDialect::initialize() {
  addOperations<
#define GET_OP_LIST
#include "dialects/Nn/NnOps.cpp.inc"
      >();
  registerAttributes();
  addInterface<llmc::VersionedBytecode>(kVersion);
}
