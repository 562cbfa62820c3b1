//! Byte-accurate memory. An object is a range of addresses with bytes, a shadow that says which bytes are initialised, and, if tangents
//! are on, the tangents of the floats stored in it. A pointer is a plain 64-bit number: the object it means is found by its
//! address, and gaps between objects make an overrun miss all of them. Addresses are never used twice, so a stale pointer
//! finds nothing, or an object known to be dead.
//!
//! Each access site remembers the object it met last, which makes the usual access two comparisons; the record of a dead stack
//! object is reused for the next one, so a variable of a loop body costs no allocation.

mod ranges;
mod report;

use crate::error::{ErrorKind, Fault, Run};
use std::collections::{BTreeMap, VecDeque};

/// Where functions have their addresses: 16 bytes each.
pub const FUNCTION_BASE: u64 = 0x5555_5555_5000;
const STATIC_BASE: u64 = 0x5555_5575_4010;
const HEAP_BASE: u64 = 0x5556_0000_02a0;
const STACK_BASE: u64 = 0x7ff0_0000_0000;
/// Freed blocks whose records are kept to tell a use after free from a wild pointer.
const QUARANTINE: usize = 1 << 16;
const RECENT: usize = 1 << 12;

/// The name of a variable: an index into [`Memory::names`].
pub type Name = u32;

/// The name of what has none.
pub const NO_NAME: Name = 0;

/// What kind of object it is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs)]
pub enum Kind {
    Static,
    Stack,
    Heap,
    FreedHeap,
    DeadStack,
}

/// An object. A dead one has size 0, so that every check of a range fails.
#[derive(Debug)]
struct Object {
    base: u64,
    size: u64,
    /// The size it had when alive.
    extent: u64,
    kind: Kind,
    bytes: Vec<u8>,
    /// 1 for each initialised byte; empty if all are.
    shadow: Vec<u8>,
    /// Tangents by offset, with the size of the float; only those that are not zero.
    cells: BTreeMap<u64, (u8, f64)>,
    name: Name,
}

/// All objects.
#[derive(Debug)]
pub struct Memory {
    /// Names of objects; the first is empty.
    names: Vec<String>,
    objects: Vec<Object>,
    free_records: Vec<u32>,
    /// Static and heap objects (dead ones in quarantine too) by base address.
    by_address: BTreeMap<u64, u32>,
    /// Stack objects, by rising address.
    stack: Vec<u32>,
    recent: Vec<u32>,
    /// The last stack objects that died, as base, size and name: a ring, to tell a use after scope from an overrun.
    dead_locals: Vec<(u64, u64, Name)>,
    next_dead: usize,
    quarantine: VecDeque<u32>,
    static_top: u64,
    heap_top: u64,
    stack_top: u64,
    live_bytes: u64,
    limit: u64,
}

/// Beyond this nobody aligns, and addresses would leave their areas.
const MAX_ALIGN: u64 = 1 << 30;

fn align_up(x: u64, align: u64) -> u64 {
    x.next_multiple_of(align.clamp(16, MAX_ALIGN))
}

impl Memory {
    /// Empty memory that may hold `limit` bytes.
    pub fn new(limit: u64) -> Memory {
        let nothing = Object {
            base: 0,
            size: 0,
            extent: 0,
            kind: Kind::DeadStack,
            bytes: Vec::new(),
            shadow: Vec::new(),
            cells: BTreeMap::new(),
            name: NO_NAME,
        };
        Memory {
            names: vec![String::new()],
            objects: vec![nothing],
            free_records: Vec::new(),
            by_address: BTreeMap::new(),
            stack: Vec::new(),
            recent: vec![0; RECENT],
            dead_locals: vec![(0, 0, NO_NAME); 256],
            next_dead: 0,
            quarantine: VecDeque::new(),
            static_top: STATIC_BASE,
            heap_top: HEAP_BASE,
            stack_top: STACK_BASE + 4096,
            live_bytes: 0,
            limit,
        }
    }

    /// Adds names; returns the index of the first.
    pub fn add_names(&mut self, names: impl IntoIterator<Item = String>) -> Name {
        let first = self.names.len() as Name;
        self.names.extend(names);
        first
    }

