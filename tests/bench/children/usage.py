"""A command of its own process: what it took. Arguments: megabytes it may take of its own (0: any), and the command.

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

FAILED = 2
"""The least code that is no answer."""


def main() -> int:
    """Run it; its output goes nowhere."""
    limit, command = int(sys.argv[1]) << 20, sys.argv[2:]
    if limit:
        resource.setrlimit(resource.RLIMIT_DATA, (limit, limit))  # mapped files do not count
    with tempfile.TemporaryFile() as messages:
        start = perf_counter()
        process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=messages)
        _, status, used = os.wait4(process.pid, 0)
        elapsed, code = perf_counter() - start, os.waitstatus_to_exitcode(status)
        if code < 0 or code >= FAILED:
            messages.seek(0)
            sys.stderr.write(messages.read()[-500:].decode(errors="replace") or f"ended with code {code}")
            return 1
    unit = 1 if sys.platform == "darwin" else 1024
    taken = {"seconds": used.ru_utime + used.ru_stime, "elapsed": elapsed, "peak": used.ru_maxrss * unit}
    print(json.dumps({name: [value] for name, value in taken.items()}))
    return 0


if __name__ == "__main__":
    sys.exit(main())
