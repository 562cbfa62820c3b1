//! Control flow: regions take, yield and hand over tangents beside values.

use super::{Forward, Result};
use adjoin_ir::{Inst, Op, Region, Type, Value};
use adjoin_passes::edit::exit_target;

impl Forward<'_> {
    /// Everything in a region.
    pub(super) fn region(&mut self, region: Region) -> Result<()> {
        for inst in self.p.regions[region].insts.clone() {
            self.span = self.p.insts[inst].span;
            self.inst(inst)?;
        }
        Ok(())
    }

    fn inst(&mut self, inst: Inst) -> Result<()> {
        match &self.p.insts[inst].op {
            Op::Return => self.ret(inst),
            op if op.is_terminator() => self.exit(inst),
            Op::If | Op::For(_) | Op::Loop | Op::Block | Op::Switch(_) => self.control(inst),
            Op::Par(_) => self.parallel(inst),
            Op::Slot(_) | Op::SlotVla(_) | Op::Alloca => self.stack_object(inst),
            Op::GlobalAddr(_) => self.global_address(inst),
            Op::Load(_) => self.load(inst),
            Op::Store(_) => self.store(inst),
            Op::StoreBits(_) => self.store_bits(inst),
            Op::Copy(_) => self.copy(inst),
            Op::Zero(_) => self.fill(inst),
            Op::Call(_) => self.any_call(inst),
            Op::CallIndirect(_) | Op::Mpi(_) => self.opaque_call(inst),
            Op::VaStart | Op::VaArg(_) | Op::VaArgInto(_) | Op::VaEnd | Op::VaCopy => {
                self.variable_arguments(inst)
            }
            _ => self.arithmetic(inst),
        }
    }

    /// The same instruction on the same operands.
    pub(super) fn primal(&mut self, inst: Inst) -> Inst {
        let data = self.p.insts[inst].clone();
        let args = self.operands(inst);
        let types: Vec<Type> = data.results.iter().map(|&v| self.p.ty(v)).collect();
        let new = self.b().inst(data.op, args, &types);
        for (k, &v) in data.results.iter().enumerate() {
            let x = self.d.insts[new].results[k];
            self.like(v, x);
        }
        new
    }

    /// The tangents of those of `operands` whose counterparts in `linked` have tangents, in order.
    fn extra(&mut self, linked: &[Value], operands: &[Value]) -> Result<Vec<Value>> {
        let mut all = Vec::new();
        for (&to, &from) in linked.iter().zip(operands) {
            if self.has_tangent(to) {
                all.extend(self.parts(from)?);
            }
        }
        Ok(all)
    }

    /// Hands the values that follow the ordinary ones to what they are tangents of.
    fn bind(&mut self, linked: &[Value], extra: &[Value]) {
        let with: Vec<Value> = linked
            .iter()
            .copied()
            .filter(|&v| self.has_tangent(v))
            .collect();
        let mut extra = extra.iter().copied();
        for v in with {
            let count = self.part_types(v).len();
            let parts = extra.by_ref().take(count).collect();
            self.set_parts(v, parts);
        }
    }

    fn lane_types(&self, values: &[Value]) -> Vec<Type> {
        values
            .iter()
            .filter(|&&v| self.has_tangent(v))
            .flat_map(|&v| self.part_types(v))
            .collect()
    }

    /// The values that an exit's operands become.
    fn linked(&self, inst: Inst, target: Inst) -> Vec<Value> {
        let holder = &self.p.insts[target];
        let region_args = |k: usize| self.p.regions[holder.regions[k]].args.clone();
        match (&self.p.insts[inst].op, &holder.op) {
            (Op::Break(_), Op::For(_)) => holder.results[1..].to_vec(),
            (Op::Break(_), _) => holder.results.clone(),
            (Op::Fallthrough(_), _) => region_args(0),
            (_, Op::For(_)) => region_args(0)[1..].to_vec(),
            (_, Op::Loop) => region_args(0),
            _ => holder.results.clone(),
        }
    }

    fn exit(&mut self, inst: Inst) -> Result<()> {
        let data = self.p.insts[inst].clone();
        let Some(target) = exit_target(&self.p, inst) else {
            self.b().unreachable();
            return Ok(());
        };
        let mut values = self.operands(inst);
        let linked = self.linked(inst, target);
        values.extend(self.extra(&linked, &data.args)?);
        let to = self.targets.get(&target).copied();
        let mut b = self.b();
        match (data.op, to) {
            (Op::Break(_), Some(t)) => drop(b.break_(t, &values)),
            (Op::Continue(_), Some(t)) => drop(b.continue_(t, &values)),
            (Op::Fallthrough(_), Some(t)) => drop(b.fallthrough(t, &values)),
            _ => drop(b.yield_(&values)),
        }
        Ok(())
    }

    fn control(&mut self, inst: Inst) -> Result<()> {
        let data = self.p.insts[inst].clone();
        let (fixed, index) = match data.op {
            Op::For(_) => (3, 1),
            Op::If | Op::Switch(_) => (1, 0),
            _ => (0, 0),
        };
        // All regions with arguments take the same ones.
        let linked = match data.op {
            Op::For(_) | Op::Loop | Op::Switch(_) => {
                self.p.regions[data.regions[0]].args[index..].to_vec()
            }
            _ => Vec::new(),
        };
        let mut args = self.operands(inst);
        args.extend(self.extra(&linked, &data.args[fixed.min(data.args.len())..])?);
        let mut types: Vec<Type> = data.results.iter().map(|&v| self.p.ty(v)).collect();
        types.extend(self.lane_types(&data.results));
        let new = self.b().inst(data.op.clone(), args, &types);
        self.targets.insert(inst, new);
        for &region in &data.regions {
            let inner = self.d.add_region(new);
            let arguments = self.p.regions[region].args.clone();
            for &v in &arguments {
                let x = self.d.add_arg(inner, self.p.ty(v));
                self.like(v, x);
            }
            let carried = &arguments[index.min(arguments.len())..];
            let lanes: Vec<Value> = self
                .lane_types(carried)
                .into_iter()
                .map(|ty| self.d.add_arg(inner, ty))
                .collect();
            self.bind(carried, &lanes);
            self.inside(inner, |me| me.region(region))?;
        }
        self.span = data.span;
        let results = self.d.insts[new].results.clone();
        for (k, &v) in data.results.iter().enumerate() {
            self.like(v, results[k]);
        }
        self.bind(&data.results, &results[data.results.len()..]);
        Ok(())
    }
}
