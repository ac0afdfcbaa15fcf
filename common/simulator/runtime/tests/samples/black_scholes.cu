// Prices of options by the formula of Black and Scholes, in single and double precision, and by a binomial tree.
#include "sample.h"

namespace {

template <class T>
__host__ __device__ T normal(T x) {
  return T(0.5) * erfc(-x * T(0.70710678118654752440));
}

template <class T>
struct Prices {
  T call, put;
};

template <class T>
__host__ __device__ Prices<T> price(T spot, T strike, T years, T rate, T volatility) {
  const T root = volatility * sqrt(years);
  const T d1 = (log(spot / strike) + (rate + volatility * volatility / 2) * years) / root, d2 = d1 - root;
  const T later = strike * exp(-rate * years);
  return {spot * normal(d1) - later * normal(d2), later * normal(-d2) - spot * normal(-d1)};
}

template <class T>
__global__ void price_all(const T* spots, const T* strikes, const T* years, T* calls, T* puts, int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count) return;
  const Prices<T> p = price(spots[i], strikes[i], years[i], T(0.02), T(0.3));
  calls[i] = p.call, puts[i] = p.put;
}

/// One block for one option: the tree is walked back, level by level, in shared memory.
__global__ void by_tree(const double* spots, const double* strikes, const double* years, double* calls) {
  constexpr int kSteps = 127;
  __shared__ double values[kSteps + 1];
  const double spot = spots[blockIdx.x], strike = strikes[blockIdx.x], dt = years[blockIdx.x] / kSteps;
  const double up = exp(0.3 * sqrt(dt)), grow = exp(0.02 * dt), p = (grow - 1 / up) / (up - 1 / up);
  const int i = threadIdx.x;
  values[i] = fmax(0.0, spot * pow(up, 2.0 * i - kSteps) - strike);
  for (int level = kSteps; level > 0; --level) {
    __syncthreads();
    const double value = i < level ? (p * values[i + 1] + (1 - p) * values[i]) / grow : 0;
    __syncthreads();
    if (i < level) values[i] = value;
  }
  if (i == 0) calls[blockIdx.x] = values[0];
}

template <class T>
void run(const char* name, double tolerance) {
  constexpr int kCount = 1000;
  sample::Numbers numbers(10);
  std::vector<T> spots(kCount), strikes(kCount), years(kCount);
  std::vector<double> calls, puts;
  for (int i = 0; i < kCount; ++i) {
    spots[i] = T(5 + 25 * numbers.unit()), strikes[i] = T(1 + 99 * numbers.unit()),
    years[i] = T(0.25 + 9 * numbers.unit());
    const Prices<double> p = price<double>(spots[i], strikes[i], years[i], 0.02, 0.3);
    calls.push_back(p.call), puts.push_back(p.put);
  }
  sample::Device<T> a(spots), b(strikes), c(years), d(kCount), e(kCount);
  price_all<<<8, 128>>>(a.data(), b.data(), c.data(), d.data(), e.data(), kCount);
  FINISH();
  std::printf("%s\n", name);
  const std::vector<T> got_calls = d.get(), got_puts = e.get();
  sample::near(" calls", std::vector<double>(got_calls.begin(), got_calls.end()), calls, tolerance);
  sample::near(" puts", std::vector<double>(got_puts.begin(), got_puts.end()), puts, tolerance);
  if constexpr (sizeof(T) == 8) {
    by_tree<<<20, 128>>>(a.data(), b.data(), c.data(), d.data());
    FINISH();
    std::vector<T> tree = d.get();
    tree.resize(20), calls.resize(20);
    sample::near(" calls by a tree", tree, calls, 0.03);
  }
}

}  // namespace

int main() {
  run<float>("single precision", 2e-5);
  run<double>("double precision", 1e-13);
  return sample::passed();
}
