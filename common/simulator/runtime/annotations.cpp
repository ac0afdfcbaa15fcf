// Stores ranges, marks and names.
#include "common/simulator/runtime/annotations.h"

#include <utility>

namespace warpbook::simulator::runtime {

std::uint32_t Annotations::this_thread() {
  return numbers_.emplace(std::this_thread::get_id(), static_cast<std::uint32_t>(numbers_.size())).first->second;
}

std::uint32_t Annotations::add(AnnotatedRange range) {
  ranges_.push_back(std::move(range));
  return static_cast<std::uint32_t>(ranges_.size() - 1);
}

int Annotations::push(Annotation annotation) {
  auto& stack = stacks_[std::this_thread::get_id()][annotation.domain];
  const auto depth = static_cast<std::uint32_t>(stack.size());
  stack.push_back(add({std::move(annotation), true, this_thread(), depth, now_()}));
  return static_cast<int>(depth);
}

int Annotations::pop(const std::string& domain) {
  auto& stack = stacks_[std::this_thread::get_id()][domain];
  if (stack.empty()) return -1;
  ranges_[stack.back()].end_us = now_();
  stack.pop_back();
  return static_cast<int>(stack.size());
}

std::uint64_t Annotations::start(Annotation annotation) {
  const std::uint32_t place = add({std::move(annotation), false, this_thread(), 0, now_()});
  started_[place + 1] = place;
  return place + 1;
}

void Annotations::end(std::uint64_t id) {
  const auto found = started_.find(id);
  if (found == started_.end()) return;
  ranges_[found->second].end_us = now_();
  started_.erase(found);
}

void Annotations::mark(Annotation annotation) { marks_.push_back({std::move(annotation), this_thread(), now_()}); }

void Annotations::name_category(const std::string& domain, std::uint32_t category, std::string name) {
  categories_[{domain, category}] = std::move(name);
}

void Annotations::name_stream(std::uint32_t stream, std::string name) { streams_[stream] = std::move(name); }

void Annotations::name_thread(std::uint32_t system_id, std::string name) { threads_[system_id] = std::move(name); }

std::vector<std::uint32_t> Annotations::open() const {
  std::vector<std::uint32_t> places;
  if (const auto own = stacks_.find(std::this_thread::get_id()); own != stacks_.end())
    for (const auto& [domain, stack] : own->second) places.insert(places.end(), stack.begin(), stack.end());
  for (const auto& [id, place] : started_) places.push_back(place);
  return places;
}

}  // namespace warpbook::simulator::runtime
