//! A kernel's symbol taken apart: what it is called, and which functor it carries. Shared by
//! `class.rs` and `labels.rs`; rules after `design/ui.md` 3.2 and `reference/analyses.md` 8.1.
//! One pass over the bytes with a stack of open brackets, so cut, unbalanced and very long names
//! cost linear time and give what could be read. This is no demangler: of a mangled name only
//! the plain identifiers are read.

const ANONYMOUS: [&str; 2] = ["(anonymous namespace)", "<unnamed>"];

/// Kernels that only run what their first type argument names.
const CARRIERS: [&str; 4] = ["device_kernel", "Kernel", "Kernel2", "kentry"];

/// Functors that wrap another functor, or carry it through a framework's launch helpers.
const PLUMBING: [&str; 10] = [
    "BinaryFunctor",
    "AUnaryFunctor",
    "BUnaryFunctor",
    "UnaryOpFunctor",
    "BinaryOpScalarFunctor",
    "BinaryOpListAlphaFunctor",
    "gpu_kernel_impl",
    "gpu_kernel_impl_nocast",
    "gpu_index_kernel",
    "elementwise_kernel",
];

/// The parts of a symbol that say what runs.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Symbol {
    /// Namespaces and function, outermost first, without templates, arguments and return type.
    pub(super) path: Vec<String>,
    /// What a launch wrapper (`vectorized_elementwise_kernel`, `cutlass::Kernel`) runs.
    pub(super) functor: Option<String>,
}

impl Symbol {
    /// The name that says most: the functor, else the function.
    pub(super) fn leaf(&self) -> &str {
        let last = self.path.last().map_or("", String::as_str);
        self.functor.as_deref().unwrap_or(last)
    }
}

/// The name without `void ` in front and without compiler suffixes behind.
pub(super) fn bare(name: &str) -> &str {
    let mut name = name.trim();
    name = name.strip_prefix("void ").unwrap_or(name);
    if let Some((before, _)) = name.split_once(" [clone") {
        name = before;
    }
    name.strip_suffix(".kd").unwrap_or(name).trim()
}

/// Takes a name apart, or `None` where it does not read like a symbol (a sentence, a label).
pub(super) fn parse(name: &str) -> Option<Symbol> {
    let name = bare(name);
    if name.starts_with("_Z") {
        return parse_mangled(name);
    }
    let outline = outline(name)?;
    let functor = functor(outline.path.last()?, outline.template);
    Some(Symbol {
        path: outline.path,
        functor,
    })
}

struct Outline<'a> {
    path: Vec<String>,
    /// The text inside the last `<...>` that is not inside another bracket.
    template: &'a str,
}

fn outline(name: &str) -> Option<Outline<'_>> {
    let scan = scan(name)?;
    let text = scan.text.trim();
    let is_call = scan.template.is_some() || scan.args.is_some();
    let counted = scan
        .args
        .is_some_and(|it| it.bytes().all(|b| b.is_ascii_digit() || b == b' '));
    if counted && scan.template.is_none() && !text.contains("::") && !scan.args?.is_empty() {
        return None;
    }
    let symbol = match text.rsplit_once(' ') {
        Some((_, last)) if is_call => last,
        Some(_) => return None,
        None => text,
    };
    let parts = symbol.split("::").filter(|it| !it.is_empty());
    let path: Vec<String> = parts.map(str::to_owned).collect();
    if path.is_empty() {
        return None;
    }
    Some(Outline {
        path,
        template: scan.template.unwrap_or(""),
    })
}

#[derive(Default)]
struct Scan<'a> {
    text: String,
    template: Option<&'a str>,
    args: Option<&'a str>,
}

/// Collects the text outside of brackets; ends at an argument list.
fn scan(name: &str) -> Option<Scan<'_>> {
    let bytes = name.as_bytes();
    let mut scan = Scan::default();
    let mut open: Vec<u8> = Vec::new();
    let (mut kept_to, mut group, mut at) = (0, 0, 0);
    while let Some(&byte) = bytes.get(at) {
        if open.is_empty() {
            let rest = name.get(at..).unwrap_or("");
            if matches!(byte, b'(' | b'<')
                && let Some(skipped) = ANONYMOUS.iter().find(|it| rest.starts_with(**it))
            {
                scan.text.push_str(name.get(kept_to..at)?);
                at += skipped.len();
                kept_to = at;
                continue;
            }
            let before = at
                .checked_sub(1)
                .and_then(|it| bytes.get(it))
                .copied()
                .unwrap_or(b' ');
            let joined = before.is_ascii_alphanumeric() || matches!(before, b'_' | b'>');
            if matches!(byte, b'(' | b'<') && joined && !name.get(..at)?.ends_with("operator") {
                scan.text.push_str(name.get(kept_to..at)?);
                open.push(byte);
                group = at + 1;
                kept_to = bytes.len();
            }
        } else if matches!(byte, b'(' | b'<' | b'{' | b'[') {
            open.push(byte);
        } else if closes(&mut open, byte) && open.is_empty() {
            let inside = name.get(group..at)?;
            kept_to = at + 1;
            if byte == b'>' {
                scan.template = Some(inside);
            } else {
                scan.args = Some(inside);
                return ends_a_signature(name.get(kept_to..)?).then_some(scan);
            }
        }
        at += 1;
    }
    match open.first() {
        Some(b'<') => scan.template = name.get(group..),
        Some(_) => scan.args = name.get(group..),
        None => scan.text.push_str(name.get(kept_to..)?),
    }
    Some(scan)
}

