// Honest: a CUDA graph for each pair of buffers, launched in the call.
#include <map>
#include <utility>

#include "operators.cuh"

extern "C" int run(const DLTensor* x, DLTensor* y, void* stream) {
  static std::map<std::pair<void*, void*>, cudaGraphExec_t> graphs;
  cudaGraphExec_t& graph = graphs[{x->data, y->data}];
  if (graph == nullptr) {
    cudaStream_t capture;
    cudaStreamCreateWithFlags(&capture, cudaStreamNonBlocking);
    cudaStreamBeginCapture(capture, cudaStreamCaptureModeThreadLocal);
    LogSoftmax(x, y, capture);
    cudaGraph_t captured;
    cudaStreamEndCapture(capture, &captured);
    cudaGraphInstantiate(&graph, captured, 0);
    cudaGraphDestroy(captured);
    cudaStreamDestroy(capture);
  }
  cudaGraphLaunch(graph, static_cast<cudaStream_t>(stream));
  return LastError();
}
