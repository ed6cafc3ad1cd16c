// Runs the project's passes on IR: a thin main for tests and exploration.
#include "mlir/Tools/mlir-opt/MlirOptMain.h"
#include "passes/Pipelines/Register.h"

int main(int argc, char **argv) {
  mlir::DialectRegistry registry;
  llmc::registerAllDialects(registry);
  llmc::registerAllPasses();
  return mlir::asMainReturnCode(
      mlir::MlirOptMain(argc, argv, "llmc's passes on MLIR\n", registry));
}
