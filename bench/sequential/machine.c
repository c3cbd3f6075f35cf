/* A machine of one accumulator and two registers runs N instructions of a byte each: four bits say what, four with what.
 *
 * brute: -DN=2 bytes 0-255 -> 69
 * brute: -DN=3 bytes 0-255 -> 530
 * paths: -DN=2 -> 69
 * paths: -DN=3 -> 530
 * paths: -DN=4 -> 4100
 * paths: -DN=5 -> 31742 */
#include <heddle.h>
#ifndef N
#define N 5
#endif

enum { HALT, LOAD, ADD, SUBTRACT, MULTIPLY, STORE, FETCH, JUMP_IF_ZERO, N_OPERATIONS };

int main(void) {
    unsigned char code[N];
    unsigned accumulator = 0, registers[2] = {1, 2};
    heddle_input(code);
    for (unsigned pc = 0, steps = 0; pc < N && steps < N; steps++) {
        unsigned operation = code[pc] >> 4, operand = code[pc] & 15;
        pc++;
        switch (operation) {
        case HALT:
            pc = N;
            break;
        case LOAD:
            accumulator = operand;
            break;
        case ADD:
            accumulator += operand;
            break;
        case SUBTRACT:
            accumulator -= operand;
            break;
        case MULTIPLY:
            accumulator *= registers[operand & 1];
            break;
        case STORE:
            registers[operand & 1] = accumulator;
            break;
        case FETCH:
            accumulator = registers[operand & 1];
            break;
        case JUMP_IF_ZERO:
            if (accumulator == 0)
                pc += operand & 3;
            break;
        default:
            return 1;
        }
    }
    if (accumulator == 42)
        heddle_reach("forty-two");
    return 0;
}
