// Ranges of bytes, and pages that are made when they begin to differ.
#include "common/simulator/observe/undefined_bits.h"

#include <algorithm>
#include <new>

#include "common/simulator/observe/wide.h"

namespace warpbook::simulator {

void UndefinedBits::start(std::uint64_t bytes) {
  bytes_ = bytes;
  left_ = (bytes + 63) / 64;
  words_.assign(bytes / 64 + 2, ~std::uint64_t{0});
  words_[bytes / 64] = mask(static_cast<unsigned>(bytes % 64));
  words_[bytes / 64 + 1] = 0;
}

namespace {

WB_WIDE std::uint64_t gather(const std::uint64_t* words, const std::uint64_t* at, unsigned places, std::uint64_t mask,
                             std::uint64_t* __restrict bits) {
  std::uint64_t some = 0;
  for (unsigned i = 0; i < places; ++i) some |= bits[i] = words[at[i] / 64] >> (at[i] % 64) & mask;
  return some;
}

}  // namespace

bool UndefinedBits::get_each(const std::uint64_t* at, unsigned places, unsigned count, std::uint64_t* bits) const {
  return gather(words_.data(), at, places, mask(count), bits) != 0;
}

void UndefinedBits::set(std::uint64_t at, std::uint64_t count, bool undefined) {
  const std::uint64_t bits = undefined ? ~std::uint64_t{0} : 0;
  while (count != 0) {
    const auto now = static_cast<unsigned>(std::min<std::uint64_t>(count, 64 - at % 64));
    put(words_[at / 64], mask(now) << (at % 64), bits);
    at += now;
    count -= now;
  }
}

UndefinedPages::UndefinedPages(std::uint64_t bytes) : bytes_(bytes) {
  // Zeros that take room only where they are read or written.
  pages_.reset(static_cast<UndefinedBits**>(std::calloc(bytes / kPageBytes + 1, sizeof(UndefinedBits*))));
  if (pages_ == nullptr) throw std::bad_alloc();
}

UndefinedPages::~UndefinedPages() { set(0, bytes_, false); }

UndefinedBits& UndefinedPages::own(std::uint64_t page) {
  UndefinedBits*& entry = pages_[page];
  if (entry != nullptr && entry != &all_) return *entry;
  const bool defined = entry == nullptr;
  entry = new UndefinedBits;
  entry->start(kPageBytes);
  if (defined) entry->set(0, kPageBytes, false);
  return *entry;
}

void UndefinedPages::settle(std::uint64_t page) {
  if (pages_[page] == nullptr || pages_[page] == &all_ || pages_[page]->any()) return;
  delete pages_[page];
  pages_[page] = nullptr;
}

void UndefinedPages::assign(std::uint64_t at, unsigned count, std::uint64_t bits) {
  const std::uint64_t page = at / kPageBytes;
  if (get(at, count) == (bits & UndefinedBits::mask(count))) return;
  own(page).assign(at % kPageBytes, count, bits);
  settle(page);
}

void UndefinedPages::set(std::uint64_t at, std::uint64_t count, bool undefined) {
  while (count != 0) {
    const std::uint64_t page = at / kPageBytes, now = std::min(count, kPageBytes - at % kPageBytes);
    UndefinedBits* const same = undefined ? &all_ : nullptr;
    if (pages_[page] != same && now == kPageBytes) {
      if (pages_[page] != &all_) delete pages_[page];
      pages_[page] = same;
    } else if (pages_[page] != same) {
      own(page).set(at % kPageBytes, now, undefined);
      settle(page);
    }
    at += now;
    count -= now;
  }
}

void UndefinedPages::copy(std::uint64_t to, std::uint64_t from, std::uint64_t count) {
  // In pieces that lie in one page on both sides, from the end where an overlap does no harm.
  const bool backwards = to > from && to - from < count;
  std::uint64_t done = 0;
  while (done < count) {
    const std::uint64_t a = backwards ? from + count - done : from + done,
                        b = backwards ? to + count - done : to + done;
    const auto room = [&](std::uint64_t at) { return backwards ? (at - 1) % 64 + 1 : 64 - at % 64; };
    const auto now = static_cast<unsigned>(std::min({count - done, room(a), room(b)}));
    const std::uint64_t source = backwards ? a - now : a, target = backwards ? b - now : b;
    assign(target, now, get(source, now));
    done += now;
  }
}

}  // namespace warpbook::simulator
