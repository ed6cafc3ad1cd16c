// How every function of the runtime reports failure: without exceptions, with
// a message that is ready to be shown to the user.
#ifndef LLMC_RUNTIME_BASE_STATUS_H
#define LLMC_RUNTIME_BASE_STATUS_H

#include <cassert>
#include <memory>
#include <string>
#include <utility>
#include <variant>

namespace llmc::rt {

/// Success, or the text of an error. A success carries no allocation, so
/// functions on the step's path may return one.
class [[nodiscard]] Status {
public:
  Status() = default;
  static Status success() { return Status(); }
  static Status error(std::string message) {
    Status status;
    status.text = std::make_unique<std::string>(std::move(message));
    return status;
  }

  bool ok() const { return !text; }
  explicit operator bool() const { return ok(); }
  /// The error's text; empty for a success.
  const std::string &message() const {
    static const std::string none;
    return text ? *text : none;
  }

private:
  std::unique_ptr<std::string> text;
};

/// A value, or the error that prevented it.
template <typename T> class [[nodiscard]] Expected {
public:
  Expected(T value) : state(std::in_place_index<0>, std::move(value)) {}
  Expected(Status error) : state(std::in_place_index<1>, std::move(error)) {
    assert(!std::get<1>(state).ok() && "a success needs a value");
  }

  bool ok() const { return state.index() == 0; }
  explicit operator bool() const { return ok(); }

  T &operator*() { return *std::get_if<0>(&state); }
  const T &operator*() const { return *std::get_if<0>(&state); }
  T *operator->() { return std::get_if<0>(&state); }
  const T *operator->() const { return std::get_if<0>(&state); }

  const std::string &message() const {
    static const std::string none;
    return ok() ? none : std::get_if<1>(&state)->message();
  }
  /// Moves the error out, to be returned by a caller of another value type.
  Status takeStatus() {
    return ok() ? Status() : std::move(*std::get_if<1>(&state));
  }

private:
  std::variant<T, Status> state;
};

} // namespace llmc::rt

#endif // LLMC_RUNTIME_BASE_STATUS_H
