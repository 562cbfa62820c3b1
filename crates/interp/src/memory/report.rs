//! What a bad access is: which object it missed, and how.

use super::{FUNCTION_BASE, Kind, Memory, NO_NAME, Object, STACK_BASE, STATIC_BASE};
use crate::error::{ErrorKind, Fault};

impl Memory {
    #[cold]
    pub(super) fn bad_free(&self, address: u64) -> Fault {
        let what = match self
            .containing(address)
            .map(|id| &self.objects[id as usize])
        {
            Some(o) if o.base != address => {
                format!("a pointer into the middle of {}", self.describe(o))
            }
            Some(o) => self.describe(o),
            None => format!("the address {address:#x}, which is not a heap block"),
        };
        Fault::new(ErrorKind::InvalidFree, format!("free of {what}"))
    }

    fn describe(&self, object: &Object) -> String {
        let kind = match object.kind {
            Kind::Static => "global",
            Kind::Stack | Kind::DeadStack => "local",
            Kind::Heap | Kind::FreedHeap => "heap block",
        };
        match self.names.get(object.name as usize) {
            Some(name) if !name.is_empty() => {
                format!("{kind} `{name}` ({} bytes)", object.extent)
            }
            _ => format!("a {kind} of {} bytes", object.extent),
        }
    }

    #[cold]
    #[inline(never)]
    pub(super) fn bad_access(&self, address: u64, n: u64, write: bool) -> Fault {
        let access = format!("{} of {n} bytes", if write { "write" } else { "read" });
        if address < 4096 {
            return Fault::new(
                ErrorKind::NullDereference,
                format!("{access} through a null pointer (address {address:#x})"),
            );
        }
        if (FUNCTION_BASE..STATIC_BASE - 16).contains(&address) {
            return Fault::new(
                ErrorKind::OutOfBounds,
                format!("{access} at the address of a function"),
            );
        }
        let dead = self
            .dead_locals
            .iter()
            .find(|(base, size, _)| address.wrapping_sub(*base) < *size);
        if let Some((_, _, name)) = dead {
            let name = match *name {
                NO_NAME => String::new(),
                name => format!(" `{}`", self.names[name as usize]),
            };
            return Fault::new(
                ErrorKind::UseAfterScope,
                format!("{access} of local{name} after the end of its scope"),
            );
        }
        if let Some(object) = self
            .record_below(address)
            .map(|id| &self.objects[id as usize])
        {
            let offset = address - object.base;
            let gap = 64 + object.extent / 2;
            match object.kind {
                Kind::FreedHeap if offset < object.extent => {
                    let what = self.describe(object);
                    return Fault::new(
                        ErrorKind::UseAfterFree,
                        format!("{access} at offset {offset} of {what} after it was freed"),
                    );
                }
                Kind::DeadStack => {}
                _ if offset < object.extent + gap => {
                    let what = self.describe(object);
                    return Fault::new(
                        ErrorKind::OutOfBounds,
                        format!("{access} at offset {offset} of {what} is out of bounds"),
                    );
                }
                _ => {}
            }
        }
        if let Some((distance, object)) = self.object_above(address) {
            if distance <= 64 {
                let what = self.describe(object);
                return Fault::new(
                    ErrorKind::OutOfBounds,
                    format!("{access} at offset -{distance} of {what} is out of bounds"),
                );
            }
        }
        if (STACK_BASE..self.stack_top).contains(&address) {
            return Fault::new(
                ErrorKind::UseAfterScope,
                format!("{access} of a local object after the end of its scope"),
            );
        }
        Fault::new(
            ErrorKind::OutOfBounds,
            format!("{access} at {address:#x}, where there is no object"),
        )
    }

    fn object_above(&self, address: u64) -> Option<(u64, &Object)> {
        let id = if address >= STACK_BASE {
            let k = self
                .stack
                .partition_point(|&id| self.objects[id as usize].base <= address);
            *self.stack.get(k)?
        } else {
            *self.by_address.range(address..).next()?.1
        };
        let object = &self.objects[id as usize];
        Some((object.base - address, object))
    }

    #[cold]
    #[inline(never)]
    pub(super) fn uninitialised(&self, id: u32, offset: usize, n: usize) -> Fault {
        let object = &self.objects[id as usize];
        Fault::new(
            ErrorKind::Uninitialised,
            format!(
                "read of uninitialised memory: {n} bytes at offset {offset} of {}",
                self.describe(object)
            ),
        )
    }
}
