# The suite of the GoogleTest executables, counted case by case.
import os

import lit.formats

config.name = "llmc-unit"
config.test_format = lit.formats.GoogleTest(".", "Tests")
config.test_source_root = os.path.join(config.llmc_build, "unit")
config.test_exec_root = config.test_source_root
# Where the tests find their data.
config.environment["LLMC_GOLDEN"] = os.path.join(
    os.path.dirname(os.path.dirname(__file__)), "golden")
