# SPDX-License-Identifier: MIT
"""A slow link between a host and a board that a command starts: each frame arrives --delay seconds late.

Writes to --report the number of RUN frames, the most that were unanswered, and how often the next batch was
sent before the last answer of a batch. To make these independent of the processes' speed, the relay holds
back the first answer of --cases until two batches have been sent, and the last answer of each batch until one
more has, for at most --patience seconds. --die-after ends link and board after so many answers, once (the
report then exists). With --ask the board gets SIGTERM instead, as when its machine reboots, and the link
stays until the board ends.
"""
import argparse
import os
import queue
import struct
import subprocess
import sys
import threading
import time

RUN, ANSWERS = 2, (3, 4)
HEAD, CHECKSUM = 8, 4

options = argparse.ArgumentParser()
options.add_argument("--delay", type=float, default=0)
options.add_argument("--batch", type=int, default=256)
options.add_argument("--cases", type=int, default=0)
options.add_argument("--patience", type=float, default=20)
options.add_argument("--die-after", type=int, default=0)
options.add_argument("--ask", action="store_true")
options.add_argument("--report", required=True)
options.add_argument("command")
options = options.parse_args()
dies = options.die_after if not os.path.exists(options.report) else 0
sent = answered = most = ahead = 0


def frames(source):
    while True:
        head = source.read(HEAD)
        if len(head) < HEAD:
            return
        yield head[2], head + source.read(struct.unpack("<I", head[4:])[0] + CHECKSUM)


def report():
    with open(options.report, "w") as file:
        print(sent, most, ahead, file=file)


def are_under_way(count):
    """Waits until so many cases are unanswered. Returns False if that takes too long."""
    until = time.monotonic() + options.patience
    while sent - answered < count and time.monotonic() < until:
        time.sleep(0.01)
    return sent - answered >= count


def note(kind):
    global sent, answered, most, ahead
    if kind == RUN:  # one thread counts, the other answers
        sent += 1
        most = max(most, sent - answered)
    if kind in ANSWERS:
        if answered == 0 and options.cases:
            are_under_way(2 * options.batch)
        answered += 1
        if answered % options.batch == 0 and answered < options.cases:
            ahead += are_under_way(options.batch)
        if dies and answered == dies and options.ask:
            board.terminate()
        elif dies and answered == dies:
            report()
            board.kill()
            os._exit(1)


def carry(source, sink, late):
    """Carries everything from source to sink, each frame at its moment, and closes sink."""
    for moment, data in iter(late.get, None):
        time.sleep(max(0, moment - time.monotonic()))
        sink.write(data)
        if late.empty():
            sink.flush()
    sink.close()


def listen(source, late):
    for kind, data in frames(source):
        note(kind)
        late.put((time.monotonic() + options.delay, data))
    late.put(None)


board = subprocess.Popen(options.command, shell=True, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
threads = []
for source, sink in ((sys.stdin.buffer, board.stdin), (board.stdout, sys.stdout.buffer)):
    late = queue.Queue()
    for run, arguments in ((listen, (source, late)), (carry, (source, sink, late))):
        threads.append(threading.Thread(target=run, args=arguments))
for thread in threads:
    thread.start()
threads[-1].join()  # the board has ended, and everything it sent was passed on
report()
os._exit(0)
