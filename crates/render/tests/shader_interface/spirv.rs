//! Reads the interface of a SPIR-V module: blocks with offsets and strides, inputs and outputs with locations.
//!
//! Numbers are those of the SPIR-V specification, sections 3.7, 3.20 and 3.49.

use std::collections::{BTreeMap, HashMap};

/// The storage class of a variable.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u32)]
pub enum Storage {
    Input = 1,
    Uniform = 2,
    Output = 3,
    PushConstant = 9,
    Buffer = 12,
}

/// A member of a block, with its type as GLSL spells it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Member {
    pub shape: String,
    pub offset: u32,
    pub size: u32,
    /// Bytes between elements of an array.
    pub array_stride: Option<u32>,
    /// Bytes between columns of a matrix, or of an array of matrices.
    pub matrix_stride: Option<u32>,
    /// The members of an array's struct elements.
    pub elements: Vec<Member>,
}

/// The parts of a module that these tests use.
#[derive(Default)]
pub struct Module {
    pub version: (u32, u32),
    /// The execution modes of the entry point, without their arguments.
    pub execution_modes: Vec<u32>,
    types: HashMap<u32, Type>,
    constants: HashMap<u32, u32>,
    variables: Vec<(u32, u32, u32)>,
    decorations: HashMap<(u32, u32), u32>,
    member_decorations: HashMap<(u32, u32, u32), u32>,
}

enum Type {
    Float,
    Int {
        signed: bool,
    },
    Vector {
        component: u32,
        count: u32,
    },
    Matrix {
        column: u32,
        count: u32,
    },
    Array {
        element: u32,
        length: u32,
    },
    RuntimeArray {
        element: u32,
    },
    Struct {
        members: Vec<u32>,
    },
    Pointer {
        to: u32,
    },
    /// Images, booleans and other types that no block or vertex input has.
    Other,
}

const LOCATION: u32 = 30;
const BINDING: u32 = 33;
const DESCRIPTOR_SET: u32 = 34;
const OFFSET: u32 = 35;
const ARRAY_STRIDE: u32 = 6;
const MATRIX_STRIDE: u32 = 7;
const COLUMN_MAJOR: u32 = 5;

impl Module {
    pub fn read(bytes: &[u8]) -> Self {
        let words: Vec<u32> =
            bytes.chunks_exact(4).map(|b| u32::from_le_bytes([b[0], b[1], b[2], b[3]])).collect();
        assert_eq!(words[0], 0x0723_0203, "no SPIR-V");
        let mut module = Self { version: (words[1] >> 16 & 0xff, words[1] >> 8 & 0xff), ..Self::default() };
        let mut rest = &words[5..];
        while let [first, ..] = rest {
            let (instruction, after) = rest.split_at((first >> 16) as usize);
            module.take(first & 0xffff, &instruction[1..]);
            rest = after;
        }
        module
    }

    fn take(&mut self, code: u32, operands: &[u32]) {
        let arguments = |from: usize| operands.get(from).copied().unwrap_or(0);
        match (code, operands) {
            // OpExecutionMode, OpExecutionModeId
            (16 | 331, &[_, mode, ..]) => self.execution_modes.push(mode),
            (71, &[id, decoration, ..]) => {
                self.decorations.insert((id, decoration), arguments(2));
            }
            (72, &[id, member, decoration, ..]) => {
                self.member_decorations.insert((id, member, decoration), arguments(3));
            }
            (43, &[_, id, value, ..]) => {
                self.constants.insert(id, value);
            }
            (59, &[pointer, id, storage, ..]) => self.variables.push((id, pointer, storage)),
            // OpTypeVoid to OpTypePointer
            (19..=32, &[id, ..]) => {
                let (a, b) = (arguments(1), arguments(2));
                let ty = match code {
                    21 => Type::Int { signed: b == 1 },
                    22 => Type::Float,
                    23 => Type::Vector { component: a, count: b },
                    24 => Type::Matrix { column: a, count: b },
                    28 => Type::Array { element: a, length: b },
                    29 => Type::RuntimeArray { element: a },
                    30 => Type::Struct { members: operands[1..].to_vec() },
                    32 => Type::Pointer { to: b },
                    _ => Type::Other,
                };
                self.types.insert(id, ty);
            }
            _ => {}
        }
    }

