//! The functions that generated code calls: caches as growing stacks. They are static, small, and part of the generated text.

use adjoin_ir::ctype::{Field, RecordData, TagScope};
use adjoin_ir::{Basic, CTy, CTypeKind, Func, Function, Linkage, Module, Span, Type};
use std::collections::BTreeMap;

/// The text of the support functions, up to those that exist once for each kind of value.
static HEAD: &str = r#"extern unsigned long malloc_usable_size(void *);
struct adjoin_stack {
    char *data;
    unsigned long size, room;
};
static void __attribute__((unused, noinline, cold)) adjoin_grow(struct adjoin_stack *s)
{
    unsigned long room = s->room ? 2 * s->room : 1024;
    char *data = (char *)__builtin_realloc(s->data, room);
    if (!data) {
        __builtin_printf("adjoin: out of memory: a cache of %lu bytes\n", room);
        __builtin_abort();
    }
    s->data = data;
    s->room = room;
}
"#;

/// The kinds of values that stacks hold: suffix, C type, value type.
const KINDS: &[(&str, Basic, Type)] = &[
    ("f64", Basic::Double, Type::F64),
    ("f32", Basic::Float, Type::F32),
    ("f80", Basic::LongDouble, Type::F80),
    ("c64", Basic::ComplexDouble, Type::C64),
    ("c32", Basic::ComplexFloat, Type::C32),
    ("c80", Basic::ComplexLongDouble, Type::C80),
    ("i64", Basic::Long, Type::I64),
    ("i32", Basic::Int, Type::I32),
    ("i8", Basic::SChar, Type::I8),
];

/// The support functions as declarations of a module.
#[derive(Clone, Debug)]
pub(super) struct Runtime {
    pub stack: CTy,
    kinds: BTreeMap<Type, (Type, [Func; 3])>,
    pub calloc: Func,
    pub release: Func,
    pub free_later: Func,
    pub free_all: Func,
    /// `malloc_usable_size`: the size of a block, which `realloc` does not ask for.
    pub usable: Func,
}

/// The whole text, with one set of functions for each kind.
pub(crate) fn text() -> String {
    let mut text = HEAD.to_string();
    let mut one = |name: &str, ty: &str| {
        text.push_str(&format!(
            "static inline void __attribute__((unused)) adjoin_push_{name}(struct adjoin_stack *s, {ty} v)\n{{\n    if (s->size + sizeof(v) > s->room)\n        adjoin_grow(s);\n    *({ty} *)(void *)(s->data + s->size) = v;\n    s->size += sizeof(v);\n}}\n\
             static inline {ty} __attribute__((unused)) adjoin_top_{name}(const struct adjoin_stack *s)\n{{\n    return *({ty} *)(void *)(s->data + s->size - sizeof({ty}));\n}}\n\
             static inline void __attribute__((unused)) adjoin_pop_{name}(struct adjoin_stack *s)\n{{\n    s->size -= sizeof({ty});\n}}\n"
        ));
    };
    for (name, basic, _) in KINDS {
        one(name, basic.c_name());
    }
    one("ptr", "void *");
    text.push_str(
        "static inline void __attribute__((unused)) adjoin_release(struct adjoin_stack *s)\n{\n    __builtin_free(s->data);\n}\n\
         static inline void * __attribute__((unused)) adjoin_calloc(unsigned long bytes)\n{\n    void *p = __builtin_calloc(1, bytes ? bytes : 1);\n    if (!p) {\n        __builtin_printf(\"adjoin: out of memory: a shadow of %lu bytes\\n\", bytes);\n        __builtin_abort();\n    }\n    return p;\n}\n\
         static inline void __attribute__((unused)) adjoin_free_later(struct adjoin_stack *s, void *p)\n{\n    adjoin_push_ptr(s, p);\n}\n\
         static void __attribute__((unused)) adjoin_free_all(struct adjoin_stack *s)\n{\n    while (s->size) {\n        __builtin_free(adjoin_top_ptr(s));\n        adjoin_pop_ptr(s);\n    }\n    __builtin_free(s->data);\n}\n",
    );
    text
}

