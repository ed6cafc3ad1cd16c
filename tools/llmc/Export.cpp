// llmc export: weights of a checkpoint for other programs.
#include "runtime/checkpoint/Export.h"
#include "runtime/base/Json.h"
#include "runtime/executor/RunDirectory.h"
#include "tools/llmc/Commands.h"

#include "llvm/Support/raw_ostream.h"

#include <filesystem>

namespace cl = llvm::cl;
using namespace llmc;

namespace {

cl::SubCommand exportCommand("export",
                             "Write a checkpoint's weights and config.json");
cl::opt<std::string> checkpoint(cl::Positional, cl::desc("CHECKPOINT"),
                                cl::Required, cl::sub(exportCommand));
cl::opt<std::string> output("o", cl::desc("Directory to write"),
                            cl::value_desc("DIR"), cl::Required,
                            cl::sub(exportCommand));
cl::opt<rt::FloatType>
    dtype("dtype", cl::desc("Type of the weights"),
          cl::init(rt::FloatType::F32),
          cl::values(clEnumValN(rt::FloatType::F32, "fp32", "float32"),
                     clEnumValN(rt::FloatType::BF16, "bf16", "bfloat16"),
                     clEnumValN(rt::FloatType::F16, "fp16", "float16")),
          cl::sub(exportCommand));

int fail(const std::string &message) {
  llvm::errs() << "llmc export: error: " << message << "\n";
  return tool::kWrongInput;
}

/// The checkpoint's config.json, with the type that is written.
rt::Expected<std::string> configText(const std::string &directory) {
  rt::Expected<rt::Json> config =
      rt::readJsonFile(directory + "/" + rt::checkpointfile::config);
  if (!config)
    return config.takeStatus();
  (*config)["torch_dtype"] = dtype == rt::FloatType::F32    ? "float32"
                             : dtype == rt::FloatType::BF16 ? "bfloat16"
                                                            : "float16";
  return config->dump(2) + "\n";
}

int runExport() {
  rt::Expected<std::string> found = rt::findCheckpoint(checkpoint);
  if (!found)
    return fail(found.message());
  rt::Expected<rt::WeightsFile> weights = rt::WeightsFile::open(*found);
  if (!weights)
    return fail(weights.message());
  rt::Expected<std::string> config = configText(*found);
  if (!config)
    return fail(config.message());
  std::error_code ignored;
  if (std::filesystem::exists(output + "/state.json", ignored))
    return fail("'" + output + "' is a checkpoint, expected another directory");
  if (rt::Status status = rt::createDirectories(output); !status)
    return fail(status.message());
  rt::Status status = rt::exportWeights(*weights, output, dtype);
  if (status)
    status = rt::writeFileAtomically(output + "/config.json", *config);
  if (!status)
    return fail(status.message());
  llvm::outs() << "exported " << weights->tensors().size() << " tensors of '"
               << *found << "' to '" << output << "'\n";
  return tool::kDone;
}

tool::Command registration(exportCommand, runExport);

} // namespace
