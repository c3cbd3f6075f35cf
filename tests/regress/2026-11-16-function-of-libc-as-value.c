/* A function of libc used as a value could not be linked.
 *
 * run:
 * verdict: complete
 * paths: 1 */
#include <pthread.h>
#include <stdlib.h>

int main(void) {
    void (*release)(void *) = free;
    pthread_key_t key;
    release(malloc(3));
    return pthread_key_create(&key, free);
}
