// Formats lines into a buffer on the stack and appends them.
#include "runtime/metrics/MetricsWriter.h"

#include "runtime/base/File.h"
#include "runtime/base/Json.h"

#include <cerrno>
#include <charconv>
#include <cmath>
#include <cstring>
#include <fcntl.h>
#include <unistd.h>
#include <utility>

namespace llmc::rt {

namespace {
/// One JSON object on one line. The ten members of a step fit the buffer: a key
/// has at most 20 characters and a number at most 25.
class LineBuffer {
public:
  void member(std::string_view key, double value) {
    begin(key);
    if (std::isnan(value))
      append("\"nan\"");
    else if (std::isinf(value))
      append(value > 0 ? "\"inf\"" : "\"-inf\"");
    else
      end = std::to_chars(end, buffer + sizeof(buffer), value).ptr;
  }
  void member(std::string_view key, int64_t value) {
    begin(key);
    end = std::to_chars(end, buffer + sizeof(buffer), value).ptr;
  }
  void null(std::string_view key) {
    begin(key);
    append("null");
  }
  std::string_view finish() {
    append("}\n");
    return {buffer, size_t(end - buffer)};
  }

private:
  void append(std::string_view text) {
    std::memcpy(end, text.data(), text.size());
    end += text.size();
  }
  void begin(std::string_view key) {
    append(end == buffer ? "{\"" : ", \"");
    append(key);
    append("\": ");
  }

  char buffer[1024];
  char *end = buffer;
};
} // namespace

/// How many bytes of the file are whole lines of steps up to `finishedSteps`.
static Expected<uint64_t> bytesToKeep(const std::string &path,
                                      int64_t finishedSteps) {
  if (finishedSteps == 0 || ::access(path.c_str(), F_OK) != 0)
    return uint64_t(0);
  Expected<MappedFile> file = MappedFile::open(path);
  if (!file)
    return file.takeStatus();
  std::string_view text = file->text();
  size_t kept = 0;
  while (true) {
    size_t newline = text.find('\n', kept);
    if (newline == std::string_view::npos)
      return uint64_t(kept);
    Expected<Json> line = parseJson(text.substr(kept, newline - kept), path);
    if (!line)
      return uint64_t(kept);
    Expected<int64_t> step = jsonInteger(*line, "step", path);
    if (!step || *step > finishedSteps)
      return uint64_t(kept);
    kept = newline + 1;
  }
}

Expected<MetricsWriter> MetricsWriter::open(const std::string &path,
                                            int64_t finishedSteps) {
  Expected<uint64_t> kept = bytesToKeep(path, finishedSteps);
  if (!kept)
    return kept.takeStatus();
  int descriptor =
      ::open(path.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
  if (descriptor < 0)
    return systemError("write", path);
  MetricsWriter writer(path, descriptor);
  if (::ftruncate(descriptor, off_t(*kept)) != 0)
    return systemError("cut", path);
  return writer;
}

MetricsWriter::MetricsWriter(std::string path, int descriptor)
    : name(std::move(path)), descriptor(descriptor) {}

MetricsWriter::MetricsWriter(MetricsWriter &&other) noexcept
    : name(std::move(other.name)),
      descriptor(std::exchange(other.descriptor, -1)) {}

MetricsWriter::~MetricsWriter() {
  if (descriptor >= 0)
    ::close(descriptor);
}

Status MetricsWriter::writeLine(std::string_view line) {
  while (!line.empty()) {
    ssize_t written = ::write(descriptor, line.data(), line.size());
    if (written < 0 && errno == EINTR)
      continue;
    if (written < 0)
      return systemError("write", name);
    line.remove_prefix(size_t(written));
  }
  return Status::success();
}

Status MetricsWriter::writeStep(const StepMetrics &metrics) {
  LineBuffer line;
  line.member("step", metrics.step);
  line.member("loss", metrics.loss);
  line.member("grad_norm", metrics.gradNorm);
  line.member("lr", metrics.lr);
  line.member("tokens", metrics.tokens);
  line.member("total_tokens", metrics.totalTokens);
  line.member("tokens_per_second", metrics.tokensPerSecond);
  line.member("step_seconds", metrics.stepSeconds);
  if (metrics.mfu)
    line.member("mfu", *metrics.mfu);
  else
    line.null("mfu");
  line.member("memory_bytes", metrics.memoryBytes);
  return writeLine(line.finish());
}

Status MetricsWriter::writeValidation(int64_t step, double loss) {
  LineBuffer line;
  line.member("step", step);
  line.member("validation_loss", loss);
  return writeLine(line.finish());
}

} // namespace llmc::rt
