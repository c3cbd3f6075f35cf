#include "raft.h"

#include <arpa/inet.h>
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <netdb.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/select.h>
#include <sys/time.h>
#include <unistd.h>

int raft_verbose;

static bool resolve(const char *host, int port, struct sockaddr_in *out)
{
	struct addrinfo hint, *info = NULL;
	char service[16];
	memset(&hint, 0, sizeof(hint));
	hint.ai_family = AF_INET;
	hint.ai_socktype = SOCK_DGRAM;
	hint.ai_protocol = IPPROTO_UDP;
	snprintf(service, sizeof(service), "%d", port);
	int rc = getaddrinfo(host, service, &hint, &info);
	if (rc) {
		fprintf(stderr, "cannot resolve %s:%d: %s\n", host, port, gai_strerror(rc));
		return false;
	}
	assert(info->ai_addrlen <= sizeof(*out));
	memcpy(out, info->ai_addr, info->ai_addrlen);
	freeaddrinfo(info);
	return true;
}

bool raft_peer_up(raft_t *r, int id, const char *host, int port, bool self)
{
	raft_peer_t *p;
	if (id < 0 || id >= r->config.peernum_max) return false;
	p = r->peers + id;
	if (p->up) return false;
	memset(p, 0, sizeof(*p));
	p->up = true;
	p->host = strdup(host);
	p->port = port;
	if (self) {
		if (r->me != NOBODY) return false;
		r->me = id;
	}
	r->peernum++;
	return resolve(host, port, &p->addr);
}

static int set_nonblocking(int fd)
{
	int flags = fcntl(fd, F_GETFL, 0);
	if (flags == -1) return -1;
	return fcntl(fd, F_SETFL, flags | O_NONBLOCK);
}

int raft_create_udp_socket(raft_t *r)
{
	int optval = 1;
	struct sockaddr_in addr;
	raft_peer_t *me = r->peers + r->me;
	assert(r->me != NOBODY);
	r->sock = socket(AF_INET, SOCK_DGRAM, IPPROTO_UDP);
	if (r->sock == -1) {
		perror("socket");
		return -1;
	}
	setsockopt(r->sock, SOL_SOCKET, SO_REUSEADDR, &optval, sizeof(optval));
	memset(&addr, 0, sizeof(addr));
	addr.sin_family = AF_INET;
	addr.sin_port = htons(me->port);
	addr.sin_addr.s_addr = htonl(INADDR_ANY);
	if (bind(r->sock, (struct sockaddr *)&addr, sizeof(addr)) == -1) {
		perror("bind");
		return -1;
	}
	if (set_nonblocking(r->sock) == -1) {
		perror("fcntl");
		return -1;
	}
	DEBUG("binding to %s:%d\n", inet_ntoa(addr.sin_addr), me->port);
	return r->sock;
}

void *raft_recv_message(raft_t *r, int timeout_ms, size_t *len)
{
	fd_set readset;
	struct timeval tv;
	struct sockaddr_in addr;
	socklen_t addrlen = sizeof(addr);
	static char buf[1024];
	tv.tv_sec = timeout_ms / 1000;
	tv.tv_usec = timeout_ms % 1000 * 1000;
	FD_ZERO(&readset);
	FD_SET(r->sock, &readset);
	int rc = select(r->sock + 1, &readset, NULL, NULL, &tv);
	if (rc < 0) {
		if (errno == EINTR) return NULL;
		perror("select");
		exit(EXIT_FAILURE);
	}
	if (rc == 0 || !FD_ISSET(r->sock, &readset)) return NULL;
	ssize_t n = recvfrom(r->sock, buf, sizeof(buf), 0, (struct sockaddr *)&addr, &addrlen);
	if (n <= 0) {
		if (errno == EAGAIN || errno == EWOULDBLOCK || errno == ECONNREFUSED) return NULL;
		perror("recvfrom");
		return NULL;
	}
	void *copy = malloc(n);
	memcpy(copy, buf, n);
	*len = n;
	return copy;
}
