// Descriptors, creation and execution of matmul primitives.
#include "runtime/device/cpu/Matmul.h"

#include <algorithm>
#include <omp.h>

namespace llmc::rt {

namespace {

/// A primitive descriptor and the memory of its operands.
class MatmulPlan {
public:
  static Expected<MatmulPlan> create(const OneDnn &library,
                                     const MatmulDesc &desc);

  MatmulPlan(MatmulPlan &&other) noexcept
      : library(other.library), lhs(other.lhs), rhs(other.rhs),
        bias(other.bias), out(other.out),
        primitive(std::exchange(other.primitive, nullptr)) {}
  MatmulPlan &operator=(MatmulPlan &&) = delete;
  ~MatmulPlan() {
    if (primitive)
      library->primitive_desc_destroy(primitive);
  }

  const dnnl_memory_desc_t &scratch() const {
    return *library->primitive_desc_query_md(primitive,
                                             dnnl_query_scratchpad_md, 0);
  }
  uint64_t scratchBytes() const {
    return library->memory_desc_get_size(&scratch());
  }

  const OneDnn *library;
  dnnl_memory_desc_t lhs{}, rhs{}, bias{}, out{};
  dnnl_primitive_desc_t primitive = nullptr;

private:
  explicit MatmulPlan(const OneDnn &library) : library(&library) {}
  Status describe(const MatmulDesc &desc);
  Status makePrimitive(const MatmulDesc &desc);
};

Status MatmulPlan::describe(const MatmulDesc &desc) {
  auto init = [&](dnnl_memory_desc_t &memory, int64_t rows, int64_t columns,
                  std::array<int64_t, 2> by) {
    dnnl_dims_t dims = {rows, columns}, strides = {by[0], by[1]};
    return library->check(library->memory_desc_init_by_strides(
                              &memory, 2, dims, dnnl_f32, strides),
                          "describe an operand of a matmul");
  };
  if (Status status = init(lhs, desc.m, desc.k, desc.lhsStrides); !status)
    return status;
  if (Status status = init(rhs, desc.k, desc.n, desc.rhsStrides); !status)
    return status;
  if (Status status = init(bias, 1, desc.n, {desc.n, 1}); !status)
    return status;
  return init(out, desc.m, desc.n, {desc.n, 1});
}

Status MatmulPlan::makePrimitive(const MatmulDesc &desc) {
  dnnl_matmul_desc_t operation;
  if (Status status = library->check(
          library->matmul_desc_init(&operation, &lhs, &rhs,
                                    desc.bias ? &bias : nullptr, &out),
          "describe a matmul");
      !status)
    return status;
  dnnl_primitive_attr_t attributes = nullptr;
  dnnl_post_ops_t postOps = nullptr;
  dnnl_status_t result = library->primitive_attr_create(&attributes);
  auto also = [&](dnnl_status_t next) {
    if (result == dnnl_success)
      result = next;
  };
  if (result == dnnl_success)
    also(library->post_ops_create(&postOps));
  if (result == dnnl_success) {
    also(library->primitive_attr_set_scratchpad_mode(
        attributes, dnnl_scratchpad_mode_user));
    if (desc.accumulate)
      also(library->post_ops_append_sum(postOps, 1.0f));
    if (desc.addend)
      also(library->post_ops_append_binary(postOps, dnnl_binary_add, &out));
    also(library->primitive_attr_set_post_ops(attributes, postOps));
  }
  if (result == dnnl_success)
    also(library->primitive_desc_create(&primitive, &operation, attributes,
                                        library->engine, nullptr));
  if (postOps)
    library->post_ops_destroy(postOps);
  if (attributes)
    library->primitive_attr_destroy(attributes);
  return library->check(result, "create a matmul of " + std::to_string(desc.m) +
                                    " x " + std::to_string(desc.n) + " x " +
                                    std::to_string(desc.k));
}

Expected<MatmulPlan> MatmulPlan::create(const OneDnn &library,
                                        const MatmulDesc &desc) {
  MatmulPlan plan(library);
  if (Status status = plan.describe(desc); !status)
    return status;
  if (Status status = plan.makePrimitive(desc); !status)
    return status;
  return plan;
}

/// OpenMP's number of threads, which oneDNN asks for when a primitive is
/// created, for the time of a query.
class ThreadScope {
public:
  explicit ThreadScope(unsigned threads) : before(omp_get_max_threads()) {
    omp_set_num_threads(int(threads));
  }
  ~ThreadScope() { omp_set_num_threads(before); }

private:
  int before;
};

} // namespace

Expected<uint64_t> matmulWorkspaceBytes(const MatmulDesc &desc,
                                        unsigned threads) {
  Expected<const OneDnn *> library = OneDnn::get();
  if (!library)
    return library.takeStatus();
  ThreadScope scope(threads);
  Expected<MatmulPlan> plan = MatmulPlan::create(**library, desc);
  if (!plan)
    return plan.takeStatus();
  return plan->scratchBytes();
}

Expected<std::string> matmulImplementation(const MatmulDesc &desc,
                                           unsigned threads) {
  Expected<const OneDnn *> library = OneDnn::get();
  if (!library)
    return library.takeStatus();
  ThreadScope scope(threads);
  Expected<MatmulPlan> plan = MatmulPlan::create(**library, desc);
  if (!plan)
    return plan.takeStatus();
  const char *name = "";
  if (Status status = (*library)->check(
          (*library)->primitive_desc_query(plan->primitive,
                                           dnnl_query_impl_info_str, 0, &name),
          "name an implementation");
      !status)
    return status;
  return std::string(name);
}

Matmul::Matmul(Matmul &&other) noexcept
    : library(other.library),
      primitive(std::exchange(other.primitive, nullptr)),
      arguments(other.arguments), count(std::exchange(other.count, 0)) {}

Matmul::~Matmul() {
  for (size_t i = 0; i < count; ++i)
    library->memory_destroy(arguments[i].memory);
  if (primitive)
    library->primitive_destroy(primitive);
}

Status Matmul::addArgument(int argument, const dnnl_memory_desc_t &desc,
                           void *handle) {
  dnnl_memory_t memory = nullptr;
  if (Status status = library->check(
          library->memory_create(&memory, &desc, library->engine, handle),
          "wrap an operand of a matmul");
      !status)
    return status;
  arguments[count++] = {argument, memory};
  return Status::success();
}

Expected<Matmul> Matmul::create(const MatmulDesc &desc, void *workspace,
                                uint64_t workspaceBytes) {
  Expected<const OneDnn *> library = OneDnn::get();
  if (!library)
    return library.takeStatus();
  Expected<MatmulPlan> plan = MatmulPlan::create(**library, desc);
  if (!plan)
    return plan.takeStatus();
  if (plan->scratchBytes() > workspaceBytes)
    return Status::error(
        "oneDNN needs " + std::to_string(plan->scratchBytes()) +
        " bytes of scratch for a matmul of " + std::to_string(desc.m) + " x " +
        std::to_string(desc.n) + " x " + std::to_string(desc.k) +
        ", the plan has " + std::to_string(workspaceBytes) +
        "; compile the spec on this machine");

  Matmul matmul(**library);
  if (Status status = (*library)->check(
          (*library)->primitive_create(&matmul.primitive, plan->primitive),
          "create a matmul");
      !status)
    return status;
  struct Argument {
    bool present;
    int number;
    const dnnl_memory_desc_t *desc;
    void *handle;
  };
  const Argument all[maxArguments] = {
      {true, DNNL_ARG_SRC, &plan->lhs, nullptr},
      {true, DNNL_ARG_WEIGHTS, &plan->rhs, nullptr},
      {desc.bias, DNNL_ARG_BIAS, &plan->bias, nullptr},
      {desc.addend, DNNL_ARG_ATTR_MULTIPLE_POST_OP(0) | DNNL_ARG_SRC_1,
       &plan->out, nullptr},
      {true, DNNL_ARG_DST, &plan->out, nullptr},
      {plan->scratchBytes() > 0, DNNL_ARG_SCRATCHPAD, &plan->scratch(),
       workspace}};
  for (const Argument &argument : all) {
    if (!argument.present)
      continue;
    if (Status status = matmul.addArgument(argument.number, *argument.desc,
                                           argument.handle);
        !status)
      return status;
  }
  return matmul;
}

Status Matmul::execute(std::span<void *const> operands) const {
  dnnl_status_t result = dnnl_success;
  for (size_t i = 0; i < operands.size() && result == dnnl_success; ++i)
    result = library->memory_set_data_handle(arguments[i].memory, operands[i]);
  // A CPU stream runs in order, in the calling thread: there is nothing to wait
  // for afterwards.
  if (result == dnnl_success)
    result = library->primitive_execute(primitive, library->stream, int(count),
                                        arguments.data());
  if (result == dnnl_success)
    return Status::success();
  return library->check(result, "run a matmul");
}

} // namespace llmc::rt
