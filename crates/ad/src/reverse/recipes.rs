//! How a value of the forward sweep is had again in the reverse sweep: from what, at what price, and the instructions for it.
//!
//! An operation without effects is done again; a load is read again if memory is as it was, and so is a value that the program left there; a value that a loop carries and only advances by an
//! invariant amount, or exchanges with others (two buffers that are swapped), follows from its initial value and the number of the iteration.

use super::Reverse;
use super::needed::Key;
use adjoin_ir::{Body, Const, Inst, Op, Region, Step, Type, Value, ValueDef};
use cranelift_entity::EntitySet;

/// The most that finding the place may cost where a value was left.
const EASY: u64 = 12;

/// From what a value is had again.
#[derive(Clone, Debug)]
pub(super) struct Recipe {
    /// What must be had first.
    pub needs: Vec<Key>,
    /// What it costs, where an addition costs one.
    pub price: u64,
    /// Stores that must be undone where it is had.
    pub undone: Vec<Inst>,
    /// It calls a function of the library.
    pub is_call: bool,
    how: How,
}

#[derive(Clone, Debug)]
enum How {
    /// The instruction again, with these operands.
    Again(Inst),
    /// The same on shadows: the needs stand for the operands.
    Shadow(Inst),
    /// A pointer in shadow memory, which may not be there.
    ShadowLoadIfSome,
    /// NULL.
    Null,
    /// The shadow of a global.
    Global(adjoin_ir::Global),
    /// From where this store left it.
    Left(Inst),
    /// From a copy of the array.
    Kept(Inst, u32),
    /// The initial value and as many steps as iterations.
    Advanced { step: Inst, region: Region },
    /// One of the initial values, in turn.
    Turn { region: Region },
    /// A result of a branch that only reads and computes.
    Guarded(Inst, usize),
}

/// The conditions that are used for nothing but to choose between values.
pub(super) fn only_choose(p: &Body) -> EntitySet<Value> {
    let mut chooses = EntitySet::new();
    let mut other: EntitySet<Value> = EntitySet::new();
    p.walk(|inst| {
        let data = &p.insts[inst];
        for (k, &v) in data.args.iter().enumerate() {
            match (&data.op, k) {
                (Op::Select, 0) => drop(chooses.insert(v)),
                _ => drop(other.insert(v)),
            }
        }
    });
    let mut only = EntitySet::new();
    only.extend(chooses.keys().filter(|v| !other.contains(*v)));
    only
}

