// Weighted sums of texels.
#include "common/simulator/machine/texture_filter.h"

#include <algorithm>
#include <cmath>

namespace warpbook::simulator {
namespace {

constexpr int kBitsBehind = 27, kWeightBits = 8, kSingleBits = 24;

std::int64_t scaled_half_up(std::int64_t weight, std::int64_t fraction) { return (weight * fraction + 128) >> 8; }
std::int64_t scaled_half_down(std::int64_t weight, std::int64_t fraction) { return (weight * fraction + 127) >> 8; }

__extension__ using WideSum = __int128;

/// sum * 2^exponent in single precision, halves away from zero.
float rounded(WideSum sum, int exponent) {
  WideSum size = sum < 0 ? -sum : sum;
  int dropped = 0;
  while (size >> dropped >= WideSum{1} << kSingleBits) ++dropped;
  if (dropped > 0) size = (size + (WideSum{1} << (dropped - 1))) >> dropped;
  const double value = std::ldexp(static_cast<double>(size), exponent + dropped);
  return static_cast<float>(sum < 0 ? -value : value);
}

}  // namespace

void corner_weights(std::int64_t whole, unsigned dimensions, const std::int64_t (&fraction)[3], std::int64_t* weights) {
  const unsigned slices = dimensions == 3 ? 2 : 1;
  const std::int64_t behind = dimensions == 3 ? scaled_half_up(whole, fraction[2]) : 0;
  const std::int64_t slice[2] = {whole - behind, behind};
  for (unsigned z = 0; z < slices; ++z) {
    std::int64_t* const out = weights + 4 * z;
    const std::int64_t next = scaled_half_up(slice[z], fraction[0]), here = slice[z] - next;
    out[0] = here;
    out[1] = next;
    if (dimensions == 1) continue;
    out[2] = scaled_half_down(here, fraction[1]);
    out[3] = scaled_half_up(next, fraction[1]);
    out[0] -= out[2];
    out[1] -= out[3];
  }
}

float FilteredChannel::floating() const {
  constexpr int kNothing = -2000, kFarBelow = 48;
  constexpr unsigned kSlices = 4;
  int top[kSlices] = {kNothing, kNothing, kNothing, kNothing}, highest = kNothing;
  bool finite = true;
  double plain = 0;
  for (const Part& part : parts()) {
    finite = finite && std::isfinite(part.value);
    plain += part.value * static_cast<double>(part.weight) / static_cast<double>(kWholeWeight);
    if (part.value != 0 && std::isfinite(part.value))
      top[part.slice] = std::max(top[part.slice], std::ilogb(part.value));
    highest = std::max(highest, top[part.slice]);
  }
  if (!finite) return static_cast<float>(plain);
  if (highest == kNothing) return 0;
  WideSum sum = 0;  // In 2^-kFarBelow of the highest slice's steps.
  for (unsigned slice = 0; slice < kSlices; ++slice) {
    if (top[slice] == kNothing || highest - top[slice] > kFarBelow) continue;
    WideSum of_slice = 0;
    for (const Part& part : parts()) {
      if (part.slice == slice)
        of_slice +=
            part.weight * static_cast<std::int64_t>(std::trunc(std::ldexp(part.value, kBitsBehind - top[slice])));
    }
    sum += of_slice * (WideSum{1} << (kFarBelow - (highest - top[slice])));
  }
  return rounded(sum, highest - kBitsBehind - kWeightBits - kFarBelow);
}

float FilteredChannel::normalised(unsigned bits, bool is_signed) const {
  const double stored = std::ldexp(1.0, static_cast<int>(bits) - (is_signed ? 1 : 0)) - 1,
               most = is_signed ? 32767 : 65535;
  std::int64_t sum = 0;
  for (const Part& part : parts()) {
    // A border colour need not be representable in the format.
    const double held = std::clamp(std::trunc(part.value * stored + (part.value < 0 ? -1e-6 : 1e-6)), -stored, stored);
    sum += part.weight * static_cast<std::int64_t>(std::floor(held / stored * most + 0.5));
  }
  return static_cast<float>(static_cast<double>((sum + 128) >> 8) / most);
}

}  // namespace warpbook::simulator