    // Making and ending objects

    fn record(&mut self, base: u64, size: u64, kind: Kind, name: Name) -> u32 {
        self.live_bytes += size;
        if let Some(id) = self.free_records.pop() {
            let object = &mut self.objects[id as usize];
            object.base = base;
            object.size = size;
            object.extent = size;
            object.kind = kind;
            object.bytes.clear();
            object.bytes.resize(size as usize, 0);
            object.shadow.clear();
            object.shadow.resize(size as usize, 0);
            object.name = name;
            return id;
        }
        self.objects.push(Object {
            base,
            size,
            extent: size,
            kind,
            bytes: vec![0; size as usize],
            shadow: vec![0; size as usize],
            cells: BTreeMap::new(),
            name,
        });
        (self.objects.len() - 1) as u32
    }

    fn fits(&self, size: u64) -> bool {
        self.live_bytes
            .checked_add(size)
            .is_some_and(|total| total <= self.limit)
    }

    /// An uninitialised stack object. It dies by [`Memory::kill`] or [`Memory::pop_stack`].
    pub fn new_stack(&mut self, size: u64, align: u64, name: Name) -> Run<u64> {
        if !self.fits(size) {
            return Err(Fault::new(
                ErrorKind::MemoryLimit,
                format!("a stack object of {size} bytes is beyond the memory limit"),
            ));
        }
        let base = align_up(self.stack_top, align);
        self.stack_top = base + size + 32 + size.min(1 << 16) / 2;
        let id = self.record(base, size, Kind::Stack, name);
        self.stack.push(id);
        Ok(base)
    }

    /// A zero-initialised object that lives forever.
    pub fn new_static(&mut self, size: u64, align: u64, name: Name) -> Run<u64> {
        if !self.fits(size) {
            return Err(Fault::new(
                ErrorKind::MemoryLimit,
                format!("a global of {size} bytes is beyond the memory limit"),
            ));
        }
        let base = align_up(self.static_top, align);
        self.static_top = base + size + 64 + size.min(1 << 20) / 2;
        let id = self.record(base, size, Kind::Static, name);
        self.objects[id as usize].shadow = Vec::new();
        self.by_address.insert(base, id);
        Ok(base)
    }

    /// A heap block, or `None` if the memory limit is reached.
    pub fn new_heap(&mut self, size: u64, align: u64, zeroed: bool) -> Option<u64> {
        if !self.fits(size) || align > MAX_ALIGN {
            return None;
        }
        let base = align_up(self.heap_top, align);
        self.heap_top = base + size + 64 + size.min(1 << 20) / 2;
        let id = self.record(base, size, Kind::Heap, NO_NAME);
        if zeroed {
            self.objects[id as usize].shadow = Vec::new();
        }
        self.by_address.insert(base, id);
        Some(base)
    }

    fn end(&mut self, id: u32, kind: Kind) {
        let object = &mut self.objects[id as usize];
        self.live_bytes -= object.size;
        object.size = 0;
        object.kind = kind;
        object.cells.clear();
    }

    /// Ends a heap block.
    pub fn free(&mut self, address: u64) -> Run<()> {
        let Some(id) = self.record_below(address) else {
            return Err(self.bad_free(address));
        };
        let object = &self.objects[id as usize];
        if object.base != address {
            return Err(self.bad_free(address));
        }
        match object.kind {
            Kind::Heap => {}
            Kind::FreedHeap => {
                return Err(Fault::new(
                    ErrorKind::DoubleFree,
                    format!("double free of a block of {} bytes", object.extent),
                ));
            }
            _ => return Err(self.bad_free(address)),
        }
        self.end(id, Kind::FreedHeap);
        let object = &mut self.objects[id as usize];
        object.bytes = Vec::new();
        object.shadow = Vec::new();
        self.quarantine.push_back(id);
        if self.quarantine.len() > QUARANTINE {
            if let Some(oldest) = self.quarantine.pop_front() {
                self.by_address.remove(&self.objects[oldest as usize].base);
                self.free_records.push(oldest);
            }
        }
        Ok(())
    }

