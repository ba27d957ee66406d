"""Ends processes of launch.py that are no workers: servers, and its scheduler. launch.py starts them with the workers'
script, in which importing MXNet serves until all has ended. Workers need neither here (kvstore), so that such a process
ends at once; but launch.py starts no worker where its scheduler has ended by then.
"""
import os
import sys
import time


def end_others():
    role = os.environ.get("DMLC_ROLE")
    if role in ("server", "scheduler"):
        time.sleep(1 if role == "scheduler" and "DMLC_PS_ROOT_PORT" in os.environ else 0)
        sys.exit(0)
