/* udp.h -- that of the examples. */
#include "../../examples/udp.h"
