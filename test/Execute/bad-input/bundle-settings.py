# RUN: %python %s %t
"""--set on a bundle: what is compiled in and what makes no sense is refused with
the value, and nothing is begun; the rest holds, in whatever order it is given."""
from harness import *

workspace()
write_tokens("tokens.u16", random_tokens(4096))
spec = write_json("spec.json", small_spec(train={"train_steps": 4}))
llmc("compile", spec, "-o", "bundle")


def refuse(*sets, says):
    words = [word for text in sets for word in ("--set", text)]
    refused("run", "bundle", "-o", "run", *words, says=says)


for key in ("model.hidden_size", "train.micro_batch_size", "train.seed",
            "train.optimizer.name", "train.optimizer.betas", "data.train",
            "data.shuffle", "run.threads", "parallel.dp", "spec.text", "format",
            "train", "nothing", "train.optimizer", "train.optimizer.lr.x"):
    refuse(f"{key}=1", says=f"--set {key}: compiled into the bundle")
for text in "x", "", "=", "=1":
    refuse(text, says="--set ")
for key, values in {
        "train.train_steps": ("0", "-1", "x", "1.5", "[]", "99999999999999",
                              "1e400", "null"),
        "train.optimizer.lr": ("-1", "nan", "1e39", "1e999", "{}", "", "true"),
        "train.clip_grad": ("0", "-1", "x"),
        "train.lr_schedule.name": ("cosin", "1", ""),
        "train.lr_schedule.min_lr": ("-1", "1e300"),
        "train.lr_schedule.warmup_steps": ("-1", "x"),
        "train.lr_schedule.decay_steps": ("-1",),
        "train.lr_schedule.end_step": ("0", "x"),
        "train.on_nonfinite": ("ignore",),
        "validate.every": ("0",), "checkpoint.every": ("0", "-5"),
        "checkpoint.keep": ("0",), "log.every": ("0",),
        "checkpoint.resume": ("/none", "bundle", "tokens.u16"),
        "log.directory": ("", "null", "1"),
        "run.stop_after": ("0s", "-1s", "soon", "-1", "0", "1w", "s")}.items():
    for value in values:
        refuse(f"{key}={value}", says=[key])
refuse("train.lr_schedule.name=wsd", says="wsd has no decay_steps")
refuse("train.lr_schedule.warmup_steps=3", "train.lr_schedule.end_step=3",
       says="end_step 3 is not more than warmup_steps 3")

# Several settings are judged together.
for order in (("name=wsd", "decay_steps=2", "min_lr=0.02"),
              ("min_lr=0.02", "decay_steps=2", "name=wsd")):
    shutil.rmtree("run", ignore_errors=True)
    llmc("run", "bundle", "-o", "run", *(
        word for text in order for word in ("--set", "train.lr_schedule." + text)))
    rates = [step["lr"] for step in metrics()[0]]
    check(np.allclose(rates, [0.1, 0.1, 0.1, 0.06]), rates)
shutil.rmtree("run")
llmc("run", "bundle", "-o", "run", "--set", "train.train_steps=2", "--set",
     "train.optimizer.lr=1", "--set", "train.optimizer.lr=0.5", "--set",
     "train.clip_grad=null", "--set", "checkpoint.every=1")
check([step["lr"] for step in metrics()[0]] == [0.5, 0.5], metrics()[0])
check(len(os.listdir("run/checkpoints")) == 2, "every was not heard")
