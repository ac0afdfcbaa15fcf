// How two processes take turns and pass files to each other through a socket pair.
#pragma once

#include <sys/socket.h>
#include <unistd.h>

#include <cstring>

namespace wire {

/// A message of one byte, with room for one file.
class Message {
 public:
  Message() {
    message_.msg_iov = &bytes_;
    message_.msg_iovlen = 1;
    message_.msg_control = control_;
    message_.msg_controllen = sizeof control_;
  }
  Message(const Message&) = delete;
  Message& operator=(const Message&) = delete;

  msghdr* header() { return &message_; }
  cmsghdr* part() { return CMSG_FIRSTHDR(&message_); }

 private:
  char byte_ = 'x';
  alignas(cmsghdr) char control_[CMSG_SPACE(sizeof(int))] = {};
  iovec bytes_{&byte_, 1};
  msghdr message_{};
};

inline bool send_file(int wire, int file) {
  Message message;
  cmsghdr* const part = message.part();
  part->cmsg_level = SOL_SOCKET;
  part->cmsg_type = SCM_RIGHTS;
  part->cmsg_len = CMSG_LEN(sizeof(int));
  std::memcpy(CMSG_DATA(part), &file, sizeof file);
  return sendmsg(wire, message.header(), 0) == 1;
}

/// @returns -1 if none comes
inline int receive_file(int wire) {
  Message message;
  int file = -1;
  if (recvmsg(wire, message.header(), 0) == 1 && message.part() != nullptr)
    std::memcpy(&file, CMSG_DATA(message.part()), sizeof file);
  return file;
}

inline bool step(int wire) { return write(wire, "x", 1) == 1; }

inline bool await(int wire) {
  char byte = 0;
  return read(wire, &byte, 1) == 1;
}

}  // namespace wire
