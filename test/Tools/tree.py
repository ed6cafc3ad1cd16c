"""The files of a checkout, for the checks that look at all of them."""
import os
import subprocess
import sys


def files(root, named, *patterns):
    """The named files, or all that git knows or would add below `root`."""
    if named:
        return named
    listed = subprocess.run(
        ["git", "-C", root, "ls-files", "--cached", "--others",
         "--exclude-standard", *patterns],
        check=True, capture_output=True, text=True).stdout.splitlines()
    # A file that was removed stays listed until that is committed.
    present = [f for f in listed if os.path.exists(os.path.join(root, f))]
    if not present:
        sys.exit(f"no files to check below {root}")
    return sorted(present)
