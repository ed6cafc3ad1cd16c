// Recording and writing of traces.
#include "runtime/executor/Trace.h"

#include "runtime/base/File.h"
#include "runtime/base/Json.h"

#include <chrono>

namespace llmc::rt {

static int64_t now() {
  return std::chrono::duration_cast<std::chrono::nanoseconds>(
             std::chrono::steady_clock::now().time_since_epoch())
      .count();
}

Trace::Trace(const plan::Plan &plan, size_t capacity)
    : plan(plan), events(capacity), origin(now()) {}

void Trace::before() { started = now(); }

void Trace::after(const ResolvedInstruction &instruction,
                  const plan::Action &action) {
  events[seen++ % events.size()] = {instruction.source, &action, step,
                                    started - origin, now() - started};
}

std::string Trace::text(const Event &event) const {
  const plan::Instruction &instruction = *event.instruction;
  bool launch = instruction.kind() == plan::InstructionKind::launch;
  Json args;
  args["step"] = event.step;
  args["action"] = event.action->text()->str();
  args["micro_batch"] = event.action->microbatch();
  args["when"] = EnumNameWhen(instruction.when());
  args["op"] = textOf(instruction.op());
  args["layer"] = instruction.layer();
  args["location"] = textOf(instruction.location());
  Json json;
  json["name"] = launch
                     ? plan.kernels()->Get(instruction.index())->symbol()->str()
                     : "matmul";
  json["cat"] = launch ? "kernel" : "matmul";
  json["ph"] = "X";
  json["ts"] = double(event.start) / 1000; // microseconds
  json["dur"] = double(event.duration) / 1000;
  json["pid"] = 0;
  json["tid"] = 0;
  json["args"] = std::move(args);
  return dumpJson(json);
}

Status Trace::write(const std::string &path) const {
  Expected<OutputFile> file = OutputFile::create(path, 0);
  if (!file)
    return file.takeStatus();
  Status status = file->write("{\"traceEvents\":[\n");
  size_t first = seen > events.size() ? seen - events.size() : 0;
  for (size_t i = first; i < seen && status; ++i)
    status = file->write(text(events[i % events.size()]) +
                         (i + 1 < seen ? ",\n" : "\n"));
  if (status)
    status = file->write("]}\n");
  return status ? file->finish() : std::move(status);
}

} // namespace llmc::rt
