# RUN: %python %s %t
"""An import is complete or refused with the full list of what is wrong; never
do random weights stand in. The first loss of a good one is the reference's."""
from harness import *
import reference

workspace()
tokens = random_tokens(4096)
write_tokens("tokens.u16", tokens)
weights = reference.random_weights(SMALL_LLAMA)
SHAPES = {name: list(tensor.shape) for name, tensor in weights.items()}
windows = reference.windows_of(tokens, 8, 16)
expected = reference.token_losses(SMALL_LLAMA, weights, windows).mean()


def spec_of(path="hf"):
    return write_json("spec.json", small_spec(model={"weights": path}))


def refuse(*says):
    spec = spec_of()
    # Before anything is compiled, and by a bundle that was compiled before.
    refused("run", spec, "-o", "run", says=[
        f"{place(spec, 'weights')}: error: model.weights: ", *says])
    refused("run", "bundle", "-o", "run", says=says)


def write(tensors):
    shutil.rmtree("hf", ignore_errors=True)
    write_safetensors("hf/model.safetensors", tensors)


# Good: a directory, a file, shards with an index.
write(weights)
llmc("compile", spec_of(), "-o", "bundle")
for path in "hf", "hf/model.safetensors":
    shutil.rmtree("run", ignore_errors=True)
    output = llmc("run", spec_of(path), "-o", "run")
    check_close("first loss", metrics()[0][0]["loss"], expected, 2e-6)
    check(f"weights: from '{os.path.abspath(path)}'" in output, output)
names = list(weights)
os.mkdir("shards")
for part, shard in enumerate((names[::2], names[1::2])):
    write_safetensors(f"shards/model-{part}.safetensors",
                      {name: weights[name] for name in shard})
index = {"weight_map": {name: f"model-{number % 2}.safetensors"
                        for number, name in enumerate(names)}}
write_json("shards/model.safetensors.index.json", index)
llmc("run", spec_of("shards"), "-o", "sharded")
check_close("loss of shards", metrics("sharded")[0][0]["loss"], expected, 2e-6)
shutil.rmtree("run")

# (a) renamed: one is missing, one is extra. Two of each are both listed.
renamed = {name.replace("q_proj", "query"): tensor
           for name, tensor in weights.items()}
write(renamed)
refuse(*(f"missing: model.layers.{i}.self_attn.q_proj.weight [32, 32]"
         for i in (0, 1)),
       *(f"extra: model.layers.{i}.self_attn.query.weight [32, 32]"
         for i in (0, 1)))

# (b) missing.
write({name: tensor for name, tensor in weights.items()
       if name not in ("lm_head.weight", "model.norm.weight")})
refuse("missing: lm_head.weight [96, 32]", "missing: model.norm.weight [32]")

# (c) extra.
write({**weights, "model.layers.2.input_layernorm.weight":
       np.ones(32, np.float32)})
refuse("extra: model.layers.2.input_layernorm.weight [32]")

# (d) of another shape: more rows, fewer, transposed, of another rank.
write({**weights, "lm_head.weight": np.zeros((97, 32), np.float32),
       "model.norm.weight": np.zeros(31, np.float32),
       "model.layers.0.mlp.up_proj.weight": np.zeros((32, 64), np.float32),
       "model.embed_tokens.weight": np.zeros(96 * 32, np.float32)})
refuse("shape: lm_head.weight [97, 32], expected [96, 32]",
       "shape: model.norm.weight [31], expected [32]",
       "shape: model.layers.0.mlp.up_proj.weight [32, 64], expected [64, 32]",
       "shape: model.embed_tokens.weight [3072], expected [96, 32]")

# All kinds in one list.
mixed = {name: tensor for name, tensor in renamed.items()
         if name != "lm_head.weight"}
write({**mixed, "model.norm.weight": np.zeros(31, np.float32)})
refuse("missing: lm_head.weight", "extra: model.layers.1.self_attn.query",
       "shape: model.norm.weight")

# (e) an index that names a shard that is not there, or the wrong shard.
shutil.rmtree("hf")
shutil.copytree("shards", "hf")
os.remove("hf/model-1.safetensors")
refuse("names shard 'model-1.safetensors', which is missing")
shutil.copy("shards/model-1.safetensors", "hf")
swapped = dict(index["weight_map"], **{names[0]: "model-1.safetensors"})
write_json("hf/model.safetensors.index.json", {"weight_map": swapped})
refuse(f"places tensor '{names[0]}' in shard 'model-1.safetensors'")
write_json("hf/model.safetensors.index.json",
           {"weight_map": {names[0]: "../model.safetensors"}})
refuse("shard '../model.safetensors' is not the name of a file beside")
write_json("hf/model.safetensors.index.json", {"weight_map": [names[0]]})
refuse("no map 'weight_map'")

# An empty directory, and one whose only tensor is none of the model's.
shutil.rmtree("hf")
os.mkdir("hf")
refuse("holds neither model.safetensors nor model.safetensors.index.json")
write({"x": np.zeros(1, np.float32)})
refuse("extra: x [1]", *(f"missing: {name} " for name in weights))
