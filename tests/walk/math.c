/* <math.h>, <complex.h>, <fenv.h>. */
#include "walk.h"

#include <complex.h>
#include <fenv.h>
#include <math.h>
#include <time.h>

#define WALK_1(f)                                                                                  \
    WALK(f) {                                                                                      \
        SEE(f(D(0, 1)));                                                                           \
    }
#define WALK_2(f)                                                                                  \
    WALK(f) {                                                                                      \
        SEE(f(D(0, 1), D(1, 2)));                                                                  \
    }
#define WALK_3(f)                                                                                  \
    WALK(f) {                                                                                      \
        SEE(f(D(0, 1), D(1, 2), D(2, 3)));                                                         \
    }
#define WALK_DN(f)                                                                                 \
    WALK(f) {                                                                                      \
        SEE(f(D(0, 1), V(1, 2)));                                                                  \
    }
#define WALK_ND(f)                                                                                 \
    WALK(f) {                                                                                      \
        SEE(f(V(0, 1), D(1, 2)));                                                                  \
    }
#define WALK_C1(f)                                                                                 \
    WALK(f) {                                                                                      \
        __typeof__(f(0)) r = f(D(0, 1) + 2 * I);                                                   \
        double a = (double)creal(r), b = (double)cimag(r);                                         \
        SEE(a);                                                                                    \
        SEE(b);                                                                                    \
    }
#define WALK_C2(f)                                                                                 \
    WALK(f) {                                                                                      \
        __typeof__(f(0, 0)) r = f(D(0, 1) + 2 * I, D(1, 2));                                       \
        double a = (double)creal(r), b = (double)cimag(r);                                         \
        SEE(a);                                                                                    \
        SEE(b);                                                                                    \
    }
