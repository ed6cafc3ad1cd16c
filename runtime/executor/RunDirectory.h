// The rules of run directories and of resuming.
#ifndef LLMC_RUNTIME_EXECUTOR_RUNDIRECTORY_H
#define LLMC_RUNTIME_EXECUTOR_RUNDIRECTORY_H

#include "runtime/checkpoint/CheckpointStore.h"
#include "runtime/executor/RunLock.h"
#include "runtime/executor/RunSettings.h"

namespace llmc::rt {

/// The names of what a checkpoint holds beside its tensors.
namespace checkpointfile {
inline constexpr const char *settings = "settings.json";
inline constexpr const char *spec = "spec.yaml";
inline constexpr const char *config = "config.json";
} // namespace checkpointfile

/// A path of a checkpoint, or of a directory of checkpoints: its newest.
Expected<std::string> findCheckpoint(const std::string &path);

/// The checkpoint that the run goes on from, by checkpoint.resume; none for a
/// fresh start. An error if the run directory holds another run that may not be
/// continued and not be overwritten, or if overwriting it would remove
/// checkpoints outside of it.
Expected<std::optional<std::string>>
chooseCheckpoint(const RunSettings &settings, bool overwrite);

/// The directories that a run locks: its own, and that of the checkpoints when
/// it lies elsewhere.
std::vector<std::string> lockedDirectories(const RunSettings &settings);

/// Creates and locks the directories, fails if they cannot be written, removes
/// what a crash left and, if asked to, an earlier run, and writes spec.yaml.
Status prepareRunDirectory(const RunSettings &settings, bool overwrite,
                           RunLocks &locks);

struct ResumePoint {
  CheckpointState state;
  /// What differs from the run that wrote the checkpoint, for the log.
  std::vector<std::string> notes;
};

/// Reads the state of a checkpoint; an error if the run differs from the one
/// that wrote it in its model, its kind of optimizer or its data, of which it
/// has `windowsPerEpoch`.
Expected<ResumePoint> checkResume(const std::string &checkpoint,
                                  const RunSettings &settings,
                                  uint64_t windowsPerEpoch);

/// The error about a checkpoint that cannot be read, with an older one that
/// could be.
Status damagedCheckpoint(const std::string &checkpoint,
                         const RunSettings &settings,
                         const std::string &message);

} // namespace llmc::rt

#endif // LLMC_RUNTIME_EXECUTOR_RUNDIRECTORY_H
