# RUN: %python %s %t
"""Command lines that make no sense, and every command on every kind of file: a
message and 1, or an answer and 0."""
from harness import *

workspace()
os.environ["XDG_CACHE_HOME"] = os.path.abspath("cache")
write_tokens("tokens.u16", random_tokens(400))
spec = write_json("spec.json", small_spec(model={"vocab_size": 257}))
llmc("compile", spec, "-o", "bundle")
llmc("run", "bundle", "-o", "run")
llmc("export", "run/checkpoints", "-o", "hf")
os.mkdir("empty")
os.mkfifo("pipe")
open("zero", "w").close()
with open("noise", "wb") as file:
    file.write(bytes(range(256)) * 20)
checkpoint = "run/checkpoints/step_00000001"
THINGS = ["spec.json", "bundle", "bundle/manifest.json", "run", "run/checkpoints",
          checkpoint, f"{checkpoint}/model.safetensors", "run/metrics.jsonl",
          "hf", "hf/config.json", "tokens.u16", "empty", "pipe", "zero", "noise",
          "none", "/dev/null", "/dev/zero", "/proc/self/mem", "/", "."]
#: What each command takes; it must refuse all else.
GOOD = {
    ("check",): {"spec.json"},
    ("inspect",): {"bundle", "run/checkpoints", checkpoint, "tokens.u16"},
    ("inspect", "--json"): {"bundle", "run/checkpoints", checkpoint,
                            "tokens.u16"},
    ("export", "-o", "out"): {"run/checkpoints", checkpoint},
    ("generate", "--prompt", "a", "--tokens", "2"): {"run/checkpoints",
                                                     checkpoint},
    ("run", "-o", "out"): {"spec.json", "bundle"},
    ("compile", "-o", "out"): {"spec.json"},
    ("models",): {"gpt2", "llama", "mistral"},
}
for command, good in GOOD.items():
    for thing in sorted({*THINGS, *good}):
        if thing == "pipe" and "spec.json" in good:
            continue  # a spec may come through a pipe
        if thing in good:
            llmc(command[0], thing, *command[1:])
            shutil.rmtree("out", ignore_errors=True)
        elif command[0] == "models" and thing == "none":
            refused("models", thing, says="model.use is none, expected gpt2, ")
        elif command[0] != "models":
            refused(command[0], thing, *command[1:], timeout=20)

# Nothing, nonsense, too much.
for words, says in (((), "no command is named, expected "),
                    (("trian",), "unknown command trian, expected "),
                    (("run",), "no spec is named, expected SPEC"),
                    (("check", "a", "b"), "Too many positional arguments"),
                    (("run", spec, "--foo"), "Unknown command line argument"),
                    (("compile", spec), "no directory for the bundle"),
                    (("export", "run/checkpoints"), "-o"),
                    (("export", "run/checkpoints", "-o", "out", "--dtype=fp4"),
                     "fp4"),
                    (("generate", "run/checkpoints"), "--prompt"),
                    (("run", spec, "--steps", "0"), "expected at least 1"),
                    (("verify", spec), "verify is not implemented yet")):
    before = tree()
    llmc(*words, code=1, says=says)
    check(tree() == before, f"{words} left something behind")
llmc("--help", says="run")
llmc("--version", says="llmc ")

# Prompts: bytes of every kind, longer than the window, UTF-8.
for prompt in "a", " ", "\n", "é€𝄞", "x" * 5000, "--prompt", "%s%n", "\x7f\x01":
    output = subprocess.run(
        ["llmc", "generate", "run/checkpoints", f"--prompt={prompt}",
         "--tokens", "3"], stdout=subprocess.PIPE, check=True).stdout
    check(output.startswith(prompt.encode()) and
          len(prompt.encode()) < len(output) <= len(prompt.encode()) + 4,
          f"{prompt[:20]!r} gave {output[:40]!r}")
for option, says in (("--prompt=", "--prompt is empty"),
                     ("--temperature=-1", "expected 0 or more"),
                     ("--temperature=nan", "expected 0 or more"),
                     ("--temperature=inf", "expected 0 or more"),
                     ("--tokens=-1", "--tokens"), ("--seed=x", "--seed")):
    arguments = [] if "prompt" in option else ["--prompt=a"]
    llmc("generate", "run/checkpoints", *arguments, option, code=1, says=says)
for option in ("--temperature=0", "--temperature=1e-300", "--temperature=1e300",
               "--tokens=0", "--seed=18446744073709551615"):
    llmc("generate", "run/checkpoints", "--prompt=a", option)
