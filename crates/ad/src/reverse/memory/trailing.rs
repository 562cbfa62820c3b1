//! Structs that end in an array which is longer than the struct says: `double values[]`, and `[0]` and `[1]` before C had that.

use super::super::{Result, Reverse};
use super::copy::Bytes;
use super::parts::{Order, Part, holds_number, holds_pointer, is_uniform};
use crate::activity::Layout;
use adjoin_ir::{CTy, CTypeKind, CTypes, Inst, Value};

/// The array at the end of a struct.
#[derive(Clone, Copy)]
pub(super) struct Trailing {
    /// Where it begins.
    offset: u64,
    element: CTy,
    /// It has no element of its own, so that it must be meant to be longer.
    open: bool,
}

/// The array at the end of a struct that may be longer than it says, if it holds what a walk is for, or anything behind which such things lie.
pub(super) fn trailing(types: &CTypes, t: CTy) -> Option<Trailing> {
    let record = types.record(t)?;
    let data = &types.records[record];
    let last = data.fields.as_ref()?.last()?;
    let CTypeKind::Array { elem, len } = types.shape(last.ty) else {
        return None;
    };
    let open = match len {
        None | Some(0) => true,
        Some(1) => false,
        Some(_) => return None,
    };
    (!data.is_union).then_some(Trailing {
        offset: last.offset,
        element: *elem,
        open,
    })
}

impl Reverse<'_> {
    /// Walks over a struct and what lies behind it in its last array. `None`: the bytes are plain elements of the type.
    #[allow(clippy::too_many_arguments)]
    pub(super) fn walk_trailing(
        &mut self,
        part: Part,
        layout: Layout,
        to: Value,
        from: Value,
        bytes: Bytes,
        order: Order,
        inst: Inst,
    ) -> Option<Result<()>> {
        let t = layout.ty;
        let tail = trailing(&self.m.types, t)?;
        let wanted = match part.wants_pointers() {
            true => holds_pointer(&self.m.types, t),
            false => holds_number(&self.m.types, t),
        };
        let size = match self.size(t, inst) {
            Ok(size) => size,
            Err(error) => return Some(Err(error)),
        };
        let within = matches!(bytes, Bytes::Constant(n) if n <= size);
        if !wanted || within && layout.begin == 0 || is_uniform(&self.m.types, t) {
            return None;
        }
        if !tail.open || layout.begin > 0 || order == Order::Overlapping {
            let what = "a copy of structs that end in an array, which may be longer than it says";
            return Some(self.error(inst, what));
        }
        Some(self.head_and_tail(part, t, tail, to, from, bytes, inst))
    }

    #[allow(clippy::too_many_arguments)]
    fn head_and_tail(
        &mut self,
        part: Part,
        t: CTy,
        tail: Trailing,
        to: Value,
        from: Value,
        bytes: Bytes,
        inst: Inst,
    ) -> Result<()> {
        let offset = self.int(tail.offset.into());
        let rest = match bytes {
            Bytes::Constant(n) => {
                self.parts(part, t, to, from, inst)?;
                Bytes::Constant(n - tail.offset)
            }
            Bytes::Value(v, _) => {
                self.leaves_below(part, t, to, from, v, inst)?;
                Bytes::Value(self.b().sub(v, offset), false)
            }
        };
        let (to, from) = self.further(to, from, offset);
        let layout = Layout {
            ty: tail.element,
            begin: 0,
        };
        self.walk_bytes(part, layout, to, from, rest, Order::Up, inst)
    }
}
