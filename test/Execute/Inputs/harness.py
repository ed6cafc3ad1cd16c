"""What the end-to-end tests in Python share: commands whose outcome is checked,
specs, and the files that commands read and write."""
import hashlib
import json
import math
import os
import shutil
import struct
import subprocess
import sys

import numpy as np

#: What no user may ever see.
TRACES = ("Stack dump", "PLEASE submit", "failed to legalize", "LLVM ERROR",
          "terminate called", "Assertion", "Segmentation", "func.func",
          "builtin.module")


def workspace():
    """The test's own directory, empty, as the working directory."""
    path = sys.argv[1]
    shutil.rmtree(path, ignore_errors=True)
    os.makedirs(path)
    os.chdir(path)
    return path


def check(condition, message):
    if not condition:
        sys.exit(f"{sys.argv[0]}: {message}")


def check_close(what, got, want, relative):
    scale = max(abs(want), 1e-30)
    check(math.isfinite(got) and abs(got - want) <= relative * scale,
          f"{what} is {got!r}, expected {want!r} within {relative:g}")


def call(*arguments, code=0, says=(), never=(), timeout=120, **options):
    """Runs a program and returns all it wrote; its end and each line that it
    must (not) say are checked."""
    done = subprocess.run(arguments, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, text=True,
                          errors="replace", timeout=timeout, **options)
    shown = f"{' '.join(arguments)}\n{done.stdout[-3000:]}"
    check(done.returncode == code,
          f"exit {done.returncode}, expected {code}: {shown}")
    for text in [says] if isinstance(says, str) else says:
        check(text in done.stdout, f"does not say {text!r}: {shown}")
    for text in [*([never] if isinstance(never, str) else never), *TRACES]:
        check(text not in done.stdout, f"says {text!r}: {shown}")
    return done.stdout


def llmc(*arguments, **options):
    return call("llmc", *arguments, **options)


def tree(directory="."):
    """Every path under a directory, with what tells that it was changed."""
    found = {}
    for folder, folders, files in os.walk(directory):
        for name in folders:
            found[os.path.join(folder, name)] = "directory"
        for name in files:
            path = os.path.join(folder, name)
            state = os.lstat(path)
            found[path] = (state.st_size if state.st_size > 1 << 24
                           or not os.path.isfile(path) else
                           hashlib.sha256(open(path, "rb").read()).hexdigest())
    return found


def refused(*arguments, code=1, **options):
    """A command that ends with an error and leaves the directory as it was."""
    before = tree()
    output = llmc(*arguments, code=code, **options)
    check("error: " in output, f"{arguments}: no error in {output!r}")
    after = tree()
    changed = sorted(path for path in before.keys() | after.keys()
                     if before.get(path) != after.get(path))
    check(not changed, f"{arguments} left {changed}: {output}")
    return output


def write_json(path, content):
    """JSON is YAML: one key a line."""
    os.makedirs(os.path.dirname(path) or ".", exist_ok=True)
    with open(path, "w") as file:
        json.dump(content, file, indent=1)
    return path


def place(path, key, nth=1, of="value"):
    """file:line:column of a key or its value, of the nth line of a file of
    write_json that has the key."""
    with open(path) as file:
        for number, line in enumerate(file, 1):
            before, quoted, after = line.partition(f'"{key}": ')
            if quoted and not before.strip():
                nth -= 1
                if nth == 0:
                    column = len(before) + (len(quoted) if of == "value" else 0)
                    return f"{path}:{number}:{column + 1}"
    sys.exit(f"{path} has no line {nth} with {key}")


def read_json(path):
    with open(path) as file:
        return json.load(file)


def merge(base, changes):
    """`base` with the values of nested maps replaced; REMOVE takes one out."""
    out = dict(base)
    for key, value in changes.items():
        if value is REMOVE:
            out.pop(key, None)
        elif isinstance(value, dict) and isinstance(out.get(key), dict):
            out[key] = merge(out[key], value)
        else:
            out[key] = value
    return out


REMOVE = object()

