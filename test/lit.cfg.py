# The suite of everything that runs a command: `RUN:` lines in files.
# With `--param faults=1` the tests that want the planted faults run too.
import os
import shutil
import subprocess

import lit.formats

config.name = "llmc"
config.test_format = lit.formats.ShTest(execute_external=False)
config.suffixes = [".mlir", ".yaml", ".test", ".txt"]
# Unit is a suite of its own; the others hold data.
config.excludes = ["CMakeLists.txt", "Inputs", "Unit", "golden"]
config.test_source_root = os.path.dirname(__file__)
config.test_exec_root = os.path.join(config.llmc_build, "test")

tools = os.path.join(config.llmc_build, "bin")
config.environment["PATH"] = os.pathsep.join(
    [tools, config.llvm_tools, config.environment["PATH"]]
)
# Several tests run at once: a waiting thread must not take the core of one
# that works.
config.environment["OMP_WAIT_POLICY"] = "passive"
config.environment["PYTHONDONTWRITEBYTECODE"] = "1"
# Compiled bundles are cached by content; here they start from nothing, so that
# no test passes with what an older compiler made.
cache = os.path.join(config.test_exec_root, "cache")
shutil.rmtree(cache, ignore_errors=True)
config.environment["XDG_CACHE_HOME"] = cache

config.substitutions += [
    ("%golden", os.path.join(config.test_source_root, "golden")),
    ("%root", config.llmc_source),
    ("%build", config.llmc_build),
    ("%python", config.python),
    ("%clang-format", config.clang_format),
]

if lit_config.params.get("faults"):
    config.available_features.add("faults")
if subprocess.run([config.python, "-c", "import numpy"],
                  stderr=subprocess.DEVNULL).returncode == 0:
    config.available_features.add("numpy")
