# RUN: %python %s %t
"""Sizes of one and two in every place: the first loss is the reference's, the
step goes downhill, and the whole line (run, export, import) holds."""
from harness import *
import reference

workspace()
tokens = random_tokens(4096, 2)
write_tokens("tokens.u16", tokens)
LLAMA = {"use": "llama", "vocab_size": 2, "hidden_size": 2,
         "intermediate_size": 1, "num_hidden_layers": 1,
         "num_attention_heads": 1, "rms_norm_eps": 1e-5}
GPT2 = {"use": "gpt2", "vocab_size": 2, "hidden_size": 1,
        "num_hidden_layers": 1, "num_attention_heads": 1, "n_positions": 16}
CASES = [
    ("llama", LLAMA, {}),
    ("one head dimension pair", {**LLAMA, "num_attention_heads": 3,
                                 "num_key_value_heads": 1, "head_dim": 2}, {}),
    ("gpt2", GPT2, {}),
    ("two of all", {**GPT2, "hidden_size": 2, "num_attention_heads": 2}, {}),
    ("sequence of one", {**LLAMA, "vocab_size": 96}, {"sequence_length": 1}),
    ("gpt2, sequence of one", {**GPT2, "n_positions": 1},
     {"sequence_length": 1}),
    ("window of one", {**SMALL_LLAMA, "sliding_window": 1}, {}),
    ("window of two", {**SMALL_LLAMA, "sliding_window": 2}, {}),
    ("endless window", {**SMALL_LLAMA, "sliding_window": 1000000000}, {}),
    ("batch of one", SMALL_LLAMA, {"micro_batch_size": 1,
                                   "global_batch_size": 1}),
    ("odd sizes", {**LLAMA, "vocab_size": 7, "hidden_size": 5,
                   "intermediate_size": 3, "num_attention_heads": 1,
                   "head_dim": 6, "num_hidden_layers": 3},
     {"sequence_length": 7, "micro_batch_size": 3, "global_batch_size": 9}),
    ("width one", {**GPT2, "hidden_size": 3, "num_attention_heads": 3,
                   "n_inner": 1}, {}),
]
for name, model, train_changes in CASES:
    weights = reference.random_weights(
        {**model, "intermediate_size": model.get("n_inner", 4 * model[
            "hidden_size"])} if model["use"] == "gpt2" else model)
    write_safetensors("model.safetensors", weights)
    spec = small_spec(train={"train_steps": 2, "optimizer": {"lr": 1e-3},
                             **train_changes})
    spec["model"] = {**model, "weights": "model.safetensors"}
    for path in "run", "run-export":
        shutil.rmtree(path, ignore_errors=True)
    steps, exported, _ = train(spec)
    length = spec["train"]["sequence_length"]
    rows = spec["train"]["global_batch_size"]
    windows = reference.windows_of(tokens, 2 * rows, length)
    batches = windows[:rows], windows[rows:]
    want = reference.token_losses(model, weights, batches[0]).mean()
    check_close(f"{name}: first loss", steps[0]["loss"], want, 5e-6)
    after = reference.token_losses(model, exported, batches[1]).mean()
    check(after <= steps[1]["loss"] + 1e-6,
          f"{name}: the step went uphill, {steps[1]['loss']} to {after}")
    check({key: value.shape for key, value in exported.items()} ==
          {key: value.shape for key, value in weights.items()},
          f"{name}: exported {sorted(exported)}")
