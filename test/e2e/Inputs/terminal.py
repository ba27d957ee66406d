"""terminal.py COMMAND...: runs the command with standard error on a terminal, holds it for a while
when the file that it writes appears, so that a stage lasts over a second, and prints how it ended
and what a screen would show afterwards: lines whose text was not erased."""
import os
import pty
import re
import signal
import subprocess
import sys
import time

master, slave = pty.openpty()
process = subprocess.Popen(sys.argv[1:], stderr=slave)
os.close(slave)
while process.poll() is None and not any(name.startswith(".symc-") for name in os.listdir(".")):
    pass
process.send_signal(signal.SIGSTOP)
time.sleep(1.5)
process.send_signal(signal.SIGCONT)
text = b""
while True:
    try:
        piece = os.read(master, 4096)
    except OSError:  # the last writer is gone
        break
    if not piece:
        break
    text += piece
if re.search(rb"symc: [a-z]+ [.][.][.]", text):
    print("a line was shown")
print("ended with %d" % process.wait())
print("left on the screen: %s" % re.sub(r"[^\n]*\r\x1b\[K", "", text.decode()).strip())
