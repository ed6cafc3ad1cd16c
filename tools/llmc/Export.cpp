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
rt::Expected<rt::Json> configOf(const std::string &directory) {
  rt::Expected<rt::Json> config =
      rt::readJsonFile(directory + "/" + rt::checkpointfile::config);
  if (!config)
    return config.takeStatus();
  (*config)["torch_dtype"] = dtype == rt::FloatType::F32    ? "float32"
                             : dtype == rt::FloatType::BF16 ? "bfloat16"
                                                            : "float16";
  return config;
}

/// Notes what the weights were trained with and config.json has no key for.
rt::Status noteUnsaid(const std::string &directory, const rt::Json &config) {
  rt::Expected<rt::Json> settings =
      rt::readJsonFile(directory + "/" + rt::checkpointfile::settings);
  if (!settings)
    return settings.takeStatus();
  rt::Expected<rt::Json> identity =
      rt::parseJson(settings->value(rt::Json::json_pointer("/model/identity"),
                                    std::string("{}")),
                    "the model of the checkpoint");
  if (!identity)
    return identity.takeStatus();
  for (const auto &[key, none] :
       {std::pair("sliding_window", rt::Json(nullptr)),
        std::pair("global_tokens", rt::Json(0)),
        std::pair("document_mask", rt::Json(false))}) {
    auto found = identity->find(std::string("model.") + key);
    if (found == identity->end() || *found == none || config.contains(key))
      continue;
    llvm::errs() << "llmc export: note: trained with model." << key << " "
                 << rt::dumpJson(*found)
                 << ", which config.json cannot say: other programs will "
                    "compute without it\n";
  }
  return rt::Status::success();
}

int runExport() {
  rt::Expected<std::string> found = rt::findCheckpoint(checkpoint);
  if (!found)
    return fail(found.message());
  rt::Expected<rt::WeightsFile> weights = rt::WeightsFile::open(*found);
  if (!weights)
    return fail(weights.message());
  rt::Expected<rt::Json> config = configOf(*found);
  if (!config)
    return fail(config.message());
  std::error_code ignored;
  if (std::filesystem::exists(output + "/state.json", ignored))
    return fail("'" + output + "' is a checkpoint, expected another directory");
  if (rt::Status status = rt::createDirectories(output); !status)
    return fail(status.message());
  rt::Status status = rt::exportWeights(*weights, output, dtype);
  if (status)
    status = rt::writeFileAtomically(output + "/config.json",
                                     config->dump(2) + "\n");
  if (status)
    status = noteUnsaid(*found, *config);
  if (!status)
    return fail(status.message());
  llvm::outs() << "exported " << weights->tensors().size() << " tensors of '"
               << *found << "' to '" << output << "'\n";
  return tool::kDone;
}

tool::Command registration(exportCommand, runExport);

} // namespace
