// How calls on graphs travel: requests and replies, field by field.
#pragma once

#include <string>
#include <vector>

#include "common/simulator/remote/wire.h"
#include "common/simulator/runtime/graph_message.h"

namespace warpbook::simulator::remote {

constexpr std::size_t kLongestGraphName = 64;

template <class T>
void put_list(Writer& to, const std::vector<T>& list) {
  to.block(list.data(), list.size() * sizeof(T));
}

template <class T>
std::vector<T> get_list(Reader& from) {
  const auto bytes = from.block();
  if (bytes.size() % sizeof(T) != 0) throw WireError("a list of a graph has an odd size");
  std::vector<T> list(bytes.size() / sizeof(T));
  if (!list.empty()) std::memcpy(static_cast<void*>(list.data()), bytes.data(), bytes.size());
  return list;
}

inline void put(Writer& to, const runtime::GraphRequest& request) {
  to.put(request.call);
  to.text(request.name);
  to.put(request.first);
  to.put(request.second);
  to.put(request.third);
  to.put(request.flags);
  to.put(request.values);
  put_list(to, request.arguments);
  put_list(to, request.nodes);
  put_list(to, request.targets);
  put_list(to, request.edges);
}

/// @param name keeps the entry point's name, to which the request points
inline runtime::GraphRequest get_graph_request(Reader& from, std::string& name) {
  runtime::GraphRequest request;
  request.call = from.get<runtime::GraphCall>();
  name = from.text();
  if (name.size() > kLongestGraphName) throw WireError("a call on graphs has a name that is none");
  request.name = name.c_str();
  request.first = from.get<std::uint64_t>();
  request.second = from.get<std::uint64_t>();
  request.third = from.get<std::uint64_t>();
  request.flags = from.get<std::uint64_t>();
  request.values = from.get<runtime::NodeValues>();
  request.arguments = get_list<std::byte>(from);
  request.nodes = get_list<std::uint64_t>(from);
  request.targets = get_list<std::uint64_t>(from);
  request.edges = get_list<cudaGraphEdgeData>(from);
  return request;
}

inline void put(Writer& to, const runtime::GraphReply& reply) {
  to.put(reply.error);
  to.put(reply.handle);
  to.put(reply.other);
  to.put(reply.third);
  to.put(reply.values);
  put_list(to, reply.arguments);
  put_list(to, reply.nodes);
  put_list(to, reply.targets);
  put_list(to, reply.edges);
  to.text(reply.text);
}

inline runtime::GraphReply get_graph_reply(Reader& from) {
  runtime::GraphReply reply;
  reply.error = from.get<cudaError_t>();
  reply.handle = from.get<std::uint64_t>();
  reply.other = from.get<std::uint64_t>();
  reply.third = from.get<std::uint64_t>();
  reply.values = from.get<runtime::NodeValues>();
  reply.arguments = get_list<std::byte>(from);
  reply.nodes = get_list<std::uint64_t>(from);
  reply.targets = get_list<std::uint64_t>(from);
  reply.edges = get_list<cudaGraphEdgeData>(from);
  reply.text = from.text();
  return reply;
}

}  // namespace warpbook::simulator::remote
