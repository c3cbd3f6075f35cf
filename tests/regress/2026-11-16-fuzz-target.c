/* The arguments of a target of a fuzzer were any pointer and any size, and a read that no fuzzer can
 * cause was reported.  They are a block of exactly `size` bytes, and how big that may be is said.
 *
 * run: --function LLVMFuzzerTestOneInput -DHEDDLE_FUZZ_SIZE=6
 * verdict: incomplete
 * exit: 3
 * paths: 13
 * reason: inputs of at most 6 bytes
 * reason-at: LOSS
 *
 * run: --function LLVMFuzzerTestOneInput
 * verdict: incomplete
 * exit: 3
 * paths: 187
 * reason: inputs of at most 64 bytes
 *
 * run: --function LLVMFuzzerTestOneInput -DOVER -DHEDDLE_FUZZ_SIZE=6
 * verdict: incomplete
 * finding: out-of-bounds */
#include <heddle.h>
#include <stddef.h>
#include <stdint.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) { // LOSS
#ifdef OVER
    if (size >= 4 && data[size - 1] == 'x')
        return data[size]; // BUG out-of-bounds
    return 0;
#else
    if (size < 4)
        return 0;
    if (data[size - 1] != 0)
        return 0;
    if (data[0] == '1')
        heddle_reach("one");
    return 0;
#endif
}