#undef isinf
#undef isnan
double gamma(double);
double significand(double);
float significandf(float);
long double significandl(long double);
double drem(double, double);
int isinf(double), isnan(double), isnanf(float), isinff(float), finite(double);
WALK_1(acos)
WALK_1(acosf)
WALK_1(acosl)
WALK_1(acosh)
WALK_1(acoshf)
WALK_1(acoshl)
WALK_1(asin)
WALK_1(asinf)
WALK_1(asinl)
WALK_1(asinh)
WALK_1(asinhf)
WALK_1(asinhl)
WALK_1(atan)
WALK_1(atanf)
WALK_1(atanl)
WALK_2(atan2)
WALK_2(atan2f)
WALK_2(atan2l)
WALK_1(atanh)
WALK_1(atanhf)
WALK_1(atanhl)
WALK_1(cbrt)
WALK_1(cbrtf)
WALK_1(cbrtl)
WALK_1(ceil)
WALK_1(ceilf)
WALK_1(ceill)
WALK_2(copysign)
WALK_2(copysignf)
WALK_2(copysignl)
WALK_1(cos)
WALK_1(cosf)
WALK_1(cosl)
WALK_1(cosh)
WALK_1(coshf)
WALK_1(coshl)
WALK_1(erf)
WALK_1(erff)
WALK_1(erfl)
WALK_1(erfc)
WALK_1(erfcf)
WALK_1(erfcl)
WALK_1(exp)
WALK_1(expf)
WALK_1(expl)
WALK_1(exp10)
WALK_1(exp10f)
WALK_1(exp10l)
WALK_1(exp2)
WALK_1(exp2f)
WALK_1(exp2l)
WALK_1(expm1)
WALK_1(expm1f)
WALK_1(expm1l)
WALK_1(fabs)
WALK_1(fabsf)
WALK_1(fabsl)
WALK_2(fdim)
WALK_2(fdimf)
WALK_2(fdiml)
WALK_1(floor)
WALK_1(floorf)
WALK_1(floorl)
WALK_3(fma)
WALK_3(fmaf)
WALK_3(fmal)
WALK_2(fmax)
WALK_2(fmaxf)
WALK_2(fmaxl)
WALK_2(fmin)
WALK_2(fminf)
WALK_2(fminl)
WALK_2(fmod)
WALK_2(fmodf)
WALK_2(fmodl)
WALK_2(hypot)
WALK_2(hypotf)
WALK_2(hypotl)
WALK_1(ilogb)
WALK_1(ilogbf)
WALK_1(ilogbl)
WALK_1(j0)
WALK_1(j0f)
WALK_1(j0l)
WALK_1(j1)
WALK_1(j1f)
WALK_1(j1l)
WALK_ND(jn)
WALK_ND(jnf)
WALK_ND(jnl)
WALK_DN(ldexp)
WALK_DN(ldexpf)
WALK_DN(ldexpl)
WALK_1(lgamma)
WALK_1(lgammaf)
WALK_1(lgammal)
WALK_1(gamma)
WALK_1(gammal)
WALK_1(llrint)
WALK_1(llrintf)
WALK_1(llrintl)
WALK_1(llround)
WALK_1(llroundf)
WALK_1(llroundl)
WALK_1(log)
WALK_1(logf)
WALK_1(logl)
WALK_1(log10)
WALK_1(log10f)
WALK_1(log10l)
WALK_1(log1p)
WALK_1(log1pf)
WALK_1(log1pl)
WALK_1(log2)
WALK_1(log2f)
WALK_1(log2l)
WALK_1(logb)
WALK_1(logbf)
WALK_1(logbl)
WALK_1(lrint)
WALK_1(lrintf)
WALK_1(lrintl)
WALK_1(lround)
WALK_1(lroundf)
WALK_1(lroundl)
WALK_1(nearbyint)
WALK_1(nearbyintf)
WALK_1(nearbyintl)
WALK_2(nextafter)
WALK_2(nextafterf)
WALK_2(nextafterl)
WALK_2(nexttoward)
WALK_2(nexttowardf)
WALK_2(nexttowardl)
WALK_2(pow)
WALK_2(powf)
WALK_2(powl)
WALK_2(remainder)
WALK_2(remainderf)
WALK_2(remainderl)
WALK_2(drem)
WALK_2(dremf)
WALK_2(dreml)
WALK_1(rint)
WALK_1(rintf)
WALK_1(rintl)
WALK_1(round)
WALK_1(roundf)
WALK_1(roundl)
WALK_1(roundeven)
WALK_1(roundevenf)
WALK_1(roundevenl)
WALK_2(scalb)
WALK_2(scalbf)
WALK_2(scalbl)
WALK_DN(scalbln)
WALK_DN(scalblnf)
WALK_DN(scalblnl)
WALK_DN(scalbn)
WALK_DN(scalbnf)
WALK_DN(scalbnl)
WALK_1(significand)
WALK_1(significandf)
WALK_1(significandl)
WALK_1(sin)
WALK_1(sinf)
WALK_1(sinl)
WALK_1(sinh)
WALK_1(sinhf)
WALK_1(sinhl)
WALK_1(sqrt)
WALK_1(sqrtf)
WALK_1(sqrtl)
WALK_1(tan)
WALK_1(tanf)
WALK_1(tanl)
WALK_1(tanh)
WALK_1(tanhf)
WALK_1(tanhl)
WALK_1(tgamma)
WALK_1(tgammaf)
WALK_1(tgammal)
WALK_1(trunc)
WALK_1(truncf)
WALK_1(truncl)
WALK_1(y0)
WALK_1(y0f)
WALK_1(y0l)
WALK_1(y1)
WALK_1(y1f)
WALK_1(y1l)
WALK_ND(yn)
WALK_ND(ynf)
WALK_ND(ynl)
WALK_1(finite)
WALK_1(finitef)
WALK_1(finitel)
WALK_1(isinf)
WALK_1(isinff)
WALK_1(isinfl)
WALK_1(isnan)
WALK_1(isnanf)
WALK_1(isnanl)
WALK_1(cabs)
WALK_1(cabsf)
WALK_1(cabsl)
WALK_1(carg)
WALK_1(cargf)
WALK_1(cargl)
WALK_1(cimag)
WALK_1(cimagf)
WALK_1(cimagl)
WALK_1(creal)
WALK_1(crealf)
WALK_1(creall)
WALK_C1(cacos)
WALK_C1(cacosf)
WALK_C1(cacosl)
WALK_C1(cacosh)
WALK_C1(cacoshf)
WALK_C1(cacoshl)
WALK_C1(casin)
WALK_C1(casinf)
WALK_C1(casinl)
WALK_C1(casinh)
WALK_C1(casinhf)
WALK_C1(casinhl)
WALK_C1(catan)
WALK_C1(catanf)
WALK_C1(catanl)
WALK_C1(catanh)
WALK_C1(catanhf)
WALK_C1(catanhl)
WALK_C1(ccos)
WALK_C1(ccosf)
WALK_C1(ccosl)
WALK_C1(ccosh)
WALK_C1(ccoshf)
WALK_C1(ccoshl)
WALK_C1(cexp)
WALK_C1(cexpf)
WALK_C1(cexpl)
WALK_C1(clog)
WALK_C1(clogf)
WALK_C1(clogl)
WALK_C1(conj)
WALK_C1(conjf)
WALK_C1(conjl)
WALK_C2(cpow)
WALK_C2(cpowf)
WALK_C2(cpowl)
WALK_C1(cproj)
WALK_C1(cprojf)
WALK_C1(cprojl)
WALK_C1(csin)
WALK_C1(csinf)
WALK_C1(csinl)
WALK_C1(csinh)
WALK_C1(csinhf)
WALK_C1(csinhl)
WALK_C1(csqrt)
WALK_C1(csqrtf)
WALK_C1(csqrtl)
WALK_C1(ctan)
WALK_C1(ctanf)
WALK_C1(ctanl)
WALK_C1(ctanh)
WALK_C1(ctanhf)
WALK_C1(ctanhl)
WALK(frexp) {
    int e = 0;
    SEE(frexp(D(0, 1), W(1, &e)));
    SEE(e);
}
WALK(frexpf) {
    int e = 0;
    SEE(frexpf(D(0, 1), W(1, &e)));
    SEE(e);
}
WALK(modf) {
    double e = 0;
    SEE(modf(D(0, 1.25), W(1, &e)));
    SEE(e);
}
WALK(modff) {
    float e = 0;
    SEE(modff(D(0, 1.25), W(1, &e)));
    SEE(e);
}
WALK(lgamma_r) {
    int e = 0;
    SEE(lgamma_r(D(0, 1.25), W(1, &e)));
    SEE(e);
}
WALK(lgammaf_r) {
    int e = 0;
    SEE(lgammaf_r(D(0, 1.25), W(1, &e)));
    SEE(e);
}
WALK(remquo) {
    int e = 0;
    SEE(remquo(D(0, 7.25), D(1, 2), W(2, &e)));
    SEE(e);
}
WALK(remquof) {
    int e = 0;
    SEE(remquof(D(0, 7.25), D(1, 2), W(2, &e)));
    SEE(e);
}
WALK(sincos) {
    double a = 0, b = 0;
    sincos(D(0, 1), W(1, &a), W(2, &b));
    SEE(a);
    SEE(b);
}
WALK(sincosf) {
    float a = 0, b = 0;
    sincosf(D(0, 1), W(1, &a), W(2, &b));
    SEE(a);
    SEE(b);
}
WALK(nan) {
    SEE(nan(S(0, "123")));
}
WALK(nanf) {
    SEE(nanf(S(0, "123")));
}
WALK(gcvt) {
    char b[32] = "abc";
    SEES(gcvt(D(0, 1.0625), V(1, 2), W(2, b)));
}
WALK(difftime) {
    SEE(difftime(V(0, 9), V(1, 4)));
}

