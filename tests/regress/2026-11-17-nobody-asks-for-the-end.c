/* Functions of wide and multibyte characters were said to use a null pointer where null is allowed,
 * and to read behind what their length allows.
 *
 * run:
 * verdict: complete */
#include <assert.h>
#include <stdlib.h>
#include <string.h>
#include <sys/times.h>
#include <wchar.h>

int main(void) {
    wchar_t two[2] = {L'a', L'b'};
    mbstate_t state;
    memset(&state, 0, sizeof state);
    assert(wcstol(L"12", NULL, 10) == 12 && wcstoul(L"12", NULL, 10) == 12);
    assert(wcstoll(L"-3", NULL, 0) == -3 && wcstoull(L"3", NULL, 0) == 3);
    assert(wcstod(L"1.5", NULL) == 1.5 && wcstof(L"1.5", NULL) == 1.5f);
    assert(mblen(NULL, 0) == 0 && mblen("a", 4) == 1);
    assert(mbrlen("ab", 16, &state) == 1 && mbrlen("ab", 16, NULL) == 1);
    assert(wcsncasecmp(two, L"ABc", 2) == 0 && wcswidth(two, 2) == 2);
    times(NULL);
    return 0;
}
