//! Functions of the system's shared libraries that Rust's own run-time support has too, under the same names but with other results in the last bit
//! or in the sign of a zero. Linking would choose Rust's, so these are looked up when first used; where there is no such
//! library, the linked ones serve.

use crate::arith::{Complex32, Complex64};
use std::ffi::{CStr, c_char, c_int, c_void};

unsafe extern "C" {
    fn dlopen(name: *const c_char, flags: c_int) -> *mut c_void;
    fn dlsym(library: *mut c_void, name: *const c_char) -> *mut c_void;
}

/// The address of a function in a shared library; null if there is none.
fn find(library: &CStr, name: &CStr) -> *mut c_void {
    const LAZY: c_int = 1;
    // SAFETY: both are strings that end in zero; the library is one that the process uses anyway, and is never closed.
    unsafe {
        match dlopen(library.as_ptr(), LAZY) {
            handle if handle.is_null() => handle,
            handle => dlsym(handle, name.as_ptr()),
        }
    }
}

macro_rules! system {
    ($library:literal: $($name:ident($($arg:ident: $type:ty),*) -> $ret:ty = $text:literal;)+) => {
        mod linked {
            #[allow(unused_imports)]
            use super::*;
            unsafe extern "C" { $( pub(super) safe fn $name($($arg: $type),*) -> $ret; )+ }
        }
        $(
            /// The system's function of that name.
            pub(crate) extern "C" fn $name($($arg: $type),*) -> $ret {
                type Function = extern "C" fn($($type),*) -> $ret;
                static FOUND: std::sync::OnceLock<Function> = std::sync::OnceLock::new();
                let function = FOUND.get_or_init(|| match find($library, $text) {
                    address if address.is_null() => linked::$name,
                    // SAFETY: C's library has it with this type.
                    address => unsafe { std::mem::transmute::<*mut c_void, Function>(address) },
                });
                function($($arg),*)
            }
        )+
    };
}

/// The math library.
pub(crate) mod math {
    use super::*;
    system! { c"libm.so.6":
        cbrt(x: f64) -> f64 = c"cbrt";
        cbrtf(x: f32) -> f32 = c"cbrtf";
        fmin(x: f64, y: f64) -> f64 = c"fmin";
        fminf(x: f32, y: f32) -> f32 = c"fminf";
        fmax(x: f64, y: f64) -> f64 = c"fmax";
        fmaxf(x: f32, y: f32) -> f32 = c"fmaxf";
        fdim(x: f64, y: f64) -> f64 = c"fdim";
        fdimf(x: f32, y: f32) -> f32 = c"fdimf";
        fmod(x: f64, y: f64) -> f64 = c"fmod";
        fmodf(x: f32, y: f32) -> f32 = c"fmodf";
        fma(x: f64, y: f64, z: f64) -> f64 = c"fma";
        fmaf(x: f32, y: f32, z: f32) -> f32 = c"fmaf";
        rint(x: f64) -> f64 = c"rint";
        rintf(x: f32) -> f32 = c"rintf";
        round(x: f64) -> f64 = c"round";
        roundf(x: f32) -> f32 = c"roundf";
    }
}

/// The compiler's run-time support: complex products and quotients with the recovery of infinities of Annex G.
pub(crate) mod compiler {
    use super::*;
    system! { c"libgcc_s.so.1":
        __muldc3(a: f64, b: f64, c: f64, d: f64) -> Complex64 = c"__muldc3";
        __divdc3(a: f64, b: f64, c: f64, d: f64) -> Complex64 = c"__divdc3";
        __mulsc3(a: f32, b: f32, c: f32, d: f32) -> Complex32 = c"__mulsc3";
        __divsc3(a: f32, b: f32, c: f32, d: f32) -> Complex32 = c"__divsc3";
    }
}
