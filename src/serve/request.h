/* request.h -- what a browser asks: the head of one HTTP request, read from bytes that anybody on
 * this machine may have sent.
 *
 * Only GET is answered, without a body, and only under names of this machine: a page of somebody
 * else whose name was made to point here (DNS rebinding) sends its own name as Host, and is
 * refused.
 *
 * H1. A request is whole, or it is refused with a status of HTTP, or more of it is needed; more is
 *     never needed behind HD_REQUEST_MOST bytes.
 * H2. A path that is answered begins with '/' and has printable characters of ASCII only. */
#ifndef HD_SERVE_REQUEST_H
#define HD_SERVE_REQUEST_H
#include <stddef.h>

#define HD_REQUEST_MOST 8192
#define HD_PATH_MOST    256

typedef struct hd_request {
    char path[HD_PATH_MOST + 1]; /* without what follows '?' */
} hd_request;

/* What the first n bytes mean: 0 if more are needed, 200 if the request is whole, else why it is
 * refused. */
int hd_request_read(hd_request *r, const char *bytes, size_t n);
/* "Not Found": for people who look at the first line of an answer. */
const char *hd_status_words(int status);
#endif
