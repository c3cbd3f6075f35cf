/* Places of pages. */
#include "report/template.h"

#include "base/panic.h"

#include <stdio.h>
#include <string.h>
#include <sys/random.h>

void hd_template_fill(const char *file, hd_text *out,
                      void (*fill)(void *context, const char *name, size_t n), void *context) {
    static const char open[] = "<!--@", close[] = "-->";
    const char *at = file, *place;
    for (; (place = strstr(at, open)); at = strstr(place, close) + strlen(close)) {
        const char *name = place + strlen(open);
        hd_text_add_bytes(out, at, (size_t)(place - at));
        fill(context, name, (size_t)(strstr(name, close) - name));
    }
    hd_text_add(out, "%s", at);
}

void hd_nonce_make(char nonce[HD_NONCE_SIZE]) {
    unsigned char bytes[HD_NONCE_SIZE / 2];
    if (getrandom(bytes, sizeof bytes, 0) != (ssize_t)sizeof bytes)
        HD_BUG("no random bytes");
    for (size_t i = 0; i < sizeof bytes; i++)
        snprintf(nonce + 2 * i, 3, "%02x", bytes[i]);
}
