# RUN: %python %s %t
"""A bundle with any byte of any file flipped, a file cut, longer, gone or
replaced is refused before anything of it is used. A damaged bundle of the cache is
compiled again."""
import random
from harness import *

workspace()
os.environ["XDG_CACHE_HOME"] = os.path.abspath("cache")
write_tokens("tokens.u16", random_tokens(400))
spec = write_json("spec.json", small_spec())
llmc("compile", spec, "-o", "bundle")
names = sorted(os.listdir("bundle"))
check("manifest.json" in names and len(names) > 4, names)
pick = random.Random(1)


def refuse(what, file):
    """Quicker than refused(): only the run directory could be left."""
    done = subprocess.run(["llmc", "run", "bundle", "-o", "run"], timeout=60,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    text = done.stdout.decode(errors="replace")
    check(done.returncode == 1 and "error: " in text,
          f"{file} {what}: exit {done.returncode}: {text}")
    check(not os.path.exists("run"), f"{file} {what}: left a run directory")


for name in names:
    path = f"bundle/{name}"
    good = open(path, "rb").read()
    # Some of each 64 KiB, the first and the last, all bits in turn.
    places = {0, len(good) - 1, *(pick.randrange(i, min(i + 65536, len(good)))
                                  for i in range(0, len(good), 65536)),
              *(pick.randrange(len(good)) for _ in range(12))}
    for number, at in enumerate(sorted(places)):
        bad = bytearray(good)
        bad[at] ^= 1 << number % 8
        open(path, "wb").write(bad)
        refuse(f"with byte {at} flipped", name)
    for what, bad in (("cut", good[:-1]), ("empty", b""),
                      ("longer", good + b"\0"), ("of zeros", bytes(len(good)))):
        open(path, "wb").write(bad)
        refuse(what, name)
    os.remove(path)
    refuse("gone", name)
    os.mkdir(path)
    refuse("a directory", name)
    os.rmdir(path)
    open(path, "wb").write(good)

# A file of another bundle is not this one's.
llmc("compile", spec, "-o", "other", "--set", "train.micro_batch_size=4")
for name in names:
    if name == "manifest.json":
        continue
    mine, theirs = (open(f"{folder}/{name}", "rb").read()
                    for folder in ("bundle", "other"))
    if mine != theirs:
        open(f"bundle/{name}", "wb").write(theirs)
        refuse("of another bundle", name)
        open(f"bundle/{name}", "wb").write(mine)

# As it was, it runs.
llmc("run", "bundle", "-o", "run")

# The cache.
llmc("run", spec, "-o", "first", says="compiling")
llmc("run", spec, "-o", "second", never="compiling")
(cached,) = [entry for entry in os.listdir("cache/llmc")
             if not entry.endswith(".lock")]
plan = next(f"cache/llmc/{cached}/{name}" for name in names if "plan" in name)
with open(plan, "r+b") as file:
    file.seek(100)
    file.write(b"\xff\xff")
llmc("run", spec, "-o", "third", says="compiling")
losses = [metrics(run)[0][0]["loss"] for run in ("run", "first", "third")]
check(len(set(losses)) == 1, losses)
