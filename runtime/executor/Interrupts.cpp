// The signal handler.
#include "runtime/executor/Interrupts.h"

#include <atomic>
#include <csignal>
#include <initializer_list>
#include <string_view>
#include <unistd.h>

namespace llmc::rt {

static std::atomic<int> asked{0};
static_assert(std::atomic<int>::is_always_lock_free,
              "a signal handler must not wait");

/// Only calls that are allowed in a signal handler.
static void handle(int signal) {
  if (asked.exchange(signal) == 0)
    return;
  static constexpr std::string_view text =
      "\nllmc: interrupted again: ended at once, nothing was saved\n";
  [[maybe_unused]] ssize_t written =
      ::write(STDERR_FILENO, text.data(), text.size());
  _exit(128 + signal);
}

static void install(std::initializer_list<int> signals, void (*handler)(int)) {
  struct sigaction action{};
  action.sa_handler = handler;
  action.sa_flags = SA_RESTART;
  sigemptyset(&action.sa_mask);
  for (int signal : signals)
    sigaction(signal, &action, nullptr);
}

Interrupts::Interrupts() {
  asked = 0;
  install({SIGINT, SIGTERM}, handle);
}

Interrupts::~Interrupts() { install({SIGINT, SIGTERM}, SIG_DFL); }

WriteSignalsIgnored::WriteSignalsIgnored() {
  install({SIGPIPE, SIGXFSZ}, SIG_IGN);
}

WriteSignalsIgnored::~WriteSignalsIgnored() {
  install({SIGPIPE, SIGXFSZ}, SIG_DFL);
}

int Interrupts::pending() { return asked; }

} // namespace llmc::rt
