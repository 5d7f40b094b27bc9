# Sends a pickle that executes to whoever reads the control socket or the
# output: nobody unpickles.
import os
import pickle
import socket


class Payload:
    def __reduce__(self):
        return os._exit, (0,)


def run(x, y):
    print(pickle.dumps(Payload()))
    control = socket.socket(fileno=3)
    control.send(pickle.dumps(Payload()))
    control.detach()
