/* verifier.h -- the functions of software-verification competitions (SV-COMP, Test-Comp).
 * Programs usually declare them themselves; the definitions are in Heddle's models. */
#ifndef HEDDLE_COMPAT_VERIFIER_H
#define HEDDLE_COMPAT_VERIFIER_H
#include <stddef.h>

_Bool __VERIFIER_nondet_bool(void);
char __VERIFIER_nondet_char(void);
unsigned char __VERIFIER_nondet_uchar(void);
short __VERIFIER_nondet_short(void);
unsigned short __VERIFIER_nondet_ushort(void);
int __VERIFIER_nondet_int(void);
unsigned __VERIFIER_nondet_uint(void);
long __VERIFIER_nondet_long(void);
unsigned long __VERIFIER_nondet_ulong(void);
long long __VERIFIER_nondet_longlong(void);
unsigned long long __VERIFIER_nondet_ulonglong(void);
size_t __VERIFIER_nondet_size_t(void);
float __VERIFIER_nondet_float(void);
double __VERIFIER_nondet_double(void);
void __VERIFIER_assume(int condition);
void __VERIFIER_assert(int condition);
void __VERIFIER_error(void);
void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);
void reach_error(void);
#endif
