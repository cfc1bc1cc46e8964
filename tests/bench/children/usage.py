"""A command of its own process: what it took.

Arguments: megabytes that it may take of its own (0: any), the largest exit code that is an answer, and the command.

This process is small and does nothing else, because a process that is begun counts the memory of what began it.
"""

from __future__ import annotations

import json
import os
import resource
import subprocess
import sys
import tempfile
from time import perf_counter

CRASHED = b"Traceback"
"""Python ends with the code of a finding, too, where it crashes."""


def main() -> int:
    """Run it; its output goes nowhere."""
    limit, answer, command = int(sys.argv[1]) << 20, int(sys.argv[2]), sys.argv[3:]
    if limit:
        resource.setrlimit(resource.RLIMIT_DATA, (limit, limit))  # mapped files do not count
    with tempfile.TemporaryFile() as messages:
        start = perf_counter()
        process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=messages)
        _, status, used = os.wait4(process.pid, 0)
        elapsed, code = perf_counter() - start, os.waitstatus_to_exitcode(status)
        messages.seek(0)
        said = messages.read()
        if not 0 <= code <= answer or CRASHED in said:
            sys.stderr.write(said.decode(errors="replace") or f"ended with code {code}")
            return 1
    unit = 1 if sys.platform == "darwin" else 1024
    taken = {"seconds": used.ru_utime + used.ru_stime, "elapsed": elapsed, "peak": used.ru_maxrss * unit}
    print(json.dumps({name: [value] for name, value in taken.items()}))
    return 0


if __name__ == "__main__":
    sys.exit(main())
