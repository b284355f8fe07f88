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

struct request {
  struct nlmsghdr header;
  struct inet_diag_req_v2 request;
};

struct response {
  struct nlmsghdr header;
  union {
    struct nlmsgerr error;
    struct inet_diag_msg socket;
    // Space for the attributes that follow; longer attributes are truncated.
    char more[512];
  } content;
};

static int ask(int diag, const struct request *query) {
  struct sockaddr_nl kernel = {.nl_family = AF_NETLINK};
  ssize_t sent;
  do sent = sendto(diag, query, sizeof *query, MSG_DONTWAIT, (const struct sockaddr *)&kernel, sizeof kernel);
  while (sent < 0 && errno == EINTR);
  return sent < 0 ? -1 : 0;
}

// By the time sendto(2) returns, the kernel has responded. Responses to earlier requests are skipped.
static int read_response(int diag, uint32_t number, struct response *response, size_t *length) {
  for (;;) {
    ssize_t count = recv(diag, response, sizeof *response, MSG_DONTWAIT);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return -1;
    *length = (size_t)count;
    if (*length >= sizeof response->header && response->header.nlmsg_seq == number) return 0;
  }
}

int clinux_sock_diag_tcp(
    int diag, uint32_t number, int family, const uint8_t own[16], uint16_t own_port, const uint8_t peer[16], uint16_t peer_port,
    struct clinux_tcp_socket *found) {
  struct request query = {
      .header = {.nlmsg_len = sizeof query, .nlmsg_type = SOCK_DIAG_BY_FAMILY, .nlmsg_flags = NLM_F_REQUEST, .nlmsg_seq = number},
      .request = {.sdiag_family = (uint8_t)family, .sdiag_protocol = IPPROTO_TCP, .idiag_states = UINT32_MAX},
  };
  struct inet_diag_sockid *id = &query.request.id;
  id->idiag_sport = htons(own_port);
  id->idiag_dport = htons(peer_port);
  memcpy(id->idiag_src, own, sizeof id->idiag_src);
  memcpy(id->idiag_dst, peer, sizeof id->idiag_dst);
  id->idiag_cookie[0] = id->idiag_cookie[1] = INET_DIAG_NOCOOKIE;

  struct response response;
  size_t length;
  if (ask(diag, &query) != 0 || read_response(diag, number, &response, &length) != 0) return -1;
  if (response.header.nlmsg_type == NLMSG_ERROR) {
    if (length < sizeof response.header + sizeof response.content.error) return errno = EPROTO, -1;
    return errno = response.content.error.error ? -response.content.error.error : EPROTO, -1;
  }
  if (response.header.nlmsg_type != SOCK_DIAG_BY_FAMILY || length < sizeof response.header + sizeof response.content.socket)
    return errno = EPROTO, -1;
  const struct inet_diag_msg *socket = &response.content.socket;
  found->user = socket->idiag_uid;
  found->inode = socket->idiag_inode;
  found->listens = socket->idiag_state == TCP_LISTEN;
  // If there is no such connection, the kernel looks for a listener on the local address.
  if (!found->listens && (socket->id.idiag_sport != id->idiag_sport || socket->id.idiag_dport != id->idiag_dport))
    return errno = ENOENT, -1;
  return 0;
}
