// Where a document for another program goes: a path, or a file descriptor that it has opened.
#pragma once

#include <optional>
#include <string>

namespace warpbook::simulator::runtime {

/// True of "fd:3": somebody reads at the other end.
bool is_descriptor(const std::string& target);

/// @p target, a path made absolute: the program may change its working folder.
std::string fixed_target(const std::string& target);

/// Writes @p document to @p target: a path by way of a temporary file, so that a reader never sees half of it.
/// @param what the document, for the error: "profile" @returns an error, or nothing
std::optional<std::string> write_document(const std::string& target, const std::string& document, const char* what);

}  // namespace warpbook::simulator::runtime
