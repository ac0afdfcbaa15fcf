// Who last wrote and who has read each piece of a memory.
//
// Pieces are words of 4 bytes. Most are accessed in rows, each word by the next thread: a line of 16 words keeps one
// epoch for such a row, and takes cells, one for each word, when it is accessed otherwise. A page in which bytes or
// half-words are accessed has pieces of 1 byte from then on.
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

  /// Of one kind of access to the words of a line.
  struct Row {
    Epoch first = 0;         ///< Of the first word; the others are by the next threads.
    std::uint8_t shift = 0;  ///< log2 of the words of each thread; 4: all are the same.
    bool in_cells = false;   ///< The cells say it instead.
    bool of_fine = false;    ///< Of what was written: the page's pieces are bytes.
    Epoch at(unsigned word) const { return first == 0 ? 0 : first + (Epoch{word >> shift} << epoch::kThreadShift); }
  };

  /// An access looks at both, and at little else: most pages have left the processor's caches since the last one.
  struct Line {
    Row written, read;
  };

  class alignas(64) Page {
   public:
    Line lines[kLines];
    bool is_fine() const { return fine_ != nullptr; }
    /// The same, known by any line.
    bool is_fine(unsigned line) const { return lines[line].written.of_fine; }
    /// The cells of a line, made from its row if there were none.
    Epoch* written_cells(unsigned line) { return cells_of(lines[line].written, line, &Cells::written); }
    Epoch* read_cells(unsigned line) { return cells_of(lines[line].read, line, &Cells::read); }
    Epoch written_at(unsigned word) const { return at(lines[word / kLineWords].written, word, &Cells::written); }
    Epoch read_at(unsigned word) const { return at(lines[word / kLineWords].read, word, &Cells::read); }
    /// Of a byte, whatever the pieces are.
    Epoch written_byte(unsigned byte) const { return is_fine() ? fine_->written[byte] : written_at(byte / 4); }
    Epoch read_byte(unsigned byte) const { return is_fine() ? fine_->read[byte] : read_at(byte / 4); }

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

  /// A run of pieces that belongs to an access; all of one page.
  struct Pieces {
    Epoch* written = nullptr;
    Epoch* read = nullptr;
    unsigned count = 0;
    unsigned bytes = 4;  ///< Of each piece.
  };

  /// The pieces of [address, address + bytes), which must lie in one page. Addresses count from the start of the
  /// memory.
  Pieces at(std::uint64_t address, unsigned bytes);

  Page& page_at(std::uint64_t address) {
    const std::uint64_t number = address / kPageBytes;
    if (number < kFirstPages && first_[number] != nullptr) return *first_[number];
    return number == recent_number_ ? *recent_ : find_page(number);
  }

  /// Plain reads of a block's own memory that are not among the accesses yet. They matter only if somebody writes
  /// before the block meets, which few blocks do: until then they are noted, and forgotten when it meets.
  struct NotedRead {
    std::uint32_t address = 0;  ///< Of the first lane.
    std::int32_t stride = 0;
    std::uint16_t site = 0;
    std::uint8_t warp = 0, first = 0, lanes = 0, bytes = 0;
  };
  static constexpr std::size_t kMostNoted = 4096;
  std::vector<NotedRead> noted;
  /// No access that was kept as a write has a greater epoch, clocks and blocks being what counts.
  Epoch latest_written = 0;
  void written_at_epoch(Epoch e) { latest_written = latest_written < e ? e : latest_written; }

  /// nullptr if nothing there was ever accessed.
  const Page* existing_page(std::uint64_t address) const;

  /// Brings what is kept of @p address into the processor's caches, if there is something.
  void expect(std::uint64_t address) const {
    if (const Page* const page = existing_page(address))
      __builtin_prefetch(&page->lines[address % kPageBytes / kLineBytes], 1);
  }

  /// Forgets all accesses to [address, address + bytes).
  void forget(std::uint64_t address, std::uint64_t bytes);
  void clear();
  /// Of pages; cells may take ten times as much.
  std::uint64_t bytes_used() const { return pages_ * sizeof(Page); }

 private:
  static constexpr std::uint64_t kPagesOfPart = 4096;
  static constexpr std::uint64_t kFirstPages = 128;  ///< All of a block's memory.
  using Part = std::vector<std::unique_ptr<Page>>;
  Page& find_page(std::uint64_t number);
  static void make_fine(Page& page);

  std::vector<Part> parts_;
  std::uint64_t recent_number_ = ~std::uint64_t{0};
  Page* recent_ = nullptr;
  std::array<Page*, kFirstPages> first_ = {};
  std::uint64_t pages_ = 0;
};

}  // namespace warpbook::simulator
