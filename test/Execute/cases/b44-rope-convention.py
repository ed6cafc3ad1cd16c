# RUN: %python %s %t %root
"""Rotation is half-split, as in Hugging Face's files: the loss of every token is
the reference's, weights go in and out bit by bit, and the other convention is
another model and refused."""
from harness import *
import reference

workspace()
MODEL = {**SMALL_LLAMA, "num_key_value_heads": 2}
tokens = random_tokens(4096)
write_tokens("tokens.u16", tokens)
window = tokens[100:117]
write_tokens("validation.u16", window)
# Large enough that attention is far from uniform.
weights = reference.random_weights(MODEL, std=0.5)
write_safetensors("hf/model.safetensors", weights)
spec = write_json("spec.json", small_spec(
    model={"weights": "hf", "num_key_value_heads": 2},
    data={"validation": "validation.u16"},
    train={"optimizer": {"lr": 0}}))
llmc("compile", spec, "-o", "bundle", "--save-ir", "ir")

losses = token_losses("bundle", window)
half = reference.token_losses(MODEL, weights, [window], "half")[0]
pairs = reference.token_losses(MODEL, weights, [window], "pairs")[0]
check_token_losses("half-split", losses, half, 1e-4)
# Position 0 is not rotated: there both conventions agree, later they do not.
check(abs(half[0] - pairs[0]) < 1e-12, "the reference rotates position 0")
check(np.abs(half - pairs)[1:].max() > 0.1, "the data cannot tell them apart")

# Import, a step with lr 0, export: every tensor bit by bit, q and k included.
write_tokens("validation.u16", window)
llmc("run", "bundle", "-o", "run")
exported = export("run")
check(set(exported) == set(weights), "other tensors")
for name, tensor in weights.items():
    check(tensor.tobytes() == exported[name].tobytes(), f"{name} was changed")

# A pairs model is the half-split one with its q and k rows permuted; without
# the permutation it is another function.
def permuted(name, tensor):
    if "q_proj" not in name and "k_proj" not in name:
        return tensor
    rows = np.arange(8).reshape(4, 2).T.ravel()
    return tensor.reshape(-1, 8, 32)[:, rows].reshape(tensor.shape)


write_safetensors("hf/model.safetensors",
                  {name: permuted(name, tensor)
                   for name, tensor in weights.items()})
llmc("run", "bundle", "-o", "pairs")
check_close("loss of the permuted weights", metrics("pairs")[1][0]
            ["validation_loss"], pairs.mean(), 1e-5)

# The rotation of the plan is nn.rope, which is half-split by definition; the
# layout is a key of the library, and what is not built is refused by its name.
with open("ir/00-input.mlir") as file:
    check("nn.rope" in file.read(), "no rotation in the IR")
llmc("compile", spec, "-o", "said", says="rope: layout half, theta 10000.0")
library = os.path.join(sys.argv[2], "frontend/models/llama.yaml")
with open(library) as file:
    text = file.read()
check(text.count("layout: half") == 1, "the library does not say its layout")
for layout, says in (
        ("pairs", "rope layout pairs is not implemented yet, expected half"),
        ("interleaved", "rope layout is interleaved, expected half or pairs")):
    with open("own.yaml", "w") as file:
        file.write(text.replace("layout: half", f"layout: {layout}"))
    refused("check", spec, "--set", "model.use=own.yaml", says=[
        "own.yaml:", "error: " + says])
with open("own.yaml", "w") as file:
    file.write(text)
llmc("check", spec, "--set", "model.use=own.yaml", says="good")