/// Closes the innermost bracket if it fits. A `>` inside of `(...)` is "greater than"; a `)` also
/// closes a `<` left open inside ("less than").
fn closes(open: &mut Vec<u8>, byte: u8) -> bool {
    let wanted = match byte {
        b'>' if open.last() == Some(&b'<') => b'<',
        b')' => b'(',
        b'}' => b'{',
        b']' => b'[',
        _ => return false,
    };
    // Only a stray `<` above is given up, so each bracket is popped once and the whole stays linear.
    while open.len() > 1 && open.last() == Some(&b'<') && wanted != b'<' {
        open.pop();
    }
    if open.last() == Some(&wanted) {
        open.pop();
        return true;
    }
    false
}

fn ends_a_signature(rest: &str) -> bool {
    let rest = rest.trim_start();
    rest.is_empty()
        || ["const", "::", "[", "."]
            .iter()
            .any(|it| rest.starts_with(it))
}

fn functor(function: &str, template: &str) -> Option<String> {
    if CARRIERS.contains(&function) {
        return carried(template, 3);
    }
    if is_launch_wrapper(function) {
        launched(identifiers(template))
    } else {
        None
    }
}

fn is_launch_wrapper(function: &str) -> bool {
    function.contains("elementwise_")
        || ["reduce_kernel", "multi_tensor_apply_kernel"].contains(&function)
}

/// The first type argument of a carrier; one more part where the last says nothing.
fn carried(template: &str, depth: u8) -> Option<String> {
    let after_numbers =
        template.trim_start_matches(|c: char| c.is_ascii_digit() || ", ".contains(c));
    let after_casts = after_numbers
        .strip_prefix("(int)1,")
        .unwrap_or(after_numbers)
        .trim_start();
    let first = outline_of_first(after_casts)?;
    let last = first.path.last()?;
    if CARRIERS.contains(&last.as_str()) && depth > 0 && !first.template.is_empty() {
        return carried(first.template, depth - 1);
    }
    match first.path.iter().rev().nth(1) {
        Some(parent) if last == "GemmKernel" => Some(format!("{parent} {last}")),
        _ => Some(last.clone()),
    }
}

/// The outline of the first argument in a list.
fn outline_of_first(arguments: &str) -> Option<Outline<'_>> {
    let mut open: Vec<u8> = Vec::new();
    let end = arguments.bytes().position(|byte| match byte {
        b',' => open.is_empty(),
        b'(' | b'<' | b'{' | b'[' => {
            open.push(byte);
            false
        }
        _ => {
            closes(&mut open, byte);
            false
        }
    });
    outline(arguments.get(..end.unwrap_or(arguments.len()))?.trim())
}

/// The first identifier that names an operation, its wrapping words taken off.
fn launched<'a>(identifiers: impl Iterator<Item = &'a str>) -> Option<String> {
    const ENDINGS: [&str; 6] = [
        "Ops",
        "_kernel",
        "_and_transform",
        "_cuda_out",
        "launch_clamp_scalar",
        "_to_device",
    ];
    const ARITHMETIC: [&str; 4] = ["plus", "minus", "multiplies", "divides"];
    const WITHIN: [&str; 6] = [
        "Functor",
        "_functor",
        "_kernel_cuda",
        "kernel_impl",
        "KernelImpl",
        "_cuda_kernel",
    ];
    let mut names = identifiers.filter(|it| !PLUMBING.contains(it) && !is_launch_wrapper(it));
    let found = names.find(|it| {
        ARITHMETIC.contains(it)
            || ENDINGS.iter().any(|end| it.ends_with(end))
            || WITHIN.iter().any(|word| it.contains(word))
    })?;
    let plain = ["CUDAFunctorOnSelf", "CUDAFunctorOnOther", "CUDAFunctor"];
    let plain = plain
        .iter()
        .find_map(|it| found.strip_prefix(it))
        .unwrap_or(found);
    let mut short = plain.trim_start_matches('_');
    for end in [
        "MathFunctor",
        "Functor",
        "_functor",
        "_kernel_cuda",
        "_kernel_impl",
        "CUDAKernelImpl",
        "_cuda_kernel",
        "_and_transform",
        "_internal_kernel",
        "_kernel",
        "Ops",
        "_cuda_out",
    ] {
        short = short
            .strip_suffix(end)
            .filter(|it| !it.is_empty())
            .unwrap_or(short);
    }
    Some(if short.is_empty() {
        found.to_owned()
    } else {
        short.to_owned()
    })
}

