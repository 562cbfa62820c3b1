//! Access to ranges of bytes, and the tangents of the floats in them.

use super::{Memory, Object};
use crate::error::Run;

impl Memory {
    /// `n` initialised bytes.
    pub fn bytes(&mut self, address: u64, n: u64) -> Run<&[u8]> {
        if n == 0 {
            return Ok(&[]);
        }
        let (id, offset) = self.locate(&mut 0, address, n, false)?;
        let range = offset..offset + n as usize;
        let object = &self.objects[id as usize];
        if !object.shadow.is_empty() {
            if let Some(k) = object.shadow[range.clone()].iter().position(|&s| s == 0) {
                return Err(self.uninitialised(id, offset + k, n as usize - k));
            }
        }
        Ok(&self.objects[id as usize].bytes[range])
    }

    /// `n` bytes to be overwritten: they become initialised, and their tangents zero.
    pub fn bytes_mut(&mut self, address: u64, n: u64) -> Run<&mut [u8]> {
        if n == 0 {
            return Ok(&mut []);
        }
        let (id, offset) = self.locate(&mut 0, address, n, true)?;
        self.clear_in(id, offset as u64, n);
        let range = offset..offset + n as usize;
        let object = &mut self.objects[id as usize];
        if !object.shadow.is_empty() {
            object.shadow[range.clone()].fill(1);
        }
        Ok(&mut object.bytes[range])
    }

    /// The bytes from an address to the end of its object, as far as they are initialised, up to `limit`.
    pub fn tail(&mut self, address: u64, limit: u64) -> Run<&[u8]> {
        if limit == 0 {
            return Ok(&[]);
        }
        let (id, offset) = self.locate(&mut 0, address, 1, false)?;
        let object = &self.objects[id as usize];
        let end = object
            .bytes
            .len()
            .min(offset.saturating_add(limit as usize));
        let end = if object.shadow.is_empty() {
            end
        } else {
            let good = object.shadow[offset..end]
                .iter()
                .take_while(|&&s| s == 1)
                .count();
            offset + good
        };
        Ok(&object.bytes[offset..end])
    }

    /// The bytes of a string before its terminating zero.
    pub fn c_string(&mut self, address: u64) -> Run<&[u8]> {
        let tail = self.tail(address, u64::MAX / 2)?;
        match tail.iter().position(|&b| b == 0) {
            // Borrowed again: a conditional return of a borrow is beyond the checker.
            Some(n) => self.bytes(address, n as u64),
            None => {
                let n = tail.len() as u64;
                // The byte after the good ones is either outside or uninitialised: reading it gives the error.
                self.bytes(address + n, 1)?;
                Ok(&[])
            }
        }
    }

    /// Copies bytes, which may overlap, with their state and tangents.
    pub fn copy(&mut self, to: u64, from: u64, n: u64) -> Run<()> {
        if n == 0 || to == from {
            return Ok(());
        }
        let (source, s) = self.locate(&mut 0, from, n, false)?;
        let (target, t) = self.locate(&mut 0, to, n, true)?;
        let count = n as usize;
        let cells: Vec<(u64, (u8, f64))> = self.objects[source as usize]
            .cells
            .range(s as u64..s as u64 + n)
            .filter(|(at, (size, _))| *at + *size as u64 <= s as u64 + n)
            .map(|(&at, &cell)| (at - s as u64 + t as u64, cell))
            .collect();
        if source == target {
            let object = &mut self.objects[source as usize];
            object.bytes.copy_within(s..s + count, t);
            if !object.shadow.is_empty() {
                object.shadow.copy_within(s..s + count, t);
            }
        } else {
            let (a, b) = two_of(&mut self.objects, source as usize, target as usize);
            b.bytes[t..t + count].copy_from_slice(&a.bytes[s..s + count]);
            match (a.shadow.is_empty(), b.shadow.is_empty()) {
                (true, true) => {}
                (true, false) => b.shadow[t..t + count].fill(1),
                (false, false) => b.shadow[t..t + count].copy_from_slice(&a.shadow[s..s + count]),
                (false, true) => {
                    if a.shadow[s..s + count].contains(&0) {
                        b.shadow = vec![1; b.bytes.len()];
                        b.shadow[t..t + count].copy_from_slice(&a.shadow[s..s + count]);
                    }
                }
            }
        }
        self.clear_in(target, t as u64, n);
        self.objects[target as usize].cells.extend(cells);
        Ok(())
    }

    /// Copies back the initialised bytes only (the last value of a private variable that was assigned).
    pub fn copy_initialised(&mut self, to: u64, from: u64, n: u64) -> Run<()> {
        if n == 0 {
            return Ok(());
        }
        let (source, s) = self.locate(&mut 0, from, n, false)?;
        let shadow = self.objects[source as usize].shadow.get(s..s + n as usize);
        let shadow = shadow
            .map(|range| range.to_vec())
            .unwrap_or(vec![1; n as usize]);
        let mut start = 0;
        while start < shadow.len() {
            let state = shadow[start];
            let run = shadow[start..].iter().take_while(|&&x| x == state).count();
            if state == 1 {
                let offset = start as u64;
                self.copy(
                    to.wrapping_add(offset),
                    from.wrapping_add(offset),
                    run as u64,
                )?;
            }
            start += run;
        }
        Ok(())
    }

    /// Sets bytes.
    pub fn fill(&mut self, address: u64, byte: u8, n: u64) -> Run<()> {
        self.bytes_mut(address, n)?.fill(byte);
        Ok(())
    }

    // Tangents

    #[inline]
    fn clear_in(&mut self, id: u32, offset: u64, n: u64) {
        let cells = &mut self.objects[id as usize].cells;
        if cells.is_empty() {
            return;
        }
        let overlapping: Vec<u64> = cells
            .range(offset.saturating_sub(15)..offset + n)
            .filter(|(at, (size, _))| *at + *size as u64 > offset)
            .map(|(&at, _)| at)
            .collect();
        for at in overlapping {
            cells.remove(&at);
        }
    }

    /// The tangents in a range become zero.
    pub fn clear_tangents(&mut self, address: u64, n: u64) {
        if let Some(id) = self.containing(address) {
            let offset = address - self.objects[id as usize].base;
            self.clear_in(id, offset, n);
        }
    }

    /// Sets the tangent of the float of `size` bytes at an address.
    pub fn set_tangent(&mut self, address: u64, size: u64, tangent: f64) -> Run<()> {
        let (id, offset) = self.locate(&mut 0, address, size, true)?;
        self.clear_in(id, offset as u64, size);
        if tangent != 0.0 {
            self.objects[id as usize]
                .cells
                .insert(offset as u64, (size as u8, tangent));
        }
        Ok(())
    }

    /// The tangent of the float of `size` bytes (0: of any size) at an address.
    pub fn tangent(&self, address: u64, size: u64) -> f64 {
        let Some(id) = self.containing(address) else {
            return 0.0;
        };
        let object = &self.objects[id as usize];
        match object.cells.get(&(address - object.base)) {
            Some(&(cell, tangent)) if size == 0 || cell as u64 == size => tangent,
            _ => 0.0,
        }
    }
}

fn two_of(objects: &mut [Object], a: usize, b: usize) -> (&mut Object, &mut Object) {
    if a < b {
        let (low, high) = objects.split_at_mut(b);
        (&mut low[a], &mut high[0])
    } else {
        let (low, high) = objects.split_at_mut(a);
        (&mut high[0], &mut low[b])
    }
}
