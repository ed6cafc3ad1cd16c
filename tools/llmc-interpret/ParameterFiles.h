// Parameters of a module in a weights file, as `#nn.storage` places them.
#ifndef LLMC_TOOLS_LLMCINTERPRET_PARAMETERFILES_H
#define LLMC_TOOLS_LLMCINTERPRET_PARAMETERFILES_H

#include "codegen/Reference/Value.h"
#include "mlir/IR/BuiltinOps.h"
#include "runtime/base/Status.h"

#include <map>
#include <string>

namespace llmc::interpret {

/// Reads a value for each parameter of the module from a safetensors file or
/// an index. Fails where the file and the module do not match exactly.
rt::Expected<std::map<std::string, reference::Value>>
readParameters(mlir::ModuleOp module, const std::string &path);

} // namespace llmc::interpret

#endif // LLMC_TOOLS_LLMCINTERPRET_PARAMETERFILES_H
