// The expressions of the model library: `4 * $hidden_size`.
#ifndef LLMC_FRONTEND_SPEC_EXPRESSION_H
#define LLMC_FRONTEND_SPEC_EXPRESSION_H

#include "frontend/spec/Value.h"

#include <functional>
#include <optional>
#include <string>
#include <string_view>

namespace llmc::frontend {

/// What the names in an expression mean.
struct ExpressionScope {
  /// `$name` and `$model.key`. On failure returns nothing and says why, or
  /// leaves the reason empty if it was reported already.
  std::function<std::optional<Value>(const std::string &, std::string &)> size;
  /// A bare word; nothing means that it is text.
  std::function<std::optional<Value>(const std::string &)> word =
      [](const std::string &) { return std::nullopt; };
};

/// `+ - * / % ** sqrt ( )` on integers and reals, comparisons, `true`,
/// `false`, `null`, text. Division of integers must divide. On failure returns
/// nothing and says why in `fault`.
std::optional<Value> evaluateExpression(std::string_view text,
                                        const ExpressionScope &scope,
                                        std::string &fault);

} // namespace llmc::frontend

#endif // LLMC_FRONTEND_SPEC_EXPRESSION_H
