//! What a bar says: short name, family with tile, family word. Rules: `design/ui.md` 3.2 ("Text on
//! bars") over `reference/analyses.md` 8.1 (level short; where the two differ, a GEMM keeps its
//! tile, as the example `nvjet 256x128` of 3.2 asks). Pure text: what fits is the painter's matter,
//! and two names that fall to one short name are told apart by the lane that holds both.

use std::borrow::Cow;

use super::symbol::{self, Symbol};

/// Libraries whose kernels are named by family, dtype letters and tile: (part of the name, word).
const TILED: [(&str, &str); 14] = [
    ("convolve", "conv"),
    ("nvjet", "nvjet"),
    ("cutlass", "cutlass"),
    ("xmma", "xmma"),
    ("Cijk_", "Cijk"),
    ("hgemm", "hgemm"),
    ("sgemm", "sgemm"),
    ("dgemm", "dgemm"),
    ("scudnn", "scudnn"),
    ("igemm_fwd", "igemm fwd"),
    ("igemm_bwd", "igemm bwd"),
    ("igemm_wrw", "igemm wrw"),
    ("bmm_", "bmm"),
    ("matmul_ogs", "matmul_ogs"),
];

/// Collectives as kernels spell them (compared without case and underscores): spelling, name, word.
const COLLECTIVES: [(&str, &str, &str); 8] = [
    ("allreduce", "AllReduce", "AR"),
    ("allgather", "AllGather", "AG"),
    ("reducescatter", "ReduceScatter", "RS"),
    ("alltoall", "AllToAll", "A2A"),
    ("broadcast", "Broadcast", "BC"),
    ("sendrecv", "SendRecv", "P2P"),
    ("crossdevicereduce", "cross_device_reduce", "AR"),
    ("reduce", "Reduce", "Red"),
];

/// Words for families without a tile; the first part found in the lower-case leaf wins.
const FAMILIES: [(&str, &str); 22] = [
    ("fmha", "FMHA"),
    ("reshape_and_cache", "KV cache"),
    ("attention", "attn"),
    ("attn", "attn"),
    ("gemv", "gemv"),
    ("splitkreduce", "split-K"),
    ("gemm", "gemm"),
    ("matmul", "matmul"),
    ("conv_", "conv"),
    ("wgrad", "wgrad"),
    ("dgrad", "dgrad"),
    ("softmax", "softmax"),
    ("norm2d", "norm"),
    ("_norm", "norm"),
    ("rmsnorm", "norm"),
    ("rotary", "RoPE"),
    ("embedding", "emb"),
    ("transpose", "transp"),
    ("topk", "topk"),
    ("sort", "sort"),
    ("scan", "scan"),
    ("quant", "quant"),
];

/// The name as short as it stays telling. Empty only for an empty name.
pub fn short_name(name: &str) -> String {
    let short = label(name)
        .or_else(|| memory(name))
        .or_else(|| kernel(name));
    let short = short.unwrap_or_else(|| without_addresses(symbol::bare(name)));
    if short.trim().is_empty() {
        name.to_owned()
    } else {
        short
    }
}

/// One word for the family, for the narrowest bars: `nvjet`, `FA fwd`, `AG`.
pub fn family_word(name: &str) -> Option<&'static str> {
    let bare = symbol::bare(name);
    if is_nccl(bare) {
        return Some(collective(bare).map_or("NCCL", |(_, word)| word));
    }
    if bare.contains("deep_ep::") || bare.contains("dpsk::ep::") {
        return Some("EP");
    }
    let words = [
        ("Memcpy HtoD", "HtoD"),
        ("Memcpy DtoH", "DtoH"),
        ("Memcpy", "copy"),
        ("Memset", "set"),
    ];
    if let Some((_, word)) = words.iter().find(|(start, _)| bare.starts_with(start)) {
        return Some(word);
    }
    let symbol = symbol::parse(bare)?;
    let leaf = symbol.leaf();
    if let Some((_, word)) = tiled(leaf) {
        return Some(word);
    }
    if leaf.starts_with("triton_") {
        return Some("triton");
    }
    let lower = leaf.to_ascii_lowercase();
    if lower.contains("cross_device_reduce") || lower.contains("multimem_") {
        return collective(&lower).map(|(_, word)| word);
    }
    if let Some(word) = flash(&symbol, &lower) {
        return Some(word);
    }
    let family = |text: &str| FAMILIES.iter().find(|(part, _)| text.contains(part));
    let within = symbol.path.iter().rev().find_map(|it| family(it));
    family(&lower).or(within).map(|(_, word)| *word)
}

