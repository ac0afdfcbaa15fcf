// Which bytes of memory nobody has written: one bit for each, of a block's memory or of the whole device's.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <vector>

namespace warpbook::simulator {

/// A small memory, such as a block's shared memory: bit k of what is read or assigned stands for byte `at` + k.
class UndefinedBits {
 public:
  /// A memory of @p bytes, none of them written.
  void start(std::uint64_t bytes);
  std::uint64_t bytes() const { return bytes_; }
  /// Whether anything is undefined at all.
  bool any() const { return left_ != 0; }
  /// Whether the bytes from @p first to @p last, both inside, are all defined.
  bool defined(std::uint64_t first, std::uint64_t last) const {
    const std::uint64_t from = first / 64, to = last / 64;
    const std::uint64_t head = ~std::uint64_t{0} << (first % 64), tail = ~std::uint64_t{0} >> (63 - last % 64);
    if (from == to) return (words_[from] & head & tail) == 0;
    std::uint64_t found = (words_[from] & head) | (words_[to] & tail);
    for (std::uint64_t word = from + 1; word < to; ++word) found |= words_[word];
    return found == 0;
  }

  /// Of @p count bytes, 64 at most; the caller has made sure that they are inside.
  std::uint64_t get(std::uint64_t at, unsigned count) const {
    const std::uint64_t word = at / 64;
    const unsigned shift = at % 64;
    std::uint64_t bits = words_[word] >> shift;
    if (shift + count > 64) bits |= words_[word + 1] << (64 - shift);
    return bits & mask(count);
  }
  /// Of @p count bytes at each of @p places, which are multiples of that power of two, 64 at most.
  /// @param bits of each place  @returns whether any byte is undefined
  bool get_each(const std::uint64_t* at, unsigned places, unsigned count, std::uint64_t* bits) const;
  void assign(std::uint64_t at, unsigned count, std::uint64_t bits) {
    const std::uint64_t word = at / 64;
    const unsigned shift = at % 64;
    put(words_[word], mask(count) << shift, bits << shift);
    if (shift + count > 64) put(words_[word + 1], mask(count) >> (64 - shift), bits >> (64 - shift));
  }
  /// @p count bytes of any number are written, or as if nobody had written them.
  void set(std::uint64_t at, std::uint64_t count, bool undefined);

  static constexpr std::uint64_t mask(unsigned count) {
    return count >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << count) - 1;
  }

 private:
  void put(std::uint64_t& word, std::uint64_t where, std::uint64_t bits) {
    const std::uint64_t after = (word & ~where) | (bits & where);
    if (after == word) return;
    left_ += (word == 0 ? 1u : 0u);
    left_ -= (after == 0 ? 1u : 0u);
    word = after;
  }
  std::vector<std::uint64_t> words_;
  std::uint64_t bytes_ = 0;
  std::uint64_t left_ = 0;  ///< Words that are not zero.
};

/// A large memory, defined until it is said otherwise. Pages that are all the same take no room.
class UndefinedPages {
 public:
  static constexpr std::uint64_t kPageBytes = 1u << 16;

  /// @param bytes the highest address and one
  explicit UndefinedPages(std::uint64_t bytes);
  ~UndefinedPages();
  UndefinedPages(const UndefinedPages&) = delete;
  UndefinedPages& operator=(const UndefinedPages&) = delete;

  std::uint64_t bytes() const { return bytes_; }
  /// Whether nothing is undefined in the pages from that of @p first to that of @p last, both inside.
  bool defined(std::uint64_t first, std::uint64_t last) const {
    for (std::uint64_t page = first / kPageBytes; page <= last / kPageBytes; ++page)
      if (pages_[page] != nullptr) return false;
    return true;
  }
  /// Of @p count bytes, 64 at most, all in one page.
  std::uint64_t get(std::uint64_t at, unsigned count) const {
    const UndefinedBits* page = pages_[at / kPageBytes];
    return page == nullptr ? 0 : page == &all_ ? UndefinedBits::mask(count) : page->get(at % kPageBytes, count);
  }
  void assign(std::uint64_t at, unsigned count, std::uint64_t bits);
  void set(std::uint64_t at, std::uint64_t count, bool undefined);
  /// What is known of @p count bytes at @p from is known of those at @p to as well; they may overlap.
  void copy(std::uint64_t to, std::uint64_t from, std::uint64_t count);

 private:
  UndefinedBits& own(std::uint64_t page);
  void settle(std::uint64_t page);
  struct Free {
    void operator()(UndefinedBits** pages) const { std::free(pages); }
  };
  std::uint64_t bytes_;
  std::unique_ptr<UndefinedBits*[], Free> pages_;  ///< nullptr: all is defined; &all_: nothing.
  UndefinedBits all_;                              ///< Never read.
};

}  // namespace warpbook::simulator
