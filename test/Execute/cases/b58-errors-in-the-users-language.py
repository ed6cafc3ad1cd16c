# RUN: %python %s %t
"""Faulty specs, whatever layer finds the fault: a message with file and line,
the key and what is allowed; exit code 1; no trace, no IR (see TRACES)."""
from harness import *
import reference

workspace()
write_tokens("tokens.u16", random_tokens(400))
write_tokens("short.u16", random_tokens(16))
weights = reference.random_weights(SMALL_LLAMA)
weights.pop("lm_head.weight")
write_safetensors("partial.safetensors", weights)
write_json("hf.json", {"model_type": "llama", "hidden_sise": 32})

FAULTS = {
    "batch": ({"train": {"global_batch_size": 10, "micro_batch_size": 4}},
              "global_batch_size", "nearest: 8, 12"),
    "layers": ({"parallel": {"pipeline": {"layers": [1, 2]}}},
               "layers", "pipeline.layers has 2 entries, expected pp 1 x "
               "virtual_stages 1 = 1"),
    "stages": ({"parallel": {"pp": 9}}, "pp", "parallel.pp 9 is not "
               "implemented yet, expected 1"),
    "groups": ({"model": {"num_key_value_heads": 3}}, "num_attention_heads",
               "4 heads are not a multiple of 3 key-value heads"),
    "weights": ({"model": {"weights": "partial.safetensors"}}, "weights",
                "missing: lm_head.weight"),
    "window": ({"model": {"sliding_window": 0}}, "sliding_window",
               "model.sliding_window is 0, expected an integer of at least 1 "
               "or null"),
    "unknown": ({"train": {"optimizer": {"learning_rate": 1}}}, None,
                "unknown key train.optimizer.learning_rate; did you mean "
                "train.optimizer.lr"),
    "heads": ({"model": {"num_attention_heads": 5}}, "hidden_size",
              "head_dim = $hidden_size / $num_attention_heads: 32 / 5 does not "
              "divide"),
    "odd": ({"model": {"head_dim": 7}}, "head_dim",
            "rotary embedding needs an even head_dim, found 7"),
    "fp8": ({"precision": {"compute": "fp8"}}, "compute",
            "precision.compute fp8 is not implemented yet, expected fp32"),
    "sequence": ({"train": {"sequence_length": 15}, "parallel": {"tp": 2}},
                 "sequence_length", "sequence_length 15 is not a multiple of tp "
                 "2, which sequence_parallel needs; nearest: 14, 16"),
    "device": ({"target": {"device": "tpu"}}, "device",
               'target.device is "tpu", expected cpu, cuda, ptxsim or null'),
    "config": ({"model": {"config": "hf.json"}}, None,
               "hf.json:3:2: error: unknown key hidden_sise for "
               "architecture llama; did you mean hidden_size"),
    "data": ({"data": {"train": "short.u16"}}, "train",
             "needs 17 tokens, have 16"),
    "memory": ({"target": {"memory": "300KiB"}}, "memory",
               "(largest: slot "),
}
for name, (change, key, says) in FAULTS.items():
    spec = write_json(f"{name}.json", small_spec(**change))
    nth = 2 if name == "data" else 1
    where = [f"{place(spec, key, nth)}: error: "] if key else []
    refused("run", spec, "-o", "run", says=[*where, says])
with open("text.yaml", "w") as file:
    file.write("llmc: 1\nmodel: {use: llama\n")
refused("run", "text.yaml", "-o", "run", says="text.yaml:3:1: error: not YAML")
with open("prose.yaml", "w") as file:
    file.write("Train me a model, please.\n")
refused("run", "prose.yaml", "-o", "run", says="prose.yaml:1:1: error: ")

# A pass that is not there, and IR that is none.
with open("broken.mlir", "w") as file:
    file.write("nn.parameter @w : tensor<2xf32> {init = #nn.init<\"ones\">,\n")
call("llmc-opt", "--nn-verify-modle", "broken.mlir", code=1,
     says="nn-verify-modle")
for tool in "llmc-opt", "llmc-interpret":
    call(tool, "broken.mlir", code=1, says="broken.mlir:1:")
write_json("good.json", small_spec())
llmc("compile", "good.json", "-o", "bundle", "--save-ir", "ir")
with open("ir/00-input.mlir") as file:
    text = file.read()
for old, new, says in (
        ("nn.rope %", "nn.rip %", "nn.rip"),
        ("theta = 1.000000e+04", "theta = -1.0", "theta"),
        ("nn.yield", "nn.yield %nothing, ", "%nothing")):
    check(old in text, f"{old} is not in the IR")
    with open("broken.mlir", "w") as file:
        file.write(text.replace(old, new, 1))
    # A parser's error is in the text; a verifier's where the op says it is from.
    at = ("llama.yaml:" if "theta" in old else
          f"broken.mlir:{text[:text.index(old)].count(chr(10)) + 1}:")
    for tool in "llmc-opt", "llmc-interpret":
        output = subprocess.run([tool, "broken.mlir"], capture_output=True,
                                text=True)
        check(output.returncode == 1 and at in output.stderr and
              "error: " in output.stderr and says in output.stderr and
              "Stack dump" not in output.stderr,
              f"{tool} with {new}: exit {output.returncode}, {output.stderr}")
