# RUN: %python %s %t
"""Where nothing can be written nothing is begun, and nothing that was there is
touched. (Tests may run as root, whom only a file in the way stops.)"""
from harness import *

workspace()
write_tokens("tokens.u16", random_tokens(400))
spec = write_json("spec.json", small_spec(train={"train_steps": 2},
                                          checkpoint={"every": 1}))
llmc("compile", spec, "-o", "bundle")
llmc("run", "bundle", "-o", "run")
with open("file", "w") as file:
    file.write("a file")
KEPT = "keep me\n"
os.mkdir("folder")
with open("folder/notes.txt", "w") as file:
    file.write(KEPT)

for source in spec, "bundle":
    # The run directory, and the one of checkpoints: before the first step.
    for path in "file", "file/run", "/proc/nothing/run":
        refused("run", source, "-o", path, says="error: cannot ")
    for path in "file", "file/checkpoints", "/proc/checkpoints":
        refused("run", source, "-o", "new", "--set",
                f"checkpoint.directory={path}", says="error: cannot ")
    refused("run", source, "-o", "new/a/b", "--set",
            "checkpoint.directory=file/c", says="error: cannot ")
    refused("run", source, "-o", "new", "--trace", "file/trace.json",
            says="error: cannot ")

# compile and export into what is no place for them.
for path in "file/bundle", "/proc/bundle":
    refused("compile", spec, "-o", path, says="error: cannot ")
for path in "file", "folder", "run", "run/checkpoints", "spec.json":
    refused("compile", spec, "-o", path, says=[
        f"error: '{path}' is there and is no bundle, expected a new directory "
        "or a bundle to replace"])
refused("compile", spec, "-o", "new", "--save-ir", "file/ir", says="error: ")
os.mkdir("empty")
llmc("compile", spec, "-o", "empty")
llmc("compile", spec, "-o", "bundle")
for path in "file", "file/export", "/proc/export":
    refused("export", "run/checkpoints", "-o", path, says="error: cannot ")
# A checkpoint is not written over, by export least of all.
for path in "run/checkpoints/step_00000002", "run/checkpoints/step_00000001":
    refused("export", "run/checkpoints", "-o", path, says=[
        f"error: '{path}' is a checkpoint, expected another directory"])
# What stands beside the files of an export stays.
llmc("export", "run/checkpoints", "-o", "folder")
with open("folder/notes.txt") as file:
    check(file.read() == KEPT, "export changed what was there")
check(sorted(os.listdir("folder")) == ["config.json", "model.safetensors",
                                       "notes.txt"], os.listdir("folder"))

# A run directory with other things in it: --overwrite takes the run only.
with open("run/notes.txt", "w") as file:
    file.write(KEPT)
os.mkdir("run/checkpoints/mine")
refused("run", "bundle", "-o", "run", "--set", "checkpoint.resume=never",
        says="'run' holds another run")
llmc("run", "bundle", "-o", "run", "--overwrite", "--steps", "1")
with open("run/notes.txt") as file:
    check(file.read() == KEPT, "--overwrite changed what was there")
check(sorted(os.listdir("run/checkpoints")) == ["mine", "step_00000001"],
      os.listdir("run/checkpoints"))

# Read where nothing is, or something else.
for command in ("export", "file", "-o", "new"), ("export", "none", "-o", "new"), (
        "generate", "file", "--prompt", "a"), ("inspect", "folder"), (
        "inspect", "none"), ("inspect", "/dev/null"), ("run", "none"), (
        "run", "folder"), ("run", "/dev/null"), ("check", "/"), ("run", "run"):
    refused(*command)