fn identifiers(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !c.is_ascii_alphanumeric() && c != '_')
        .filter(|it| it.len() > 3)
}

/// `_ZN5aiter24add_rmsnorm_quant_kernelI...`: reads length-prefixed identifiers.
fn parse_mangled(name: &str) -> Option<Symbol> {
    let rest = name.strip_prefix("_Z")?;
    let mut rest = rest.trim_start_matches(['N', 'K', 'L']);
    let mut path = Vec::new();
    while let Some((word, after)) = length_prefixed(rest) {
        if !word.starts_with("_GLOBAL__N_") {
            path.push(word.to_owned());
        }
        rest = after.trim_start_matches('L');
    }
    let function = path.last()?;
    let functor = if CARRIERS.contains(&function.as_str()) {
        mangled_words(rest).next().map(str::to_owned)
    } else if is_launch_wrapper(function) {
        launched(mangled_words(rest))
    } else {
        None
    };
    Some(Symbol { path, functor })
}

/// Every length-prefixed word of at least four characters, wherever it begins.
fn mangled_words(mut text: &str) -> impl Iterator<Item = &str> {
    std::iter::from_fn(move || {
        loop {
            let start = text.find(|c: char| c.is_ascii_digit())?;
            text = text.get(start..)?;
            if let Some((word, after)) = length_prefixed(text) {
                text = after;
                if word.len() > 3 && word.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
                {
                    return Some(word);
                }
            } else {
                text = text.trim_start_matches(|c: char| c.is_ascii_digit());
            }
        }
    })
}

fn length_prefixed(text: &str) -> Option<(&str, &str)> {
    let digits = text.bytes().take_while(u8::is_ascii_digit).count();
    let length: usize = text.get(..digits)?.parse().ok().filter(|it| *it > 0)?;
    let end = digits.checked_add(length)?;
    Some((text.get(digits..end)?, text.get(end..)?))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn path_and_functor(name: &str) -> (String, Option<String>) {
        let symbol = parse(name).unwrap();
        (symbol.path.join("::"), symbol.functor)
    }

    #[test]
    fn templates_arguments_and_return_types_fall_away() {
        let name = "std::enable_if<(((8)>(0)))&&vllm::_typeConvert<c10::BFloat16>::exists, void>::type \
                    vllm::fused_add_rms_norm_kernel<c10::BFloat16, 8>(c10::BFloat16*, long)";
        assert_eq!(
            path_and_functor(name),
            ("vllm::fused_add_rms_norm_kernel".into(), None)
        );
        let name = "void at::native::(anonymous namespace)::CatArrayBatchedCopy<float, 1>(float*)";
        assert_eq!(
            path_and_functor(name),
            ("at::native::CatArrayBatchedCopy".into(), None)
        );
        let name = "void <unnamed>::softmax_warp_forward<float, (int)10>(const float *)";
        assert_eq!(
            path_and_functor(name),
            ("softmax_warp_forward".into(), None)
        );
    }

    #[test]
    fn a_launch_wrapper_names_what_it_runs() {
        let name = "void at::native::elementwise_kernel<128, 2, at::native::gpu_kernel_impl<at::native::BinaryFunctor\
                    <float, float, float, at::native::binary_internal::MulFunctor<float> > >(at::TensorIteratorBase&)";
        assert_eq!(path_and_functor(name).1.as_deref(), Some("Mul"));
        let name =
            "void cutlass::device_kernel<flash::FlashAttnBwd<flash::CollectiveMainloopBwd<2>>>(P)";
        assert_eq!(path_and_functor(name).1.as_deref(), Some("FlashAttnBwd"));
        let name = "_ZN7ck_tile6kentryILi1ENS_12Rmsnorm2dFwdINS_27Rmsnorm2dFwdPipelineOnePassE";
        assert_eq!(path_and_functor(name).1.as_deref(), Some("Rmsnorm2dFwd"));
    }

    #[test]
    fn labels_are_no_symbols() {
        for label in [
            "a label (with words)",
            "execute_context_0(0)_generation_8(8)",
            "step(12)",
            "a < b",
        ] {
            assert_eq!(parse(label), None, "{label}");
        }
    }
}
