// A plan comes from a file, so nothing in it is believed: after this check the
// executor may use every index, range and size as it stands.
#include "runtime/plan/Plan.h"

#include <array>
#include <cmath>
#include <set>

namespace llmc::rt {
namespace {

using plan::Arena;
using plan::Ref;

/// More than any machine has: sums and products of such sizes fit 64 bits.
constexpr uint64_t maxBytes = uint64_t(1) << 48;
/// The product of two extents below this fits 64 bits.
constexpr int64_t maxExtent = int64_t(1) << 31;
constexpr uint32_t maxThreads = 4096;
/// Tables that the encoding may reach; sharing them lets a small file name
/// many.
constexpr uint32_t maxTables = uint32_t(1) << 24;

std::string number(uint64_t value) { return std::to_string(value); }
std::string number(int64_t value) { return std::to_string(value); }
std::string number(uint32_t value) { return std::to_string(value); }

class Checker {
public:
  Checker(const plan::Plan &plan, const std::string &name)
      : plan(plan), name(name) {}

  Status run() {
    bool good = checkHeader() && checkArenas() && checkKernels() &&
                checkMatmuls() && checkBlocks() && checkEntries() &&
                checkInputs() && checkScalars() && checkParameters();
    return good ? Status::success()
                : Status::error("'" + name + "': " + failure);
  }

private:
  bool fail(const std::string &message) {
    failure = message;
    return false;
  }

  bool checkHeader();
  bool checkArenas();
  bool checkKernels();
  bool checkMatmuls();
  bool checkMatmul(const plan::Matmul &matmul, const std::string &where);
  bool checkBlocks();
  bool checkInstruction(const plan::Instruction &instruction,
                        const std::string &where);
  bool checkMatmulOperands(const plan::Instruction &instruction,
                           const std::string &where);
  bool checkEntries();
  bool checkAction(const plan::Action &action, const std::string &where);
  bool checkInputs();
  bool checkScalars();
  bool checkParameters();
  bool checkParameter(const plan::Parameter &parameter,
                      const std::string &where);
  bool checkFileSlice(const plan::Parameter &parameter,
                      const std::string &where);
  bool checkRef(const Ref &ref, const std::string &where);
  /// The number of elements of a shape of positive dimensions.
  bool countElements(const flatbuffers::Vector<int64_t> &shape,
                     const std::string &where, uint64_t &elements);
  bool checkNew(std::set<std::string, std::less<>> &seen,
                std::string_view found, const std::string &what);

  uint64_t bytesOf(Arena arena) const { return sizes[size_t(arena)]; }
  uint64_t countOf(Arena arena) const { return counts[size_t(arena)]; }

  static constexpr size_t arenaKinds = size_t(Arena::MAX) + 1;

