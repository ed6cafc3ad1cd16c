// The one table of every key of a spec: type, range, what is built of it.
#ifndef LLMC_FRONTEND_SPEC_SCHEMA_H
#define LLMC_FRONTEND_SPEC_SCHEMA_H

#include "frontend/spec/Diagnostics.h"
#include "frontend/spec/Spec.h"
#include "frontend/yaml/Document.h"

#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace llmc::frontend {

enum class KeyType {
  Integer,
  Real,
  Boolean,
  Text,
  Choice,
  Path,
  Bytes,
  Duration,
  Special // has its own reader and printer
};

/// Where the value of a key lives in the structs.
using Field = std::variant<std::monostate, int64_t *, std::optional<int64_t> *,
                           double *, std::optional<double> *, bool *,
                           std::string *, std::optional<std::string> *>;

struct SchemaKey {
  std::string path; // dotted
  KeyType type = KeyType::Special;
  Field (*field)(Spec &) = nullptr;
  std::vector<std::string> choices = {};
  bool nullable = false;
  bool required = false;
  std::optional<double> least = {}; // inclusive
  std::optional<double> above = {}; // exclusive
  std::optional<double> below = {}; // exclusive
  std::optional<double> most = {};  // inclusive
  bool single = false;              // Real: must fit float32
  /// Of the values other than the default, which are built: all of them, or
  /// only those listed (as JSON).
  bool onlyListed = false;
  std::vector<std::string> built = {};
  /// For Special.
  void (*read)(const Node &, const SchemaKey &, Spec &,
               DiagnosticList &) = nullptr;
  std::string (*print)(const Spec &) = nullptr;
  /// Of Special: what an error says was expected.
  std::string expects = {};
};

/// Every key in the order of the spec's page.
const std::vector<SchemaKey> &schema();

const SchemaKey *findKey(const std::string &path);

/// Whether some key stands under this path.
bool isSection(const std::string &path);

/// The keys (sections too) that may stand directly in a section.
std::vector<std::string> keysOf(const std::string &section);

/// The value of a key as JSON.
std::string printKey(const SchemaKey &key, const Spec &spec);

/// The value a spec without the key has, as JSON.
std::string defaultOf(const SchemaKey &key);

/// "an integer of at least 1", "cpu, cuda, ptxsim or null".
std::string expectedOf(const SchemaKey &key);

/// Reads one value into the structs; a wrong one is an error at its place,
/// and so is one that is right but not built.
void readKey(const SchemaKey &key, const Node &node, Spec &spec,
             DiagnosticList &diagnostics);

/// `unknown key a.b.c; did you mean a.b.d`, looking among the siblings first,
/// then at the same name in another section; `elsewhere` adds paths to those
/// of the table.
void reportUnknownKey(const Entry &entry, const std::string &section,
                      const std::vector<std::string> &siblings,
                      DiagnosticList &diagnostics,
                      const std::vector<std::string> &elsewhere = {});

} // namespace llmc::frontend

#endif // LLMC_FRONTEND_SPEC_SCHEMA_H
