# Honest: a CUDA graph with its own buffers, to which inputs are copied.
import torch

state = {}


def run(x, y):
    if not state:
        state["x"] = x.clone()
        torch.log_softmax(state["x"] * 32, dim=-1)
        torch.cuda.synchronize()
        state["graph"] = torch.cuda.CUDAGraph()
        with torch.cuda.graph(state["graph"]):
            state["y"] = torch.log_softmax(state["x"] * 32, dim=-1)
    state["x"].copy_(x)
    state["graph"].replay()
    y.copy_(state["y"])