WALK(fegetround) {
    SEE(fegetround());
}
WALK(fesetround) {
    SEE(fesetround(C(0, FE_TONEAREST, FE_DOWNWARD, FE_UPWARD, FE_TOWARDZERO, 77)));
    volatile double a = 1, b = 3;
    double c = a / b;
    fesetround(FE_TONEAREST);
    SEE(c);
}
WALK(fetestexcept) {
    feraiseexcept(FE_INEXACT | FE_OVERFLOW);
    SEE(fetestexcept(C(0, FE_INEXACT, FE_OVERFLOW, FE_INVALID, 0)));
}
WALK(feclearexcept) {
    feraiseexcept(FE_INEXACT | FE_OVERFLOW);
    SEE(feclearexcept(C(0, FE_INEXACT, FE_OVERFLOW, FE_INVALID, 0)));
    SEE(fetestexcept(FE_ALL_EXCEPT));
}
WALK(feraiseexcept) {
    feclearexcept(FE_ALL_EXCEPT);
    SEE(feraiseexcept(C(0, FE_INEXACT, FE_OVERFLOW, FE_INVALID, 0)));
    SEE(fetestexcept(FE_ALL_EXCEPT));
    feclearexcept(FE_ALL_EXCEPT);
}
WALK(fegetenv) {
    fenv_t e;
    memset(&e, 0, sizeof e);
    SEE(fegetenv(W(0, &e)));
    SEEM(&e, 2);
}
WALK(fesetenv) {
    fenv_t e;
    fegetenv(&e);
    SEE(fesetenv(M(0, &e, 4)));
    SEE(fetestexcept(FE_ALL_EXCEPT));
    feclearexcept(FE_ALL_EXCEPT);
}
WALK(feholdexcept) {
    fenv_t e;
    memset(&e, 0, sizeof e);
    SEE(feholdexcept(W(0, &e)));
    SEEM(&e, 2);
    fesetenv(&e);
}
WALK(feupdateenv) {
    fenv_t e;
    fegetenv(&e);
    feraiseexcept(FE_INEXACT);
    SEE(feupdateenv(M(0, &e, 4)));
    SEE(fetestexcept(FE_ALL_EXCEPT));
    feclearexcept(FE_ALL_EXCEPT);
}
