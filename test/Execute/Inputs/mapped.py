"""Compares what a run mapped with what its plan says: mapped.py INSPECT.json
HOOK, where HOOK is the output of the allocation hook."""
import json
import sys

arenas = json.load(open(sys.argv[1]))["plan"]["arenas"]
planned = [(a["bytes"] + 63) // 64 * 64 * a["count"] for a in arenas.values()]
planned = [size for size in planned if size]
mapped = [int(line.split()[2]) for line in open(sys.argv[2])
          if line.startswith("alloc-hook: anonymous")]
# Each arena once, in its exact size and in the order of the plan.
at = next((i for i in range(len(mapped))
           if mapped[i:i + len(planned)] == planned), None)
if at is None:
    sys.exit(f"planned {planned}, mapped {mapped}")
# The rest is the code that oneDNN generates.
rest = sum(mapped) - sum(planned)
print(f"{len(planned)} arenas as planned, {rest >> 20} MiB beside them")