/// Family word and tile, where the name has both: `nvjet 256x128`.
pub fn family_and_tile(name: &str) -> Option<String> {
    let symbol = symbol::parse(name)?;
    let (_, word) = tiled(symbol.leaf())?;
    Some(format!("{word} {}", tile(symbol.leaf())?))
}

/// The text with control characters shown as `·`.
pub fn visible(text: &str) -> Cow<'_, str> {
    if text.contains(char::is_control) {
        Cow::Owned(text.replace(char::is_control, "·"))
    } else {
        Cow::Borrowed(text)
    }
}

/// Names of the CPU side that have a form of their own: Python frames, modules, autograd nodes.
fn label(name: &str) -> Option<String> {
    if let Some(inner) = name
        .strip_prefix("<built-in ")
        .and_then(|it| it.strip_suffix('>'))
    {
        let inner = inner
            .strip_prefix("method ")
            .or_else(|| inner.strip_prefix("function "))?;
        let inner = inner
            .split_once(" object at 0x")
            .map_or(inner, |(before, _)| before);
        let (method, owner) = inner.split_once(" of ").unwrap_or((inner, "built-in"));
        return Some(format!("{method}  {owner}"));
    }
    for start in ["nn.Module: ", "autograd::engine::evaluate_function: "] {
        if let Some(rest) = name.strip_prefix(start) {
            return Some(rest.to_owned());
        }
    }
    let (place, function) = name.split_once("): ")?;
    let (path, line) = place.rsplit_once('(')?;
    if line.is_empty() || !line.bytes().all(|it| it.is_ascii_digit()) || function.is_empty() {
        return None;
    }
    let mut parts = path.rsplit(['/', '\\']).filter(|it| !it.is_empty());
    let file = parts.next()?;
    let file = parts
        .next()
        .map_or_else(|| file.to_owned(), |folder| format!("{folder}/{file}"));
    Some(format!("{function}  {file}:{line}"))
}

/// `Memcpy HtoD (Pageable -> Device)` is `Memcpy HtoD`.
fn memory(name: &str) -> Option<String> {
    let known = name.starts_with("Memcpy") || name.starts_with("Memset");
    known.then(|| name.split(" (").next().unwrap_or(name).to_owned())
}

fn kernel(name: &str) -> Option<String> {
    let bare = symbol::bare(name);
    if is_nccl(bare) {
        return Some(collective(bare).map_or("NCCL", |(name, _)| name).to_owned());
    }
    let symbol = symbol::parse(bare)?;
    let leaf = symbol.leaf();
    if let Some(ops) = leaf.strip_prefix("triton_") {
        return Some(triton(ops));
    }
    if let (Some((_, word)), Some(tile)) = (tiled(leaf), tile(leaf)) {
        return Some(format!("{word} {tile}"));
    }
    let leaf = if is_generic(leaf) {
        with_namespace(&symbol)
    } else {
        leaf.to_owned()
    };
    Some(without_addresses(without_hash(&leaf)))
}

