#define _GNU_SOURCE
#include "clinux.h"
#include <errno.h>
#include <linux/inet_diag.h>
#include <linux/netlink.h>
#include <linux/sock_diag.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <string.h>
#include <sys/socket.h>

int clinux_is_sock_diag(int descriptor) {
  int domain, protocol;
  socklen_t size = sizeof domain;
  if (getsockopt(descriptor, SOL_SOCKET, SO_DOMAIN, &domain, &size) != 0 || domain != AF_NETLINK) return 0;
  size = sizeof protocol;
  return getsockopt(descriptor, SOL_SOCKET, SO_PROTOCOL, &protocol, &size) == 0 && protocol == NETLINK_SOCK_DIAG;
}

void clinux_sock_diag_forget(int diag) {
  char left[512];
  while (recv(diag, left, sizeof left, MSG_DONTWAIT) >= 0 || errno == EINTR || errno == ENOBUFS) continue;
}

int clinux_sock_diag(void) {
  return socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC | SOCK_NONBLOCK, NETLINK_SOCK_DIAG);
}

struct question {
  struct nlmsghdr header;
  struct inet_diag_req_v2 request;
};

struct answer {
  struct nlmsghdr header;
  union {
    struct nlmsgerr error;
    struct inet_diag_msg socket;
    // The attributes behind them, which are cut off.
    char more[512];
  } content;
};

static int ask(int diag, const struct question *question) {
  struct sockaddr_nl kernel = {.nl_family = AF_NETLINK};
  ssize_t sent;
  do sent = sendto(diag, question, sizeof *question, MSG_DONTWAIT, (const struct sockaddr *)&kernel, sizeof kernel);
  while (sent < 0 && errno == EINTR);
  return sent < 0 ? -1 : 0;
}

// The kernel has answered by the time that sendto(2) returns. Answers to earlier questions are passed over.
static int read_answer(int diag, uint32_t number, struct answer *answer, size_t *length) {
  for (;;) {
    ssize_t count = recv(diag, answer, sizeof *answer, MSG_DONTWAIT);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return -1;
    *length = (size_t)count;
    if (*length >= sizeof answer->header && answer->header.nlmsg_seq == number) return 0;
  }
}

int clinux_sock_diag_tcp(
    int diag, uint32_t number, int family, const uint8_t own[16], uint16_t own_port, const uint8_t peer[16], uint16_t peer_port,
    struct clinux_tcp_socket *found) {
  struct question question = {
      .header = {.nlmsg_len = sizeof question, .nlmsg_type = SOCK_DIAG_BY_FAMILY, .nlmsg_flags = NLM_F_REQUEST, .nlmsg_seq = number},
      .request = {.sdiag_family = (uint8_t)family, .sdiag_protocol = IPPROTO_TCP, .idiag_states = UINT32_MAX},
  };
  struct inet_diag_sockid *id = &question.request.id;
  id->idiag_sport = htons(own_port);
  id->idiag_dport = htons(peer_port);
  memcpy(id->idiag_src, own, sizeof id->idiag_src);
  memcpy(id->idiag_dst, peer, sizeof id->idiag_dst);
  id->idiag_cookie[0] = id->idiag_cookie[1] = INET_DIAG_NOCOOKIE;

  struct answer answer;
  size_t length;
  if (ask(diag, &question) != 0 || read_answer(diag, number, &answer, &length) != 0) return -1;
  if (answer.header.nlmsg_type == NLMSG_ERROR) {
    if (length < sizeof answer.header + sizeof answer.content.error) return errno = EPROTO, -1;
    return errno = answer.content.error.error ? -answer.content.error.error : EPROTO, -1;
  }
  if (answer.header.nlmsg_type != SOCK_DIAG_BY_FAMILY || length < sizeof answer.header + sizeof answer.content.socket)
    return errno = EPROTO, -1;
  const struct inet_diag_msg *socket = &answer.content.socket;
  found->user = socket->idiag_uid;
  found->inode = socket->idiag_inode;
  found->listens = socket->idiag_state == TCP_LISTEN;
  // Where no connection is found the kernel looks for a listener at the first address.
  if (!found->listens && (socket->id.idiag_sport != id->idiag_sport || socket->id.idiag_dport != id->idiag_dport))
    return errno = ENOENT, -1;
  return 0;
}