    #[inline]
    fn end_local(&mut self, id: u32) {
        self.end(id, Kind::DeadStack);
        let object = &mut self.objects[id as usize];
        let slot = self.next_dead % self.dead_locals.len();
        self.dead_locals[slot] = (object.base, object.extent, object.name);
        self.next_dead += 1;
    }

    /// Ends the stack object at an address.
    #[inline]
    pub fn kill(&mut self, address: u64) {
        if let Some(&top) = self.stack.last() {
            if self.objects[top as usize].base == address {
                self.stack.pop();
                self.end_local(top);
                self.free_records.push(top);
                return;
            }
        }
        // An `alloca` lies above it: it only dies, its record goes when the function returns.
        if let Some(&id) = self
            .stack
            .iter()
            .rev()
            .find(|&&id| self.objects[id as usize].base == address)
        {
            self.end_local(id);
        }
    }

    /// How many stack objects there are.
    #[inline(always)]
    pub fn stack_height(&self) -> usize {
        self.stack.len()
    }

    /// Ends the stack objects made since the height was `height`.
    #[inline]
    pub fn pop_stack(&mut self, height: usize) {
        while self.stack.len() > height {
            if let Some(id) = self.stack.pop() {
                if self.objects[id as usize].kind == Kind::Stack {
                    self.end_local(id);
                }
                self.free_records.push(id);
            }
        }
    }

    /// Size of the live heap block that starts at an address.
    pub fn heap_size(&self, address: u64) -> Option<u64> {
        let object = &self.objects[*self.by_address.get(&address)? as usize];
        (object.kind == Kind::Heap).then_some(object.size)
    }

    /// All bytes of the object become uninitialised (globals that another unit defines).
    pub fn make_uninitialised(&mut self, address: u64) {
        if let Some(&id) = self.by_address.get(&address) {
            let object = &mut self.objects[id as usize];
            object.shadow = vec![0; object.size as usize];
        }
    }

    // Finding objects

    fn record_below(&self, address: u64) -> Option<u32> {
        if address >= STACK_BASE {
            let k = self
                .stack
                .partition_point(|&id| self.objects[id as usize].base <= address);
            return k.checked_sub(1).map(|k| self.stack[k]);
        }
        self.by_address
            .range(..=address)
            .next_back()
            .map(|(_, &id)| id)
    }

    /// The live object that holds an address (or ends there).
    fn containing(&self, address: u64) -> Option<u32> {
        let id = self.record_below(address)?;
        let object = &self.objects[id as usize];
        (object.size > 0 && address - object.base <= object.size).then_some(id)
    }

    #[inline(always)]
    fn try_range(&self, id: u32, address: u64, n: u64) -> Option<usize> {
        let object = &self.objects[id as usize];
        let offset = address.wrapping_sub(object.base);
        (offset < object.size && object.size - offset >= n).then_some(offset as usize)
    }

    /// The object and the offset of an access of `n` > 0 bytes; `cache` remembers the object.
    #[inline(always)]
    fn locate(&mut self, cache: &mut u32, address: u64, n: u64, write: bool) -> Run<(u32, usize)> {
        if let Some(offset) = self.try_range(*cache, address, n) {
            return Ok((*cache, offset));
        }
        self.locate_slowly(cache, address, n, write)
    }

    #[inline(never)]
    fn locate_slowly(
        &mut self,
        cache: &mut u32,
        address: u64,
        n: u64,
        write: bool,
    ) -> Run<(u32, usize)> {
        if address >= STACK_BASE {
            // Locals of the current function are at the top.
            for &id in self.stack.iter().rev().take(6) {
                if let Some(offset) = self.try_range(id, address, n) {
                    *cache = id;
                    return Ok((id, offset));
                }
            }
        }
        let place = (address >> 5) as usize % RECENT;
        let id = self.recent[place];
        if let Some(offset) = self.try_range(id, address, n) {
            *cache = id;
            return Ok((id, offset));
        }
        if let Some(id) = self.record_below(address) {
            if let Some(offset) = self.try_range(id, address, n) {
                self.recent[place] = id;
                *cache = id;
                return Ok((id, offset));
            }
        }
        Err(self.bad_access(address, n, write))
    }

