// Compiling the kernels of a program into a shared object.
#include "codegen/Cpu/CompileKernels.h"
#include "dialects/Nn/Nn.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Parser/Parser.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FileUtilities.h"
#include "llvm/Support/MemoryBuffer.h"
#include <gtest/gtest.h>

using namespace llmc;
using codegen::CpuTarget;

namespace {

constexpr char kProgram[] = R"mlir(
exec.program @p {
  exec.kernel @relu(%a: tensor<5x3x8xf32>) -> tensor<5x3x8xf32>
      attributes {accumulate = array<i1: false>, aliases = array<i64: 0>} {
    %h = nn.relu %a : (tensor<5x3x8xf32>) -> tensor<5x3x8xf32>
    exec.return %h : tensor<5x3x8xf32>
  }
  exec.kernel @sum_leading(%a: tensor<5x3x300xf32>) -> tensor<300xf32>
      attributes {accumulate = array<i1: true>, aliases = array<i64: -1>} {
    %h = nn.sum_leading %a : (tensor<5x3x300xf32>) -> tensor<300xf32>
    exec.return %h : tensor<300xf32>
  }
}
)mlir";

class CompileKernels : public testing::Test {
protected:
  void SetUp() override {
    context.loadDialect<mlir::arith::ArithDialect, exec::ExecDialect,
                        nn::NnDialect>();
    module = mlir::parseSourceString<mlir::ModuleOp>(kProgram, &context);
    ASSERT_TRUE(module);
  }

  exec::ProgramOp program() {
    return *module->getOps<exec::ProgramOp>().begin();
  }

  /// The bytes of the shared object that `target` gets.
  std::string compile(const CpuTarget &target) {
    llvm::SmallString<128> path;
    EXPECT_FALSE(llvm::sys::fs::createTemporaryFile("kernels", "so", path));
    llvm::FileRemover remover(path);
    EXPECT_TRUE(
        succeeded(codegen::compileKernels(program(), target, path.str())));
    auto file = llvm::MemoryBuffer::getFile(path);
    return file ? (*file)->getBuffer().str() : "";
  }

  mlir::MLIRContext context;
  mlir::OwningOpRef<mlir::ModuleOp> module;
};

TEST(CpuTarget, LanesFollowFeatures) {
  EXPECT_EQ((CpuTarget{"x86_64-linux-gnu", "+avx2,+avx512f"}.lanes()), 16);
  EXPECT_EQ((CpuTarget{"x86_64-linux-gnu", "+avx2,-avx512f"}.lanes()), 8);
  EXPECT_EQ((CpuTarget{"x86_64-linux-gnu", ""}.lanes()), 4);
}

TEST_F(CompileKernels, ExtentsFollowTheOrderOfTheProgram) {
  llvm::SmallString<128> path;
  ASSERT_FALSE(llvm::sys::fs::createTemporaryFile("kernels", "so", path));
  llvm::FileRemover remover(path);
  auto compiled =
      codegen::compileKernels(program(), CpuTarget::host(), path.str());
  ASSERT_TRUE(succeeded(compiled));
  ASSERT_EQ(compiled->size(), 2u);
  EXPECT_EQ((*compiled)[0].symbol, "relu");
  EXPECT_EQ((*compiled)[0].extent, 15);
  EXPECT_EQ((*compiled)[1].symbol, "sum_leading");
  EXPECT_EQ((*compiled)[1].extent, 3);
}

TEST_F(CompileKernels, SameProgramSameBytes) {
  std::string first = compile(CpuTarget::host());
  EXPECT_FALSE(first.empty());
  EXPECT_EQ(first, compile(CpuTarget::host()));
}

TEST_F(CompileKernels, RefusesFolderThatIsNotThere) {
  std::string message;
  mlir::ScopedDiagnosticHandler handler(&context,
                                        [&](mlir::Diagnostic &diagnostic) {
                                          message = diagnostic.str();
                                          return mlir::success();
                                        });
  EXPECT_TRUE(failed(codegen::compileKernels(program(), CpuTarget::host(),
                                             "/no-such-folder/kernels.so")));
  EXPECT_NE(message.find("cannot write '/no-such-folder/kernels.so.o'"),
            std::string::npos)
      << message;
}

TEST_F(CompileKernels, RefusesUnknownTriple) {
  std::string message;
  mlir::ScopedDiagnosticHandler handler(&context,
                                        [&](mlir::Diagnostic &diagnostic) {
                                          message = diagnostic.str();
                                          return mlir::success();
                                        });
  EXPECT_TRUE(failed(codegen::compileKernels(
      program(), CpuTarget{"abacus-linux-gnu", ""}, "/tmp/kernels.so")));
  EXPECT_NE(message.find("cannot generate code for 'abacus-linux-gnu'"),
            std::string::npos)
      << message;
}

} // namespace
