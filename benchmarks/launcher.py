"""Runs one command and prints how long it took and how much memory it needed, as a line of JSON.

A process of its own, which imports next to nothing: a child's peak memory starts with that of the
process it was started from.
"""

import json
import os
import sys
import time


def main(output: str, command: list[str]) -> None:
    """Run the command with its output in a file; print wall and processor seconds, peak bytes and the status."""
    began = time.perf_counter()
    child = os.fork()
    if child == 0:
        target = os.open(output, os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
        os.dup2(target, 1)
        os.dup2(target, 2)
        os.execvp(command[0], command)
    _, status, usage = os.wait4(child, 0)
    seconds = time.perf_counter() - began
    code = os.waitstatus_to_exitcode(status)
    cpu = usage.ru_utime + usage.ru_stime
    print(json.dumps({"seconds": seconds, "peak": usage.ru_maxrss * 1024, "cpu": cpu, "status": code}))


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2:])
