// The functions of oneDNN's C interface that matmuls need.
#ifndef LLMC_RUNTIME_DEVICE_CPU_ONEDNN_H
#define LLMC_RUNTIME_DEVICE_CPU_ONEDNN_H

#include "runtime/base/Status.h"

#include <oneapi/dnnl/dnnl.h>
#include <oneapi/dnnl/dnnl_debug.h>

/// Their names without the prefix `dnnl_`.
#define LLMC_ONEDNN_FUNCTIONS(X)                                               \
  X(version)                                                                   \
  X(status2str)                                                                \
  X(engine_create)                                                             \
  X(stream_create)                                                             \
  X(memory_desc_init_by_strides)                                               \
  X(memory_desc_get_size)                                                      \
  X(matmul_desc_init)                                                          \
  X(primitive_attr_create)                                                     \
  X(primitive_attr_destroy)                                                    \
  X(primitive_attr_set_scratchpad_mode)                                        \
  X(primitive_attr_set_post_ops)                                               \
  X(post_ops_create)                                                           \
  X(post_ops_destroy)                                                          \
  X(post_ops_append_sum)                                                       \
  X(post_ops_append_binary)                                                    \
  X(primitive_desc_create)                                                     \
  X(primitive_desc_destroy)                                                    \
  X(primitive_desc_query)                                                      \
  X(primitive_desc_query_md)                                                   \
  X(primitive_create)                                                          \
  X(primitive_destroy)                                                         \
  X(primitive_execute)                                                         \
  X(memory_create)                                                             \
  X(memory_destroy)                                                            \
  X(memory_set_data_handle)

namespace llmc::rt {

struct OneDnn {
#define LLMC_ONEDNN_MEMBER(name) decltype(&dnnl_##name) name = nullptr;
  LLMC_ONEDNN_FUNCTIONS(LLMC_ONEDNN_MEMBER)
#undef LLMC_ONEDNN_MEMBER

  dnnl_engine_t engine = nullptr;
  dnnl_stream_t stream = nullptr;

  /// The library, an engine and a stream, loaded at the first call; the error
  /// says which package is missing.
  static Expected<const OneDnn *> get();

  /// An error unless `status` is a success.
  Status check(dnnl_status_t status, const std::string &what) const;
};

} // namespace llmc::rt

#endif // LLMC_RUNTIME_DEVICE_CPU_ONEDNN_H