    /// The members of the block at a binding, if the shader has one.
    pub fn block(&self, storage: Storage, set: u32, binding: u32) -> Option<Vec<Member>> {
        let here = |id: u32| {
            self.decorations.get(&(id, DESCRIPTOR_SET)) == Some(&set)
                && self.decorations.get(&(id, BINDING)) == Some(&binding)
        };
        self.variables(storage).find(|(id, _)| here(*id)).map(|(_, ty)| self.members(ty))
    }

    /// The members of the push constants, if the shader has any.
    pub fn push_constants(&self) -> Option<Vec<Member>> {
        self.variables(Storage::PushConstant).next().map(|(_, ty)| self.members(ty))
    }

    /// The type at each location of the inputs or outputs; panics if a location occurs twice.
    pub fn locations(&self, storage: Storage) -> BTreeMap<u32, String> {
        let mut shapes = BTreeMap::new();
        for (id, ty) in self.variables(storage) {
            if let Some(&location) = self.decorations.get(&(id, LOCATION)) {
                let before = shapes.insert(location, self.shape(ty));
                assert_eq!(before, None, "location {location} is there twice");
            }
        }
        shapes
    }

    /// The variables of a storage class, each with the type it points to.
    fn variables(&self, storage: Storage) -> impl Iterator<Item = (u32, u32)> {
        let in_storage = self.variables.iter().filter(move |(.., of)| *of == storage as u32);
        in_storage.map(|&(id, pointer, _)| match self.types[&pointer] {
            Type::Pointer { to } => (id, to),
            _ => unreachable!("variable {id} is no pointer"),
        })
    }

    fn members(&self, block: u32) -> Vec<Member> {
        let Type::Struct { members } = &self.types[&block] else { return Vec::new() };
        (0..)
            .zip(members)
            .map(|(number, &ty)| {
                let decoration = |kind: u32| self.member_decorations.get(&(block, number, kind)).copied();
                let matrix_stride = decoration(MATRIX_STRIDE);
                assert!(matrix_stride.is_none() || decoration(COLUMN_MAJOR).is_some(), "a matrix by rows");
                Member {
                    shape: self.shape(ty),
                    offset: decoration(OFFSET)
                        .unwrap_or_else(|| unreachable!("member {number} has no offset")),
                    size: self.size(ty, matrix_stride),
                    array_stride: self.decorations.get(&(ty, ARRAY_STRIDE)).copied(),
                    matrix_stride,
                    elements: match self.types[&ty] {
                        Type::Array { element, .. } | Type::RuntimeArray { element } => self.members(element),
                        _ => Vec::new(),
                    },
                }
            })
            .collect()
    }

    /// A type in GLSL's spelling.
    fn shape(&self, ty: u32) -> String {
        match self.types[&ty] {
            Type::Float => "float".to_owned(),
            Type::Int { signed: true } => "int".to_owned(),
            Type::Int { signed: false } => "uint".to_owned(),
            Type::Vector { component, count } => match self.types[&component] {
                Type::Int { signed: true } => format!("ivec{count}"),
                Type::Int { signed: false } => format!("uvec{count}"),
                _ => format!("vec{count}"),
            },
            Type::Matrix { column, count } => match self.shape(column).strip_prefix("vec") {
                Some(rows) if rows == count.to_string() => format!("mat{count}"),
                rows => format!("mat{count}x{}", rows.unwrap_or("?")),
            },
            Type::Array { element, length } => {
                format!("{}[{}]", self.shape(element), self.constants[&length])
            }
            Type::RuntimeArray { element } => format!("{}[]", self.shape(element)),
            Type::Struct { .. } => "struct".to_owned(),
            Type::Pointer { .. } | Type::Other => "?".to_owned(),
        }
    }

    /// Size of a type within a block, in bytes.
    fn size(&self, ty: u32, matrix_stride: Option<u32>) -> u32 {
        match self.types[&ty] {
            Type::Float | Type::Int { .. } => 4,
            Type::Vector { component, count } => self.size(component, None) * count,
            Type::Matrix { count, .. } => matrix_stride.unwrap_or(0) * count,
            Type::Array { length, .. } => {
                self.decorations.get(&(ty, ARRAY_STRIDE)).unwrap_or(&0) * self.constants[&length]
            }
            Type::RuntimeArray { .. } | Type::Struct { .. } | Type::Pointer { .. } | Type::Other => 0,
        }
    }
}
