#!/usr/bin/env python3
"""Pauses a disk of lab.sh: reads that come wait until it goes on.
pause_disk.py SOCKET p|r                    now pause, or resume
pause_disk.py SOCKET EVERY LENGTH           for LENGTH of each EVERY seconds, until it is ended
"""

import socket
import sys
import time

PAUSE, RESUME = b"p", b"r"


def send(path, command):
    """Comes back when nbdkit did it; a pause lets reads that are under way end first."""
    with socket.socket(socket.AF_UNIX) as control:
        control.settimeout(5)
        control.connect(str(path))
        control.sendall(command)
        control.recv(1)


def stall(path, every_s, length_s):
    """On a grid of its own, so that stalls do not drift."""
    due = time.monotonic()
    while True:
        for command, lasts_s in ((RESUME, every_s - length_s), (PAUSE, length_s)):
            send(path, command)
            due += lasts_s
            time.sleep(max(0, due - time.monotonic()))


def main(arguments):
    if len(arguments) == 2 and arguments[1] in ("p", "r"):
        send(arguments[0], arguments[1].encode())
    elif len(arguments) == 3 and 0 < float(arguments[2]) < float(arguments[1]):
        stall(arguments[0], *map(float, arguments[1:]))
    else:
        sys.exit(__doc__)


if __name__ == "__main__":
    main(sys.argv[1:])
