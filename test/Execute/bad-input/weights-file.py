# RUN: %python %s %t
"""Weights files that are cut, have holes, overlaps, offsets out of range or
headers that claim what is not there: refused before anything is allocated, by a
spec and by a bundle."""
import struct
from harness import *
import reference

workspace()
write_tokens("tokens.u16", random_tokens(400))
weights = reference.random_weights(SMALL_LLAMA)
write_safetensors("model.safetensors", weights)
spec = write_json("spec.json", small_spec(
    model={"weights": "model.safetensors"}))
llmc("compile", spec, "-o", "bundle")
good = open("model.safetensors", "rb").read()
length = struct.unpack("<Q", good[:8])[0]
header = json.loads(good[8:8 + length])
data = good[8 + length:]
names = list(header)


def refuse(*says):
    for source in spec, "bundle":
        refused("run", source, "-o", "run", timeout=20,
                says=["error: ", "model.safetensors", *says])


def write(content):
    with open("model.safetensors", "wb") as file:
        file.write(content)


def write_with(change, tail=b""):
    """A copy of the header, changed; offsets are those of the data."""
    copy = json.loads(json.dumps(header))
    change(copy)
    write_raw_safetensors("model.safetensors", copy, data + tail)


# Cut in the length, in the header, between, in the data, by one byte.
for size in 0, 1, 7, 8, 9, 8 + length // 2, 8 + length - 1, 8 + length, (
        8 + length + len(data) // 2), len(good) - 1:
    write(good[:size])
    refuse()
write(good[:8 + length + len(data) // 2])
refuse("the file is truncated")

# Lengths of the header that the file does not have.
for claimed in 0, 1, 1 << 31, 1 << 60, (1 << 64) - 1, (1 << 63) + 7:
    write(struct.pack("<Q", claimed) + good[8:])
    refuse()
write(struct.pack("<Q", 1 << 60) + good[8:])
refuse("a header of 1152921504606846976 bytes")

# Offsets: a hole, an overlap, beyond the end, backwards, huge, negative.
first, second, last = names[0], names[1], names[-1]


def offsets(name, begin, end):
    def change(copy):
        at = copy[name]["data_offsets"]
        copy[name]["data_offsets"] = [at[0] + begin, at[1] + end]
    return change


for change in (offsets(second, 4, 4), offsets(second, -4, -4),
               offsets(last, 4, 4), offsets(last, 0, 4), offsets(second, 0, -4),
               offsets(first, 1 << 60, 1 << 60), offsets(first, -8, -8),
               lambda copy: copy[first].update(data_offsets=[8, 0]),
               lambda copy: copy[first].update(
                   data_offsets=copy[second]["data_offsets"]),
               lambda copy: copy[first].update(data_offsets=[0]),
               lambda copy: copy[first].update(data_offsets=[0, 1e30]),
               lambda copy: copy[first].update(data_offsets="0-4"),
               lambda copy: copy[first].pop("data_offsets"),
               # Shapes that are not what the bytes hold, and overflow.
               lambda copy: copy[first].update(shape=[96]),
               lambda copy: copy[first].update(shape=[-96, -32]),
               lambda copy: copy[first].update(shape=[1 << 62, 1 << 62]),
               lambda copy: copy[first].update(shape=[0, 1 << 63]),
               lambda copy: copy[first].update(shape=[96, 32.5]),
               lambda copy: copy[first].update(shape=None),
               # Types that are none, or of another size.
               lambda copy: copy[first].update(dtype="F64"),
               lambda copy: copy[first].update(dtype="F31"),
               lambda copy: copy[first].update(dtype=7),
               lambda copy: copy[first].pop("dtype"),
               lambda copy: copy.update({first: 3}),
               lambda copy: copy.clear()):
    write_with(change)
    refuse()
write_with(lambda copy: None, tail=b"\0" * 8)
refuse()

# Integers of the right size are no weights.
write_with(lambda copy: copy[last].update(dtype="I32"))
refuse(f"dtype: {last}")

# Headers that are no JSON, no map, a bomb, have a name twice.
for text in (b"", b"[]", b"null", b"{", b"{" * 100000, b"[" * 1000000,
             b'{"a":' * 100000, b"\xff\xfe", b'{"a": {}, "a": {}}',
             good[8:8 + length].rstrip()[:-1] + b"," +
             good[9:8 + length]):
    write(struct.pack("<Q", len(text)) + text + data)
    refuse()

# A directory of that name, a pipe; nothing was left, and a good file trains.
os.remove("model.safetensors")
os.mkdir("model.safetensors")
refuse()
os.rmdir("model.safetensors")
os.mkfifo("model.safetensors")
refuse("is not a regular file")
os.remove("model.safetensors")
write(good)
llmc("run", spec, "-o", "run")