/// `red_fused_a_b_4` is `a b`; `poi_fused_0` names no operation and stays `triton poi`; the numbers
/// of an argument signature (`_0d1d2d`) are no name.
fn triton(rest: &str) -> String {
    let numberless = rest
        .trim_end_matches(|it: char| it.is_ascii_digit())
        .trim_end_matches('_');
    if rest.starts_with("_0d") {
        return "triton".to_owned();
    }
    let (kind, ops) = numberless.split_once("_fused").unwrap_or(("", numberless));
    let ops: Vec<&str> = ops.split('_').filter(|it| !it.is_empty()).collect();
    match (ops.is_empty(), kind) {
        (false, _) => ops.join(" "),
        (true, "") => "triton".to_owned(),
        (true, kind) => format!("triton {kind}"),
    }
}

fn is_nccl(bare: &str) -> bool {
    [
        "ncclDevKernel",
        "ncclKernel",
        "ncclSym",
        "rccl",
        "mscclKernel",
    ]
    .iter()
    .any(|it| bare.starts_with(it))
}

/// The collective a kernel is named after: its name and its word.
fn collective(bare: &str) -> Option<(&'static str, &'static str)> {
    let head = bare.split(['(', '<']).next().unwrap_or(bare);
    let plain: String = head
        .chars()
        .filter(|it| *it != '_')
        .map(|it| it.to_ascii_lowercase())
        .collect();
    let found = COLLECTIVES
        .iter()
        .find(|(spelling, ..)| plain.contains(spelling))?;
    Some((found.1, found.2))
}

fn flash(symbol: &Symbol, lower: &str) -> Option<&'static str> {
    let is_flash = |it: &String| it.starts_with("flash") || it.starts_with("pytorch_flash");
    let part_of_flash = lower.starts_with("flash") || symbol.path.iter().any(is_flash);
    match (
        part_of_flash && !lower.contains("cache"),
        lower.contains("bwd"),
    ) {
        (true, true) => Some("FA bwd"),
        (true, false) if lower.contains("fwd") || lower.contains("compute_attn") => Some("FA fwd"),
        _ => None,
    }
}

fn tiled(leaf: &str) -> Option<(&'static str, &'static str)> {
    TILED.iter().find(|(part, _)| leaf.contains(part)).copied()
}

/// The first `128x256`, third number and stages left out. Both are at least two digits or the
/// first is 8, so `sliced1x4` is none.
fn tile(leaf: &str) -> Option<String> {
    let is_number = |it: &&str| !it.is_empty() && it.len() <= 4;
    for word in leaf.split('_') {
        let Some(start) = word.find(|it: char| it.is_ascii_digit()) else {
            continue;
        };
        let word = word.get(start..)?;
        let mut numbers = word.split('x').map(leading_digits);
        if let (Some(m), Some(n)) = (
            numbers.next().filter(is_number),
            numbers.next().filter(is_number),
        ) && word.as_bytes().get(m.len()) == Some(&b'x')
            && (m.len() > 1 || m == "8")
        {
            return Some(format!("{m}x{n}"));
        }
    }
    None
}

fn leading_digits(text: &str) -> &str {
    text.get(..text.bytes().take_while(u8::is_ascii_digit).count())
        .unwrap_or("")
}

fn is_generic(leaf: &str) -> bool {
    [
        "kernel",
        "Kernel",
        "kernel_impl",
        "globalKernel",
        "run",
        "impl",
    ]
    .contains(&leaf)
}

fn with_namespace(symbol: &Symbol) -> String {
    let from = symbol.path.len().saturating_sub(2);
    symbol.path.get(from..).unwrap_or(&symbol.path).join("::")
}

/// Drops the hash a just-in-time compiler appends (`_1f3a5c7e`).
fn without_hash(name: &str) -> &str {
    match name.rsplit_once('_') {
        Some((before, hash))
            if hash.len() >= 8
                && hash
                    .bytes()
                    .all(|it| matches!(it, b'0'..=b'9' | b'a'..=b'f'))
                && !before.is_empty() =>
        {
            before
        }
        _ => name,
    }
}

