# RUN: %python %s %t
"""A spec that overrides a key of a config.json is told so, key by key; what
cannot be overridden is an error. (The import of weights is b38-complete-import.)
"""
from harness import *
import reference

workspace()
tokens = random_tokens(4096)
write_tokens("tokens.u16", tokens)
CONFIG = {
    "model_type": "llama", "vocab_size": 96, "hidden_size": 32,
    "intermediate_size": 64, "num_hidden_layers": 2, "num_attention_heads": 4,
    "num_key_value_heads": 2, "rms_norm_eps": 1e-5, "rope_theta": 10000.0,
}
config = write_json("config.json", CONFIG)
windows = reference.windows_of(tokens, 8, 16)


def spec_with(**model):
    spec = small_spec()
    spec["model"] = {"use": "llama", "config": "config.json", **model}
    return write_json("spec.json", spec)


# (f): heads, theta and eps differ: a note for each, at its line there, with
# both values; the spec's value is what runs.
llmc("check", spec_with(), never="overridden")
changed = {"num_attention_heads": 8, "rope_theta": 500.0, "rms_norm_eps": 1e-2}
notes = [
    f"{place(config, 'num_attention_heads', of='key')}: note: "
    "num_attention_heads 4 is overridden by model.num_attention_heads 8",
    f"{place(config, 'rope_theta', of='key')}: note: rope_theta 10000.0 is "
    "overridden by model.rope_theta 500.0",
    f"{place(config, 'rms_norm_eps', of='key')}: note: rms_norm_eps 1e-05 is "
    "overridden by model.rms_norm_eps 0.01"]
model = {**CONFIG, **changed, "use": "llama"}
weights = reference.random_weights(model)
write_safetensors("model.safetensors", weights)
spec = spec_with(weights="model.safetensors", **changed)
llmc("check", spec, says=notes)
llmc("run", spec, "-o", "run", says=notes)
check_close("loss", metrics()[0][0]["loss"],
            reference.token_losses(model, weights, windows).mean(), 2e-6)
unchanged = reference.token_losses({**model, **CONFIG}, weights, windows).mean()
check(abs(metrics()[0][0]["loss"] - unchanged) > 1e-3, "overriding did nothing")
# Only what differs is noted, and each key once.
output = llmc("check", spec_with(num_attention_heads=4, rope_theta=500.0))
check(output.count("overridden") == 1, output)

# The same disagreement as sizes of the weights: refused, not reshaped.
narrow = reference.random_weights({**model, **CONFIG, "num_key_value_heads": 1})
write_safetensors("narrow.safetensors", narrow)
refused("run", spec_with(weights="narrow.safetensors"), "-o", "run2", says=[
    "shape: model.layers.0.self_attn.k_proj.weight [8, 32], expected [16, 32]"])

# Another architecture, keys that no list knows, spellings that disagree.
for key, value, says in (
        ("model_type", "qwen2", "model_type is \"qwen2\", expected llama"),
        ("num_atention_heads", 4, "unknown key num_atention_heads for "
         "architecture llama; did you mean num_attention_heads"),
        ("pretraining_tp", 2, "pretraining_tp is 2, but llama supports only 1"),
        ("hidden_act", "swish7", "hidden_act is swish7, expected silu"),
        ("rope_parameters", {"rope_theta": 2.0},
         "rope_parameters.rope_theta 2.0 and rope_theta 10000.0"),
        ("vocab_size", "many", "vocab_size is many, expected an integer"),
        ("num_hidden_layers", -1, "num_hidden_layers is -1"),
        ("rope_scaling", {"rope_type": "yarn", "factor": 2.0}, "yarn"),
        ("rope_scaling", {"rope_type": "llama3", "factor": 2.0},
         "low_freq_factor is missing, expected a number above 0")):
    write_json("config.json", {**CONFIG, key: value})
    refused("run", spec_with(), "-o", "run2", says=["config.json:", says])
write_json("config.json", {**CONFIG, "attention_dropout": 0.1})
llmc("check", spec_with(), says="attention_dropout 0.1 has no effect")
with open("config.json", "w") as file:
    file.write('{"model_type": "llama", "vocab_size": 96,')
refused("check", spec_with(), says=["config.json:", "is not closed"])
