// Loading with dlopen: a machine that only compiles needs no oneDNN, and a
// missing library is an error that names its package.
#include "runtime/device/cpu/OneDnn.h"

#include <dlfcn.h>

namespace llmc::rt {

static constexpr const char *libraryName = "libdnnl.so.2";

Status OneDnn::check(dnnl_status_t status, const std::string &what) const {
  if (status == dnnl_success)
    return Status::success();
  return Status::error("oneDNN cannot " + what + ": " + status2str(status));
}

static Status loadFunctions(OneDnn &library) {
  void *handle = dlopen(libraryName, RTLD_NOW | RTLD_LOCAL);
  if (!handle) {
    const char *reason = dlerror();
    return Status::error(std::string("cannot load oneDNN: ") + reason +
                         "; install Debian's package libdnnl2");
  }
#define LLMC_ONEDNN_LOAD(name)                                                 \
  library.name =                                                               \
      reinterpret_cast<decltype(library.name)>(dlsym(handle, "dnnl_" #name));  \
  if (!library.name)                                                           \
    return Status::error(std::string("'") + libraryName +                      \
                         "' has no function dnnl_" #name);
  LLMC_ONEDNN_FUNCTIONS(LLMC_ONEDNN_LOAD)
#undef LLMC_ONEDNN_LOAD
  return Status::success();
}

static Expected<const OneDnn *> load() {
  // Lives as long as the program: primitives are destroyed with it.
  static OneDnn library;
  if (Status status = loadFunctions(library); !status)
    return status;
  if (int major = library.version()->major; major != 2)
    return Status::error(std::string("'") + libraryName + "' is version " +
                         std::to_string(major) + ", expected 2");
  if (Status status =
          library.check(library.engine_create(&library.engine, dnnl_cpu, 0),
                        "create an engine");
      !status)
    return status;
  if (Status status =
          library.check(library.stream_create(&library.stream, library.engine,
                                              dnnl_stream_default_flags),
                        "create a stream");
      !status)
    return status;
  return &library;
}

Expected<const OneDnn *> OneDnn::get() {
  static Expected<const OneDnn *> loaded = load();
  if (!loaded)
    return Status::error(loaded.message());
  return *loaded;
}

} // namespace llmc::rt
