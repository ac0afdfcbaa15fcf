// Keeps pending copies and arrivals, and reduces element by element.
#include "common/simulator/machine/in_flight.h"

#include <algorithm>
#include <cstring>
#include <utility>

namespace warpbook::simulator {

using ptx::AtomicOp;
using ptx::Type;

std::uint32_t InFlight::arrivals(std::uint32_t barrier) const {
  return static_cast<std::uint32_t>(std::count_if(landings_.begin(), landings_.end(), [&](const Landing& landing) {
    return landing.arrives && landing.barrier == barrier;
  }));
}

std::int64_t InFlight::bytes(std::uint32_t barrier) const {
  std::int64_t sum = 0;
  for (const Landing& landing : landings_)
    if (landing.barrier == barrier) sum += landing.bytes;
  return sum;
}

bool InFlight::has(std::uint32_t barrier) const {
  return std::any_of(landings_.begin(), landings_.end(),
                     [&](const Landing& landing) { return landing.barrier == barrier; });
}

std::vector<Landing> InFlight::take(std::uint32_t barrier) {
  std::vector<Landing> taken, kept;
  for (Landing& landing : landings_) (landing.barrier == barrier ? taken : kept).push_back(std::move(landing));
  landings_ = std::move(kept);
  return taken;
}

void CopyBatches::begin(std::uint32_t barrier, bool phase) {
  auto batch =
      std::find_if(latest_.begin(), latest_.end(), [&](const Batch& other) { return other.barrier == barrier; });
  if (batch != latest_.end() && batch->phase == phase) return;
  if (batch == latest_.end()) batch = latest_.insert(batch, {barrier});
  batch->phase = phase;
  batch->number = ++begun_;
}

std::optional<std::uint64_t> CopyBatches::begun_after(std::uint32_t barrier, bool phase) const {
  for (const Batch& batch : latest_)
    if (batch.barrier == barrier && batch.phase == phase) return begun_ - batch.number;
  return std::nullopt;
}

void BulkGroups::forget() {
  stores_.clear();
  committed_ = {};
  used_ = false;
}

void BulkGroups::add(unsigned lane, std::function<void()> perform) {
  used_ = true;
  stores_.push_back({lane, committed_[lane], std::move(perform)});
}

void BulkGroups::commit(std::uint32_t lanes) {
  used_ = true;
  for (unsigned lane = 0; lane < 32; ++lane) committed_[lane] += (lanes >> lane) & 1;
}

void BulkGroups::wait(std::uint32_t lanes, std::uint64_t pending) {
  std::vector<Store> kept, done;
  for (Store& store : stores_) {
    const bool waited = ((lanes >> store.lane) & 1) != 0 && store.group + pending < committed_[store.lane];
    (waited ? done : kept).push_back(std::move(store));
  }
  stores_ = std::move(kept);
  for (const Store& store : done) store.perform();
}

void BulkGroups::perform_all() {
  std::vector<Store> all;
  std::swap(all, stores_);
  for (const Store& store : all) store.perform();
}

namespace {

template <class T>
T reduced(T a, T b, AtomicOp op) {
  switch (op) {
    case AtomicOp::add:
      return static_cast<T>(a + b);
    case AtomicOp::min:
      return b < a ? b : a;
    case AtomicOp::max:
      return b > a ? b : a;
    case AtomicOp::inc:
      return a >= b ? T{0} : static_cast<T>(a + 1);
    case AtomicOp::dec:
      return a == 0 || a > b ? b : static_cast<T>(a - 1);
    default:
      return b;
  }
}

template <class T>
T combined(T a, T b, AtomicOp op) {
  switch (op) {
    case AtomicOp::and_:
      return a & b;
    case AtomicOp::or_:
      return a | b;
    case AtomicOp::xor_:
      return a ^ b;
    default:
      return reduced(a, b, op);
  }
}

template <class T, class F>
void each(std::byte* to, const std::byte* from, std::size_t bytes, F f) {
  for (std::size_t at = 0; at + sizeof(T) <= bytes; at += sizeof(T)) {
    T a, b;
    std::memcpy(&a, to + at, sizeof a);
    std::memcpy(&b, from + at, sizeof b);
    const T value = f(a, b);
    std::memcpy(to + at, &value, sizeof value);
  }
}

float widened(std::uint16_t h) {
  const std::uint32_t magnitude = static_cast<std::uint32_t>(h & 0x7fff) << 13;
  float scaled;
  std::memcpy(&scaled, &magnitude, sizeof scaled);
  scaled *= 0x1p112f;
  std::uint32_t bits;
  std::memcpy(&bits, &scaled, sizeof bits);
  bits |= ((h & 0x7c00) == 0x7c00 ? 0x7f800000u : 0u) | static_cast<std::uint32_t>(h & 0x8000) << 16;
  float value;
  std::memcpy(&value, &bits, sizeof value);
  return value;
}

/// Rounds to a half, to nearest even.
std::uint16_t narrowed(float x) {
  std::uint32_t bits;
  std::memcpy(&bits, &x, sizeof bits);
  const std::uint32_t sign = bits >> 16 & 0x8000u;
  std::uint32_t magnitude = bits & 0x7fffffffu;
  if (magnitude > 0x7f800000u) return 0x7fff;
  if (magnitude >= 0x477ff000u) return static_cast<std::uint16_t>(sign | 0x7c00u);
  if (magnitude < 0x38800000u) {
    float value;
    std::memcpy(&value, &magnitude, sizeof value);
    value += 0.5f;  // The last place of a subnormal half is 2^-24, and so is that of the float 0.5.
    std::memcpy(&magnitude, &value, sizeof magnitude);
    return static_cast<std::uint16_t>(sign | (magnitude - 0x3f000000u));
  }
  magnitude += 0xfffu + (magnitude >> 13 & 1);
  return static_cast<std::uint16_t>(sign | ((magnitude - 0x38000000u) >> 13));
}

float brain_widened(std::uint16_t h) {
  const std::uint32_t bits = static_cast<std::uint32_t>(h) << 16;
  float value;
  std::memcpy(&value, &bits, sizeof value);
  return value;
}

std::uint16_t brain_narrowed(float x) {
  std::uint32_t bits;
  std::memcpy(&bits, &x, sizeof bits);
  if ((bits & 0x7fffffffu) > 0x7f800000u) return 0x7fff;
  return static_cast<std::uint16_t>((bits + 0x7fffu + (bits >> 16 & 1)) >> 16);
}

}  // namespace

void reduce_bytes(std::byte* to, const std::byte* from, std::size_t bytes, AtomicOp op, Type type) {
  const auto integers = [&]<class T>(T) { each<T>(to, from, bytes, [&](T a, T b) { return combined(a, b, op); }); };
  switch (type) {
    case Type::b32:
    case Type::u32:
      integers(std::uint32_t{});
      break;
    case Type::s32:
      integers(std::int32_t{});
      break;
    case Type::b64:
    case Type::u64:
      integers(std::uint64_t{});
      break;
    case Type::s64:
      integers(std::int64_t{});
      break;
    case Type::f32:
      each<float>(to, from, bytes, [&](float a, float b) { return reduced(a, b, op); });
      break;
    case Type::f64:
      each<double>(to, from, bytes, [&](double a, double b) { return reduced(a, b, op); });
      break;
    case Type::f16:
      each<std::uint16_t>(to, from, bytes, [&](std::uint16_t a, std::uint16_t b) {
        return narrowed(reduced(widened(a), widened(b), op));
      });
      break;
    case Type::bf16:
      each<std::uint16_t>(to, from, bytes, [&](std::uint16_t a, std::uint16_t b) {
        return brain_narrowed(reduced(brain_widened(a), brain_widened(b), op));
      });
      break;
    default:
      std::memcpy(to, from, bytes);
  }
}

}  // namespace warpbook::simulator
