// Everything that a tool must register: dialects and passes.
#include "passes/Pipelines/Register.h"
#include "dialects/Nn/Nn.h"
#include "mlir/Transforms/Passes.h"
#include "passes/Nn/Passes.h"

void llmc::registerAllDialects(mlir::DialectRegistry &registry) {
  registry.insert<nn::NnDialect>();
}

void llmc::registerAllPasses() {
  mlir::registerCanonicalizerPass();
  mlir::registerCSEPass();
  nn::registerNnPasses();
}
