# RUN: %python %s %t
"""A token that the vocabulary does not have: file, position and value, before the
step that would read it runs; what was trained before is kept."""
from harness import *

workspace()
tokens = random_tokens(8 * 16 * 3 + 1)


def spec_of(**changes):
    return write_json("spec.json", small_spec(
        train={"train_steps": 3}, **changes))


def wrong(position, value, path="bad.u16"):
    bad = tokens.copy()
    bad[position] = value
    write_tokens(path, bad)


# In the first batch, as an input, as a label only, as the last token of a batch:
# nothing was written.
for position, value in (0, 96), (77, 65535), (8 * 16, 97):
    wrong(position, value)
    refused("run", spec_of(data={"train": "bad.u16"}), "-o", "run", says=[
        f"bad.u16': token {value} at position {position}, expected less than "
        "vocab_size 96"])

# In the third batch: two steps are trained, saved, and can be gone on from.
wrong(2 * 8 * 16 + 5, 96)
spec = spec_of(data={"train": "bad.u16"})
llmc("run", spec, "-o", "run", code=1,
     says="bad.u16': token 96 at position 261, expected less than vocab_size 96")
check([s["step"] for s in metrics()[0]] == [1, 2], metrics())
check(read_json("run/summary.json")["outcome"] == "failed", "the outcome")
check(os.listdir("run/checkpoints") == ["step_00000002"],
      os.listdir("run/checkpoints"))
write_tokens("bad.u16", tokens)
llmc("run", spec, "-o", "run", says="step 2")
write_tokens("tokens.u16", tokens)
llmc("run", spec_of(), "-o", "whole")
check([s["loss"] for s in metrics()[0]] == [s["loss"]
      for s in metrics("whole")[0]], "the repaired run is another one")

# In the second file of a source the position counts from its start.
write_tokens("first.u16", tokens[:100])
bad = tokens[100:].copy()
bad[7] = 200
write_tokens("second.u16", bad)
refused("run", spec_of(data={"train": ["first.u16", "second.u16"]}), "-o",
        "run2", says="second.u16': token 200 at position 7, expected")

# In the validation.
wrong(3, 96, "validation.u16")
refused("run", spec_of(data={"validation": "validation.u16"}), "-o", "run2",
        says="validation.u16': token 96 at position 3, expected")

# Of other sizes.
np.full(400, 255, np.uint8).tofile("bytes.u8")
refused("run", spec_of(data={"train": "bytes.u8", "format": "raw-u8"}), "-o",
        "run2", says="bytes.u8': token 255 at position 0")
np.full(400, 0xffffffff, "<u4").tofile("wide.u32")
refused("run", spec_of(data={"train": "wide.u32", "format": "raw-u32"}), "-o",
        "run2", says="wide.u32': token 4294967295 at position 0")
with open("text.txt", "w") as file:
    file.write("~" * 400)
refused("run", spec_of(data={"train": "text.txt", "format": "text"}), "-o",
        "run2", says="vocab_size 96")

# The special tokens of a spec must be in the vocabulary too.
for key, change in (("ignore_label", {"train": {"ignore_label": 96}}),
                    ("end_of_document", {"data": {"end_of_document": 96},
                                         "model": {"document_mask": True}})):
    spec = write_json("spec.json", small_spec(**change))
    refused("run", spec, "-o", "run2", says=[
        f"{place(spec, key)}: error: ", f"{key} 96 is not below vocab_size 96"])
