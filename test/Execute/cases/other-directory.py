# RUN: %python %s %t
"""Paths in a spec are relative to the file that names them: it runs the same from
anywhere, and so does its bundle. The default run directory is where one stands."""
from harness import *

workspace()
os.environ["XDG_CACHE_HOME"] = os.path.abspath("cache")
os.makedirs("project/data")
os.makedirs("elsewhere/deep")
write_tokens("project/data/tokens.u16", random_tokens(400))
write_tokens("project/data/validation.u16", random_tokens(50))
spec = small_spec(data={"train": "data/*.u16",
                        "validation": ["data/validation.u16"]},
                  log={"directory": "runs/here"})
write_json("project/spec.json", spec)
del spec["log"]
write_json("project/free.json", spec)
for name in "spec", "free":
    llmc("compile", f"project/{name}.json", "-o", f"{name}-bundle")

losses = set()
for folder, back in ("project", ".."), ("elsewhere/deep", "../.."):
    for name in f"{back}/project/spec.json", f"{back}/spec-bundle":
        shutil.rmtree("project/runs", ignore_errors=True)
        llmc("run", name, cwd=folder)
        losses.add(metrics("project/runs/here")[0][0]["loss"])
    for name in f"{back}/project/free.json", f"{back}/free-bundle":
        llmc("run", name, cwd=folder)
        losses.add(metrics(f"{folder}/runs/small")[0][0]["loss"])
        shutil.rmtree(f"{folder}/runs")
    llmc("run", f"{back}/spec-bundle", "-o", "mine", cwd=folder)
    losses.add(metrics(f"{folder}/mine")[0][0]["loss"])
check(len(losses) == 1, losses)
check(sorted(os.listdir("elsewhere/deep")) == ["mine"],
      os.listdir("elsewhere/deep"))

# A bundle may move; a run goes on from another place.
os.rename("spec-bundle", "elsewhere/moved")
llmc("run", "moved", "-o", "../project/mine", "--set", "train.train_steps=3",
     cwd="elsewhere", says="step_00000001', step 1")
