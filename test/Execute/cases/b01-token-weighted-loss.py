# RUN: %python %s %t
"""Eight samples, two with 15 counted labels and six with one: however they are
split into micro-batches, the loss is the sum over the 36 labels divided by 36,
and gradient norm and weights do not change."""
import numpy as np
from harness import *
import reference

workspace()
IGNORED = 95
random = np.random.default_rng(1)
tokens = random.integers(0, IGNORED, 8 * 16 + 1)
labels = tokens[1:].reshape(8, 16)  # a view
labels[:2, 15] = IGNORED
labels[2:, 1:] = IGNORED
write_tokens("tokens.u16", tokens)
weights = reference.random_weights(SMALL_LLAMA)
write_safetensors("model.safetensors", weights)

windows = reference.windows_of(tokens, 8, 16)
counted = windows[:, 1:] != IGNORED
check(counted.sum() == 36, "the data is not the one of the test")


def loss_of(tensors):
    return reference.token_losses(SMALL_LLAMA, tensors, windows)[counted].mean()


steps, ends = {}, {}
for micro in 8, 4, 2, 1:
    spec = small_spec(model={"weights": "model.safetensors"},
                      train={"micro_batch_size": micro,
                             "ignore_label": IGNORED})
    (steps[micro],), ends[micro], output = train(spec, run=f"micro{micro}")
    check(f"{8 // micro} accumulation step" in output, output)
    check(steps[micro]["tokens"] == 36, "36 labels are not what counts")
    check_close("loss", steps[micro]["loss"], loss_of(weights), 2e-6)
    check_close("loss of micro 8", steps[micro]["loss"], steps[8]["loss"], 1e-6)
    check_close("norm of micro 8", steps[micro]["grad_norm"],
                steps[8]["grad_norm"], 1e-5)
    for name, tensor in ends[micro].items():
        off = np.abs(tensor - ends[8][name]).max()
        check(off < 1e-6, f"{name} differs by {off} in micro-batches of {micro}")

# The step went along the gradient: its length is the logged norm, and so is the
# slope of the reference in its direction.
gradient = {name: (weights[name].astype(np.float64) - ends[1][name]) / 0.1
            for name in weights}
norm = np.sqrt(sum((g**2).sum() for g in gradient.values()))
check_close("length of the step", norm, steps[1]["grad_norm"], 1e-4)


def moved(by):
    return {name: weights[name] + by / norm * gradient[name]
            for name in weights}


slope = (loss_of(moved(1e-4)) - loss_of(moved(-1e-4))) / 2e-4
check_close("slope along the step", slope, norm, 1e-4)
