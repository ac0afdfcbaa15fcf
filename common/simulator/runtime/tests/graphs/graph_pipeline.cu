// A pipeline over blocks of an image: rows are copied in with a pitch, blurred in two branches, joined, and copied out;
// captured with events from three streams, launched for several images, and compared with the host.
#include <vector>

#include "common/simulator/runtime/tests/check.h"

constexpr int kWidth = 96, kHeight = 40, kImages = 3;

__constant__ float weights[3];

__global__ void blur_rows(const float* from, float* to, size_t pitch) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y;
  if (x >= kWidth) return;
  const float* row = reinterpret_cast<const float*>(reinterpret_cast<const char*>(from) + y * pitch);
  float sum = 0;
  for (int k = -1; k <= 1; ++k) sum += weights[k + 1] * row[min(max(x + k, 0), kWidth - 1)];
  to[y * kWidth + x] = sum;
}

__global__ void blur_columns(const float* from, float* to, size_t pitch) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y;
  if (x >= kWidth) return;
  float sum = 0;
  for (int k = -1; k <= 1; ++k) {
    const int row = min(max(y + k, 0), kHeight - 1);
    sum += weights[k + 1] * reinterpret_cast<const float*>(reinterpret_cast<const char*>(from) + row * pitch)[x];
  }
  to[y * kWidth + x] = sum;
}

__global__ void join(const float* a, const float* b, float* to) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < kWidth * kHeight) to[i] = a[i] + b[i];
}

float at(const std::vector<float>& image, int x, int y) {
  return image[std::min(std::max(y, 0), kHeight - 1) * kWidth + std::min(std::max(x, 0), kWidth - 1)];
}

int main() {
  const float host_weights[3] = {0.25f, 0.5f, 0.25f};
  std::vector<float> image(kWidth * kHeight), result(kWidth * kHeight);
  float *input, *rows, *columns, *joined;
  size_t pitch;
  SUCCEEDS(cudaMallocPitch(&input, &pitch, kWidth * sizeof(float), kHeight));
  for (float** memory : {&rows, &columns, &joined}) SUCCEEDS(cudaMalloc(memory, image.size() * sizeof(float)));
  cudaStream_t streams[2];
  for (cudaStream_t& stream : streams) SUCCEEDS(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
  cudaEvent_t ready, done;
  SUCCEEDS(cudaEventCreateWithFlags(&ready, cudaEventDisableTiming));
  SUCCEEDS(cudaEventCreateWithFlags(&done, cudaEventDisableTiming));

  SUCCEEDS(cudaStreamBeginCapture(streams[0], cudaStreamCaptureModeThreadLocal));
  SUCCEEDS(cudaMemcpyToSymbolAsync(weights, host_weights, sizeof host_weights, 0, cudaMemcpyHostToDevice, streams[0]));
  SUCCEEDS(cudaMemcpy2DAsync(input, pitch, image.data(), kWidth * sizeof(float), kWidth * sizeof(float), kHeight,
                             cudaMemcpyHostToDevice, streams[0]));
  SUCCEEDS(cudaEventRecord(ready, streams[0]));
  SUCCEEDS(cudaStreamWaitEvent(streams[1], ready, 0));
  const dim3 grid((kWidth + 63) / 64, kHeight);
  blur_rows<<<grid, 64, 0, streams[0]>>>(input, rows, pitch);
  blur_columns<<<grid, 64, 0, streams[1]>>>(input, columns, pitch);
  SUCCEEDS(cudaEventRecord(done, streams[1]));
  SUCCEEDS(cudaStreamWaitEvent(streams[0], done, 0));
  join<<<(kWidth * kHeight + 127) / 128, 128, 0, streams[0]>>>(rows, columns, joined);
  SUCCEEDS(cudaMemcpyAsync(result.data(), joined, result.size() * sizeof(float), cudaMemcpyDeviceToHost, streams[0]));
  cudaGraph_t graph;
  SUCCEEDS(cudaStreamEndCapture(streams[0], &graph));
  size_t nodes = 0, edges = 0;
  SUCCEEDS(cudaGraphGetNodes(graph, nullptr, &nodes));
  SUCCEEDS(cudaGraphGetEdges(graph, nullptr, nullptr, nullptr, &edges));
  CHECK(nodes == 6 && edges == 6);
  cudaGraphExec_t exec;
  SUCCEEDS(cudaGraphInstantiateWithFlags(&exec, graph, 0));
  for (int k = 0; k < kImages; ++k) {
    for (size_t i = 0; i < image.size(); ++i) image[i] = static_cast<float>((i * 7 + k * 31) % 64);
    SUCCEEDS(cudaGraphLaunch(exec, streams[1]));
    SUCCEEDS(cudaStreamSynchronize(streams[1]));
    int wrong = 0;
    for (int y = 0; y < kHeight; ++y) {
      for (int x = 0; x < kWidth; ++x) {
        float sum = 0;
        for (int d = -1; d <= 1; ++d) sum += host_weights[d + 1] * (at(image, x + d, y) + at(image, x, y + d));
        if (result[y * kWidth + x] != sum) ++wrong;
      }
    }
    CHECK(wrong == 0);
  }
  SUCCEEDS(cudaGraphExecDestroy(exec));
  SUCCEEDS(cudaGraphDestroy(graph));
  return report();
}
