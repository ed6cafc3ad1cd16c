# RUN: %python %s %t
"""The loss of every token with stretched frequencies: linear, and llama3, whose
three bands (kept, blended, divided) all occur; by either spelling of Hugging
Face's config.json."""
from harness import *
import reference

workspace()
LLAMA3 = {"rope_type": "llama3", "factor": 4.0, "low_freq_factor": 1.0,
          "high_freq_factor": 4.0, "original_max_position_embeddings": 64}
MODEL = {"use": "llama", "vocab_size": 96, "hidden_size": 32,
         "intermediate_size": 48, "num_hidden_layers": 2,
         "num_attention_heads": 2, "num_key_value_heads": 1, "head_dim": 12,
         "rms_norm_eps": 1e-5, "rope_theta": 50.0}
turns = 64 * reference.frequencies(12, 50.0) / (2 * np.pi)
check((turns > 4).any() and (turns < 1).any() and
      ((turns > 1) & (turns < 4)).any(), f"bands of {turns}")

tokens = random_tokens(4096)
write_tokens("tokens.u16", tokens)
window = tokens[:17]
write_tokens("validation.u16", window)
weights = reference.random_weights(MODEL, std=0.5)
write_safetensors("model.safetensors", weights)
plain = reference.token_losses(MODEL, weights, [window])[0]
for name, scaling in ("llama3", LLAMA3), (
        "linear", {"rope_type": "linear", "factor": 2.0}):
    spec = small_spec(data={"validation": "validation.u16"},
                      train={"optimizer": {"lr": 0}})
    spec["model"] = {**MODEL, "weights": "model.safetensors",
                     "rope_scaling": scaling}
    llmc("compile", write_json(f"{name}.json", spec), "-o", name)
    losses = token_losses(name, window)
    want = reference.token_losses({**MODEL, "rope_scaling": scaling}, weights,
                                  [window])[0]
    check_token_losses(name, losses, want, 1e-4)
    check(np.abs(want - plain).max() > 1e-2, "scaling changed nothing")

# transformers 4 and 5 spell it differently; export writes it again.
config = {key: value for key, value in MODEL.items() if key != "use"}
config["model_type"] = "llama"
old = write_json("old.json", {**config, "rope_scaling": LLAMA3})
new = {key: value for key, value in config.items() if key != "rope_theta"}
new = write_json("new.json", {
    **new, "rope_parameters": {**LLAMA3, "rope_theta": 50.0}})
spec = small_spec()
for path in old, new:
    spec["model"] = {"use": "llama", "config": path,
                     "weights": "model.safetensors"}
    shutil.rmtree("run", ignore_errors=True)
    shutil.rmtree("run-export", ignore_errors=True)
    steps, _, _ = train(spec)
    want = reference.token_losses(
        {**MODEL, "rope_scaling": LLAMA3}, weights,
        reference.windows_of(tokens, 8, 16)).mean()
    check_close(f"loss by {path}", steps[0]["loss"], want, 2e-6)
    written = read_json("run-export/config.json")
    check(written["rope_scaling"] == LLAMA3 and written["rope_theta"] == 50.0,
          f"exported {written}")
