//! Typed trees of small texts: types, conversions, resolved names.

mod common;
use common::dumps;

#[test]
fn conversions_are_explicit() {
    dumps(
        "double f(int a, float b) { return a + b; }",
        "(func f fn(int,float)->double (a:int b:float)\n  (return (conv double (add (conv float (load a)) (load b)))))",
    );
    dumps(
        "int f(char c) { return c << 1; }",
        "(func f fn(char)->int (c:char)\n  (return (shl (conv int (load c)) 1:int)))",
    );
}

#[test]
fn precedence() {
    dumps(
        "int f(int a, int b, int c) { return a - b - c * a << 1 < 3 == c; }",
        "(func f fn(int,int,int)->int (a:int b:int c:int)\n  (return (eq (lt (shl (sub (sub (load a) (load b)) (mul (load c) (load a))) 1:int) 3:int) (load c))))",
    );
    dumps(
        "int f(int a, int b, int c) { return a = b ? c , a : b ? 1 : 2; }",
        "(func f fn(int,int,int)->int (a:int b:int c:int)\n  (return (= a (? (load b) (, (load c) (load a)) (? (load b) 1:int 2:int)))))",
    );
    dumps(
        "int f(int *p) { return -*p++ + sizeof *p; }",
        "(func f fn(ptr(int))->int (p:ptr(int))\n  (return (conv int (add (conv ulong (neg (load (deref (postinc p))))) 4:ulong))))",
    );
}

#[test]
fn declarators_make_types() {
    dumps(
        "int *a[3]; int (*b)[3]; int (*c)(int, char *); int *(*d[2])(void); const char *const e; char (*(*g)(void))[4];",
        "(var a array(ptr(int),3))\n(var b ptr(array(int,3)))\n(var c ptr(fn(int,ptr(char))->int))\n(var d array(ptr(fn()->ptr(int)),2))\n(var e const(ptr(const(char))))\n(var g ptr(fn()->ptr(array(char,4))))",
    );
    dumps(
        "typedef unsigned long size; size n; const volatile size *p; typedef int row[3]; const row r; double _Complex z; _Float64x x;",
        "(var n size)\n(var p ptr(const volatile(size)))\n(var r const(row))\n(var z cdouble)\n(var x ldouble)",
    );
}

#[test]
fn variable_lengths() {
    dumps(
        "double f(int n, double a[n][n], double x[n]) { double b[n]; return a[1][2] + x[0] + b[0]; }",
        "\
(func f fn(int,ptr(vla(double,*)),ptr(double))->double (n:int a:ptr(vla(double,#0)) x:ptr(double))
  (param-lengths #0=(conv ulong (load n)))
  (lengths #1=(conv ulong (load n)))
  (decl b vla(double,#1))
  (return (add (add (load (index (decay (index (load a) 1:int)) 2:int)) (load (index (load x) 0:int))) (load (index (decay b) 0:int)))))",
    );
}

#[test]
fn statements() {
    dumps(
        "int f(int x) { if (x) return 1; else if (x > 2) { x = 2; } for (int i = 0; i < 3; i++) x += i; do x--; while (x); l: switch (x) { case 1 ... 3: break; default: goto l; } return 0; }",
        "\
(func f fn(int)->int (x:int)
  (if (load x)
    (return 1:int)
    else
    (if (gt (load x) 2:int)
      (block
        (= x 2:int))))
  (for
      (decl i int 0:int)
      (lt (load i) 3:int) (postinc i)
    (add=:int x (load i)))
  (do
    (postdec x)
    while (load x))
  (label l)
  (switch (load x)
    (block
      (case 1 3)
      (break)
      (default)
      (goto l)))
  (return 0:int))",
    );
}

#[test]
fn names_resolve_to_the_right_objects() {
    dumps(
        "int x = 1; int f(int x) { { double x = 2; { extern int x; x = 3; } x = 4; } static int s = 5; return x + s; }",
        "\
(var x int 1:int)
(var s int static 5:int)
(func f fn(int)->int (x:int)
  (block
    (decl x double 2.0:double)
    (block
      (= x 3:int))
    (= x 4.0:double))
  (return (add (load x) (load s))))",
    );
}

#[test]
fn initialisers_are_flat() {
    dumps(
        "struct p { int x, y; }; struct p a[] = { [1].y = 3, { 4 }, 5, 6 }; int m[2][2] = { 1, 2, { 3 } }; char s[4] = \"ab\";",
        "(var a array(struct p,4) {[1].y=3:int [2].x=4:int [3].x=5:int [3].y=6:int})\n(var m array(array(int,2),2) {[0][0]=1:int [0][1]=2:int [1][0]=3:int})\n(var s array(char,4) \"ab\")",
    );
}

#[test]
fn gnu_expressions() {
    dumps(
        "int f(int x) { return ({ int y = x; y + 1; }) + (x ?: 2); }",
        "(func f fn(int)->int (x:int)\n  (return (add (stmts (decl y int (load x)) (add (load y) 1:int)) (?: (load x) 2:int))))",
    );
    dumps(
        "int f(void) { return _Generic(1.5f, double: 1, float: 2); }",
        "(func f fn()->int ()\n  (return 2:int))",
    );
    dumps(
        "const char *f(void) { return __func__; }",
        "(func f fn()->ptr(const(char)) ()\n  (return (conv ptr(const(char)) (decay \"f\"))))",
    );
}

#[test]
fn attributes_are_kept() {
    dumps(
        "__attribute__((always_inline, enzyme_inactive(\"x\", y))) static inline int f(void) __attribute__((__pure__)); static inline int f(void) { return 1; }",
        "(func f fn()->int () static inline @always_inline @enzyme_inactive(x,y) @pure\n  (return 1:int))",
    );
    dumps(
        "_Noreturn void stop(void) { for (;;) ; }",
        "(func stop fn()->void () noreturn\n  (for\n      () ()\n    (null)))",
    );
}

#[test]
fn old_style_parameters_are_promoted_in_the_type() {
    dumps(
        "int f(a, b) float b; { return a; }",
        "(func f fn(int,double,?)->int (a:int b:float)\n  (return (load a)))",
    );
}

#[test]
fn assembly_and_computed_goto() {
    dumps(
        "int f(int x) { void *p = &&l; asm volatile (\"\" ::: \"memory\"); asm (\"nop\"); goto *p; l: return x; }",
        "\
(func f fn(int)->int (x:int)
  (decl p ptr(void) (label-address 0))
  (asm empty)
  (asm)
  (goto* (load p))
  (label l)
  (return (load x)))",
    );
}
