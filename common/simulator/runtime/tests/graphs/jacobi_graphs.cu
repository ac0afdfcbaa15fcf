// Jacobi iteration on a small system in three ways: with launches, with a graph whose kernel gets new parameters each
// time, and with a graph that is captured again to update the executable graph. All three give the same numbers.
#include <cmath>
#include <utility>
#include <vector>

#include "common/simulator/runtime/tests/check.h"

constexpr int kRows = 64, kThreads = 64, kMost = 200;
constexpr double kEnough = 1e-10;

__global__ void step(const double* matrix, const double* right, const double* x, double* next, double* change) {
  const int row = threadIdx.x;
  double sum = right[row];
  for (int column = 0; column < kRows; ++column)
    if (column != row) sum -= matrix[row * kRows + column] * x[column];
  next[row] = sum / matrix[row * kRows + row];
  atomicAdd(change, fabs(next[row] - x[row]));
}

struct System {
  double *matrix, *right, *x, *next, *change;
};

void reset(const System& system) {
  SUCCEEDS(cudaMemset(system.x, 0, sizeof(double) * kRows));
  SUCCEEDS(cudaMemset(system.next, 0, sizeof(double) * kRows));
}

/// Iterates with @p run(x, next) until it converges. @returns steps
template <class Run>
int iterate(const System& system, cudaStream_t stream, double* change, Run run) {
  double *x = system.x, *next = system.next;
  for (int k = 1; k <= kMost; ++k) {
    run(x, next);
    SUCCEEDS(cudaStreamSynchronize(stream));
    std::swap(x, next);
    if (*change < kEnough) return k;
  }
  return kMost + 1;
}

std::vector<double> solution(const System& system, int steps) {
  std::vector<double> x(kRows);
  SUCCEEDS(cudaMemcpy(x.data(), steps % 2 == 0 ? system.x : system.next, sizeof(double) * kRows, cudaMemcpyDefault));
  return x;
}

void enqueue(const System& system, const double* x, double* next, double* change, cudaStream_t stream) {
  SUCCEEDS(cudaMemsetAsync(system.change, 0, sizeof(double), stream));
  step<<<1, kThreads, 0, stream>>>(system.matrix, system.right, x, next, system.change);
  SUCCEEDS(cudaMemcpyAsync(change, system.change, sizeof(double), cudaMemcpyDeviceToHost, stream));
}

int main() {
  std::vector<double> matrix(kRows * kRows), right(kRows), wanted(kRows);
  for (int row = 0; row < kRows; ++row) {
    wanted[row] = row % 7 - 3;
    for (int column = 0; column < kRows; ++column) matrix[row * kRows + column] = 1.0 / (1 + (row * 5 + column) % 11);
    matrix[row * kRows + row] = kRows;
  }
  for (int row = 0; row < kRows; ++row)
    for (int column = 0; column < kRows; ++column) right[row] += matrix[row * kRows + column] * wanted[column];

  System system{};
  double* change;
  for (double** vector : {&system.right, &system.x, &system.next}) SUCCEEDS(cudaMalloc(vector, sizeof(double) * kRows));
  SUCCEEDS(cudaMalloc(&system.matrix, sizeof(double) * kRows * kRows));
  SUCCEEDS(cudaMalloc(&system.change, sizeof(double)));
  SUCCEEDS(cudaMallocHost(&change, sizeof(double)));
  SUCCEEDS(cudaMemcpy(system.matrix, matrix.data(), sizeof(double) * matrix.size(), cudaMemcpyDefault));
  SUCCEEDS(cudaMemcpy(system.right, right.data(), sizeof(double) * kRows, cudaMemcpyDefault));
  cudaStream_t stream;
  SUCCEEDS(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));

  reset(system);
  SUCCEEDS(cudaDeviceSynchronize());
  const int steps =
      iterate(system, stream, change, [&](double* x, double* next) { enqueue(system, x, next, change, stream); });
  const std::vector<double> by_launches = solution(system, steps);
  CHECK(steps < kMost);
  for (int row = 0; row < kRows; ++row) CHECK(std::fabs(by_launches[row] - wanted[row]) < 1e-8);

  // An explicit graph: its kernel node gets x and next alternately.
  cudaGraph_t graph;
  cudaGraphExec_t exec;
  cudaGraphNode_t fill_node, kernel_node, copy_node;
  SUCCEEDS(cudaGraphCreate(&graph, 0));
  cudaMemsetParams fill{};
  fill.dst = system.change;
  fill.elementSize = 4;
  fill.width = 2;
  fill.height = 1;
  SUCCEEDS(cudaGraphAddMemsetNode(&fill_node, graph, nullptr, 0, &fill));
  double *x = system.x, *next = system.next;
  void* arguments[] = {&system.matrix, &system.right, &x, &next, &system.change};
  cudaKernelNodeParams kernel{};
  kernel.func = reinterpret_cast<void*>(step);
  kernel.gridDim = 1;
  kernel.blockDim = kThreads;
  kernel.kernelParams = arguments;
  SUCCEEDS(cudaGraphAddKernelNode(&kernel_node, graph, &fill_node, 1, &kernel));
  SUCCEEDS(cudaGraphAddMemcpyNode1D(&copy_node, graph, &kernel_node, 1, change, system.change, sizeof(double),
                                    cudaMemcpyDeviceToHost));
  SUCCEEDS(cudaGraphInstantiate(&exec, graph, 0));
  reset(system);
  SUCCEEDS(cudaDeviceSynchronize());
  const int graph_steps = iterate(system, stream, change, [&](double* from, double* to) {
    x = from;
    next = to;
    SUCCEEDS(cudaGraphExecKernelNodeSetParams(exec, kernel_node, &kernel));
    SUCCEEDS(cudaGraphLaunch(exec, stream));
  });
  CHECK(graph_steps == steps);
  CHECK(solution(system, graph_steps) == by_launches);
  SUCCEEDS(cudaGraphExecDestroy(exec));
  SUCCEEDS(cudaGraphDestroy(graph));

  // Captured again for each step: the executable graph is updated, not instantiated again.
  exec = nullptr;
  int updates = 0;
  reset(system);
  SUCCEEDS(cudaDeviceSynchronize());
  const int captured_steps = iterate(system, stream, change, [&](double* from, double* to) {
    SUCCEEDS(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
    enqueue(system, from, to, change, stream);
    SUCCEEDS(cudaStreamEndCapture(stream, &graph));
    cudaGraphExecUpdateResultInfo info{};
    if (exec == nullptr) {
      SUCCEEDS(cudaGraphInstantiate(&exec, graph, 0));
    } else {
      SUCCEEDS(cudaGraphExecUpdate(exec, graph, &info));
      CHECK(info.result == cudaGraphExecUpdateSuccess);
      ++updates;
    }
    SUCCEEDS(cudaGraphDestroy(graph));
    SUCCEEDS(cudaGraphLaunch(exec, stream));
  });
  CHECK(captured_steps == steps && updates == steps - 1);
  CHECK(solution(system, captured_steps) == by_launches);
  SUCCEEDS(cudaGraphExecDestroy(exec));
  return report();
}
