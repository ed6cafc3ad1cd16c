// Values as JSON: a number, or {"shape": [...], "data": [...]}.
#ifndef LLMC_TOOLS_LLMCINTERPRET_VALUEJSON_H
#define LLMC_TOOLS_LLMCINTERPRET_VALUEJSON_H

#include "codegen/Reference/Value.h"
#include "runtime/base/Json.h"

namespace llmc::interpret {

/// Lossless; what is not finite becomes the string inf, -inf or nan.
rt::Json valueToJson(const reference::Value &value);

/// `what` names the value in an error.
rt::Expected<reference::Value> valueFromJson(const rt::Json &json,
                                             const std::string &what);

} // namespace llmc::interpret

#endif // LLMC_TOOLS_LLMCINTERPRET_VALUEJSON_H
