# RUN: %python %s %t
"""Epsilon of every norm and the form of the activation come through import,
training and export as Hugging Face's config.json says them."""
from harness import *
import reference

workspace()
check_close("gelu(1)", float(reference.gelu(np.float64(1))), 0.841345, 1e-6)
check_close("gelu tanh(1)", float(reference.gelu_tanh(np.float64(1))),
            0.841192, 1e-6)
tokens = random_tokens(4096)
write_tokens("tokens.u16", tokens)
windows = reference.windows_of(tokens, 8, 16)
GPT2 = {"vocab_size": 96, "n_embd": 32, "n_layer": 2, "n_head": 4,
        "n_positions": 16, "model_type": "gpt2", "layer_norm_epsilon": 1e-2}
LLAMA = {"vocab_size": 96, "hidden_size": 32, "intermediate_size": 64,
         "num_hidden_layers": 2, "num_attention_heads": 4,
         "model_type": "llama", "rms_norm_eps": 1e-2}
SIZES = {"hidden_size": 32, "num_hidden_layers": 2, "num_attention_heads": 4,
         "intermediate_size": 64}


def run(config):
    """Loss of the first step, and the config.json that export writes."""
    write_json("config.json", config)
    spec = small_spec()
    spec["model"] = {"use": config["model_type"], "config": "config.json",
                     "weights": "model.safetensors"}
    for path in "run", "run-export":
        shutil.rmtree(path, ignore_errors=True)
    steps, _, _ = train(spec)
    return steps[0]["loss"], read_json("run-export/config.json")


seen = {}
for base, key, eps, seed, embedding_std in (
        (GPT2, "activation_function", "layer_norm_epsilon", 2, 1.0),
        (LLAMA, "hidden_act", "rms_norm_eps", 1, 0.1)):
    model = {**SIZES, **base, "use": base["model_type"]}
    if base is GPT2:
        model.pop("intermediate_size")
    # Such that the two forms of GELU differ by more than float32 does.
    weights = reference.random_weights(model, seed=seed, std=0.3,
                                       embedding_std=embedding_std)
    write_safetensors("model.safetensors", weights)
    for name in "gelu", "gelu_new", "gelu_pytorch_tanh", "silu", "relu":
        loss, written = run({**base, key: name})
        want = reference.token_losses({**model, key: name}, weights,
                                      windows).mean()
        check_close(f"{base['model_type']} with {name}", loss, want, 2e-6)
        check(written[key] == name and written[eps] == 1e-2 and
              written["model_type"] == base["model_type"], f"wrote {written}")
        seen[base["model_type"], name] = want
    # What was exported is what was imported: read back, the same loss.
    shutil.copy("run-export/config.json", "again.json")
    again, _ = run(read_json("again.json"))
    check(again == loss, f"{again} after export and import, {loss} before")
    # The data tells every form and another epsilon apart.
    values = [seen[base["model_type"], name]
              for name in ("gelu", "gelu_new", "silu", "relu")]
    check(np.diff(sorted(values)).min() > 4e-6 * values[0], f"{values}")
    small = reference.token_losses({**model, key: "silu", eps: 1e-5}, weights,
                                   windows).mean()
    check(abs(small - seen[base["model_type"], "silu"]) > 1e-3, "eps is lost")

    for value in "quick_gelu", "GELU", 1, None:
        write_json("config.json", {**base, key: value})
        spec = small_spec()
        spec["model"] = {"use": base["model_type"], "config": "config.json"}
        spec = write_json("spec.json", spec)
        if value is None:  # as if it were absent
            llmc("check", spec)
            continue
        shown = refused("check", spec, says=[
            f"{place('config.json', key)}: error: {key} is {value}, expected "])
        check(value == 1 or all(name in shown for name in reference.ACTIVATIONS),
              f"does not list what is known: {shown}")
