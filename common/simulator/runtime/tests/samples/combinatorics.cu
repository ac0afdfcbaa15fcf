// Counting: N queens with bit masks and recursion, prime sieve, Collatz, perfect numbers, partitions of large numbers.
#include "sample.h"

namespace {

/// Ways to place the queens of rows from @p row on; the sets are columns and diagonals under attack.
__host__ __device__ unsigned queens(int size, int row, unsigned columns, unsigned left, unsigned right) {
  if (row == size) return 1;
  unsigned ways = 0;
  for (unsigned free = ~(columns | left | right) & ((1u << size) - 1); free != 0; free &= free - 1) {
    const unsigned bit = free & -free;
    ways += queens(size, row + 1, columns | bit, (left | bit) << 1, (right | bit) >> 1);
  }
  return ways;
}

/// A thread for each position of the first two queens.
__global__ void place_queens(int size, unsigned* ways) {
  const unsigned a = 1u << blockIdx.x, b = 1u << threadIdx.x;
  if (((a | a << 1 | a >> 1) & b) != 0) return;
  atomicAdd(ways, queens(size, 2, a | b, (a << 1 | b) << 1, (a >> 1 | b) >> 1));
}

__global__ void cross_out(unsigned* sieve, int limit) {
  const int n = blockIdx.x * blockDim.x + threadIdx.x + 2;
  for (int k = n * n; k <= limit && n * n <= limit; k += n) atomicOr(&sieve[k / 32], 1u << k % 32);
}

__global__ void count_primes(const unsigned* sieve, int limit, int* out) {
  const int n = blockIdx.x * blockDim.x + threadIdx.x;
  const bool prime = n >= 2 && n <= limit && (sieve[n / 32] >> n % 32 & 1) == 0;
  const unsigned primes = __ballot_sync(0xffffffff, prime);
  if (threadIdx.x % 32 == 0) atomicAdd(out, __popc(primes));
}

__host__ __device__ int collatz(unsigned long long n) {
  int steps = 0;
  for (; n != 1; ++steps) n = n % 2 == 0 ? n / 2 : 3 * n + 1;
  return steps;
}

/// The longest sequence and its start, as one number.
__global__ void longest_collatz(unsigned count, unsigned long long* best) {
  const unsigned n = blockIdx.x * blockDim.x + threadIdx.x + 1;
  if (n <= count) atomicMax(best, static_cast<unsigned long long>(collatz(n)) << 32 | (0xffffffffu - n));
}

/// Powers of two and factorials in 30 words, one limb per lane, carries by ballots.
__global__ void large_numbers(unsigned* out, int factorial) {
  const unsigned lane = threadIdx.x;
  unsigned limb = lane == 0;
  for (int k = 2; k <= factorial; ++k) {
    const unsigned long long product = static_cast<unsigned long long>(limb) * k;
    unsigned carry = __shfl_up_sync(0xffffffff, static_cast<unsigned>(product >> 32), 1);
    if (lane == 0) carry = 0;
    limb = static_cast<unsigned>(product);
    while (__any_sync(0xffffffff, carry != 0)) {
      const unsigned sum = limb + carry;
      unsigned over = __shfl_up_sync(0xffffffff, static_cast<unsigned>(sum < limb), 1);
      limb = sum;
      carry = lane == 0 ? 0 : over;
    }
  }
  out[lane] = limb;
}

}  // namespace

int main() {
  sample::Device<unsigned> ways(1), sieve(100000 / 32 + 1), limbs(32);
  place_queens<<<9, 9>>>(9, ways);
  FINISH();
  sample::compare("nine queens", ways.get()[0], 352u);

  sample::Device<int> primes(1);
  cross_out<<<2, 160>>>(sieve, 100000);
  count_primes<<<(100000 + 256) / 256, 256>>>(sieve, 100000, primes);
  FINISH();
  sample::compare("primes below 100000", primes.get()[0], 9592);

  sample::Device<unsigned long long> best(1);
  longest_collatz<<<40, 256>>>(10000, best);
  FINISH();
  const unsigned long long found = best.get()[0];
  sample::compare("Collatz: steps", static_cast<int>(found >> 32), 261);
  sample::compare("from", 0xffffffffu - static_cast<unsigned>(found), 6171u);

  large_numbers<<<1, 32>>>(limbs, 150);
  FINISH();
  std::vector<unsigned> wanted(32);
  wanted[0] = 1;
  for (int k = 2; k <= 150; ++k) {
    unsigned long long carry = 0;
    for (unsigned& limb : wanted)
      limb = static_cast<unsigned>(carry += static_cast<unsigned long long>(limb) * k), carry >>= 32;
  }
  sample::compare("150!", limbs.get(), wanted);
  return sample::passed();
}
