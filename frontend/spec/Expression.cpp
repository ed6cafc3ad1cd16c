// A recursive-descent evaluator; it checks every overflow and division.
#include "frontend/spec/Expression.h"
#include "frontend/spec/Scalars.h"

#include <cctype>
#include <cmath>

namespace llmc::frontend {

namespace {

bool isWordStart(char c) { return std::isalpha((unsigned char)c) || c == '_'; }
bool isWordPart(char c) { return std::isalnum((unsigned char)c) || c == '_'; }

class Evaluator {
public:
  Evaluator(std::string_view text, const ExpressionScope &scope,
            std::string &fault)
      : text(text), scope(scope), fault(fault) {}

  std::optional<Value> run() {
    std::optional<Value> value = comparison();
    skipBlanks();
    if (value && at < text.size())
      return fail("found " + textToJson(std::string(text.substr(at))) +
                  ", expected the end of the expression");
    return value;
  }

private:
  std::nullopt_t fail(std::string reason) {
    if (!failed)
      fault = std::move(reason);
    failed = true;
    return std::nullopt;
  }

  void skipBlanks() {
    while (at < text.size() && (text[at] == ' ' || text[at] == '\t'))
      ++at;
  }

  bool consume(std::string_view token) {
    skipBlanks();
    if (!text.substr(at).starts_with(token))
      return false;
    at += token.size();
    return true;
  }

  /// `*`, but not the beginning of `**`.
  bool consumeTimes() {
    skipBlanks();
    if (text.substr(at).starts_with("**"))
      return false;
    return consume("*");
  }

  std::optional<Value> comparison() {
    std::optional<Value> left = sum();
    for (std::string_view op : {"==", "!=", "<=", ">=", "<", ">"}) {
      if (!left || !consume(op))
        continue;
      std::optional<Value> right = sum();
      if (!right)
        return std::nullopt;
      return compare(*left, *right, op);
    }
    return left;
  }

  std::optional<Value> compare(const Value &left, const Value &right,
                               std::string_view op) {
    if (op == "==")
      return Value{left == right};
    if (op == "!=")
      return Value{!(left == right)};
    std::optional<double> a = number(left), b = number(right);
    if (!a || !b)
      return std::nullopt;
    const int64_t *i = left.asInt(), *j = right.asInt();
    int order = i && j ? (*i > *j) - (*i < *j) : (*a > *b) - (*a < *b);
    if (op == "<=")
      return Value{order <= 0};
    if (op == ">=")
      return Value{order >= 0};
    return Value{op == "<" ? order < 0 : order > 0};
  }

  std::optional<Value> sum() {
    std::optional<Value> left = product();
    while (left) {
      if (consume("+"))
        left = binary('+', *left, product());
      else if (consume("-"))
        left = binary('-', *left, product());
      else
        break;
    }
    return left;
  }

  std::optional<Value> product() {
    std::optional<Value> left = unary();
    while (left) {
      if (consumeTimes())
        left = binary('*', *left, unary());
      else if (consume("/"))
        left = binary('/', *left, unary());
      else if (consume("%"))
        left = binary('%', *left, unary());
      else
        break;
    }
    return left;
  }

  std::optional<Value> unary() {
    if (++depth > 64)
      return fail("nested more than 64 levels deep");
    std::optional<Value> value;
    if (consume("-")) {
      value = unary();
      if (value)
        value = binary('-', Value{int64_t(0)}, value);
    } else {
      value = power();
    }
    --depth;
    return value;
  }

  std::optional<Value> power() {
    std::optional<Value> base = atom();
    if (!base || !consume("**"))
      return base;
    std::optional<Value> exponent = unary();
    if (!exponent)
      return std::nullopt;
    return raise(*base, *exponent);
  }

  std::optional<Value> raise(const Value &base, const Value &exponent) {
    std::optional<double> a = number(base), b = number(exponent);
    if (!a || !b)
      return std::nullopt;
    if (base.asInt() && exponent.asInt() && *exponent.asInt() >= 0) {
      int64_t result = 1;
      // Beyond 64 only 0, 1 and -1 do not overflow; their powers repeat.
      int64_t count = *exponent.asInt();
      count = count > 64 ? 64 + count % 2 : count;
      for (int64_t i = 0; i < count; ++i)
        if (__builtin_mul_overflow(result, *base.asInt(), &result))
          return fail(toJson(base) + " ** " + toJson(exponent) +
                      " is too large");
      return Value{result};
    }
    return real(std::pow(*a, *b), toJson(base) + " ** " + toJson(exponent));
  }