impl Reverse<'_> {
    /// How a key can be had again, if it can.
    pub(super) fn recipe(&self, key: Key) -> Option<Recipe> {
        let (Key::Value(v) | Key::Shadow(v)) = key else {
            return None;
        };
        let is_shadow = matches!(key, Key::Shadow(_));
        if is_shadow && !self.has_shadow(v) {
            return Some(Recipe {
                needs: Vec::new(),
                price: 0,
                undone: Vec::new(),
                is_call: false,
                how: How::Null,
            });
        }
        match self.rereads.left.get(&v) {
            Some(&store) if !is_shadow && self.left.contains(&v) => Some(Recipe {
                needs: vec![Key::Value(self.p.insts[store].args[0])],
                price: 2,
                undone: Vec::new(),
                is_call: false,
                how: How::Left(store),
            }),
            _ => self.computed_recipe(v, is_shadow),
        }
    }

    /// How a value or a shadow can be computed or read again.
    fn computed_recipe(&self, v: Value, is_shadow: bool) -> Option<Recipe> {
        match self.p.values[v].def {
            ValueDef::Arg(region, k) => self.carried_recipe(region, k as usize, is_shadow),
            ValueDef::Result(inst, k) if matches!(self.p.insts[inst].op, Op::If) => {
                let (needs, price) = self.guarded_needs(inst, k as usize, is_shadow)?;
                Some(Recipe {
                    needs,
                    price,
                    undone: Vec::new(),
                    is_call: false,
                    how: How::Guarded(inst, k as usize),
                })
            }
            ValueDef::Result(inst, _) if is_shadow => self.shadow_recipe(inst),
            ValueDef::Result(inst, _) => self.value_recipe(inst),
        }
    }

    /// Can a value be read where the program left it, and is that place easy to find?
    pub(super) fn is_left(&self, v: Value) -> bool {
        let store = self.rereads.left.get(&v);
        let place = store.map(|&s| Key::Value(self.p.insts[s].args[0]));
        place.is_some_and(|place| self.is_easy(place))
    }

    /// Can a key be had again for little, and without keeping anything for it?
    fn is_easy(&self, key: Key) -> bool {
        let mut work = vec![key];
        let mut seen: Vec<Key> = Vec::new();
        let mut price = 0;
        while let Some(key) = work.pop() {
            if self.is_at_hand(key) || seen.contains(&key) {
                continue;
            }
            let Some(recipe) = self.recipe(key) else {
                return false;
            };
            price += recipe.price;
            if price > EASY || !recipe.undone.is_empty() {
                return false;
            }
            seen.push(key);
            work.extend(recipe.needs);
        }
        true
    }

    fn value_recipe(&self, inst: Inst) -> Option<Recipe> {
        let data = &self.p.insts[inst];
        if let Some(&k) = self.kept_loads.get(&inst) {
            return Some(Recipe {
                needs: self.kept_needs(inst, k)?,
                price: 2,
                undone: Vec::new(),
                is_call: false,
                how: How::Kept(inst, k),
            });
        }
        if self.depends_on_rounding(inst) {
            return None;
        }
        let price = match &data.op {
            Op::Load(_) | Op::LoadBits(_) if self.rereads.can(inst) => 2,
            Op::Load(_) | Op::LoadBits(_) if self.undone(inst).is_some() => 2,
            op if self.is_team_query(op) => 2,
            Op::Call(_) => self.call_price(inst)?,
            op if op.is_pure() => self.price(inst),
            _ => return None,
        };
        Some(Recipe {
            needs: data.args.iter().map(|&a| Key::Value(a)).collect(),
            price,
            undone: self.undone(inst).cloned().unwrap_or_default(),
            is_call: matches!(data.op, Op::Call(_)),
            how: How::Again(inst),
        })
    }

    /// A comparison or an integer that is made of computed numbers: computed again, these may be rounded otherwise (compilers contract products and sums), and the reverse sweep would take
    /// another way than the forward sweep. A choice between two values that are both there is no way.
    fn depends_on_rounding(&self, inst: Inst) -> bool {
        let data = &self.p.insts[inst];
        let float = |v: &Value| self.p.ty(*v).is_float();
        let (Some(&result), Some(first)) = (data.results.first(), data.args.first()) else {
            return false;
        };
        let decides = float(first)
            && !float(&result)
            && (data.op.is_pure() || matches!(data.op, Op::Call(_)))
            && !self.only_chooses.contains(result);
        decides && !data.args.iter().all(|&v| self.is_settled(v, 6))
    }

    /// Is a number what it was, whenever it is asked for: read, given, carried, or made of such without rounding?
    fn is_settled(&self, v: Value, depth: u32) -> bool {
        let Some(inst) = self.p.def_inst(v) else {
            return true;
        };
        let data = &self.p.insts[inst];
        let exact = match &data.op {
            Op::Const(_) | Op::Load(_) => return true,
            Op::Neg | Op::Select | Op::Cast => true,
            op if self.p.ty(v) == Type::Bool => op.is_pure(),
            Op::Call(attr) => {
                let name = self.m.funcs[attr.func].name.as_str();
                matches!(
                    name,
                    "fabs"
                        | "fabsf"
                        | "fmin"
                        | "fminf"
                        | "fmax"
                        | "fmaxf"
                        | "copysign"
                        | "floor"
                        | "ceil"
                )
            }
            _ => false,
        };
        let settled = |&a: &Value| {
            // A condition that chooses may be made of computed numbers, too.
            let decided = self.p.ty(a).is_float() || self.p.ty(a) == Type::Bool;
            !decided || self.is_settled(a, depth - 1)
        };
        exact && depth > 0 && data.args.iter().all(settled)
    }

    fn price(&self, inst: Inst) -> u64 {
        let data = &self.p.insts[inst];
        let ty = data.results.first().map_or(Type::Bool, |&v| self.p.ty(v));
        match data.op {
            Op::Const(_) | Op::GlobalAddr(_) | Op::FuncAddr(_) => 0,
            // By a number that is not known, integers are slow, and have no lanes.
            Op::Div | Op::Rem if ty.is_int() && self.p.const_int(data.args[1]).is_none() => 12,
            // By a constant they become shifts and products.
            Op::Div | Op::Rem if ty.is_int() => 3,
            Op::Div | Op::Rem => 5,
            Op::Mul if ty.is_complex() => 6,
            _ => 1,
        }
    }

    /// A function of the math library on numbers has no effect that anyone looks at.
    pub(super) fn call_price(&self, inst: Inst) -> Option<u64> {
        let Op::Call(attr) = &self.p.insts[inst].op else {
            return None;
        };
        if !crate::plan::lanes::is_library_call(self.m, &self.p, inst) {
            return None;
        }
        let name = self.m.funcs[attr.func].name.as_str();
        let plain = name
            .trim_start_matches("__builtin_")
            .trim_end_matches(['f', 'l']);
        Some(match plain {
            "fabs" | "copysign" | "fmax" | "fmin" | "fdim" | "floor" | "cei" | "trunc" | "rint"
            | "fma" => 2,
            "sqrt" => 6,
            "pow" => 50,
            _ => 25,
        })
    }

    fn shadow_recipe(&self, inst: Inst) -> Option<Recipe> {
        let data = &self.p.insts[inst];
        let base = data.args.first().copied();
        let rest = |from: usize| data.args[from..].iter().map(|&a| Key::Value(a));
        let unsure = base.is_some_and(|b| self.facts.shadow[b].none);
        let (needs, price, how) = match &data.op {
            Op::Const(_) => (Vec::new(), 0, How::Null),
            Op::GlobalAddr(g) => (Vec::new(), 0, How::Global(*g)),
            Op::Addr(_) => {
                let mut needs = vec![Key::Shadow(base?)];
                needs.extend(rest(1));
                (needs, 1, How::Shadow(inst))
            }
            Op::Cast if self.p.ty(base?) == Type::Ptr => {
                (vec![Key::Shadow(base?)], 1, How::Shadow(inst))
            }
            Op::Select => {
                let needs = vec![
                    Key::Value(base?),
                    Key::Shadow(data.args[1]),
                    Key::Shadow(data.args[2]),
                ];
                (needs, 1, How::Shadow(inst))
            }
            // Pointers in shadow memory change where the primal's do.
            Op::Load(_)
                if self.rereads.can(inst)
                    && self.has_shadow(data.results[0])
                    && !self.found_for_once(inst)
                    && !self.session.options.runtime_activity =>
            {
                let how = match unsure {
                    true => How::ShadowLoadIfSome,
                    false => How::Shadow(inst),
                };
                (vec![Key::Shadow(base?)], 2, how)
            }
            _ => return None,
        };
        Some(Recipe {
            needs,
            price,
            undone: Vec::new(),
            is_call: false,
            how,
        })
    }

    /// Is the shadow of a pointer that is read found by its address, and not written where it can be read again?
    fn found_for_once(&self, inst: Inst) -> bool {
        let address = self.p.insts[inst].args[0];
        self.facts.renewed.contains_key(&inst)
            && (!self.has_shadow(address) || self.facts.shadow[address].none)
    }

    /// The operands that all back edges of a loop give to a carried argument, if they are one value; and its initial value.
    pub(super) fn carried_operands(&self, region: Region, k: usize) -> Option<(Value, Value)> {
        let holder = self.p.regions[region].parent?;
        let (skip, first) = match self.p.insts[holder].op {
            Op::For(_) => (1, 3),
            Op::Loop => (0, 0),
            _ => return None,
        };
        let at = k.checked_sub(skip)?;
        let initial = *self.p.insts[holder].args.get(first + at)?;
        let end = self.p.terminator(region)?;
        let mut edges = self
            .exits
            .continues
            .get(&holder)
            .cloned()
            .unwrap_or_default();
        if matches!(self.p.insts[end].op, Op::Yield) {
            edges.push(end);
        }
        let mut operands = edges.iter().map(|&e| self.p.insts[e].args.get(at).copied());
        let next = operands.next()??;
        operands.all(|o| o == Some(next)).then_some((next, initial))
    }

    fn is_outside(&self, v: Value, region: Region) -> bool {
        !self.p.encloses(region, self.p.def_region(v))
    }

    fn carried_recipe(&self, region: Region, k: usize, is_shadow: bool) -> Option<Recipe> {
        let arg = self.p.regions[region].args[k];
        let key = |v: Value| match is_shadow {
            true => Key::Shadow(v),
            false => Key::Value(v),
        };
        let (next, initial) = self.carried_operands(region, k)?;
        // In turn.
        let args = &self.p.regions[region].args;
        let mut cycle = vec![key(initial)];
        let mut at = next;
        while at != arg && cycle.len() < 4 {
            let Some(j) = args.iter().position(|&a| a == at) else {
                break;
            };
            let (after, initial) = self.carried_operands(region, j)?;
            cycle.push(key(initial));
            at = after;
        }
        if at == arg {
            return Some(Recipe {
                price: 2 * cycle.len() as u64,
                needs: cycle,
                undone: Vec::new(),
                is_call: false,
                how: How::Turn { region },
            });
        }
        // Advanced by an invariant amount.
        let step = self.p.def_inst(next)?;
        let data = &self.p.insts[step];
        let is_int = self.p.ty(arg).is_int();
        let amount = match &data.op {
            Op::Add if is_int && data.args[0] == arg => data.args[1],
            Op::Add if is_int && data.args[1] == arg => data.args[0],
            Op::Sub if is_int && data.args[0] == arg => data.args[1],
            Op::Addr(attr)
                if data.args[0] == arg
                    && matches!(attr.steps[..], [Step::Index { .. }])
                    && !(is_shadow && self.facts.shadow[arg].none) =>
            {
                data.args[1]
            }
            _ => return None,
        };
        if !self.is_outside(amount, region) && self.p.const_int(amount).is_none() {
            return None;
        }
        Some(Recipe {
            needs: vec![key(initial), Key::Value(amount)],
            price: 2,
            undone: Vec::new(),
            is_call: false,
            how: How::Advanced { step, region },
        })
    }

    /// The store that left a value where R reads it, if R does.
    pub(super) fn read_where_left(&self, v: Value) -> Option<Inst> {
        match self.recipe(Key::Value(v))?.how {
            How::Left(store) => Some(store),
            _ => None,
        }
    }

    /// Has a key again, in a region of R.
    pub(super) fn again(&mut self, key: Key, region: Region) -> Option<Value> {
        let (Key::Value(v) | Key::Shadow(v)) = key else {
            return None;
        };
        let recipe = self.recipe(key)?;
        self.had_again.insert(key);
        let args: Vec<Value> = recipe.needs.iter().map(|&k| self.obtain(k)).collect();
        let ty = self.p.ty(v);
        let ctype = self.p.values[v].ctype;
        let is_shadow = matches!(key, Key::Shadow(_));
        let global = match recipe.how {
            How::Global(g) => self.shadow_global(g),
            _ => None,
        };
        let value = self.in_region(region, |me| match recipe.how {
            How::Again(inst) | How::Shadow(inst) => {
                let op = me.p.insts[inst].op.clone();
                let base = me.p.insts[inst].args.first();
                let unsure = is_shadow && base.is_some_and(|&b| me.facts.shadow[b].none);
                match op {
                    Op::Addr(_) => me.offset_shadow(op, args, unsure),
                    op => me.b().value(op, args, ty),
                }
            }
            How::ShadowLoadIfSome => me
                .load_if_some(args[0])
                .expect("reading a pointer does not fail"),
            How::Null => me.b().null(),
            How::Left(_) => me.b().load(ty, args[0]),
            How::Kept(load, k) => me.load_kept(load, k, &args, ty),
            How::Global(_) => match global {
                Some(g) => me.b().global(g),
                None => me.b().null(),
            },
            How::Advanced { step, region } => me.advanced(step, region, ty, &args),
            How::Turn { region } => me.turn(region, &args),
            How::Guarded(inst, k) => {
                let had: Vec<(Key, Value)> = recipe.needs.iter().copied().zip(args).collect();
                me.guarded_again(inst, k, is_shadow, &had)
            }
        });
        if matches!(key, Key::Value(_)) {
            self.d.values[value].name.clone_from(&self.p.values[v].name);
        }
        if self.d.values[value].ctype.is_none() {
            self.d.values[value].ctype = ctype;
        }
        Some(value)
    }

    /// The number of the iteration of a mirrored loop.
    fn iteration(&self, region: Region) -> Value {
        let mirrored = self.mirrors[&region][0];
        self.d.regions[mirrored].args[0]
    }

    fn advanced(&mut self, step: Inst, region: Region, ty: Type, args: &[Value]) -> Value {
        let iteration = self.iteration(region);
        let op = self.p.insts[step].op.clone();
        let wide = if ty == Type::Ptr { Type::I64 } else { ty };
        let one = matches!(
            self.d.def_inst(args[1]).map(|i| &self.d.insts[i].op),
            Some(Op::Const(Const::Int(1)))
        );
        let count = self.cast(wide, iteration);
        let distance = match one {
            true => count,
            false => {
                let amount = self.cast(wide, args[1]);
                self.b().mul(count, amount)
            }
        };
        self.b().value(op, vec![args[0], distance], ty)
    }

    fn turn(&mut self, region: Region, args: &[Value]) -> Value {
        if args.len() == 1 {
            return args[0];
        }
        let iteration = self.iteration(region);
        let length = self.int(args.len() as i128);
        let place = self.b().value(Op::Rem, vec![iteration, length], Type::I64);
        let mut value = args[args.len() - 1];
        for (k, &arg) in args.iter().enumerate().rev().skip(1) {
            let number = self.int(k as i128);
            let here = self.b().eq(place, number);
            value = self.b().select(here, arg, value);
        }
        value
    }
}