/// `0x7f03be9966c0` is `0x`.
fn without_addresses(name: &str) -> String {
    let mut pieces = name.split("0x");
    let mut text = pieces.next().unwrap_or("").to_owned();
    for piece in pieces {
        let hex = piece.bytes().take_while(u8::is_ascii_hexdigit).count();
        // a tile such as `160x128` or a short constant is no address
        let cut = if hex >= 6 && !text.ends_with(|it: char| it.is_ascii_digit()) {
            hex
        } else {
            0
        };
        text.push_str("0x");
        text.push_str(piece.get(cut..).unwrap_or(piece));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn real_names_become_short() {
        let cases = [
            (
                "ncclDevKernel_AllGather_RING_LL(ncclDevKernelArgsStorage<4096ul>)",
                "AllGather",
            ),
            (
                "ncclKernel_AllReduce_RING_LL_Sum_float(ncclDevComm*, unsigned long, ncclWork*)",
                "AllReduce",
            ),
            (
                "ncclDevKernel_Generic(ncclDevKernelArgsStorage<4096ul>)",
                "NCCL",
            ),
            ("nvjet_tst_256x128_64x4_1x2_h_bz_coopA_TNT", "nvjet 256x128"),
            ("nvjet_tst_192x8_64x8_4x1_v_bz_TNT", "nvjet 192x8"),
            ("volta_sgemm_32x32_sliced1x4_tn", "sgemm 32x32"),
            (
                "void cutlass::Kernel2<cutlass_80_wmma_tensorop_bf16_s161616gemm_bf16_32x32_128x2_tn_align2>(P)",
                "cutlass 32x32",
            ),
            (
                "Cijk_Alik_Bljk_BBS_BH_Bias_HA_S_SAV_UserArgs_MT256x192x64_MI16x16x1_SN",
                "Cijk 256x192",
            ),
            (
                "sm90_xmma_gemm_bf16bf16_bf16f32_f32_tn_n_tilesize64x64x64_warpgroupsize1x1x1_execute",
                "xmma 64x64",
            ),
            (
                "igemm_fwd_gtcx3_nhwc_bf16_bx0_ex1_bt256x64x8_wt64x16x4",
                "igemm fwd 256x64",
            ),
            ("triton_red_fused_a_b_4", "a b"),
            (
                "triton_poi_fused__unsafe_view_mul_silu_2",
                "unsafe view mul silu",
            ),
            ("triton_poi_fused_0", "triton poi"),
            ("triton__0d1d2d", "triton"),
            (
                "void at::native::vectorized_elementwise_kernel<4, at::native::CUDAFunctor_add<float>, std::array<char*, 3ul> >(int)",
                "add",
            ),
            (
                "void multi_tensor_apply_kernel<TensorListMetadata<4>, FusedAdamMathFunctor<float> >(int)",
                "FusedAdam",
            ),
            (
                "void multi_tensor_apply_kernel<TensorListMetadata<4>, AdamFunctor<float>, float>(int, int volatile*)",
                "Adam",
            ),
            (
                "void vllm::rms_norm_kernel<c10::BFloat16, 8, 2>(c10::BFloat16*, long)",
                "rms_norm_kernel",
            ),
            (
                "_ZN5aiter24add_rmsnorm_quant_kernelIDF16bDF16bLi256ELi16ELb0EEEvPT0_",
                "add_rmsnorm_quant_kernel",
            ),
            (
                "std::enable_if<!(false), void>::type internal::gemvx::kernel<int, float>(P)",
                "gemvx::kernel",
            ),
            (
                "void multi_tensor_apply_kernel<TensorListMetadata<2>, BinaryOpListAlphaFunctor<float, 2>, std::plus<float> >(P)",
                "plus",
            ),
            ("input_transpose_fusion_1.kd", "input_transpose_fusion_1"),
            (
                "torch/nn/modules/linear.py(130): forward",
                "forward  modules/linear.py:130",
            ),
            ("<string>(1): __init__", "__init__  <string>:1"),
            (
                "<built-in method view of Tensor object at 0x7f03be9966c0>",
                "view  Tensor",
            ),
            ("<built-in function min>", "min  built-in"),
            ("nn.Module: Linear_213", "Linear_213"),
            ("aten::addmm", "addmm"),
            ("Memcpy HtoD (Pageable -> Device)", "Memcpy HtoD"),
            ("Memset (Device)", "Memset"),
            ("ProfilerStep#13", "ProfilerStep#13"),
            (
                "execute_context_0(0)_generation_8(8)",
                "execute_context_0(0)_generation_8(8)",
            ),
            ("a label (with words)", "a label (with words)"),
            ("()", "()"),
            ("::", "::"),
            ("  ", "  "),
            ("", ""),
        ];
        for (name, short) in cases {
            assert_eq!(short_name(name), short, "{name}");
        }
    }

    #[test]
    fn families_have_a_word() {
        let cases = [
            ("nvjet_tst_192x8_64x8_4x1_v_bz_TNT", Some("nvjet")),
            (
                "void pytorch_flash::flash_fwd_kernel<pytorch_flash::X<64> >(P)",
                Some("FA fwd"),
            ),
            (
                "void cutlass::device_kernel<flash::FlashAttnBwd<flash::C<2> > >(P)",
                Some("FA bwd"),
            ),
            (
                "void vllm::reshape_and_cache_flash_kernel<float>(P)",
                Some("KV cache"),
            ),
            ("ncclDevKernel_AllGather_RING_LL(P)", Some("AG")),
            (
                "ncclDevKernel_ReduceScatter_Sum_bf16_RING_LL(P)",
                Some("RS"),
            ),
            (
                "void vllm::cross_device_reduce_1stage<float, 2>(P)",
                Some("AR"),
            ),
            ("void dpsk::ep::internode::combine<false>(P)", Some("EP")),
            ("Memcpy DtoH (Device -> Pinned)", Some("DtoH")),
            (
                "std::enable_if<!(false), void>::type internal::gemvx::kernel<int>(P)",
                Some("gemv"),
            ),
            ("SubTensorOpWithScalar1d", None),
        ];
        for (name, word) in cases {
            assert_eq!(family_word(name), word, "{name}");
        }
        assert_eq!(
            family_and_tile("ampere_sgemm_128x64_nn").as_deref(),
            Some("sgemm 128x64")
        );
        assert_eq!(family_and_tile("triton_poi_fused_0"), None);
    }

    #[test]
    fn control_characters_are_shown() {
        assert_eq!(visible("a\u{7}b\nc"), "a·b·c");
        assert!(matches!(visible("漢字"), Cow::Borrowed(_)));
    }

    #[test]
    fn a_megabyte_of_brackets_takes_linear_time() {
        for unit in [
            "<",
            "(",
            "a<",
            "f(",
            "a<b(",
            ")",
            ">",
            "9",
            "_1x2",
            "::",
            "0x",
            "9aaaaaaaaa",
        ] {
            for start in ["", "_ZN", "triton_", "void Kernel<", "reduce_kernel<"] {
                let name = format!("{start}{}", unit.repeat((1 << 18) / unit.len()));
                assert!(!short_name(&name).is_empty());
                let _unused = (family_word(&name), family_and_tile(&name));
            }
        }
    }

    proptest! {
        #[test]
        fn any_text_has_a_name(name in r"(_ZN|void |triton_|Kernel<|\PC){0,3}([<>(){}:x0-9a-zA-Z_ ,é\n]|\PC){0,60}") {
            prop_assert_eq!(short_name(&name).is_empty(), name.is_empty());
            let _unused = (family_word(&name), family_and_tile(&name), visible(&name));
        }
    }
}
