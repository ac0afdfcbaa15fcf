// Changes in a case: each is an array named "warpbook.change.<number>.<moment>.<by>.<first>.<array>".
#include "grader/judge/change.h"

#include <algorithm>
#include <charconv>
#include <cstring>
#include <type_traits>

namespace warpbook::grader {

namespace {

const std::string kPrefix = "warpbook.change.";

/// Removes a whole number and the point after it from the front.
std::uint64_t take_number(std::string_view& text) {
  std::uint64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end == text.data() + text.size() || *end != '.')
    throw ValueError("'" + std::string(text) + "' is not the rest of a change's name");
  text.remove_prefix(static_cast<std::size_t>(end - text.data()) + 1);
  return number;
}

/// The values are repeated, a whole run at a time: a division for each element would dominate the time.
template <class T, class Make>
void change_each(std::span<std::byte> bytes, std::span<const std::byte> values, Make make) {
  while (!bytes.empty() && !values.empty()) {
    const std::size_t run = std::min(bytes.size(), values.size());
    for (std::size_t at = 0; at < run; at += sizeof(T)) {
      T now, value;
      std::memcpy(&now, bytes.data() + at, sizeof now);
      std::memcpy(&value, values.data() + at, sizeof value);
      const T changed = make(now, value);
      std::memcpy(bytes.data() + at, &changed, sizeof changed);
    }
    bytes = bytes.subspan(run);
  }
}

template <class T>
void apply_to(std::span<std::byte> bytes, const Change& change) {
  const std::span<const std::byte> values = change.values->bytes;
  switch (change.by) {
    case ChangeBy::adding:
      return change_each<T>(bytes, values, [](T now, T value) { return static_cast<T>(now + value); });
    case ChangeBy::multiplying:
      return change_each<T>(bytes, values, [](T now, T value) { return static_cast<T>(now * value); });
    case ChangeBy::inverting:
      if constexpr (std::is_integral_v<T>)
        return change_each<T>(bytes, values, [](T now, T value) { return static_cast<T>(now ^ value); });
      [[fallthrough]];
    case ChangeBy::replacing:
      return change_each<T>(bytes, values, [](T, T value) { return value; });
  }
}

}  // namespace

bool is_change(const std::string& name) { return name.starts_with(kPrefix); }

std::string text_of(Moment moment) {
  switch (moment.kind) {
    case Moment::Kind::arrival:
      return "on their way from the host to the device";
    case Moment::Kind::host_launch:
      return "just before launch " + std::to_string(moment.number + 1) + " of the host";
    case Moment::Kind::child:
      return "just before the first grid started that is " + std::to_string(moment.number) +
             (moment.number == 1 ? " launch" : " launches") + " below the host's";
    case Moment::Kind::tail:
      return "just before the tail launch started";
  }
  return "";
}

void Change::apply(std::span<std::byte> array_bytes) const {
  const std::uint64_t size = size_of(values->element);
  std::span<std::byte> bytes = array_bytes;
  if (values->bytes.empty()) return;
  if (array == kHeap || first == kWhole) {
    bytes = bytes.subspan(0, bytes.size() / size * size);
  } else {
    if (first > bytes.size() / size || values->bytes.size() > bytes.size() - first * size)
      throw ValueError("the array '" + array + "' ends before the change of it");
    bytes = bytes.subspan(first * size, values->bytes.size());
  }
  switch (values->element) {
    case Element::u8:
      return apply_to<std::uint8_t>(bytes, *this);
    case Element::i32:  // As unsigned: overflow is defined, and the bits are the same.
    case Element::u32:
      return apply_to<std::uint32_t>(bytes, *this);
    case Element::i64:
    case Element::u64:
      return apply_to<std::uint64_t>(bytes, *this);
    case Element::f32:
      return apply_to<float>(bytes, *this);
    default:
      throw ValueError("only arrays of bytes, 32- and 64-bit whole numbers and floats can be changed; that of '" +
                       array + "' is of another type");
  }
}

bool Change::replace_all(std::span<std::byte> memory) const {
  const std::size_t size = values->bytes.size() / 2;
  if (size == 0) return false;
  const auto middle = values->bytes.begin() + static_cast<std::ptrdiff_t>(size);
  bool found = false;
  for (auto from = memory.begin();;) {
    void* const place =
        memmem(std::to_address(from), static_cast<std::size_t>(memory.end() - from), values->bytes.data(), size);
    if (place == nullptr) return found;
    found = true;
    from = memory.begin() + (static_cast<std::byte*>(place) - memory.data());
    from = std::copy(middle, values->bytes.end(), from);
  }
}

Case& add_change(Case& given, Moment moment, const std::string& array, ChangeBy by, std::uint64_t first, Value values) {
  const std::string number = std::to_string(1000 + changes_of(given).size());  // Sorted by name: of one length.
  return given.put(kPrefix + number + '.' + std::to_string(static_cast<int>(moment.kind)) + '.' +
                       std::to_string(moment.number) + '.' + std::to_string(static_cast<int>(by)) + '.' +
                       std::to_string(first) + '.' + array,
                   std::move(values));
}

std::vector<Change> changes_of(const Case& given) {
  std::vector<Change> changes;
  for (const auto& [name, value] : given.all()) {
    if (!is_change(name)) continue;
    std::string_view rest = std::string_view(name).substr(kPrefix.size());
    take_number(rest);
    Change change;
    change.moment.kind = static_cast<Moment::Kind>(take_number(rest));
    change.moment.number = static_cast<unsigned>(take_number(rest));
    change.by = static_cast<ChangeBy>(take_number(rest));
    change.first = take_number(rest);
    change.array = rest;
    change.values = &value;
    changes.push_back(std::move(change));
  }
  return changes;
}

std::string name_of_made_change(std::size_t i) { return "warpbook.changed." + std::to_string(i); }

}  // namespace warpbook::grader
