// The last writer and the readers since then of each piece of a memory.
//
// A piece is a 4-byte word. Most words are accessed in rows, each word by the next thread: a line of 16 words keeps one
// epoch for such a row, and uses cells, one per word, for any other access. Once bytes or half-words of a page have
// been accessed, its pieces are single bytes.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "common/simulator/observe/epoch.h"

namespace warpbook::simulator {

class AccessHistory {
 public:
  static constexpr unsigned kPageBytes = 2048, kWords = kPageBytes / 4, kLineWords = 16, kLineBytes = 4 * kLineWords,
                            kLines = kPageBytes / kLineBytes;

  /// The accesses of one kind to the words of a line.
  struct Row {
    Epoch first = 0;         ///< Epoch of the first word; the other words belong to the following threads.
    std::uint8_t shift = 0;  ///< log2 of the words per thread; 4: all words belong to one.
    bool in_cells = false;   ///< The cells are used instead.
    bool of_fine = false;    ///< In `written`: the pieces of the page are bytes.
    Epoch at(unsigned word) const { return first == 0 ? 0 : first + (Epoch{word >> shift} << epoch::kThreadShift); }
  };

  /// An access touches both and little else: most pages have left the processor's caches since the last access.
  struct Line {
    Row written, read;
  };

  class alignas(64) Page {
   public:
    Line lines[kLines];
    bool is_fine() const { return fine_ != nullptr; }
    /// The same, available in any line.
    bool is_fine(unsigned line) const { return lines[line].written.of_fine; }
    /// The cells of a line, created from its row if there were none.
    Epoch* written_cells(unsigned line) { return cells_of(lines[line].written, line, &Cells::written); }
    Epoch* read_cells(unsigned line) { return cells_of(lines[line].read, line, &Cells::read); }
    Epoch written_at(unsigned word) const { return at(lines[word / kLineWords].written, word, &Cells::written); }
    Epoch read_at(unsigned word) const { return at(lines[word / kLineWords].read, word, &Cells::read); }
    /// The epochs of all bytes of a fine page.
    Epoch* written_bytes() { return fine_->written; }
    Epoch* read_bytes() { return fine_->read; }
    /// The epoch of a byte, whatever the pieces are.
    Epoch written_byte(unsigned byte) const { return is_fine() ? fine_->written[byte] : written_at(byte / 4); }
    Epoch read_byte(unsigned byte) const { return is_fine() ? fine_->read[byte] : read_at(byte / 4); }
    /// Prefetches the row of a byte and where its pieces are.
    void expect(unsigned byte) const {
      __builtin_prefetch(&lines[byte / kLineBytes], 1);
      __builtin_prefetch(&cells_);
    }
    /// Prefetches its pieces.
    void expect_pieces(unsigned byte) const {
      if (fine_ != nullptr) {
        __builtin_prefetch(fine_->written + byte, 1);
        __builtin_prefetch(fine_->read + byte, 1);
      } else if (cells_ != nullptr) {
        __builtin_prefetch(cells_->written + byte / 4, 1);
      }
    }

    template <class F>
    void for_each_single(F f) const {
      for (unsigned byte = 0; byte < kPageBytes && is_fine(); ++byte) f(fine_->written[byte]), f(fine_->read[byte]);
      for (unsigned word = 0; word < kWords && !is_fine(); ++word) {
        if (lines[word / kLineWords].written.in_cells) f(cells_->written[word]);
        if (lines[word / kLineWords].read.in_cells) f(cells_->read[word]);
      }
    }

   private:
    friend class AccessHistory;
    struct Cells {
      Epoch written[kWords], read[kWords];
    };
    struct Fine {
      Epoch written[kPageBytes], read[kPageBytes];
    };
    Epoch* cells_of(Row& row, unsigned line, Epoch (Cells::*kind)[kWords]) {
      if (cells_ == nullptr) cells_.reset(new Cells);
      Epoch* const first = (*cells_.*kind) + line * kLineWords;
      if (!row.in_cells) {
        for (unsigned i = 0; i < kLineWords; ++i) first[i] = row.at(i);
        row.in_cells = true;
      }
      return first;
    }
    Epoch at(const Row& row, unsigned word, Epoch (Cells::*kind)[kWords]) const {
      return row.in_cells ? (*cells_.*kind)[word] : row.at(word % kLineWords);
    }
    std::unique_ptr<Cells> cells_;
    std::unique_ptr<Fine> fine_;
  };

