// Named values: storing, typed access, describing.
#include "grader/judge/case.h"

#include <sstream>

#include "grader/judge/change.h"

namespace warpbook::grader {

namespace {

const char* spelling_of(Element element) {
  switch (element) {
    case Element::i8:
      return "int8";
    case Element::u8:
      return "uint8";
    case Element::i16:
      return "int16";
    case Element::u16:
      return "uint16";
    case Element::i32:
      return "int";
    case Element::u32:
      return "unsigned";
    case Element::i64:
      return "int64";
    case Element::u64:
      return "uint64";
    case Element::f32:
      return "float";
    case Element::f64:
      return "double";
    case Element::text:
      return "text";
  }
  return "unknown";
}

template <class T>
Value scalar_of(Element element, const T* data, std::size_t bytes) {
  Value value;
  value.element = element;
  value.scalar = true;
  value.bytes.resize(bytes);
  if (bytes > 0) std::memcpy(value.bytes.data(), data, bytes);
  return value;
}

template <class T>
T read_scalar(const std::string& name, const Value& value, Element element) {
  if (!value.scalar || value.element != element || value.bytes.size() != sizeof(T)) {
    throw ValueError("'" + name + "' is not a single " + spelling_of(element) + " but " + spelling_of(value.element) +
                     "[" + std::to_string(value.count()) + "]");
  }
  T result;
  std::memcpy(&result, value.bytes.data(), sizeof(T));
  return result;
}

std::size_t size_of_withheld(const Value& value) {
  std::uint64_t size = 0;
  if (value.bytes.size() == sizeof size) std::memcpy(&size, value.bytes.data(), sizeof size);
  return size;
}

}  // namespace

Fetch& fetch_withheld() {
  static Fetch fetch = nullptr;
  return fetch;
}

Values without_contents(const Values& values) {
  Values result;
  for (const auto& [name, value] : values.all()) {
    if (is_change(name)) continue;
    if (value.scalar || value.element == Element::text) {
      result.put(name, value);
      continue;
    }
    Value withheld;
    withheld.element = value.element;
    withheld.role = Value::Role::withheld;
    const std::uint64_t size = value.bytes.size();
    withheld.bytes.resize(sizeof size);
    std::memcpy(withheld.bytes.data(), &size, sizeof size);
    result.put(name, std::move(withheld));
  }
  return result;
}

std::size_t size_of(Element element) {
  switch (element) {
    case Element::i8:
    case Element::u8:
    case Element::text:
      return 1;
    case Element::i16:
    case Element::u16:
      return 2;
    case Element::i32:
    case Element::u32:
    case Element::f32:
      return 4;
    case Element::i64:
    case Element::u64:
    case Element::f64:
      return 8;
  }
  throw ValueError("element type " + std::to_string(static_cast<int>(element)) + " is not known");
}

std::size_t Value::count() const {
  if (role == Role::withheld) return size_of_withheld(*this) / size_of(element);
  const std::size_t guards = 2 * std::size_t{guard_bytes};
  return bytes.size() < guards ? 0 : (bytes.size() - guards) / size_of(element);
}

Values& Values::set(const std::string& name, std::int64_t value) {
  return put(name, scalar_of(Element::i64, &value, sizeof value));
}

Values& Values::set(const std::string& name, double value) {
  return put(name, scalar_of(Element::f64, &value, sizeof value));
}

Values& Values::set(const std::string& name, const std::string& text) {
  return put(name, scalar_of(Element::text, text.data(), text.size()));
}

Values& Values::put(const std::string& name, Value value) {
  values_[name] = std::move(value);
  return *this;
}

const Value& Values::value(const std::string& name) const {
  const auto found = values_.find(name);
  if (found == values_.end()) {
    std::string known;
    for (const auto& [key, value] : values_) known += (known.empty() ? "" : ", ") + key;
    throw ValueError("there is no value '" + name + "'; there are: " + (known.empty() ? "none" : known));
  }
  return found->second;
}

std::int64_t Values::integer(const std::string& name) const {
  return read_scalar<std::int64_t>(name, value(name), Element::i64);
}

double Values::real(const std::string& name) const { return read_scalar<double>(name, value(name), Element::f64); }

std::string Values::text(const std::string& name) const {
  const Value& found = value(name);
  if (!found.scalar || found.element != Element::text) {
    throw ValueError("'" + name + "' is not a text but " + spelling_of(found.element));
  }
  return {reinterpret_cast<const char*>(found.bytes.data()), found.bytes.size()};
}

std::span<const std::byte> Values::contents_of(const std::string& name, Element element) const {
  const Value& found = value(name);
  if (found.scalar || found.element != element) {
    throw ValueError("'" + name + "' is not an array of " + spelling_of(element) + " but " +
                     (found.scalar ? "a single " : "an array of ") + spelling_of(found.element));
  }
  if (found.role == Value::Role::withheld) {
    if (fetch_withheld() == nullptr) throw ValueError("'" + name + "' is only on the device");
    Value fetched;
    fetched.element = found.element;
    fetched.bytes = fetch_withheld()(name, found);
    values_[name] = std::move(fetched);
    return values_.at(name).bytes;
  }
  const std::size_t guards = 2 * std::size_t{found.guard_bytes};
  if (found.bytes.size() < guards || (found.bytes.size() - guards) % size_of(element) != 0) {
    throw ValueError("'" + name + "' has " + std::to_string(found.bytes.size()) +
                     " bytes, which is not a whole number of " + spelling_of(element) + " between its guard zones");
  }
  return std::span(found.bytes).subspan(found.guard_bytes, found.bytes.size() - guards);
}

std::vector<CaseValue> Values::scalars() const {
  std::vector<CaseValue> result;
  for (const auto& [name, value] : values_) {
    if (!value.scalar || name.starts_with("warpbook.")) continue;
    if (value.element == Element::i64) result.emplace_back(name, integer(name));
    if (value.element == Element::f64) result.emplace_back(name, real(name));
    if (value.element == Element::text) result.emplace_back(name, text(name));
  }
  return result;
}

std::string Values::describe() const {
  std::ostringstream out;
  bool first = true;
  for (const auto& [name, value] : values_) {
    if (name.rfind("warpbook.", 0) == 0) continue;  // A value that the grader added.
    out << (first ? "" : ", ") << name << ' ';
    first = false;
    if (!value.scalar) {
      out << spelling_of(value.element) << '[' << value.count() << ']';
    } else if (value.element == Element::i64) {
      out << integer(name);
    } else if (value.element == Element::f64) {
      out << real(name);
    } else {
      out << '"' << text(name) << '"';
    }
  }
  if (has(kScheduleSeed) && integer(kScheduleSeed) != 0)
    out << (first ? "" : "; ") << "blocks, warps and streams in order " << integer(kScheduleSeed)
        << ": if only such cases fail, something is read before it is written. Is a barrier missing, or a wait?";
  return out.str();
}

}  // namespace warpbook::grader
