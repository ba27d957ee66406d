"""interrupt.py FOLDER COMMAND...: runs the command, sends it an interrupt as soon as
the first file appears in FOLDER, and prints how it ended and what is left there."""
import os
import signal
import subprocess
import sys

folder, *command = sys.argv[1:]
process = subprocess.Popen(command, preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL))
seen = False
while process.poll() is None and not seen:
    seen = bool(os.listdir(folder))
if process.poll() is None:
    process.send_signal(signal.SIGINT)
process.wait()
print("a file appeared" if seen else "no file appeared")
print("ended well" if process.returncode == 0 else "ended by the interrupt")
print("left: %s" % " ".join(sorted(os.listdir(folder))))
