//! Memory that belongs to one iteration of a loop: what an iteration finds there it has written itself. Arrays of a variable in the loop's body are like that, and so are the
//! caches of a fused loop, which are made once in front of it and used by each iteration anew. Lanes can have such memory of their own.

use super::conflicts::root;
use adjoin_ir::{Body, Inst, Module, Op, Step, Type, Value};
use adjoin_passes::edit::is_inside;
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// Where the memory is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Place {
    /// On the stack: so many elements.
    Stack(u64),
    /// On the heap: the call that allocates it, whose argument is the number of elements.
    Heap(Inst),
}

/// An array of numbers of one type, whose address nobody else knows.
#[derive(Clone, Debug)]
pub struct Own {
    /// Where.
    pub place: Place,
    /// What the elements are.
    pub ty: Type,
    /// All accesses, and the index of each (none: the first element).
    pub accesses: BTreeMap<Inst, Option<Value>>,
    /// It is cleared in front of the loop.
    pub zeroed: bool,
    /// Each loop's iteration writes before it reads; otherwise only the iterations of loops around the variable do.
    is_cache: bool,
    root: Value,
    /// Where it is cleared.
    zeros: Vec<Inst>,
}

/// What a loop has for itself.
#[derive(Debug, Default)]
pub struct Ownership {
    /// Memory, by its address.
    pub own: HashMap<Value, Own>,
    /// What it carries and must add up in order.
    pub ordered: BTreeSet<Value>,
}

/// All such arrays of a body, by their addresses.
#[derive(Debug, Default)]
pub struct Owned {
    all: HashMap<Value, Own>,
}

impl Owned {
    /// Finds them; `caches` are those on the stack.
    pub fn find(module: &Module, body: &Body, caches: &BTreeSet<Value>) -> Owned {
        let mut uses: HashMap<Value, Vec<Inst>> = HashMap::new();
        let mut roots: Vec<(Value, Place, bool)> = Vec::new();
        body.walk(|inst| {
            let data = &body.insts[inst];
            for &v in &data.args {
                uses.entry(v).or_default().push(inst);
            }
            match &data.op {
                Op::Slot(attr) if data.args.is_empty() => {
                    let elements = module.types.size_of(attr.ctype);
                    let v = data.results[0];
                    roots.extend(elements.map(|n| (v, Place::Stack(n), caches.contains(&v))));
                }
                Op::Call(attr) if is_allocator(module, attr.func) => {
                    roots.extend(data.results.first().map(|&v| (v, Place::Heap(inst), true)));
                }
                _ => {}
            }
        });
        let mut all = HashMap::new();
        for (root, place, is_cache) in roots {
            if let Some((ty, accesses, zeros)) = accesses(module, body, &uses, root, place) {
                let place = match place {
                    Place::Stack(bytes) => Place::Stack(bytes / ty.size().max(1)),
                    heap => heap,
                };
                all.insert(
                    root,
                    Own {
                        place,
                        ty,
                        accesses,
                        zeroed: false,
                        is_cache,
                        root,
                        zeros,
                    },
                );
            }
        }
        Owned { all }
    }

    /// Those that belong to each iteration of a loop; some are known to be fresh, or clear, when one begins.
    pub fn of_iteration(&self, body: &Body, holder: Inst, fresh: &[Value]) -> HashMap<Value, Own> {
        let region = body.insts[holder].regions[0];
        let inside = |i: &Inst| body.encloses(region, body.insts[*i].parent);
        let mut found = HashMap::new();
        for own in self.all.values() {
            let declared = fresh.contains(&own.root);
            let made_here = body.encloses(region, body.def_region(own.root));
            let fresh = own.is_cache || made_here || declared;
            let here =
                own.accesses.keys().all(inside) && (declared || own.zeros.iter().all(inside));
            let made_before = match own.place {
                Place::Stack(_) => true,
                Place::Heap(call) => !inside(&call),
            };
            if fresh && here && made_before && !own.accesses.is_empty() {
                let mut own = own.clone();
                own.zeroed = !own.zeros.iter().all(inside);
                found.insert(own.root, own);
            }
        }
        found
    }

    /// Is every variable on the stack that a loop writes among those?
    pub fn has_all(&self, body: &Body, holder: Inst, own: &HashMap<Value, Own>) -> bool {
        let mut all = true;
        body.walk(|inst| {
            let data = &body.insts[inst];
            let writes = matches!(data.op, Op::Store(_) | Op::Zero(_) | Op::Copy(_));
            if writes && is_inside(body, inst, holder) {
                let root = root(body, data.args[0]);
                let slot = body.def_inst(root).map(|i| &body.insts[i].op);
                all &= !matches!(slot, Some(Op::Slot(_))) || own.contains_key(&root);
            }
        });
        all
    }
}

fn is_allocator(module: &Module, func: adjoin_ir::Func) -> bool {
    module.funcs[func].name.starts_with("adjoin_allocate_")
}

/// The type of an array's elements, its accesses with their indices, and where it is cleared.
type Uses = (Type, BTreeMap<Inst, Option<Value>>, Vec<Inst>);

/// The type and the accesses of an array that is only accessed element by element. `None`: it is used in another way.
fn accesses(
    module: &Module,
    body: &Body,
    uses: &HashMap<Value, Vec<Inst>>,
    root: Value,
    place: Place,
) -> Option<Uses> {
    let mut all = BTreeMap::new();
    let mut zeros = Vec::new();
    let mut ty = None;
    let mut accessed = |inst: Inst, address: Value, index: Option<Value>| {
        let data = &body.insts[inst];
        let found = match &data.op {
            Op::Load(attr) if !attr.volatile => body.ty(data.results[0]),
            Op::Store(attr) if !attr.volatile && data.args[1] != address => body.ty(data.args[1]),
            _ => return None,
        };
        all.insert(inst, index);
        (*ty.get_or_insert(found) == found).then_some(found.size())
    };
    for &user in uses.get(&root)? {
        let data = &body.insts[user];
        match &data.op {
            Op::Addr(attr) => {
                let [Step::Index { stride }] = attr.steps.as_slice() else {
                    return None;
                };
                if data.args[0] != root || data.args[1] == root {
                    return None;
                }
                for &access in uses.get(&data.results[0]).into_iter().flatten() {
                    let size = accessed(access, data.results[0], Some(data.args[1]))?;
                    if size != *stride {
                        return None;
                    }
                }
            }
            Op::Zero(attr) if place == Place::Stack(attr.bytes) => zeros.push(user),
            Op::Call(attr) if module.funcs[attr.func].name == "adjoin_give_memory" => {}
            _ => {
                accessed(user, root, None)?;
            }
        }
    }
    Some((ty?, all, zeros))
}
