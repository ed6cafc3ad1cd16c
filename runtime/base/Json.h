// Parsing of small JSON files into a tree, with errors as Status.
#ifndef LLMC_RUNTIME_BASE_JSON_H
#define LLMC_RUNTIME_BASE_JSON_H

#include "runtime/base/Status.h"

#include <nlohmann/json.hpp>

#include <string>
#include <string_view>

namespace llmc::rt {

using Json = nlohmann::ordered_json;

/// Parses `text`; `what` names it in an error. A key that an object gives twice
/// is an error, and so is a text of more than 16 MiB or deeper than 64 levels:
/// a tree takes many times the memory of its text.
Expected<Json> parseJson(std::string_view text, const std::string &what);

/// Reads and parses a file.
Expected<Json> readJsonFile(const std::string &path);

/// Typed members of an object, with an error that names `what` and the key.
Expected<std::string> jsonString(const Json &object, const std::string &key,
                                 const std::string &what);
Expected<int64_t> jsonInteger(const Json &object, const std::string &key,
                              const std::string &what);

/// Serialises on one line; bytes that are not UTF-8 become U+FFFD.
std::string dumpJson(const Json &value);

} // namespace llmc::rt

#endif // LLMC_RUNTIME_BASE_JSON_H
