"""Runs a command whose output is a terminal, and prints what it wrote there, a line for each that was written over.

usage: on_terminal.py COMMAND...
"""
import os
import pty
import sys

pid, terminal = pty.fork()
if pid == 0:
    os.environ["LC_ALL"] = "C"
    os.execv(sys.argv[1], sys.argv[1:])
text = b""
while True:
    try:
        piece = os.read(terminal, 65536)
    except OSError:
        break
    if not piece:
        break
    text += piece
_, status = os.waitpid(pid, 0)
text = text.decode().replace("\r\n", "\n").replace("\x1b[K", "").replace("\r", "\n")
print(text)
sys.exit(os.waitstatus_to_exitcode(status))