    // Scalar access

    /// Reads `N` initialised bytes.
    #[inline(always)]
    pub fn load<const N: usize>(&mut self, cache: &mut u32, address: u64) -> Run<[u8; N]> {
        let (id, offset) = self.locate(cache, address, N as u64, false)?;
        let object = &self.objects[id as usize];
        if !object.shadow.is_empty() && object.shadow[offset..offset + N] != [1; N] {
            return Err(self.uninitialised(id, offset, N));
        }
        let mut out = [0; N];
        out.copy_from_slice(&object.bytes[offset..offset + N]);
        Ok(out)
    }

    /// Writes `N` bytes.
    #[inline(always)]
    pub fn store<const N: usize>(
        &mut self,
        cache: &mut u32,
        address: u64,
        bytes: [u8; N],
    ) -> Run<()> {
        let (id, offset) = self.locate(cache, address, N as u64, true)?;
        let object = &mut self.objects[id as usize];
        object.bytes[offset..offset + N].copy_from_slice(&bytes);
        if !object.shadow.is_empty() {
            object.shadow[offset..offset + N].copy_from_slice(&[1; N]);
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kind<T: std::fmt::Debug>(result: Run<T>) -> ErrorKind {
        match result {
            Err(Fault::Error(error)) => error.0,
            other => panic!("expected an error, got {other:?}"),
        }
    }

    #[test]
    fn accesses_are_checked() {
        let mut memory = Memory::new(1 << 20);
        let block = memory.new_heap(16, 16, false).unwrap();
        assert_eq!(
            kind(memory.load::<8>(&mut 0, block)),
            ErrorKind::Uninitialised
        );
        memory.store(&mut 0, block, 7u64.to_le_bytes()).unwrap();
        assert_eq!(memory.load::<8>(&mut 0, block).unwrap(), 7u64.to_le_bytes());
        assert_eq!(
            kind(memory.load::<8>(&mut 0, block + 9)),
            ErrorKind::OutOfBounds
        );
        assert_eq!(
            kind(memory.load::<8>(&mut 0, block - 8)),
            ErrorKind::OutOfBounds
        );
        assert_eq!(
            kind(memory.load::<1>(&mut 0, 0)),
            ErrorKind::NullDereference
        );
        assert_eq!(kind(memory.free(block + 8)), ErrorKind::InvalidFree);
        memory.free(block).unwrap();
        assert_eq!(
            kind(memory.load::<8>(&mut 0, block)),
            ErrorKind::UseAfterFree
        );
        assert_eq!(kind(memory.free(block)), ErrorKind::DoubleFree);
        let local = memory.new_stack(4, 4, NO_NAME).unwrap();
        memory.kill(local);
        assert_eq!(
            kind(memory.load::<4>(&mut 0, local)),
            ErrorKind::UseAfterScope
        );
    }

    #[test]
    fn copies_keep_state_and_tangents() {
        let mut memory = Memory::new(1 << 20);
        let a = memory.new_heap(32, 16, false).unwrap();
        let b = memory.new_heap(32, 16, true).unwrap();
        memory.store(&mut 0, a + 8, 1.5f64.to_le_bytes()).unwrap();
        memory.set_tangent(a + 8, 8, 2.0).unwrap();
        memory.copy(b, a, 32).unwrap();
        assert_eq!(memory.tangent(b + 8, 8), 2.0);
        assert_eq!(kind(memory.load::<8>(&mut 0, b)), ErrorKind::Uninitialised);
        assert!(memory.load::<8>(&mut 0, b + 8).is_ok());
        memory.copy(b, b + 8, 8).unwrap();
        assert_eq!((memory.tangent(b, 8), memory.tangent(b + 8, 8)), (2.0, 2.0));
        memory.fill(b + 12, 0, 1).unwrap();
        assert_eq!((memory.tangent(b, 8), memory.tangent(b + 8, 8)), (2.0, 0.0));
    }
}
