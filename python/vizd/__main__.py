"""python -m vizd ARGUMENTS: the program vizd itself."""
import os, sys

from .binary import VizdError, find_binary

if __name__ == "__main__":
    try:
        program = find_binary()
    except VizdError as error:
        sys.exit(f"vizd: {error}")
    os.execv(program, [program, *sys.argv[1:]])
