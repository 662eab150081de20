#include <typeinfo>
struct A { virtual ~A(); virtual int f(int) = 0; int a = 1; virtual A *clone() const { return nullptr; } };
struct B : virtual A { int f(int x) override { return x + a + b; } long b = 2; B *clone() const override; };
struct C : virtual A { int f(int x) override { return x * a - (int)c; } double c = 3; };
struct D final : B, C { int f(int x) override { return B::f(x) + C::f(x); } D(); static int count; D *clone() const override { return new D(*this); } };
A::~A() = default; int D::count = 0; D::D() { count++; } B *B::clone() const { return new D; }
int call(A *a) { return a->f(3); }
int cast(A *a) { if (auto *d = dynamic_cast<D *>(a)) return d->f(1); if (auto *c = dynamic_cast<C *>(a)) return (int)c->c; return typeid(*a) == typeid(B); }
using PM = int (A::*)(int); using PD = long B::*;
int ptm(A *a, PM m) { return (a->*m)(4); }
long dm(B *b, PD p) { return b->*p; }
A *make(bool x) { return x ? static_cast<A *>(new D) : nullptr; }
