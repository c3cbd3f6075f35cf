/* The other half of two_files.c. */
unsigned shared_state;

unsigned other(unsigned x) {
    shared_state = x;
    if (x % 2)
        return x >> 1;
    return 1;
}
