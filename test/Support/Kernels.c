// Kernels in the calling convention of runtime/device/KernelArgs.h, written by
// hand.
#include <stdint.h>

struct KernelArgs {
  void *const *pointers;
};

// (x) -> (y): y[i] = 2 x[i].
void double_it(const struct KernelArgs *args, int64_t begin, int64_t end) {
  const float *x = args->pointers[0];
  float *y = args->pointers[1];
  for (int64_t i = begin; i < end; ++i)
    y[i] = 2 * x[i];
}

// (a, b) -> (c): c[i] += a[i] - b[i].
void add_difference(const struct KernelArgs *args, int64_t begin, int64_t end) {
  const float *a = args->pointers[0], *b = args->pointers[1];
  float *c = args->pointers[2];
  for (int64_t i = begin; i < end; ++i)
    c[i] += a[i] - b[i];
}

// () -> (y): y[i] = 0.
void fill_zero(const struct KernelArgs *args, int64_t begin, int64_t end) {
  float *y = args->pointers[0];
  for (int64_t i = begin; i < end; ++i)
    y[i] = 0;
}

// A unigram model of four tokens in one row of logits w, over the eight labels
// of a micro-batch. (labels, w, seed) -> (loss, dw), both added to.
static float exponential(float x) {
  float sum = 1, term = 1;
  for (int i = 1; i < 30; ++i)
    sum += term *= x / i;
  return sum;
}

static float logarithm(float y) {
  float x = 0;
  for (int i = 0; i < 60; ++i)
    x += y / exponential(x) - 1;
  return x;
}

void unigram(const struct KernelArgs *args, int64_t begin, int64_t end) {
  const int32_t *labels = args->pointers[0];
  const float *w = args->pointers[1], *seed = args->pointers[2];
  float *loss = args->pointers[3], *dw = args->pointers[4];
  float sum = 0;
  for (int v = 0; v < 4; ++v)
    sum += exponential(w[v]);
  for (int64_t i = 8 * begin; i < 8 * end; ++i) {
    if (labels[i] < 0)
      continue;
    *loss += logarithm(sum) - w[labels[i]];
    for (int v = 0; v < 4; ++v)
      dw[v] += *seed * (exponential(w[v]) / sum - (v == labels[i]));
  }
}

// (labels, w) -> (loss), added to.
void unigram_loss(const struct KernelArgs *args, int64_t begin, int64_t end) {
  const int32_t *labels = args->pointers[0];
  const float *w = args->pointers[1];
  float *loss = args->pointers[2];
  float sum = 0;
  for (int v = 0; v < 4; ++v)
    sum += exponential(w[v]);
  for (int64_t i = 8 * begin; i < 8 * end; ++i)
    if (labels[i] >= 0)
      *loss += logarithm(sum) - w[labels[i]];
}

// (dw, clip, inv_scale) -> (norm_squared, factor, ok).
void clip_factor(const struct KernelArgs *args, int64_t begin, int64_t end) {
  const float *dw = args->pointers[0], *clip = args->pointers[1],
              *inverse = args->pointers[2];
  float *squared = args->pointers[3], *factor = args->pointers[4];
  uint8_t *ok = args->pointers[5];
  float sum = 0;
  for (int v = 0; v < 4; ++v)
    sum += dw[v] * dw[v];
  *squared = sum;
  float norm = __builtin_sqrtf(sum) * *inverse;
  *factor = *inverse * (norm > *clip ? *clip / norm : 1);
  *ok = __builtin_isfinite(norm);
  (void)begin, (void)end;
}

// (dw, factor, ok, lr) -> (w): one step of gradient descent.
void descend(const struct KernelArgs *args, int64_t begin, int64_t end) {
  const float *dw = args->pointers[0], *factor = args->pointers[1],
              *lr = args->pointers[3];
  const uint8_t *ok = args->pointers[2];
  float *w = args->pointers[4];
  for (int64_t v = begin; v < end && *ok; ++v)
    w[v] -= *lr * *factor * dw[v];
}
