# RUN: %python %s %t
"""Token files that are cut, too long, of another kind or enormous. Short ones are
in cases/b25-short-files.py."""
import struct
from harness import *

workspace()


def write_llmc(path, tokens, magic=20240520, version=1, count=None, bytes=2):
    header = np.zeros(256, "<u4")
    header[:3] = magic, version, len(tokens) if count is None else count
    with open(path, "wb") as file:
        file.write(header.tobytes())
        file.write(np.asarray(tokens, f"<u{bytes}").tobytes())


def spec_of(path, **data):
    return write_json("spec.json", small_spec(data={
        "train": path, "format": "llmc", **data}))


def refuse(path, *says, **data):
    spec = spec_of(path, **data)
    refused("run", spec, "-o", "run", says=[
        f"{place(spec, 'train', 2)}: error: data.train: '{path}': ", *says])


tokens = random_tokens(200)
write_llmc("good.bin", tokens)
llmc("run", spec_of("good.bin", format="auto"), "-o", "good")
write_llmc("wide.bin", tokens, magic=20240801, version=7, bytes=4)
llmc("run", spec_of("wide.bin"), "-o", "wide")
check(metrics("good")[0][0]["loss"] == metrics("wide")[0][0]["loss"],
      "16 and 32 bits differ")

# Cut at every kind of place, and one token too long.
whole = open("good.bin", "rb").read()
for size, says in ((0, "0 bytes, expected at least the 1024 of an llmc header"),
                   (3, "3 bytes, expected at least the 1024"),
                   (1023, "1023 bytes, expected at least the 1024"),
                   (1024, "1024 bytes, expected 1424 for the 200 tokens of its "
                          "header: the file is truncated"),
                   (1423, "1423 bytes, expected 1424"),
                   (1426, "1426 bytes, expected 1424 for the 200 tokens of its "
                          "header: the file is too long")):
    with open("cut.bin", "wb") as file:
        file.write((whole + b"\0\0")[:size])
    refuse("cut.bin", says)

# Headers of another kind.
write_llmc("bad.bin", tokens, magic=1)
refuse("bad.bin", "magic number 1, expected 20240520 or 20240801")
refuse("bad.bin", "no llmc header", "expected data.format to be", format="auto")
write_llmc("bad.bin", tokens, version=2)
refuse("bad.bin", "version 2, expected 1 with magic number 20240520")
for count in 0xffffffff, 0x7fffffff, 201, 199:
    write_llmc("bad.bin", tokens, count=count)
    refuse("bad.bin", f"for the {count} tokens of its header")
write_llmc("bad.bin", [], count=0)
refuse("bad.bin", "needs 17 tokens, have 0")

# Several files: the one that is wrong is named.
with open("cut.bin", "wb") as file:
    file.write(whole[:1200])
spec = spec_of(["good.bin", "cut.bin"])
refused("run", spec, "-o", "run", says="'cut.bin': 1200 bytes, expected 1424")

# Over 2^32 bytes: a hole, with tokens only where the last windows are.
length = (1 << 32) + 3 * 32 + 2
with open("huge.u16", "wb") as file:
    file.truncate(length)
    file.seek(length - 70)
    file.write(np.arange(35, dtype="<u2").tobytes())
spec = write_json("spec.json", small_spec(
    data={"train": "huge.u16", "shuffle": True}, train={"train_steps": 2}))
llmc("run", spec, "-o", "huge")
check(len(metrics("huge")[0]) == 2, "the run of the huge file")
llmc("inspect", "huge.u16", says=f"tokens: {length // 2}")
# A bad token behind 2^32 bytes has its right position.
with open("huge.u16", "r+b") as file:
    file.seek(length - 2)
    file.write(struct.pack("<H", 4000))
llmc("run", write_json("spec.json", small_spec(
    data={"train": "good.bin", "format": "auto", "validation": "huge.u16"},
    validate={"windows": 2})), "-o", "fine")
os.remove("huge.u16")