  std::optional<Value> atom() {
    if (consume("("))
      return closing(comparison());
    skipBlanks();
    if (at == text.size())
      return fail("the expression ends where a value was expected");
    char c = text[at];
    if (c == '$')
      return sizeName();
    if (std::isdigit((unsigned char)c) || c == '.')
      return numeral();
    if (isWordStart(c))
      return word();
    return fail("found " + textToJson(std::string(text.substr(at))) +
                ", expected a value");
  }

  std::optional<Value> closing(std::optional<Value> value) {
    if (value && !consume(")"))
      return fail("expected ) in the expression");
    return value;
  }

  std::string takeWord() {
    size_t begin = at;
    while (at < text.size() && isWordPart(text[at]))
      ++at;
    return std::string(text.substr(begin, at - begin));
  }

  std::optional<Value> sizeName() {
    ++at;
    std::string name = takeWord();
    if (at + 1 < text.size() && text[at] == '.' && isWordStart(text[at + 1])) {
      ++at;
      name += "." + takeWord();
    }
    std::string reason;
    std::optional<Value> value = scope.size(name, reason);
    if (!value)
      return fail(reason);
    return value;
  }

  std::optional<Value> numeral() {
    size_t begin = at;
    while (at < text.size() && (isWordPart(text[at]) || text[at] == '.' ||
                                ((text[at] == '-' || text[at] == '+') &&
                                 (text[at - 1] == 'e' || text[at - 1] == 'E'))))
      ++at;
    Node node;
    node.kind = Node::Kind::Scalar;
    node.text = std::string(text.substr(begin, at - begin));
    Value value = toValue(node);
    if (!value.asReal())
      return fail(node.text + " is not a number");
    return value;
  }

  std::optional<Value> word() {
    std::string name = takeWord();
    if (name == "sqrt" && consume("(")) {
      std::optional<Value> value = closing(comparison());
      std::optional<double> operand;
      if (value)
        operand = number(*value);
      if (!operand)
        return std::nullopt;
      return real(std::sqrt(*operand), "sqrt(" + toJson(*value) + ")");
    }
    if (name == "null")
      return Value{};
    if (std::optional<bool> boolean = parseBoolean(name))
      return Value{*boolean};
    if (std::optional<Value> bound = scope.word(name))
      return bound;
    return Value{name};
  }

  std::optional<double> number(const Value &value) {
    std::optional<double> real = value.asReal();
    if (!real)
      return fail(toJson(value) + " is not a number");
    return real;
  }

  std::optional<Value> real(double value, const std::string &what) {
    if (!std::isfinite(value))
      return fail(what + " is not a finite number");
    return Value{value};
  }

  std::optional<Value> binary(char op, const Value &left,
                              const std::optional<Value> &right) {
    if (!right)
      return std::nullopt;
    std::optional<double> a = number(left), b = number(*right);
    if (!a || !b)
      return std::nullopt;
    std::string what = toJson(left) + " " + op + " " + toJson(*right);
    if ((op == '/' || op == '%') && *b == 0)
      return fail(what + " divides by zero");
    if (left.asInt() && right->asInt())
      return integers(op, *left.asInt(), *right->asInt(), what);
    switch (op) {
    case '+':
      return real(*a + *b, what);
    case '-':
      return real(*a - *b, what);
    case '*':
      return real(*a * *b, what);
    case '/':
      return real(*a / *b, what);
    default:
      return real(std::fmod(*a, *b), what);
    }
  }

  std::optional<Value> integers(char op, int64_t a, int64_t b,
                                const std::string &what) {
    int64_t result = 0;
    bool overflow = false;
    switch (op) {
    case '+':
      overflow = __builtin_add_overflow(a, b, &result);
      break;
    case '-':
      overflow = __builtin_sub_overflow(a, b, &result);
      break;
    case '*':
      overflow = __builtin_mul_overflow(a, b, &result);
      break;
    default:
      // The one quotient that does not fit.
      overflow = b == -1 && a == INT64_MIN;
      if (overflow)
        break;
      if (op == '/' && a % b != 0)
        return fail(what + " does not divide");
      result = op == '/' ? a / b : a % b;
    }
    if (overflow)
      return fail(what + " is too large");
    return Value{result};
  }

  std::string_view text;
  const ExpressionScope &scope;
  std::string &fault;
  size_t at = 0;
  int depth = 0;
  bool failed = false;
};

} // namespace

std::optional<Value> evaluateExpression(std::string_view text,
                                        const ExpressionScope &scope,
                                        std::string &fault) {
  return Evaluator(text, scope, fault).run();
}

} // namespace llmc::frontend
