// A worker without an answer: copies from one device buffer to another, to compare with, and says which GPU this is.
#include "grader/runner/worker.cuh"

using namespace warpbook::grader;

void run_case(const Case& given, Reply& reply) {
  const auto bytes = static_cast<std::size_t>(given.integer("bytes"));
  int device = 0;
  cudaDeviceProp properties{};
  WB_CHECK(cudaGetDevice(&device));
  WB_CHECK(cudaGetDeviceProperties(&properties, device));
  reply.set("device", std::string(properties.name));
  const warpbook::DeviceBuffer<std::uint8_t> from(bytes), to(bytes);
  WB_CHECK(cudaMemset(from.data(), 1, bytes));
  measure(reply, [&] { WB_CHECK(cudaMemcpyAsync(to.data(), from.data(), bytes, cudaMemcpyDeviceToDevice)); });
  send(reply);
}
