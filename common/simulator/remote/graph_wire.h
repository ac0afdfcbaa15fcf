// How calls on graphs are sent: requests and replies, field by field.
#pragma once

#include <cstring>
#include <string>
#include <type_traits>
#include <vector>

#include "common/simulator/remote/wire.h"
#include "common/simulator/runtime/graph_message.h"

namespace warpbook::simulator::remote {

constexpr std::size_t kLongestGraphName = 64;

/// The fields of a request and of a reply that are sent, in order: each field is listed here and nowhere else. The name
/// is separate, because a request only points to it.
template <class Name, class Visit>
void each_field(auto& request, Name& name, const Visit& visit) requires
    std::is_same_v<std::remove_cvref_t<decltype(request)>, runtime::GraphRequest> {
  visit(request.call);
  visit(name);
  visit(request.first);
  visit(request.second);
  visit(request.third);
  visit(request.flags);
  visit(request.values);
  visit(request.arguments);
  visit(request.nodes);
  visit(request.targets);
  visit(request.edges);
}

template <class Visit>
void each_field(auto& reply,
                const Visit& visit) requires std::is_same_v<std::remove_cvref_t<decltype(reply)>, runtime::GraphReply> {
  visit(reply.error);
  visit(reply.handle);
  visit(reply.other);
  visit(reply.third);
  visit(reply.values);
  visit(reply.arguments);
  visit(reply.nodes);
  visit(reply.targets);
  visit(reply.edges);
  visit(reply.text);
}

/// Writes a field of any type to a message.
struct PutField {
  Writer& to;
  void operator()(const std::string& text) const { to.text(text); }
  template <class T>
  void operator()(const std::vector<T>& list) const {
    to.block(list.data(), list.size() * sizeof(T));
  }
  void operator()(const auto& value) const { to.put(value); }
};

/// Reads it back.
struct GetField {
  Reader& from;
  void operator()(std::string& text) const { text = from.text(); }
  template <class T>
  void operator()(std::vector<T>& list) const {
    const auto bytes = from.block();
    if (bytes.size() % sizeof(T) != 0) throw WireError("a list of a graph has an odd size");
    list.resize(bytes.size() / sizeof(T));
    if (!list.empty()) std::memcpy(static_cast<void*>(list.data()), bytes.data(), bytes.size());
  }
  template <class T>
  void operator()(T& value) const {
    value = from.get<T>();
  }
};

inline void put(Writer& to, const runtime::GraphRequest& request) {
  const std::string name = request.name;
  each_field(request, name, PutField{to});
}

/// @param name stores the entry point's name, to which the request points
inline runtime::GraphRequest get_graph_request(Reader& from, std::string& name) {
  runtime::GraphRequest request;
  each_field(request, name, GetField{from});
  if (name.size() > kLongestGraphName) throw WireError("a call on graphs has a name that is none");
  request.name = name.c_str();
  return request;
}

inline void put(Writer& to, const runtime::GraphReply& reply) { each_field(reply, PutField{to}); }

inline runtime::GraphReply get_graph_reply(Reader& from) {
  runtime::GraphReply reply;
  each_field(reply, GetField{from});
  return reply;
}

}  // namespace warpbook::simulator::remote
