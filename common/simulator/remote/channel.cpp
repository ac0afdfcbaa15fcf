// Sends and receives.
#include "common/simulator/remote/channel.h"

#include <sys/socket.h>
#include <sys/uio.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

namespace warpbook::simulator::remote {
namespace {

union Control {
  cmsghdr head;
  char bytes[CMSG_SPACE(sizeof(int))];
};

bool send_parts(int to, iovec* parts, std::size_t count) {
  while (count > 0) {
    msghdr message{};
    message.msg_iov = parts;
    message.msg_iovlen = count;
    ssize_t sent = ::sendmsg(to, &message, MSG_NOSIGNAL);
    if (sent < 0 && errno == EINTR) continue;
    if (sent < 0) return false;
    while (count > 0 && static_cast<std::size_t>(sent) >= parts->iov_len) {
      sent -= static_cast<ssize_t>(parts->iov_len);
      ++parts;
      --count;
    }
    if (count > 0) {
      parts->iov_base = static_cast<char*>(parts->iov_base) + sent;
      parts->iov_len -= static_cast<std::size_t>(sent);
    }
  }
  return true;
}

}  // namespace

bool send_all(int to, const Head& head, const std::vector<std::byte>& bytes, const std::vector<std::byte>& more) {
  iovec parts[3] = {{const_cast<Head*>(&head), sizeof head},
                    {const_cast<std::byte*>(bytes.data()), bytes.size()},
                    {const_cast<std::byte*>(more.data()), more.size()}};
  return send_parts(to, parts, 3);
}

bool receive_all(int from, void* bytes, std::size_t count) {
  auto* at = static_cast<char*>(bytes);
  while (count > 0) {
    iovec part{at, count};
    msghdr message{};
    message.msg_iov = &part;
    message.msg_iovlen = 1;
    const ssize_t got = ::recvmsg(from, &message, 0);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return false;
    at += got;
    count -= static_cast<std::size_t>(got);
  }
  return true;
}

bool send_descriptor(int to, const Head& head, int descriptor) {
  iovec part{const_cast<Head*>(&head), sizeof head};
  Control control{};
  msghdr message{};
  message.msg_iov = &part;
  message.msg_iovlen = 1;
  message.msg_control = &control;
  message.msg_controllen = sizeof control;
  cmsghdr* const first = CMSG_FIRSTHDR(&message);
  first->cmsg_level = SOL_SOCKET;
  first->cmsg_type = SCM_RIGHTS;
  first->cmsg_len = CMSG_LEN(sizeof descriptor);
  std::memcpy(CMSG_DATA(first), &descriptor, sizeof descriptor);
  ssize_t sent;
  do {
    sent = ::sendmsg(to, &message, MSG_NOSIGNAL);
  } while (sent < 0 && errno == EINTR);
  return sent == static_cast<ssize_t>(sizeof head);
}

bool receive_head(int from, Head& head, int& descriptor) {
  descriptor = -1;
  iovec part{&head, sizeof head};
  Control control{};
  msghdr message{};
  message.msg_iov = &part;
  message.msg_iovlen = 1;
  message.msg_control = &control;
  message.msg_controllen = sizeof control;
  ssize_t got;
  do {
    got = ::recvmsg(from, &message, MSG_CMSG_CLOEXEC);
  } while (got < 0 && errno == EINTR);
  if (got < 0) return false;
  // The padding has room for a second descriptor, which must not stay open unnoticed.
  const cmsghdr* const first = CMSG_FIRSTHDR(&message);
  if (first != nullptr && first->cmsg_level == SOL_SOCKET && first->cmsg_type == SCM_RIGHTS) {
    for (std::size_t at = 0; CMSG_LEN(at + sizeof descriptor) <= first->cmsg_len; at += sizeof descriptor) {
      int further = -1;
      std::memcpy(&further, CMSG_DATA(first) + at, sizeof further);
      if (at == 0) {
        descriptor = further;
      } else {
        ::close(further);
      }
    }
  }
  const auto have = static_cast<std::size_t>(got);
  if (have == sizeof head || (have > 0 && receive_all(from, reinterpret_cast<char*>(&head) + have, sizeof head - have)))
    return true;
  if (descriptor >= 0) ::close(descriptor);
  descriptor = -1;
  return false;
}

int receive_descriptor(int from) {
  Head head;
  int descriptor = -1;
  return receive_head(from, head, descriptor) && head.magic == kMagic ? descriptor : -1;
}

}  // namespace warpbook::simulator::remote