  const plan::Plan &plan;
  const std::string &name;
  std::string failure;
  std::array<uint64_t, arenaKinds> sizes{};
  std::array<uint64_t, arenaKinds> counts{};
};

bool Checker::checkHeader() {
  if (plan.threads() == 0 || plan.threads() > maxThreads)
    return fail("the plan is for " + number(plan.threads()) +
                " threads, expected 1 to " + number(maxThreads));
  if (textOf(plan.target()).empty())
    return fail("the plan names no target");
  return true;
}

bool Checker::checkArenas() {
  uint64_t sum = 0;
  for (const plan::ArenaSize *arena : *plan.arenas()) {
    size_t kind = size_t(arena->arena());
    if (kind >= arenaKinds)
      return fail("arena kind " + number(uint64_t(kind)) + ", expected 0 to " +
                  number(uint64_t(arenaKinds - 1)));
    std::string what =
        "arena '" + std::string(EnumNameArena(arena->arena())) + "'";
    if (counts[kind] != 0)
      return fail(what + " is given twice");
    if (arena->bytes() > maxBytes || arena->count() == 0 ||
        arena->count() > maxExtent)
      return fail(what + " has " + number(arena->count()) + " x " +
                  number(arena->bytes()) +
                  " bytes, expected at least one and "
                  "at most " +
                  number(maxBytes) + " bytes in all");
    unsigned __int128 all =
        (unsigned __int128)instanceStride(*arena) * arena->count() + sum;
    if (all > maxBytes)
      return fail("the arenas have more than " + number(maxBytes) +
                  " bytes in all");
    sum = uint64_t(all);
    sizes[kind] = arena->bytes();
    counts[kind] = arena->count();
  }
  return true;
}

bool Checker::checkRef(const Ref &ref, const std::string &where) {
  size_t kind = size_t(ref.arena());
  if (kind >= arenaKinds || counts[kind] == 0)
    return fail(where + " lies in arena " + number(uint64_t(kind)) +
                ", which the plan does not have");
  uint64_t size = bytesOf(ref.arena());
  if (ref.bytes() == 0 || ref.offset() > size ||
      ref.bytes() > size - ref.offset())
    return fail(where + " is " + number(ref.bytes()) + " bytes at " +
                number(ref.offset()) + " of arena '" +
                EnumNameArena(ref.arena()) + "', which has " + number(size));
  return true;
}

bool Checker::checkKernels() {
  for (const plan::Kernel *kernel : *plan.kernels()) {
    std::string where = "kernel '" + kernel->symbol()->str() + "'";
    if (textOf(kernel->symbol()).empty())
      return fail("a kernel without a name");
    if (kernel->extent() <= 0)
      return fail(where + " has extent " + number(kernel->extent()) +
                  ", expected at least 1");
    if (kernel->operands() == 0)
      return fail(where + " has no operands");
  }
  return true;
}

bool Checker::checkMatmuls() {
  for (uint32_t i = 0; i < plan.matmuls()->size(); ++i)
    if (!checkMatmul(*plan.matmuls()->Get(i), "matmul " + number(i)))
      return false;
  return true;
}

bool Checker::checkMatmul(const plan::Matmul &matmul,
                          const std::string &where) {
  for (int64_t extent : {matmul.m(), matmul.n(), matmul.k()})
    if (extent <= 0 || extent >= maxExtent)
      return fail(where + " has an extent of " + number(extent) +
                  ", expected 1 to " + number(maxExtent - 1));
  for (const auto *strides : {matmul.lhs_strides(), matmul.rhs_strides()}) {
    if (!strides || strides->size() != 2)
      return fail(where + " has " +
                  number(uint32_t(strides ? strides->size() : 0)) +
                  " strides for an operand, expected 2");
    for (int64_t stride : *strides)
      if (stride <= 0 || stride >= maxExtent)
        return fail(where + " has a stride of " + number(stride) +
                    ", expected 1 to " + number(maxExtent - 1));
  }
  if (matmul.accumulate() && (matmul.bias() || matmul.addend()))
    return fail(where + " accumulates and has an epilogue");
  if (matmul.workspace() > bytesOf(Arena::workspace))
    return fail(where + " needs " + number(matmul.workspace()) +
                " bytes of scratch, arena 'workspace' has " +
                number(bytesOf(Arena::workspace)));
  return true;
}

bool Checker::checkBlocks() {
  std::set<std::string, std::less<>> seen;
  for (const plan::Block *block : *plan.blocks()) {
    if (!checkNew(seen, textOf(block->name()), "block"))
      return false;
    for (uint32_t i = 0; i < block->instructions()->size(); ++i)
      if (!checkInstruction(*block->instructions()->Get(i),
                            "block '" + block->name()->str() +
                                "', instruction " + number(i)))
        return false;
  }
  return true;
}

bool Checker::checkInstruction(const plan::Instruction &instruction,
                               const std::string &where) {
  bool launch = instruction.kind() == plan::InstructionKind::launch;
  if (!launch && instruction.kind() != plan::InstructionKind::matmul)
    return fail(where + " is of kind " + number(uint32_t(instruction.kind())) +
                ", expected 0 or 1");
  if (instruction.when() > plan::When::MAX)
    return fail(where + " has predicate " +
                number(uint32_t(instruction.when())) + ", expected 0 to " +
                number(uint32_t(plan::When::MAX)));
  uint32_t limit = launch ? plan.kernels()->size() : plan.matmuls()->size();
  if (instruction.index() >= limit)
    return fail(where + " names " + (launch ? "kernel " : "matmul ") +
                number(instruction.index()) + " of " + number(limit));

  uint32_t found = instruction.operands()->size();
  uint32_t expected = 0;
  if (launch) {
    expected = plan.kernels()->Get(instruction.index())->operands();
  } else {
    const plan::Matmul &matmul = *plan.matmuls()->Get(instruction.index());
    expected = 3 + matmul.bias() + matmul.addend();
  }
  if (found != expected)
    return fail(where + " has " + number(found) + " operands, expected " +
                number(expected));
  uint32_t outputs = instruction.outputs();
  if (outputs == 0 || outputs > found || (!launch && outputs != 1))
    return fail(where + " writes " + number(outputs) + " of its " +
                number(found) + " operands");
  for (uint32_t i = 0; i < found; ++i)
    if (!checkRef(*instruction.operands()->Get(i),
                  where + ", operand " + number(i)))
      return false;
  return launch || checkMatmulOperands(instruction, where);
}

/// The bytes of float32 from the first to the last element of a matrix.
unsigned __int128 spanBytes(int64_t rows, int64_t rowStride, int64_t columns,
                            int64_t columnStride) {
  return 4 * ((unsigned __int128)(rows - 1) * rowStride +
              (unsigned __int128)(columns - 1) * columnStride + 1);
}

bool Checker::checkMatmulOperands(const plan::Instruction &instruction,
                                  const std::string &where) {
  const plan::Matmul &matmul = *plan.matmuls()->Get(instruction.index());
  int64_t m = matmul.m(), n = matmul.n(), k = matmul.k();
  const auto &lhs = *matmul.lhs_strides(), &rhs = *matmul.rhs_strides();
  std::array<unsigned __int128, 5> needed{
      spanBytes(m, lhs.Get(0), k, lhs.Get(1)),
      spanBytes(k, rhs.Get(0), n, rhs.Get(1))};
  uint32_t count = 2;
  if (matmul.bias())
    needed[count++] = spanBytes(1, 1, n, 1);
  if (matmul.addend())
    needed[count++] = spanBytes(m, n, n, 1);
  needed[count++] = spanBytes(m, n, n, 1);
  for (uint32_t i = 0; i < count; ++i) {
    const Ref &ref = *instruction.operands()->Get(i);
    if (ref.bytes() < needed[i])
      return fail(where + ", operand " + number(i) + " has " +
                  number(ref.bytes()) + " bytes, the matmul needs " +
                  number(uint64_t(needed[i])));
    if (ref.offset() % sizeof(float) != 0)
      return fail(where + ", operand " + number(i) + " begins at byte " +
                  number(ref.offset()) + ", expected a multiple of 4");
  }
  return true;
}

bool Checker::checkEntries() {
  std::set<std::string, std::less<>> seen;
  for (const plan::Entry *entry : *plan.entries()) {
    if (!checkNew(seen, textOf(entry->name()), "entry"))
      return false;
    for (uint32_t i = 0; i < entry->actions()->size(); ++i)
      if (!checkAction(*entry->actions()->Get(i), "entry '" +
                                                      entry->name()->str() +
                                                      "', action " + number(i)))
        return false;
  }
  return true;
}

bool Checker::checkAction(const plan::Action &action,
                          const std::string &where) {
  if (action.block() >= plan.blocks()->size())
    return fail(where + " names block " + number(action.block()) + " of " +
                number(plan.blocks()->size()));
  if (action.microbatch() >= maxExtent)
    return fail(where + " names micro-batch " + number(action.microbatch()) +
                ", expected below " + number(maxExtent));
  uint64_t slots = std::max<uint64_t>(1, countOf(Arena::slot));
  if (action.slot() >= slots)
    return fail(where + " uses slot " + number(action.slot()) + " of " +
                number(slots));
  return true;
}

bool Checker::countElements(const flatbuffers::Vector<int64_t> &shape,
                            const std::string &where, uint64_t &elements) {
  elements = 1;
  if (shape.size() == 0)
    return fail(where + " has no dimensions");
  for (int64_t dimension : shape) {
    if (dimension <= 0)
      return fail(where + " has a dimension of " + number(dimension));
    if (__builtin_mul_overflow(elements, uint64_t(dimension), &elements) ||
        elements > maxBytes / 4)
      return fail(where + " has more than " + number(maxBytes / 4) +
                  " elements");
  }
  return true;
}

bool Checker::checkNew(std::set<std::string, std::less<>> &seen,
                       std::string_view found, const std::string &what) {
  if (found.empty())
    return fail("a " + what + " without a name");
  if (!seen.emplace(found).second)
    return fail(what + " '" + std::string(found) + "' is given twice");
  return true;
}

bool Checker::checkInputs() {
  std::set<std::string, std::less<>> seen;
  for (const plan::Input *input : *plan.inputs()) {
    std::string role = input->role()->str(), entry = input->entry()->str();
    std::string where = "input '" + role + "' of entry '" + entry + "'";
    uint64_t elements = 0;
    if (!checkNew(seen, entry + "." + role, "input") ||
        !checkRef(*input->ref(), where) ||
        !countElements(*input->shape(), where, elements))
      return false;
    if (!findEntry(plan, entry))
      return fail(where + ": the plan has no such entry");
    if (role != "tokens" && role != "labels" && role != "logits")
      return fail(where + ": expected tokens, labels or logits");
    if (input->ref()->bytes() != 4 * elements || input->ref()->offset() % 4)
      return fail(where + " is " + number(input->ref()->bytes()) +
                  " bytes at " + number(input->ref()->offset()) +
                  ", its shape needs " + number(4 * elements) +
                  " at a multiple of 4");
  }
  return true;
}

/// The bytes of a scalar, by its role; 0 for an unknown one.
uint64_t scalarBytes(std::string_view role) {
  if (role == "t")
    return 8;
  if (role == "ok")
    return 1;
  for (std::string_view known :
       {"lr", "clip", "inv_scale", "seed", "loss", "norm_squared", "factor"})
    if (role == known)
      return 4;
  return 0;
}

bool Checker::checkScalars() {
  std::set<std::string, std::less<>> seen;
  for (const plan::Scalar *scalar : *plan.scalars()) {
    std::string_view role = textOf(scalar->role());
    std::string where = "scalar '" + std::string(role) + "'";
    if (!checkNew(seen, role, "scalar") || !checkRef(*scalar->ref(), where))
      return false;
    uint64_t bytes = scalarBytes(role);
    if (bytes == 0)
      return fail(where + " has no known role");
    if (scalar->ref()->arena() == Arena::slot)
      return fail(where + " lies in arena 'slot', expected one of the step");
    if (scalar->ref()->bytes() != bytes || scalar->ref()->offset() % bytes)
      return fail(where + " is " + number(scalar->ref()->bytes()) +
                  " bytes at " + number(scalar->ref()->offset()) +
                  ", expected " + number(bytes) + " at a multiple of it");
  }
  return true;
}

bool Checker::checkParameters() {
  std::set<std::string, std::less<>> seen;
  for (const plan::Parameter *parameter : *plan.parameters()) {
    std::string where = "parameter '" + parameter->name()->str() + "'";
    if (!checkNew(seen, textOf(parameter->name()), "parameter") ||
        !checkParameter(*parameter, where) ||
        !checkFileSlice(*parameter, where))
      return false;
  }
  return true;
}

bool Checker::checkParameter(const plan::Parameter &parameter,
                             const std::string &where) {
  uint64_t elements = 0;
  if (!countElements(*parameter.shape(), where, elements))
    return false;
  int64_t out = parameter.out(), in = parameter.in();
  if (out <= 0 || in <= 0 ||
      (unsigned __int128)out * (unsigned __int128)in != elements)
    return fail(where + " is a matrix of " + number(out) + " x " + number(in) +
                ", its shape has " + number(elements) + " elements");
  if (parameter.init() > plan::InitKind::MAX ||
      !std::isfinite(parameter.std()) || parameter.std() < 0)
    return fail(where + " has no valid initialisation");
  std::set<std::string, std::less<>> seen;
  for (const plan::StateBuffer *buffer : *parameter.buffers()) {
    std::string_view role = textOf(buffer->role());
    std::string what = where + ", buffer '" + std::string(role) + "'";
    if (!checkNew(seen, role, "buffer") || !checkRef(*buffer->ref(), what))
      return false;
    if (role != "parameter" && role != "gradient" && role != "moment1" &&
        role != "moment2" && role != "momentum")
      return fail(what + " has no known role");
    if (buffer->ref()->arena() == Arena::slot ||
        buffer->ref()->bytes() != 4 * elements || buffer->ref()->offset() % 4)
      return fail(what + " is " + number(buffer->ref()->bytes()) +
                  " bytes at " + number(buffer->ref()->offset()) +
                  " of arena '" + EnumNameArena(buffer->ref()->arena()) +
                  "', expected " + number(4 * elements) +
                  " at a multiple of 4, outside slots");
  }
  if (!findBuffer(parameter, "parameter"))
    return fail(where + " has no buffer 'parameter'");
  return true;
}

bool Checker::checkFileSlice(const plan::Parameter &parameter,
                             const std::string &where) {
  const auto &shape = *parameter.file_shape();
  std::string what = where + ", file tensor '" + parameter.file()->str() + "'";
  uint64_t elements = 0;
  if (!countElements(shape, what, elements))
    return false;
  if (textOf(parameter.file()).empty() || shape.size() > 2)
    return fail(what + " has " + number(uint32_t(shape.size())) +
                " dimensions, expected a name and 1 or 2");
  bool matrix = shape.size() == 2;
  int64_t out = shape.Get(0), in = matrix ? shape.Get(1) : 1;
  if (parameter.transposed())
    std::swap(out, in);
  int64_t offset = parameter.file_offset();
  bool inside = offset >= 0 && offset <= out && parameter.out() <= out - offset;
  if (!inside || in != parameter.in() || (parameter.transposed() && !matrix))
    return fail(what + " is " + number(out) + " x " + number(in) +
                ", the parameter is " + number(parameter.out()) + " x " +
                number(parameter.in()) + " at " + number(offset));
  return true;
}

} // namespace

Expected<const plan::Plan *> checkPlan(std::string_view bytes,
                                       const std::string &name) {
  const auto *data = reinterpret_cast<const uint8_t *>(bytes.data());
  // The library only asserts on sizes that it cannot address.
  if (bytes.size() < 16 || bytes.size() >= FLATBUFFERS_MAX_BUFFER_SIZE)
    return Status::error("'" + name + "': " + number(uint64_t(bytes.size())) +
                         " bytes, expected a plan of at least 16 bytes and "
                         "less than 2 GiB");
  if (!plan::PlanBufferHasIdentifier(data))
    return Status::error("'" + name + "': not a plan file, its mark is not '" +
                         std::string(plan::PlanIdentifier()) + "'");
  flatbuffers::Verifier verifier(data, bytes.size(), /*max_depth=*/16,
                                 maxTables);
  if (!plan::VerifyPlanBuffer(verifier))
    return Status::error("'" + name + "': damaged, its tables do not fit its " +
                         number(uint64_t(bytes.size())) + " bytes");
  const plan::Plan *plan = plan::GetPlan(data);
  if (plan->version() != kPlanVersion)
    return Status::error("'" + name + "': plan version " +
                         number(plan->version()) + ", expected " +
                         number(kPlanVersion));
  if (Status status = Checker(*plan, name).run(); !status)
    return status;
  return plan;
}

} // namespace llmc::rt
