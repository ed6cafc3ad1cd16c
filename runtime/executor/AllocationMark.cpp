// The call into a preloaded library.
#include "runtime/executor/AllocationMark.h"

#include <dlfcn.h>

namespace llmc::rt {

void markInterval(const char *name) {
  using Mark = void (*)(const char *);
  static const Mark mark =
      reinterpret_cast<Mark>(dlsym(RTLD_DEFAULT, "llmc_mark_interval"));
  if (mark)
    mark(name);
}

} // namespace llmc::rt
