//! Compatible and composite types (C11 6.2.7).

use super::Sema;
use crate::ast::{Expr, Span};
use adjoin_ir::ctype::{Basic, CTy, CTypeKind};

#[allow(missing_docs)]
impl Sema {
    /// Same type, qualifiers and typedef names aside, as C's compatibility has it. Qualifiers below the top level count.
    pub fn compatible(&self, a: CTy, b: CTy) -> bool {
        let (a, b) = (self.unit.types.strip(a), self.unit.types.strip(b));
        if a == b {
            return true;
        }
        use CTypeKind::*;
        match (self.unit.types.kind(a), self.unit.types.kind(b)) {
            (Pointer(x), Pointer(y)) => self.same_qualified(*x, *y),
            (Array { elem: x, len: m }, Array { elem: y, len: n }) => {
                (m.is_none() || n.is_none() || m == n) && self.same_qualified(*x, *y)
            }
            (Vla { elem: x, .. }, Array { elem: y, .. } | Vla { elem: y, .. })
            | (Array { elem: x, .. }, Vla { elem: y, .. }) => self.same_qualified(*x, *y),
            (Vector { elem: x, lanes: m }, Vector { elem: y, lanes: n }) => {
                m == n && self.compatible(*x, *y)
            }
            (Enum(e), Basic(basic)) | (Basic(basic), Enum(e)) => {
                self.unit.types.enums[*e].underlying == *basic
            }
            (
                Function {
                    ret: r1,
                    params: p1,
                    variadic: v1,
                    prototyped: t1,
                },
                Function {
                    ret: r2,
                    params: p2,
                    variadic: v2,
                    prototyped: t2,
                },
            ) => {
                self.compatible(*r1, *r2)
                    && match (t1, t2) {
                        (true, true) => {
                            v1 == v2
                                && p1.len() == p2.len()
                                && p1.iter().zip(p2).all(|(x, y)| self.compatible(*x, *y))
                        }
                        (true, false) => !v1 && self.survives_promotion(p1),
                        (false, true) => !v2 && self.survives_promotion(p2),
                        (false, false) => true,
                    }
            }
            _ => false,
        }
    }

    /// Compatible, with the same qualifiers. Qualifiers of an array are those of its elements.
    pub(crate) fn same_qualified(&self, a: CTy, b: CTy) -> bool {
        let mut qa = self.deep_quals(a);
        let mut qb = self.deep_quals(b);
        // `restrict` is a promise, not a property that callers must repeat.
        qa.is_restrict = false;
        qb.is_restrict = false;
        qa == qb && self.compatible(a, b)
    }

    /// The qualifiers of a type, for an array together with those of its elements.
    pub(crate) fn deep_quals(&self, ty: CTy) -> adjoin_ir::Quals {
        let mut quals = self.unit.types.quals(ty);
        if self.is_array(ty)
            && let Some(elem) = self.unit.types.element(ty)
        {
            let inner = self.deep_quals(elem);
            quals.is_const |= inner.is_const;
            quals.is_volatile |= inner.is_volatile;
            quals.is_atomic |= inner.is_atomic;
        }
        quals
    }

    /// A prototype agrees with an old-style declaration if no parameter changes under the default promotions.
    fn survives_promotion(&self, params: &[CTy]) -> bool {
        use Basic::*;
        params.iter().all(|p| {
            !matches!(
                self.arithmetic(*p),
                Some(Bool | Char | SChar | UChar | Short | UShort | Float | Float16)
            )
        })
    }

    /// The composite of two declarations of one name.
    pub fn composite(&mut self, a: CTy, b: CTy) -> CTy {
        if a == b || !self.compatible(a, b) {
            return a;
        }
        use CTypeKind::*;
        let quals = self.unit.types.quals(a);
        let built = match (self.shape(a).clone(), self.shape(b).clone()) {
            (Pointer(x), Pointer(y)) => {
                let inner = self.composite(x, y);
                if inner == x {
                    return a;
                }
                self.unit.types.pointer(inner)
            }
            (Array { elem: x, len: m }, Array { elem: y, len: n }) => {
                let elem = self.composite(x, y);
                if elem == x && (m.is_some() || n.is_none()) {
                    return a;
                }
                self.unit.types.array(elem, m.or(n))
            }
            (Vla { .. }, Array { len: Some(_), .. }) => return b,
            (Array { len: None, .. }, Vla { .. }) => return b,
            (
                Function {
                    ret: r1,
                    params: p1,
                    variadic,
                    prototyped: t1,
                },
                Function {
                    ret: r2,
                    params: p2,
                    prototyped: t2,
                    ..
                },
            ) => {
                if !t1 && t2 {
                    return b;
                }
                if !t2 {
                    return a;
                }
                let ret = self.composite(r1, r2);
                let params: Vec<CTy> = p1
                    .iter()
                    .zip(&p2)
                    .map(|(x, y)| self.composite(*x, *y))
                    .collect();
                if ret == r1 && params == p1 {
                    return a;
                }
                self.unit.types.intern(Function {
                    ret,
                    params,
                    variadic,
                    prototyped: true,
                })
            }
            _ => return a,
        };
        self.unit.types.qualified(built, quals)
    }

    pub fn types_compatible(&mut self, a: CTy, b: CTy, span: Span) -> Expr {
        let same = self.compatible(a, b);
        self.int_const(same.into(), Basic::Int, span)
    }
}
