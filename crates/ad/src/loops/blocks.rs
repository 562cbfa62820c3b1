//! Blocks of iterations side by side, where each iteration has memory of its own (`own`): lane after lane of that memory lies together, so that the loops over time of
//! several oscillators, say, run in lanes. The loop as it was does what is left over.

use super::nest::Plan;
use super::own::Place as Memory;
use super::rows;
use super::strip::{Place, Writer};
use adjoin_ir::{Body, Builder, CTypes, Inst, Op, Pred, Type, Value};
use std::collections::HashMap;

/// Iterations in a block: some vectors, so that what waits for a result of one vector can work on another.
const WIDTH: i128 = 16;
/// More rows than this are too much for the fastest cache.
const MOST_ROWS: usize = 48;
/// What the lanes' memory on the stack may take in all, in bytes.
const MOST_STACK: i128 = 32 << 10;
/// What an array of the lanes on the heap may take, in bytes: they should stay in the second cache.
const MOST_HEAP: i128 = 256 << 10;

/// A block.
pub struct Block {
    /// Its number of lanes.
    pub width: i128,
    /// The number of the current lane.
    pub number: Option<Value>,
    /// The arrays of all lanes, by the address of one iteration's.
    arrays: HashMap<Value, Value>,
}

/// Puts a loop over blocks in front of a loop, which then does the rest; none are made where the condition does not hold.
pub fn apply(
    types: &mut CTypes,
    body: &mut Body,
    plan: &Plan,
    condition: Option<Value>,
) -> Option<()> {
    let rows = rows::find(body, plan)?;
    let stack: i128 = plan
        .own
        .values()
        .map(|own| match own.place {
            Memory::Stack(count) => i128::from(count) * i128::from(own.ty.size()),
            Memory::Heap(_) => 0,
        })
        .sum();
    if rows.count() > MOST_ROWS || stack * WIDTH > MOST_STACK {
        return None;
    }
    let data = body.insts[plan.holder].clone();
    if let [Some(low), Some(high)] = plan.bounds.map(|v| body.const_int(v))
        && high - low < WIDTH
    {
        return None;
    }
    let mut condition = condition;
    for own in plan.own.values() {
        if let Memory::Heap(call) = own.place {
            let fits = widened(body, call, own.ty);
            condition = Some(match condition {
                Some(c) => Builder::before(body, plan.holder).and(c, fits),
                None => fits,
            });
        }
    }
    let mut writer = Writer::new(body, types, plan, Place::Before(plan.holder), rows);
    let mut roots: Vec<Value> = plan.own.keys().copied().collect();
    roots.sort_unstable();
    let mut arrays = HashMap::new();
    for &root in &roots {
        let own = &plan.own[&root];
        let array = match own.place {
            Memory::Heap(_) => root,
            Memory::Stack(count) => {
                let element = writer.element_type(own.ty);
                let all = writer.types.array(element, Some(count * WIDTH as u64));
                let name = writer.body.values[root].name.clone();
                let name = match slot_name(writer.body, root).or(name) {
                    Some(name) => format!("{name}_lanes"),
                    None => "lanes".to_string(),
                };
                writer.b().slot(all, Some(&name))
            }
        };
        arrays.insert(root, array);
    }
    writer.block = Some(Block {
        width: WIDTH,
        number: None,
        arrays,
    });
    for root in roots {
        if plan.own[&root].zeroed {
            writer.clear(root)?;
        }
    }
    writer.make_rows(WIDTH as u64);
    // How many iterations run in blocks; counted in 64 bits.
    let wide = Type::I64;
    let [low, high] = plan.bounds;
    let ty = writer.body.ty(low);
    let (first, last) = (writer.b().cast(wide, low), writer.b().cast(wide, high));
    let zero = writer.b().int(wide, 0);
    let width = writer.b().int(wide, WIDTH);
    let all = writer.b().sub(last, first);
    let rest = writer.b().value(Op::Rem, vec![all, width], wide);
    let whole = writer.b().sub(all, rest);
    let any = writer.b().lt(first, last);
    let any = match condition {
        Some(c) => writer.b().and(any, c),
        None => any,
    };
    let whole = writer.b().select(any, whole, zero);
    let stop = writer.b().add(first, whole);
    let inits = writer.sums.clone();
    let (inst, region) = writer.b().for_(Pred::Lt, first, stop, width, &inits);
    let args = writer.body.regions[region].args.clone();
    writer.sums = args[1..].to_vec();
    writer.inside(region, |me| {
        me.start = me.b().cast(ty, args[0]);
        me.nodes(&me.plan.nodes)?;
        let sums = me.sums.clone();
        me.b().yield_(&sums);
        Some(())
    })?;
    let start = writer.b().cast(ty, stop);
    let sums = body.insts[inst].results[1..].to_vec();
    let holder = &mut body.insts[plan.holder];
    holder.args[0] = start;
    for (k, &sum) in sums.iter().enumerate() {
        if !plan.chains[k].values.is_empty() {
            holder.args[k + 3] = sum;
        }
    }
    debug_assert_eq!(data.args.len(), holder.args.len());
    Some(())
}

fn slot_name(body: &Body, root: Value) -> Option<String> {
    match &body.insts[body.def_inst(root)?].op {
        Op::Slot(attr) => attr.name.clone(),
        _ => None,
    }
}

/// Lets a call allocate memory for all lanes, if that is not too much; the condition.
fn widened(body: &mut Body, call: Inst, ty: Type) -> Value {
    let count = body.insts[call].args[0];
    let counted = body.ty(count);
    let mut b = Builder::before(body, call);
    let most = b.int(counted, MOST_HEAP / WIDTH / i128::from(ty.size().max(1)));
    let fits = b.le(count, most);
    let (width, one) = (b.int(counted, WIDTH), b.int(counted, 1));
    let lanes = b.select(fits, width, one);
    let count = b.mul(count, lanes);
    body.insts[call].args[0] = count;
    fits
}

impl Writer<'_> {
    /// Clears an array of all lanes.
    pub fn clear(&mut self, root: Value) -> Option<()> {
        let Memory::Stack(count) = self.plan.own.get(&root)?.place else {
            return None;
        };
        let ty = self.plan.own[&root].ty;
        let block = self.block.as_ref()?;
        let (array, count) = (block.arrays[&root], count * block.width as u64);
        let element = self.element_type(ty);
        let all = self.types.array(element, Some(count));
        self.b().zero(array, count * ty.size(), Some(all));
        Some(())
    }

    /// The address of an access to a lane's own memory; nothing for other instructions. `None`: it cannot be made.
    pub fn own_address(&mut self, inst: Inst) -> Option<Option<Value>> {
        let plan = self.plan;
        let found = plan
            .own
            .iter()
            .find_map(|(root, own)| Some((*root, own, *own.accesses.get(&inst)?)));
        let Some((root, own, index)) = found else {
            return Some(None);
        };
        let block = self.block.as_ref()?;
        let (array, number, width) = (block.arrays[&root], block.number?, block.width);
        let wide = Type::I64;
        let lane = self.b().cast(wide, number);
        let at = match index {
            None => lane,
            Some(index) => {
                let index = self.need(index)?;
                let index = self.b().cast(wide, index);
                let width = self.b().int(wide, width);
                let first = self.b().mul(index, width);
                self.b().add(first, lane)
            }
        };
        Some(Some(self.at(array, own.ty, at)))
    }
}
