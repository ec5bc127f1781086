"""What a command costs: for the benches that hold programs against each other.

usage: command_cost.py COMMAND [ARGUMENT ..], which prints {"cpu_s", "wall_s", "peak_mb"} once the command has ended well
"""
import json
import resource
import subprocess
import sys
import time


def main():
    began = time.monotonic()
    subprocess.run(sys.argv[1:], check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    wall_s = time.monotonic() - began
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    print(json.dumps({"cpu_s": used.ru_utime + used.ru_stime, "wall_s": wall_s, "peak_mb": used.ru_maxrss / 1024}))


main()
