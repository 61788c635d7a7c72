"""Runs a command on a terminal of its own, types a password when it is asked for, and passes on what is shown.

  python3 type_password.py PASSWORD COMMAND ARGUMENT...
"""

import os
import pty
import sys

password, command = sys.argv[1], sys.argv[2:]
child, terminal = pty.fork()
if child == 0:
    os.execvp(command[0], command)
shown = b""
is_typed = False
while True:
    try:
        more = os.read(terminal, 4096)
    except OSError:
        break
    if not more:
        break
    shown += more
    if not is_typed and b"Password: " in shown:
        os.write(terminal, password.encode() + b"\r")
        is_typed = True
sys.stdout.buffer.write(shown)
sys.exit(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
