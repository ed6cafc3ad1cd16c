# RUN: %python %s %t
"""Specs made to crash, overflow or exhaust: a message, or a run that is right."""
from harness import *

workspace()
write_tokens("tokens.u16", random_tokens(4096))


def spec_of(change):
    return write_json("spec.json", small_spec(**change))


#: Section, key, value and what is said. All end at once: nothing is allocated.
REFUSED = [
    ("model", "vocab_size", 2000000000, "the program needs at least"),
    ("model", "vocab_size", 1 << 40, "expected an integer from 1 to"),
    ("model", "hidden_size", 1 << 63, "expected an integer"),
    ("model", "hidden_size", 1 << 28, "the program needs at least"),
    ("model", "num_hidden_layers", 100000, "expected at most 10000 layers"),
    ("model", "num_attention_heads", 1 << 30, "does not divide"),
    ("model", "rms_norm_eps", 1e-300, "fits float32"),
    ("model", "rms_norm_eps", 0, "expected a number above 0"),
    ("model", "rope_theta", 0, "expected a number above 0"),
    ("model", "initializer_range", 1e39, "fits float32"),
    ("model", "initializer_range", -1, "expected a number of at least 0"),
    ("model", "weights", "/", "holds neither model.safetensors nor"),
    ("train", "micro_batch_size", 1 << 30, "global_batch_size 8 is not a "
     "multiple of micro_batch_size 1073741824"),
    ("train", "global_batch_size", 1 << 30, "more than 2147483647 tokens"),
    ("train", "sequence_length", 2147483647, "more than 2147483647 tokens"),
    ("train", "train_steps", 1 << 62, None),
    ("train", "seed", 1 << 64, "expected an integer"),
    ("train", "clip_grad", 1e-300, "fits float32"),
    ("train", "clip_grad", 0, "expected a number above 0 or null"),
    ("train", "optimizer", {"name": "sgd", "lr": 1e300}, "fits float32"),
    ("train", "optimizer", {"eps": 1e-300}, "fits float32"),
    ("train", "optimizer", {"betas": [0.9, 0.99999999999]}, "below 1"),
    ("train", "optimizer", {"name": "sgd", "momentum": 1}, "below 1"),
    ("train", "lr_schedule", {"name": "wsd"}, "wsd has no decay_steps"),
    ("train", "lr_schedule", {"name": "linear", "warmup_steps": 9},
     "warmup_steps 9 is more than the 1 steps of the run"),
    ("run", "threads", 1000000, "expected an integer from 1 to 4096"),
    ("run", "stop_after", "0s", "expected a duration"),
    ("run", "stop_after", 5, "expected a duration"),
    ("target", "memory", 1, "the program needs at least"),
    ("data", "train", [], "expected a path"),
    ("data", "train", "**/[", "no file matches"),
    ("log", "directory", "", "expected a path"),
]
for section, key, value, says in REFUSED:
    spec = spec_of({section: {key: value}})
    if says is None:
        llmc("check", spec, says="good")
        continue
    limit = 15
    refused("run", spec, "-o", "run", says=["spec.json:", "error: ", says],
            timeout=limit)

# No data at all, no model, no train.
for section, says in (("data", "data.train is missing, expected files to train "
                       "on"), ("model", "model.use is missing"),
                      ("train", "train.sequence_length is missing"),
                      ("llmc", "llmc is missing, expected 1")):
    spec = small_spec()
    del spec[section]
    refused("run", write_json("spec.json", spec), "-o", "run",
            says=["spec.json:1:1: error: ", says])

# --set of everything that is not one value of one key.
spec = spec_of({})
for text, says in (("", "expected --set a.b.c=value"), ("=", "expected --set"),
                   ("a", "expected --set"), ("a.b.c=1", "unknown key a"),
                   ("train=1", "train is 1, expected a map"),
                   ("train..seed=1", "expected --set"),
                   ("train.seed=", "train.seed is null, expected an integer"),
                   ("train.seed=[", "error: "), ("train.seed={a: 1}", "a map"),
                   ("train.seed.x=1", "train.seed is a map, expected"),
                   ("name=&a [*a]", "error: "), ("name=*b", "error: "),
                   ("train.seed=1\ntrain.seed=2", "error: ")):
    refused("run", spec, "-o", "run", "--set", text, says=says)
for text in ("--steps=0", "--steps=-1", "--steps=x", "--steps=" + "9" * 30,
             "--foo", "--set"):
    llmc("run", spec, "-o", "run", text, code=1)
check(not os.path.exists("run"), "a refused command left a run directory")

# Numbers at the edge that are right: finite losses, or a stop that says why.
write_tokens("validation.u16", random_tokens(50))
ADAMW = {"name": "adamw", "eps": 1e-30, "betas": [0, 0]}
for name, change in {
        "adamw": {"train": {"optimizer": ADAMW, "train_steps": 3}},
        "zeros": {"model": {"initializer_range": 0}},
        "theta": {"model": {"rope_theta": 1e-30}},
        "decay": {"train": {"optimizer": {"weight_decay": 0.5}}},
        "no lr": {"train": {"optimizer": {"lr": 0}, "clip_grad": 1e-30}},
        "seed": {"train": {"seed": (1 << 63) - 1}},
        "threads": {"run": {"threads": 7}},
        "one logit": {"memory": {"logits_limit": 1}},
        "ignored": {"data": {"train": "same.u16"}, "train": {"ignore_label": 5}},
        "cosine": {"train": {"train_steps": 3, "lr_schedule": {
            "name": "cosine", "end_step": 1}}},
        "linear": {"train": {"train_steps": 2, "lr_schedule": {
            "name": "linear", "warmup_steps": 2}}},
        "wsd": {"train": {"train_steps": 2, "lr_schedule": {
            "name": "wsd", "decay_steps": 2, "shape": "sqrt"}}},
        "epochs": {"train": {"train_steps": REMOVE},
                   "data": {"train": "validation.u16", "epochs": 2000000000,
                            "shuffle": True}},
        "often": {"train": {"train_steps": 3}, "checkpoint": {
            "every": 1, "keep": 1}, "data": {"validation": "validation.u16"},
            "validate": {"every": 1}}}.items():
    write_tokens("same.u16", [5] * 400)
    shutil.rmtree("run", ignore_errors=True)
    llmc("run", spec_of(change), "-o", "run", "--steps", "3")
    steps, validations = metrics()
    check(steps and all(math.isfinite(step[key]) for step in steps
                        for key in ("loss", "grad_norm", "lr")),
          f"{name}: {steps}")
    check(all(np.isfinite(tensor).all() for tensor in export("run").values()),
          f"{name}: weights that are not finite")
    if name == "zeros":  # all logits are equal
        check_close("loss of zeros", steps[0]["loss"], math.log(96), 1e-6)
    if name == "ignored":  # no label counts
        check(steps[0]["tokens"] == 0 and steps[0]["loss"] == 0, steps)
    if name == "often":
        check(os.listdir("run/checkpoints") == ["step_00000003"] and
              [line["step"] for line in validations] == [0, 1, 2, 3], name)

# Too large a rate: skip goes on to the end, stop ends with 3 and the weights.
for optimizer in "sgd", "adamw":
    for policy, code in ("skip", 0), ("stop", 3):
        shutil.rmtree("run", ignore_errors=True)
        llmc("run", spec_of({"train": {
            "train_steps": 5, "on_nonfinite": policy,
            "optimizer": {"name": optimizer, "lr": 1e30}}}), "-o", "run",
            code=code, says="expected finite numbers")
        check(len(metrics()[0]) == (5 if policy == "skip" else
                                    len(metrics()[0])), "steps")
