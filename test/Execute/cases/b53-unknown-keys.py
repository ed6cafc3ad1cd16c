# RUN: %python %s %t
"""Every key of a whole resolved spec: misspelt, at the wrong level, given twice,
of a wrong type, negative. All of a kind are errors of one run, each at its line
with its full path."""
from harness import *

workspace()
write_tokens("tokens.u16", random_tokens(400))
spec = small_spec(data={"validation": "tokens.u16"})
GOOD = json.loads(llmc("check", write_json("good.json", spec), "--json"))["spec"]


def leaves(node, path=()):
    for key, value in node.items():
        if isinstance(value, dict) and value:
            yield from leaves(value, path + (key,))
        else:
            yield path + (key,), value


def change(edit):
    """The spec with `edit(path, key, value)` for each key: a map to put there."""
    def walk(node, path):
        out = {}
        for key, value in node.items():
            inner = (walk(value, path + (key,))
                     if isinstance(value, dict) and value else value)
            out.update(edit(path + (key,), key, inner))
        return out
    return walk(GOOD, ())


def errors_of(content):
    """The errors of one run by line, and the lines of the file by key path."""
    path = write_json("bad.json", content)
    shown = refused("check", path)
    errors = {}
    for line in shown.splitlines():
        place, kind, text = line.partition(": error: ")
        if kind and place.startswith("bad.json:"):
            errors.setdefault(int(place.split(":")[1]), []).append(text)
    return errors, lines_of(content)


def lines_of(content):
    """Where json.dump puts each key."""
    lines, number = {}, [1]

    def walk(node, path):
        for key, value in node.items():
            number[0] += 1
            lines[path + (key,)] = number[0]
            if isinstance(value, dict) and value:
                walk(value, path + (key,))
                number[0] += 1
            elif isinstance(value, list) and value:
                for item in value:
                    number[0] += 1
                    if isinstance(item, (dict, list)):
                        sys.exit("lists of lists are not counted")
                number[0] += 1
    walk(content, ())
    return lines


def expect(errors, line, what, *texts):
    found = errors.get(line, [])
    check(any(all(text in error for text in texts) for error in found),
          f"{what}, line {line}: no error with {texts} in {found}")


paths = [path for path, _ in leaves(GOOD)]
sections = {path[:i] for path in paths for i in range(1, len(path))}
check(len(paths) > 80 and max(map(len, paths)) == 3, f"{len(paths)} keys")

# Misspelt: beside each key and each section one with a letter doubled.
def misspelt(key):
    return key[:-1] + 2 * key[-1] if len(key) > 2 else key + "x" + key


errors, lines = errors_of(change(lambda path, key, value: {
    key: value, misspelt(key): 1}))
for path in [*paths, *sections]:
    wrong = path[:-1] + (misspelt(path[-1]),)
    texts = [f"unknown key {'.'.join(wrong)}"]
    if len(path[-1]) > 3:
        texts.append(f"; did you mean {'.'.join(path)}")
    expect(errors, lines[wrong], "misspelt", *texts)

# At the wrong level: each key moved to the top, and each from there below train.
# (`exclude` is nearer to include, which may stand there.)
names = {path[-1] for path in paths if len(path) > 1} - {*GOOD, "exclude"}
errors, lines = errors_of({**GOOD, **{name: 1 for name in names}})
for name in names:
    expect(errors, lines[(name,)], "at the top", f"unknown key {name}; did you "
           "mean ", f".{name}")
top = set(GOOD) - {"name", "llmc"}
errors, lines = errors_of(
    {**GOOD, "train": {**GOOD["train"], **{key: {} for key in top}}})
for key in top:
    expect(errors, lines[("train", key)], "below train",
           f"unknown key train.{key}")

# Given twice, in the text of --resolved, which is good as it is.
resolved = llmc("check", "good.json", "--resolved").splitlines()
with open("resolved.yaml", "w") as file:
    file.write("\n".join(resolved) + "\n")
llmc("check", "resolved.yaml", says="good")
twice, expected, around = [], [], []
for line in resolved:
    key, _, rest = line.partition(":")
    depth = (len(key) - len(key.lstrip())) // 2
    around[depth:] = [key.strip()]
    twice.append(line)
    if rest.split("#")[0].strip():
        expected.append((len(twice) + 1, ".".join(around), len(twice)))
        twice.append(line)
with open("twice.yaml", "w") as file:
    file.write("\n".join(twice) + "\n")
shown = refused("check", "twice.yaml")
for line, key, first in expected:
    check(f"twice.yaml:{line}:" in shown and
          f"error: key {key} is given twice, first in line {first}\n" in shown,
          f"key {key} of line {line}: {shown[:2000]}")

# Of a wrong type: a map for a scalar, text for a number, `on` for a boolean.
for wrong in {"zzz": 1}, [""], "yes":
    def edit(path, key, value, wrong=wrong):
        number = isinstance(value, (int, float))
        text = isinstance(wrong, str)
        # Without its library a size cannot be judged, nor can one whose
        # default follows from another that is wrong.
        unknown = key in ("use", "head_dim", "num_key_value_heads")
        # A size may be a list, of one entry a layer.
        unknown |= path[0] == "model" and isinstance(wrong, list)
        if isinstance(value, dict) or (text and not number) or unknown:
            return {key: value}
        return {key: wrong}
    content = change(edit)
    errors, lines = errors_of(content)
    for path, value in leaves(content):
        if value == wrong:
            at = [lines[path], lines[path] + 1]
            found = [error for line in at for error in errors.get(line, [])]
            name = path[-1]
            check(any(name in error for error in found),
                  f"{'.'.join(path)} as {wrong!r}: {found}")

# Negative, and zero where nothing may be zero.
integers = {path: value for path, value in leaves(GOOD)
            if type(value) is int and path != ("llmc",)}
errors, lines = errors_of(change(lambda path, key, value: {
    key: -1 if path in integers else value}))
for path in integers:
    expect(errors, lines[path], "negative", f"{'.'.join(path)} is -1, expected ")
sizes = [path for path in integers if path[-1] in (
    "hidden_size", "intermediate_size", "num_hidden_layers", "vocab_size",
    "num_attention_heads", "sequence_length", "micro_batch_size", "threads",
    "global_batch_size", "train_steps", "keep", "every", "dp", "tp", "pp", "cp")]
check(len(sizes) == 18, sizes)
errors, lines = errors_of(change(lambda path, key, value: {
    key: 0 if path in sizes else value}))
for path in sizes:
    expect(errors, lines[path], "zero", f"{'.'.join(path)} is 0, expected ")

# YAML 1.1 would read these as other types.
for text, says in (("lr: 1e-3", "good"), ("lr: 1_0.5", "good"),
                   ("lr: .5", "good"), ("lr: '1e-3'", "is \"1e-3\", expected"),
                   ("lr: 1:30", "is 1:30, expected a number"),
                   ("lr: 0x10", "is 0x10, expected a number"),
                   ("lr: .inf", "is .inf, expected a number"),
                   ("lr: on", "is on, expected a number")):
    code = 0 if says == "good" else 1
    key, value = text.split(": ", 1)
    llmc("check", "good.json", "--set", f"train.optimizer.{key}={value}",
         code=code, says=says)
