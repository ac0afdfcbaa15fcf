// Allocates pages when they are first touched, and cells and one-byte pieces when they are needed.
#include "common/simulator/observe/access_history.h"

#include <algorithm>
#include <bit>

namespace warpbook::simulator {

AccessHistory::Page& AccessHistory::find_page(std::uint64_t number) {
  const std::uint64_t part = number / kPagesOfPart;
  if (parts_.size() <= part) parts_.resize(part + 1);
  if (parts_[part].empty()) parts_[part].resize(kPagesOfPart);
  std::unique_ptr<Page>& page = parts_[part][number % kPagesOfPart];
  if (page == nullptr) {
    page = std::make_unique<Page>();
    ++pages_;
  }
  recent_number_ = number;
  recent_ = page.get();
  if (number < kFirstPages) first_[number] = recent_;
  return *page;
}

const AccessHistory::Page* AccessHistory::existing_page(std::uint64_t address) const {
  const std::uint64_t number = address / kPageBytes, part = number / kPagesOfPart;
  if (part >= parts_.size() || parts_[part].empty()) return nullptr;
  return parts_[part][number % kPagesOfPart].get();
}

void AccessHistory::make_fine(Page& page) {
  page.fine_.reset(new Page::Fine);
  for (unsigned word = 0; word < kWords; ++word) {
    std::fill_n(page.fine_->written + 4 * word, 4, page.written_at(word));
    std::fill_n(page.fine_->read + 4 * word, 4, page.read_at(word));
  }
  for (Line& line : page.lines) line.written.of_fine = true;
}

AccessHistory::Pieces AccessHistory::at(std::uint64_t address, unsigned bytes) {
  Page& page = page_at(address);
  const auto first = static_cast<unsigned>(address % kPageBytes);
  if (!page.is_fine() && ((first | bytes) & 3) != 0) make_fine(page);
  if (page.is_fine()) return {page.fine_->written + first, page.fine_->read + first, bytes, 1};
  for (unsigned line = first / kLineBytes; line <= (first + bytes - 1) / kLineBytes; ++line) {
    page.written_cells(line);
    page.read_cells(line);
  }
  return {page.cells_->written + first / 4, page.cells_->read + first / 4, bytes / 4, 4};
}

void AccessHistory::forget(std::uint64_t address, std::uint64_t bytes) {
  const std::uint64_t end = address + bytes;
  for (std::uint64_t next; address < end; address = next) {
    const std::uint64_t number = address / kPageBytes;
    next = std::min(end, (number + 1) * kPageBytes);
    const std::uint64_t part = number / kPagesOfPart;
    const bool there = part < parts_.size() && !parts_[part].empty() && parts_[part][number % kPagesOfPart] != nullptr;
    if (!there) continue;
    if (next - address == kPageBytes) {
      *parts_[part][number % kPagesOfPart] = Page();
      continue;
    }
    const std::uint64_t from = address & ~std::uint64_t{3}, to = (next + 3) & ~std::uint64_t{3};
    const Pieces pieces = at(from, static_cast<unsigned>(to - from));
    const unsigned skipped = pieces.bytes == 1 ? static_cast<unsigned>(address & 3) : 0;
    const auto wanted = pieces.bytes == 1 ? static_cast<unsigned>(next - address) : pieces.count;
    std::fill_n(pieces.written + skipped, wanted, Epoch{0});
    std::fill_n(pieces.read + skipped, wanted, Epoch{0});
  }
}

bool AccessHistory::add_noted_words(std::uint64_t first, unsigned count) {
  const std::uint64_t end = first + count;
  if (noted_words_.size() * 64 < end) noted_words_.resize((end + 63) / 64);
  const auto each = [&](auto act) {
    for (std::uint64_t at = first; at < end;) {
      const auto now = static_cast<unsigned>(std::min<std::uint64_t>(end - at, 64 - at % 64));
      act(noted_words_[at / 64], (~std::uint64_t{0} >> (64 - now)) << at % 64);
      at += now;
    }
  };
  std::uint64_t there = 0;
  each([&](std::uint64_t word, std::uint64_t bits) { there |= word & bits; });
  if (there != 0) return false;
  each([](std::uint64_t& word, std::uint64_t bits) { word |= bits; });
  return true;
}

bool AccessHistory::add_noted_words(const NotedLanes& lanes, std::uint32_t bytes) {
  const std::uint64_t bits = (std::uint64_t{1} << bytes / 4) - 1;
  for (std::uint32_t left = lanes.lanes; left != 0; left &= left - 1) {
    const std::uint32_t word = lanes.address[static_cast<unsigned>(std::countr_zero(left))] / 4;
    if (noted_words_.size() <= word / 64) noted_words_.resize(word / 64 + 1);
    std::uint64_t& there = noted_words_[word / 64];
    if ((there & bits << word % 64) == 0) {
      there |= bits << word % 64;
      continue;
    }
    for (std::uint32_t added = lanes.lanes & ~left; added != 0; added &= added - 1) {
      const std::uint32_t mine = lanes.address[static_cast<unsigned>(std::countr_zero(added))] / 4;
      noted_words_[mine / 64] &= ~(bits << mine % 64);
    }
    return false;
  }
  return true;
}

void AccessHistory::clear() {
  parts_.clear();
  recent_number_ = ~std::uint64_t{0};
  recent_ = nullptr;
  first_ = {};
  drop_noted();
  latest_written = latest_recorded = 0;
  pages_ = 0;
}

}  // namespace warpbook::simulator