impl Runtime {
    /// Declares the functions in a module, once.
    pub fn declare(m: &mut Module) -> Runtime {
        let char_ = m.types.basic(Basic::Char);
        let chars = m.types.pointer(char_);
        let ulong = m.types.basic(Basic::ULong);
        let void = m.types.void();
        let address = m.types.pointer(void);
        let existing = m
            .types
            .records
            .iter()
            .find(|(_, r)| r.tag.as_deref() == Some("adjoin_stack"))
            .map(|(id, _)| id);
        let record = existing.unwrap_or_else(|| {
            let field = |name: &str, ty, offset| Field {
                name: Some(name.to_string()),
                ty,
                offset,
                bits: None,
            };
            m.types.records.push(RecordData {
                is_union: false,
                tag: Some("adjoin_stack".to_string()),
                scope: TagScope::File,
                typedef_name: None,
                fields: Some(vec![
                    field("data", chars, 0),
                    field("size", ulong, 8),
                    field("room", ulong, 16),
                ]),
                size: 24,
                align: 8,
                packed: false,
            })
        });
        let stack = m.types.intern(CTypeKind::Record(record));
        let stack_pointer = m.types.pointer(stack);
        let mut kinds = BTreeMap::new();
        let mut all: Vec<(&str, CTy, Type)> = KINDS
            .iter()
            .map(|&(n, b, t)| (n, m.types.basic(b), t))
            .collect();
        all.push(("ptr", address, Type::Ptr));
        for (name, ctype, ty) in all {
            let push = function(
                m,
                &format!("adjoin_push_{name}"),
                void,
                &[stack_pointer, ctype],
            );
            let top = function(m, &format!("adjoin_top_{name}"), ctype, &[stack_pointer]);
            let pop = function(m, &format!("adjoin_pop_{name}"), void, &[stack_pointer]);
            kinds.insert(ty, (ty, [push, top, pop]));
        }
        Runtime {
            stack,
            kinds,
            calloc: function(m, "adjoin_calloc", address, &[ulong]),
            release: function(m, "adjoin_release", void, &[stack_pointer]),
            free_later: function(m, "adjoin_free_later", void, &[stack_pointer, address]),
            free_all: function(m, "adjoin_free_all", void, &[stack_pointer]),
            usable: external(m, "malloc_usable_size", ulong, &[address]),
        }
    }

    /// The type in which a value is stored on a stack, and the functions push, top and pop.
    pub fn kind(&self, ty: Type) -> (Type, [Func; 3]) {
        let stored = match ty {
            Type::Bool | Type::I8 | Type::U8 => Type::I8,
            Type::I16 | Type::U16 | Type::I32 => Type::I32,
            Type::U32 | Type::I64 | Type::U64 => Type::I64,
            other => other,
        };
        self.kinds
            .get(&stored)
            .copied()
            .unwrap_or(self.kinds[&Type::F64])
    }
}

/// A function of the C library.
fn external(m: &mut Module, name: &str, ret: CTy, params: &[CTy]) -> Func {
    let func = function(m, name, ret, params);
    if m.funcs[func].body.is_none() {
        m.funcs[func].linkage = Linkage::External;
        m.funcs[func].inline = false;
    }
    func
}

fn function(m: &mut Module, name: &str, ret: CTy, params: &[CTy]) -> Func {
    if let Some(f) = m.find_func(name) {
        return f;
    }
    let ctype = m.types.intern(CTypeKind::Function {
        ret,
        params: params.to_vec(),
        variadic: false,
        prototyped: true,
    });
    m.funcs.push(Function {
        name: name.to_string(),
        ctype,
        param_names: vec![None; params.len()],
        linkage: Linkage::Static,
        inline: true,
        noreturn: false,
        span: Span::default(),
        body: None,
    })
}
