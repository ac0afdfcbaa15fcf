// The destination of a document for another program: a path, or a file descriptor that it has opened.
#pragma once

#include <optional>
#include <string>

namespace warpbook::simulator::runtime {

/// True for "fd:3": a process reads at the other end.
bool is_descriptor(const std::string& target);

/// @p target with its path made absolute, because the program may change its working directory.
std::string fixed_target(const std::string& target);

/// Writes @p document to @p target; to a path through a temporary file, so that a reader never sees part of it.
/// @param what the document's name in the error: "profile" @returns an error, or nothing
std::optional<std::string> write_document(const std::string& target, const std::string& document, const char* what);

}  // namespace warpbook::simulator::runtime