#: The sizes that most tests use: every one is small, none is trivial.
SMALL_LLAMA = {
    "use": "llama", "vocab_size": 96, "hidden_size": 32,
    "intermediate_size": 64, "num_hidden_layers": 2,
    "num_attention_heads": 4, "rms_norm_eps": 1e-5,
}
SMALL_GPT2 = {
    "use": "gpt2", "vocab_size": 96, "hidden_size": 32,
    "num_hidden_layers": 2, "num_attention_heads": 4, "n_positions": 16,
}


def small_spec(**changes):
    """One step of SGD on tokens.u16 in the order of the file."""
    return merge({
        "llmc": 1,
        "name": "small",
        "model": SMALL_LLAMA,
        "train": {
            "sequence_length": 16, "micro_batch_size": 2,
            "global_batch_size": 8, "train_steps": 1,
            "clip_grad": None,
            "optimizer": {"name": "sgd", "lr": 0.1},
        },
        "data": {"train": "tokens.u16", "format": "raw-u16", "shuffle": False},
        "log": {"directory": "run", "every": 1},
        "run": {"threads": 2},
    }, changes)


def write_tokens(path, tokens):
    np.asarray(tokens, "<u2").tofile(path)
    return path


def random_tokens(count, vocabulary=96, seed=1):
    return np.random.default_rng(seed).integers(0, vocabulary, count)


def metrics(run="run"):
    """The lines of steps, and those of validations."""
    with open(os.path.join(run, "metrics.jsonl")) as file:
        lines = [json.loads(line) for line in file]
    return ([line for line in lines if "loss" in line],
            [line for line in lines if "validation_loss" in line])


def write_safetensors(path, tensors):
    """float32 tensors by name, in the order of the map."""
    os.makedirs(os.path.dirname(path) or ".", exist_ok=True)
    header, at = {}, 0
    for name, tensor in tensors.items():
        size = tensor.size * 4
        header[name] = {"dtype": "F32", "shape": list(tensor.shape),
                        "data_offsets": [at, at + size]}
        at += size
    write_raw_safetensors(path, header, b"".join(
        np.asarray(tensor, "<f4").tobytes() for tensor in tensors.values()))
    return path


def write_raw_safetensors(path, header, data):
    text = json.dumps(header).encode()
    text += b" " * (-len(text) % 8)
    with open(path, "wb") as file:
        file.write(struct.pack("<Q", len(text)) + text + data)


def read_safetensors(path):
    with open(path, "rb") as file:
        length = struct.unpack("<Q", file.read(8))[0]
        header = json.loads(file.read(length))
        data = file.read()
    header.pop("__metadata__", None)
    return {
        name: np.frombuffer(data[slice(*entry["data_offsets"])],
                            "<f4").reshape(entry["shape"])
        for name, entry in header.items()
    }


def train(spec, *arguments, run="run", **options):
    """Writes the spec, runs it, exports the last weights; the metrics of the
    steps and the tensors."""
    path = write_json(run + ".json", spec)
    output = llmc("run", path, "-o", run, *arguments, **options)
    return metrics(run)[0], export(run), output


def export(run, to=None):
    to = to or run + "-export"
    llmc("export", os.path.join(run, "checkpoints"), "-o", to)
    return read_safetensors(os.path.join(to, "model.safetensors"))


def token_losses(bundle, tokens):
    """The loss of each label of one window, by a compiled program that validates
    with validation.u16: k + 1 tokens are a short window, whose mean is that of
    the first k labels."""
    sums = [0.0]
    for count in range(1, len(tokens)):
        write_tokens("validation.u16", tokens[:count + 1])
        shutil.rmtree("token-loss", ignore_errors=True)
        llmc("run", bundle, "-o", "token-loss", "--steps", "1")
        sums.append(metrics("token-loss")[1][0]["validation_loss"] * count)
    return np.diff(sums)


def check_token_losses(what, got, want, limit=1e-5):
    """Differences of sums of float32 losses: the limit is absolute."""
    for position, (mine, theirs) in enumerate(zip(got, want)):
        check(abs(mine - theirs) < limit,
              f"{what}, position {position}: loss {mine}, expected {theirs}")
