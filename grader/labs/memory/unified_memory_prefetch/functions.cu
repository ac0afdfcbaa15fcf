// Runs one case of lab unified_memory_prefetch. The managed arrays are written and read by the host here, as the
// handout says, and nowhere else: every page fault is either the answer's doing or known beforehand.
#include <utility>

#include "grader/runner/functions.h"
#include "grader/runner/worker.cuh"
#include "unified_memory_prefetch.h"

using namespace warpbook::grader;

namespace {

int number(const Case& given, const std::string& name) { return static_cast<int>(given.integer(name)); }

/// Managed memory for `count` floats, untouched: an output. On the virtual GPU the device's process has its contents.
class ManagedArray {
 public:
  ManagedArray(std::string name, std::size_t count, bool holds_array = false) : name_(std::move(name)), count_(count) {
    namespace remote = warpbook::simulator::remote;
    WB_CHECK(cudaMallocManaged(&data_, (count == 0 ? 1 : count) * sizeof(float)));
    if (!device_has_arrays()) return;
    const auto kind = holds_array ? remote::ArrayKind::bind_in_out : remote::ArrayKind::bind_output;
    device_array(kind, name_, Element::f32, count * sizeof(float), data_);
  }
  /// One that holds the case's array of the same name, once write() has been called.
  ManagedArray(const Case& given, const std::string& name) : ManagedArray(name, given.value(name).count(), true) {}
  ~ManagedArray() { cudaFree(data_); }
  ManagedArray(const ManagedArray&) = delete;
  ManagedArray& operator=(const ManagedArray&) = delete;

  float* data() { return data_; }
  /// The host writes the case's array, from the first element to the last. One by one: memcpy would choose an order of
  /// its own, and the order decides how many page faults there are.
  void write(const Case& given) {
    volatile float* to = data_;
    if (device_has_arrays()) {
      // What is there is what the device's process has put there.
      for (std::size_t i = 0; i < count_; ++i) to[i] = to[i];
      return;
    }
    const std::vector<float> values = given.array<float>(name_);
    for (std::size_t i = 0; i < values.size(); ++i) to[i] = values[i];
  }
  /// The host reads it, likewise.
  void read(std::vector<float>& values) const {
    values.resize(count_);
    const volatile float* from = data_;
    for (std::size_t i = 0; i < count_; ++i) values[i] = from[i];
  }
  std::vector<float> read() const {
    std::vector<float> values;
    read(values);
    return values;
  }
  /// Puts it into the reply, without moving a page and without a page fault, wherever its pages are.
  void send(Reply& reply) const {
    if (device_has_arrays()) return;
    std::vector<float> values(count_);
    if (count_ != 0) {
      const std::size_t bytes = count_ * sizeof(float);
      WB_CHECK(cudaMemAdvise(data_, bytes, cudaMemAdviseSetAccessedBy, {cudaMemLocationTypeDevice, 0}));
      WB_CHECK(cudaMemcpy(values.data(), data_, bytes, cudaMemcpyDefault));
    }
    reply.set(name_, values);
  }

 private:
  std::string name_;
  std::size_t count_;
  float* data_ = nullptr;
};

void run_fill(const Case& given, Reply& reply) {
  const int count = number(given, "count");
  ManagedArray x("x", count);
  fill(x.data(), count);
  WB_CHECK(cudaGetLastError());
  WB_CHECK(cudaDeviceSynchronize());
  warpbook::grader::send(reply, x);
}

void run_add(const Case& given, Reply& reply) {
  const int count = number(given, "count");
  ManagedArray x(given, "x"), y(given, "y");
  x.write(given);
  y.write(given);
  add(x.data(), y.data(), count);
  WB_CHECK(cudaGetLastError());
  WB_CHECK(cudaDeviceSynchronize());
  y.read();
  warpbook::grader::send(reply, x, y);
}

void run_gather(const Case& given, Reply& reply) {
  const int table_count = number(given, "table_count");
  ManagedArray table(given, "table");
  table.write(given);
  InputBuffer<std::int32_t> index(given, "index");
  OutputBuffer<float> out(given, "out", index.size());
  gather(table.data(), table_count, index.data(), out.data(), static_cast<int>(index.size()));
  WB_CHECK(cudaGetLastError());
  WB_CHECK(cudaDeviceSynchronize());
  table.read();
  warpbook::grader::send(reply, index, out, table);
}

void run_fill_and_add(const Case& given, Reply& reply) {
  const int count = number(given, "count");
  ManagedArray x("x", count), y("y", count);
  std::vector<float> sum(count);  // The system makes its pages now: on some machines that takes longer than the answer.
  measure(reply, [&] {
    fill_and_add(x.data(), y.data(), count);
    WB_CHECK(cudaGetLastError());
    WB_CHECK(cudaDeviceSynchronize());
    y.read(sum);
  });
  warpbook::grader::send(reply, x, y);
}

}  // namespace

WB_FUNCTION(predict_cpu_page_faults)
WB_FUNCTION(predict_kib_moved)
WB_RUNNER("fill", run_fill)
WB_RUNNER("add", run_add)
WB_RUNNER("gather", run_gather)
WB_RUNNER("fill_and_add", run_fill_and_add)
