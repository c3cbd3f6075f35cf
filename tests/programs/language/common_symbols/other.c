/* The other half of common_symbols.c. */
int shared;
int several[8];

void change(int n) {
    shared = n;
    several[1] = 5;
    several[7] = 6;
}
