//! ctype.h in the "C" locale: the functions, and the tables that glibc's macros read.

use super::math::int;
use super::{Invocation, Native};
use crate::error::Run;
use crate::machine::Machine;
use crate::value::Raw;

pub(super) fn find(name: &str) -> Option<Native> {
    Some(match name {
        "isalpha" => |_, c| class(c, |b| b.is_ascii_alphabetic()),
        "isdigit" => |_, c| class(c, |b| b.is_ascii_digit()),
        "isalnum" => |_, c| class(c, |b| b.is_ascii_alphanumeric()),
        "isspace" => |_, c| class(c, is_space),
        "isblank" => |_, c| class(c, |b| b == b' ' || b == b'\t'),
        "isupper" => |_, c| class(c, |b| b.is_ascii_uppercase()),
        "islower" => |_, c| class(c, |b| b.is_ascii_lowercase()),
        "ispunct" => |_, c| class(c, |b| b.is_ascii_punctuation()),
        "isprint" => |_, c| class(c, |b| b.is_ascii_graphic() || b == b' '),
        "isgraph" => |_, c| class(c, |b| b.is_ascii_graphic()),
        "iscntrl" => |_, c| class(c, |b| b.is_ascii_control()),
        "isxdigit" => |_, c| class(c, |b| b.is_ascii_hexdigit()),
        "isascii" => |_, c| Ok(int((0..128).contains(&c.int(0)) as i32)),
        "toascii" => |_, c| Ok(int(c.int(0) & 127)),
        "toupper" | "_toupper" => |_, c| Ok(int(map(c.int(0), |b| b.to_ascii_uppercase()))),
        "tolower" | "_tolower" => |_, c| Ok(int(map(c.int(0), |b| b.to_ascii_lowercase()))),
        "__ctype_b_loc" => |m, _| {
            let words: Vec<u8> = (-128..256)
                .flat_map(|k| class_bits(k).to_le_bytes())
                .collect();
            table(m, ["ctype classes", "ctype classes pointer"], &words, 2)
        },
        "__ctype_toupper_loc" => |m, _| {
            let words: Vec<u8> = (-128..256)
                .flat_map(|k| map(k, |b| b.to_ascii_uppercase()).to_le_bytes())
                .collect();
            table(m, ["ctype upper", "ctype upper pointer"], &words, 4)
        },
        "__ctype_tolower_loc" => |m, _| {
            let words: Vec<u8> = (-128..256)
                .flat_map(|k| map(k, |b| b.to_ascii_lowercase()).to_le_bytes())
                .collect();
            table(m, ["ctype lower", "ctype lower pointer"], &words, 4)
        },
        _ => return None,
    })
}

fn is_space(b: u8) -> bool {
    b == b' ' || (9..=13).contains(&b)
}

fn class(call: &Invocation, test: fn(u8) -> bool) -> Run<Raw> {
    let inside = u8::try_from(call.int(0)).is_ok_and(|b| b.is_ascii() && test(b));
    Ok(int(inside as i32))
}

fn map(c: i32, change: fn(&u8) -> u8) -> i32 {
    match u8::try_from(c) {
        Ok(b) if b.is_ascii() => change(&b) as i32,
        _ => c,
    }
}

/// The bits of glibc's class table, little-endian numbering.
fn class_bits(k: i32) -> u16 {
    let Some(b) = u8::try_from(k).ok().filter(u8::is_ascii) else {
        return 0;
    };
    let bits = [
        (b.is_ascii_uppercase(), 8),
        (b.is_ascii_lowercase(), 9),
        (b.is_ascii_alphabetic(), 10),
        (b.is_ascii_digit(), 11),
        (b.is_ascii_hexdigit(), 12),
        (is_space(b), 13),
        (b.is_ascii_graphic() || b == b' ', 14),
        (b.is_ascii_graphic(), 15),
        (b == b' ' || b == b'\t', 0),
        (b.is_ascii_control(), 1),
        (b.is_ascii_punctuation(), 2),
        (b.is_ascii_alphanumeric(), 3),
    ];
    bits.iter()
        .map(|&(inside, bit)| (inside as u16) << bit)
        .sum()
}

/// A pointer to a pointer to the entry of 0 in a table that starts at -128.
fn table(m: &mut Machine, names: [&'static str; 2], bytes: &[u8], width: u64) -> Run<Raw> {
    let start = m.static_bytes(names[0], bytes)?;
    let pointer = start + 128 * width;
    Ok(Raw::new(m.static_bytes(names[1], &pointer.to_le_bytes())?))
}

#[cfg(test)]
mod tests {
    use super::class_bits;

    unsafe extern "C" {
        fn __ctype_b_loc() -> *const *const u16;
    }

    #[test]
    fn the_class_table_is_that_of_the_c_library() {
        for k in -128..256 {
            // SAFETY: the table has entries from -128 to 255.
            let expected = unsafe { *(*__ctype_b_loc()).offset(k as isize) };
            assert_eq!(class_bits(k), expected, "{k}");
        }
    }
}
