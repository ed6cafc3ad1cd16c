// Rules on the model and on the tokens it is fed.
#include "frontend/spec/Rules.h"

namespace llmc::frontend {

namespace {

std::string text(int64_t value) { return std::to_string(value); }

/// Tokens of `tokenizer: bytes`: 256 bytes and the end of a document.
constexpr int64_t kByteTokens = 257;

/// The first attention for which `wrong` holds.
const Attention *findAttention(const std::vector<BlockItem> &items,
                               bool (*wrong)(const Attention &)) {
  for (const BlockItem &item : items) {
    if (const auto *attention = std::get_if<Attention>(&item))
      if (wrong(*attention))
        return attention;
    if (const auto *residual = std::get_if<Residual>(&item))
      if (const Attention *found = findAttention(residual->items, wrong))
        return found;
  }
  return nullptr;
}

const Attention *findAttention(const RuleInput &in,
                               bool (*wrong)(const Attention &)) {
  if (in.arch)
    for (const Layer &layer : in.arch->layers)
      if (const Attention *found = findAttention(layer.items, wrong))
        return found;
  return nullptr;
}

std::vector<Violation> headGroups(const RuleInput &in) {
  const Attention *found = findAttention(
      in, [](const Attention &a) { return a.heads % a.kvHeads != 0; });
  if (!found)
    return {};
  int64_t below = found->kvHeads;
  while (found->heads % below != 0)
    --below;
  return {{"model", {text(found->heads), text(found->kvHeads), text(below)}}};
}

std::vector<Violation> rotaryEven(const RuleInput &in) {
  const Attention *found = findAttention(
      in, [](const Attention &a) { return a.rope && a.headDim % 2 != 0; });
  if (!found)
    return {};
  return {{"model",
           {text(found->headDim), text(found->headDim - 1),
            text(found->headDim + 1)}}};
}

std::vector<Violation> documentEnd(const RuleInput &in) {
  const DataSection &data = in.spec.data;
  if (!data.endOfDocument || !data.startOfDocument)
    return {};
  return {{"data.start_of_document",
           {text(*data.endOfDocument), text(*data.startOfDocument)}}};
}

std::vector<Violation> documentMask(const RuleInput &in) {
  const DataSection &data = in.spec.data;
  if (!in.spec.model.documentMask || data.endOfDocument || data.startOfDocument)
    return {};
  return {{"model.document_mask", {}}};
}

std::vector<Violation> tokenizerFits(const RuleInput &in) {
  if (!in.arch || in.spec.data.format != "text" ||
      in.arch->vocabSize >= kByteTokens)
    return {};
  return {{"model.vocab_size", {text(in.arch->vocabSize), text(kByteTokens)}}};
}

std::vector<Violation> tokenInVocabulary(const RuleInput &in) {
  std::vector<Violation> violations;
  auto check = [&](const char *key, const std::optional<int64_t> &id) {
    if (in.arch && id && *id >= in.arch->vocabSize)
      violations.push_back({key,
                            {key, text(*id), text(in.arch->vocabSize),
                             text(in.arch->vocabSize - 1)}});
  };
  check("train.ignore_label", in.spec.train.ignoreLabel);
  check("data.end_of_document", in.spec.data.endOfDocument);
  check("data.start_of_document", in.spec.data.startOfDocument);
  return violations;
}

} // namespace

const std::vector<Rule> &modelRules() {
  static const std::vector<Rule> rules = {
      {"head-groups", Severity::Error,
       "the heads of each attention are a multiple of its key-value heads",
       "{0} heads are not a multiple of {1} key-value heads; nearest: {2}",
       headGroups},
      {"rotary-even", Severity::Error,
       "an attention with rotary embedding has an even head_dim",
       "rotary embedding needs an even head_dim, found {0}; nearest: {1}, {2}",
       rotaryEven},
      {"one-document-token", Severity::Error,
       "at most one of end_of_document and start_of_document is given",
       "end_of_document {0} and start_of_document {1} are both given, "
       "expected one of them",
       documentEnd},
      {"document-mask", Severity::Error,
       "document_mask has end_of_document or start_of_document",
       "document_mask is true, but neither data.end_of_document nor "
       "data.start_of_document is given, expected one of them",
       documentMask},
      {"tokenizer-fits", Severity::Error,
       "with format text, vocab_size holds every token of the tokenizer",
       "vocab_size {0} is less than the {1} tokens of tokenizer bytes; "
       "nearest: {1}",
       tokenizerFits},
      {"token-in-vocabulary", Severity::Error,
       "ignore_label, end_of_document and start_of_document are below "
       "vocab_size",
       "{0} {1} is not below vocab_size {2}; nearest: {3}", tokenInVocabulary},
  };
  return rules;
}

} // namespace llmc::frontend