  /// Consecutive pieces of one access, all in one page.
  struct Pieces {
    Epoch* written = nullptr;
    Epoch* read = nullptr;
    unsigned count = 0;
    unsigned bytes = 4;  ///< Per piece.
  };

  /// The pieces of [address, address + bytes), which must lie in one page. Addresses are relative to the start of the
  /// memory.
  Pieces at(std::uint64_t address, unsigned bytes);

  Page& page_at(std::uint64_t address) {
    const std::uint64_t number = address / kPageBytes;
    if (number < kFirstPages && first_[number] != nullptr) return *first_[number];
    return number == recent_number_ ? *recent_ : find_page(number);
  }
  /// The same, with pieces of one byte from now on.
  Page& fine_page_at(std::uint64_t address) {
    Page& page = page_at(address);
    if (!page.is_fine()) make_fine(page);
    return page;
  }

  /// Plain accesses of a block to its own memory that are not recorded in pages yet, all since its last barrier: either
  /// reads, or writes of different words. They matter only if the memory is accessed in another way before the next
  /// barrier, which is rare: until then they are only noted, and dropped at the barrier.
  struct Noted {
    std::uint32_t address = 0;  ///< Of the first lane.
    std::int32_t stride = 0;
    std::uint16_t site = 0;
    std::uint8_t warp = 0, first = 0, lanes = 0, bytes = 0;
    /// Of lanes without a stride, `address` is the index in noted_lanes and `lanes` 0.
    bool is_scattered() const { return lanes == 0; }
  };
  struct NotedLanes {
    std::uint32_t lanes = 0;
    std::array<std::uint32_t, 32> address;
  };
  static constexpr std::size_t kMostNoted = 4096;
  std::vector<Noted> noted;
  std::vector<NotedLanes> noted_lanes;
  bool notes_writes() const { return !noted.empty() && !noted_words_.empty(); }
  /// Adds words to those that are noted as written. @returns false if some of them are already
  bool add_noted_words(std::uint64_t first, unsigned count);
  /// The same for @p bytes (words) of each lane, none of which may be another lane's.
  bool add_noted_words(const NotedLanes& lanes, std::uint32_t bytes);
  void drop_noted() {
    noted.clear();
    noted_lanes.clear();
    noted_words_.clear();
  }
  /// No recorded or noted write has a greater epoch, comparing block and clock; nor has a record in a page.
  Epoch latest_written = 0, latest_recorded = 0;
  void written_at_epoch(Epoch e) { latest_written = latest_written < e ? e : latest_written; }
  void recorded_at_epoch(Epoch e) { latest_recorded = latest_recorded < e ? e : latest_recorded; }

  /// nullptr if nothing there has been accessed.
  const Page* existing_page(std::uint64_t address) const;

  /// Prefetches what is recorded for @p address, if anything.
  void expect(std::uint64_t address) const {
    if (const Page* const page = existing_page(address))
      __builtin_prefetch(&page->lines[address % kPageBytes / kLineBytes], 1);
  }

  /// All epochs that are not in rows.
  template <class F>
  void for_each_single(F f) const {
    for (const Part& part : parts_)
      for (const std::unique_ptr<Page>& page : part)
        if (page != nullptr) page->for_each_single(f);
  }

  /// Drops all accesses to [address, address + bytes).
  void forget(std::uint64_t address, std::uint64_t bytes);
  void clear();
  /// Size of the pages; cells may take ten times as much.
  std::uint64_t bytes_used() const { return pages_ * sizeof(Page); }

 private:
  static constexpr std::uint64_t kPagesOfPart = 4096;
  static constexpr std::uint64_t kFirstPages = 128;  ///< Enough for all of a block's memory.
  using Part = std::vector<std::unique_ptr<Page>>;
  Page& find_page(std::uint64_t number);
  static void make_fine(Page& page);

  std::vector<std::uint64_t> noted_words_;  ///< A bit for each 4-byte word.
  std::vector<Part> parts_;
  std::uint64_t recent_number_ = ~std::uint64_t{0};
  Page* recent_ = nullptr;
  std::array<Page*, kFirstPages> first_ = {};
  std::uint64_t pages_ = 0;
};

}  // namespace warpbook::simulator
