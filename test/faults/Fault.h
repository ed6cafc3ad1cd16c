// Planted faults: places where a test build may do the wrong thing on purpose,
// to show that the tests notice.
#ifndef LLMC_TEST_FAULTS_FAULT_H
#define LLMC_TEST_FAULTS_FAULT_H

/// True when the fault `name`, a string of test/faults/faults.json, is the one
/// that the environment variable LLMC_FAULT asks for. Only a build with the
/// option LLMC_FAULTS asks at all; in every other this is `false`, and what
/// depends on it is no code.
#ifdef LLMC_FAULTS

#include <cstdlib>
#include <cstring>

namespace llmc {
inline bool isPlanted(const char *name) {
  const char *planted = std::getenv("LLMC_FAULT");
  return planted && std::strcmp(planted, name) == 0;
}
} // namespace llmc

/// The environment is looked at once for each place.
#define LLMC_FAULT(name)                                                       \
  ([] {                                                                        \
    static const bool planted = ::llmc::isPlanted(name);                       \
    return planted;                                                            \
  }())

#else

#define LLMC_FAULT(name) false

#endif

#endif // LLMC_TEST_FAULTS_FAULT_H
