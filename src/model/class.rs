//! The class of a kernel by its name: a pure table, after `reference/analyses.md` 0.1 (order of the
//! classes) and 4.2 (communication, fused kernels, what only looks like communication).
//! The split of compute into families is ours and only colors: convolutions that run as matrix
//! products count as GEMM, with the split-K reductions that belong to them; kernels that read and
//! write memory once (norms, softmax, reductions, casts, layout changes, optimizers) as elementwise;
//! sorting, routing, embedding tables and whatever is unknown as other.
//!
//! A fused kernel (a collective and a GEMM or norm in one) is *compute*: its busy time counts as
//! compute, because its overlap is internal. [`is_fused`] lets a report list it apart.
//! Spans that are communication by their args (`Collective name`) are not decided here.

use std::sync::LazyLock;

use regex::{RegexSet, RegexSetBuilder};

use super::symbol;

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[repr(u8)]
pub enum Class {
    Gemm,
    Attention,
    Elementwise,
    Other,
    Communication,
    Copy,
    Memset,
}

impl Class {
    pub const ALL: [Self; 7] = [
        Self::Gemm,
        Self::Attention,
        Self::Elementwise,
        Self::Other,
        Self::Communication,
        Self::Copy,
        Self::Memset,
    ];

    /// The word in reports, settings and legends.
    pub fn word(self) -> &'static str {
        match self {
            Self::Gemm => "gemm",
            Self::Attention => "attention",
            Self::Elementwise => "elementwise",
            Self::Other => "other",
            Self::Communication => "communication",
            Self::Copy => "copy",
            Self::Memset => "memset",
        }
    }

    pub fn is_compute(self) -> bool {
        matches!(
            self,
            Self::Gemm | Self::Attention | Self::Elementwise | Self::Other
        )
    }
}

/// The class of a GPU activity named `name`. Costs microseconds: ask once per distinct name.
pub fn class_of_kernel(name: &str) -> Class {
    let bare = symbol::bare(name);
    if let Some(class) = first_match(&COPIES, bare) {
        return class;
    }
    if !NOT_COMMUNICATION.is_match(bare) && !FUSED.is_match(bare) && COMMUNICATION.is_match(bare) {
        return Class::Communication;
    }
    compute_class(bare)
}

/// Whether one kernel holds a collective and compute (4.2, group `fused`).
pub fn is_fused(name: &str) -> bool {
    let bare = symbol::bare(name);
    !NOT_COMMUNICATION.is_match(bare) && FUSED.is_match(bare)
}

/// By the function or functor first, then by the namespaces around it: `cutlass::bfloat16_t` among
/// the template arguments of a routing kernel makes no GEMM of it.
fn compute_class(bare: &str) -> Class {
    let Some(symbol) = symbol::parse(bare) else {
        return first_match(&COMPUTE, bare).unwrap_or(Class::Other);
    };
    let function = symbol.path.last().map_or("", String::as_str);
    let whole = || symbol.path.join("::");
    first_match(&COMPUTE, symbol.leaf())
        .or_else(|| first_match(&COMPUTE, function))
        .or_else(|| first_match(&COMPUTE, &whole()))
        .unwrap_or(Class::Other)
}

/// A list of rules of which the first that fits wins.
struct Rules {
    set: RegexSet,
    classes: Vec<Class>,
}

fn first_match(rules: &Rules, text: &str) -> Option<Class> {
    let first = rules.set.matches(text).iter().next()?;
    rules.classes.get(first).copied()
}

fn rules(list: &[(Class, &str)]) -> Rules {
    let patterns: Vec<&str> = list.iter().map(|(_, pattern)| *pattern).collect();
    Rules {
        set: set(&patterns),
        classes: list.iter().map(|(class, _)| *class).collect(),
    }
}

#[expect(
    clippy::expect_used,
    reason = "the patterns are constants and every test compiles them"
)]
fn set(patterns: &[&str]) -> RegexSet {
    let mut builder = RegexSetBuilder::new(patterns);
    builder
        .case_insensitive(true)
        .unicode(false)
        .size_limit(1 << 26);
    builder.build().expect("patterns compile")
}

static COPIES: LazyLock<Rules> = LazyLock::new(|| {
    rules(&[
        (
            Class::Memset,
            r"^memset|^hipMemset|^__amd_rocclr_fillBuffer|^FillBuffer",
        ),
        (
            Class::Copy,
            r"^memcpy|^hipMemcpy|^MEMORY_COPY_|^__amd_rocclr_copyBuffer|^Copy(Device|Host)To",
        ),
    ])
});

static NOT_COMMUNICATION: LazyLock<RegexSet> = LazyLock::new(|| {
    set(&[r"^(hipMemcpy|hipMemset|Cijk_)|splitKreduce|native::reduce_kernel|get_dispatch_layout"])
});

static FUSED: LazyLock<RegexSet> = LazyLock::new(|| {
    set(&[
        r"gemm\w*(all_?reduce|reduce_?scatter|all_?gather)|(all_?reduce|allgather)\w*gemm",
        r"allreduce_fusion|userbuffers|all_?reduce\w*(rms)?_?norm",
    ])
});

static COMMUNICATION: LazyLock<RegexSet> = LazyLock::new(|| {
    set(&[
        r"^nccl(Dev)?Kernel",
        r"^ncclSymk?DevKernel_\w+?_",
        r"rcclGenericKernel|^msccl(Kernel|_)",
        r"mscclpp|allreduce(Packet|AllPairs|AllPair|Nvls|RsAg|Fullmesh)|allgatherFullmesh|executionKernel",
        r"(deep_ep|dpsk::ep)::\w+(::\w+)*::(dispatch|combine|notify_dispatch|cached_notify\w*|barrier|clean_low_latency_buffer|pp_send_recv|hybrid_dispatch|\w*epilogue)",
        r"nvshmem|hybrid_ep",
        r"cross_device_reduce_[12]stage|quick_?all_?reduce|(one|two)_?shot_?all_?reduce",
        r"multimem_(all_reduce|one_shot|all_gather|reduce_scatter)|symm_mem",
        r"lamport",
        r"^hccl|oneccl",
    ])
});

/// The compute families. Narrow words stand before the broad ones they would fall to.
static COMPUTE: LazyLock<Rules> = LazyLock::new(|| {
    rules(&[
        // generated code says its kind in the prefix and its operations behind it
        (
            Class::Elementwise,
            r"^triton_(poi|red|per|for)_|^cupy_|^wrapped_|^(loop|input)_\w*fusion",
        ),
        (Class::Attention, r"^triton_tem_\w*(attention|attn)"),
        (Class::Gemm, r"^triton_tem_"),
        // around attention and GEMM, but neither
        (
            Class::Elementwise,
            r"(reshape|concat)_and_cache|(store|set|write|append)_?(paged_?)?kv|copy_blocks|swap_blocks",
        ),
        (
            Class::Other,
            r"kv_indices|page_(indices|table)|block_table|tensormap|compute\w*Offsets|routing|bitmatrix",
        ),
        (
            Class::Elementwise,
            r"finalize_matmul|reduce_wgrad|reduce_1Block|im2col|im3d2col|col2im",
        ),
        (
            Class::Other,
            r"winograd(Forward|Wgrad|Backward|Filter|Data|Output)|WinogradTiles|depthwise|naive_conv|conv1d",
        ),
        (
            Class::Attention,
            r"fmha|flash_?(attn|attention|fwd|bwd|mla|decod)|attention|attn|(^|_)mla(_|$)|(prefill|decode)With|sdpa",
        ),
        (
            Class::Gemm,
            r"gemm|gemv|matmul|^cijk_|nvjet|xmma|cutlass|tensorop_|(^|_)b?mm(_|$)|splitk_?reduce|marlin|fused_moe_kernel",
        ),
        (
            Class::Gemm,
            r"convol|conv_?[23]d|_conv_|scudnn|fprop|wgrad|dgrad|winograd|xdlops|MIOpenConv|Asm_?Conv|bwd_weight|bwd_data",
        ),
        // neither once-through memory work nor a product
        (
            Class::Elementwise,
            r"rotary|rope(_|$)|elementwise|softmax|multi_tensor_apply",
        ),
        (
            Class::Other,
            r"sort|scan|top_?k|ByKey|histogram|unique|moe_(align|sum)|expert|embedding|sampling|sample|multinomial|philox|random|fft|segments|bucketize",
        ),
        (
            Class::Elementwise,
            r"pointwise|functor|norm|reduce|reduction|silu|gelu|relu|swi?glu|sigmoid|tanh|act_and|activation|dropout",
        ),
        (
            Class::Elementwise,
            r"cast|quant|convert|copy|transpose|permute|nchw|nhwc|CatArray|concat|fill|arange|where|mask|clamp|OpTensor|TensorOp",
        ),
        (
            Class::Elementwise,
            r"adam|sgd|lamb(_|$)|optimizer|index|gather|scatter|pool|loss|criterion|cross_entropy|upsample|interpol|im2d|scale",
        ),
        (
            Class::Elementwise,
            r"(^|_)(bn|ln)_(fw|bw|tr)|batchnorm|(^|[_:])(add|mul|sub|div|sum|mean|max|min|exp|log|sqrt|rsqrt|pow|sin|cos|neg|pad|dot)([_0-9]|$)|epilogue|EigenMetaKernel|fusion",
        ),
        // a namespace of the library, when the function itself said nothing
        (Class::Attention, r"(^|:)(pytorch_)?flash:"),
        (Class::Gemm, r"cublas"),
    ])
});

#[cfg(test)]
mod tests {
    // Names from recordings of V100 to B200 and MI210 to MI300X, cut where only arguments follow; the
    // communication kernels that no recording here holds are spelled as their libraries do.
    use super::*;

    fn check(class: Class, names: &[&str]) {
        for name in names {
            assert_eq!(class_of_kernel(name), class, "{name}");
        }
    }

    #[test]
    fn matrix_products_and_convolutions_are_gemm() {
        check(
            Class::Gemm,
            &[
                "nvjet_tst_192x8_64x8_4x1_v_bz_TNT",
                "ampere_sgemm_128x64_nn",
                "ampere_gcgemm_64x64_nt",
                "volta_sgemm_32x32_sliced1x4_tn",
                "void cutlass::Kernel2<cutlass_80_tensorop_bf16_s16816gemm_bf16_256x128_64x3_tn_align2>(P)",
                "void cutlass::Kernel<cutlass::gemm::kernel::Gemm<cutlass::gemm::threadblock::MmaPipelined<X> > >(P)",
                "void cutlass::device_kernel<dpsk::grouped_gemm::cuda::fp8_ptp128c::GemmKernel>(P)",
                "sm90_xmma_gemm_bf16bf16_bf16f32_f32_tn_n_tilesize64x64x64_warpgroupsize1x1x1_execute",
                "sm80_xmma_fprop_implicit_gemm_indexed_tf32f32_tf32f32_f32_nhwckrsc_nchw_tilesize128x128x16",
                "Cijk_Alik_Bljk_BBS_BH_Bias_HA_S_SAV_UserArgs_MT256x192x64_MI16x16x1_SN",
                "bmm_Bfloat16_MxE2m1MxE4m3_Fp32_t128x16x256u2_s3_et128x16_m128x16x32",
                "_matmul_ogs_NNT_bf16xbf16xmxfp4_16x128x256x1_swiglu",
                "std::enable_if<!(false), void>::type internal::gemvx::kernel<int, int, __nv_bfloat16>(P)",
                "void gemv2T_kernel_val<int, int, float, float, float, float, 128, 16, 2, 2, false>(P)",
                "void cublasLt::splitKreduce_kernel<32, 16, int, float, float>(cublasLt::cublasSplitKParams<float>)",
                "void implicit_convolve_sgemm<float, float, 1024, 6, 7, 3, 3, 5, 1, false, true, true>(int)",
                "volta_scudnn_128x64_stridedB_splitK_xregs_large_nn_v1",
                "void cudnn::detail::dgrad_engine<float, 512, 6, 5, 3, 3, 3, false>(int, int, int)",
                "igemm_wrw_gtcx3_nhwc_bf16_bx0_ex1_bt64x64x64_wt32x32x8",
                "_ZN2ck16tensor_operation6device12_GLOBAL__N_139kernel_grouped_conv_fwd_xdl_cshuffle_v3INS_28GridwiseGemm",
                "triton_tem_fused_mm_3",
            ],
        );
    }

    #[test]
    fn attention_is_told_from_the_cache_around_it() {
        check(
            Class::Attention,
            &[
                "void pytorch_flash::flash_fwd_kernel<pytorch_flash::Flash_fwd_kernel_traits<64, 128> >(P)",
                "void cutlass::device_kernel<flash::FlashAttnBwd<flash::CollectiveMainloopBwd<2> > >(P)",
                "void cutlass::device_kernel<flash::FlashAttnBwdPreprocess<cute::tuple<cute::C<64> > > >(P)",
                "void flash::compute_attn_ws<Flash_fwd_kernel_traits<192, 128, 128, 12, 2, false, 1> >(P)",
                "fmhaSm100aKernel_QkvE4m3OBfloat16H64PagedKvCausalP16VarSeqQ128Kv128PersistentContext",
                "_ZN7ck_tile6kentryILi2ENS_38FmhaBatchPrefillWithPagedKVCacheKernelINS_40BlockFmha",
                "kernel_unified_attention_2d",
                "attn_fwd",
            ],
        );
        check(
            Class::Elementwise,
            &[
                "void vllm::reshape_and_cache_flash_kernel<__nv_bfloat16, unsigned char>(P)",
                "void (anonymous namespace)::store_kvcache<2048l, 4, false, long>(P)",
            ],
        );
        check(
            Class::Other,
            &[
                "create_flashinfer_kv_indices_triton",
                "_copy_page_indices_kernel",
            ],
        );
    }

    #[test]
    fn kernels_that_pass_once_over_memory_are_elementwise() {
        check(
            Class::Elementwise,
            &[
                "void at::native::vectorized_elementwise_kernel<4, at::native::CUDAFunctor_add<float>, std::array<char*, 3ul> >(int)",
                "void at::native::reduce_kernel<512, 1, at::native::ReduceOp<float, at::native::MeanOps<float> > >(P)",
                "void (anonymous namespace)::softmax_warp_forward<float, float, float, 10, false, false>(P)",
                "void at::native::(anonymous namespace)::CatArrayBatchedCopy<float, unsigned int, 1, 128, 1>(P)",
                "void at::native::(anonymous namespace)::indexSelectLargeIndex<c10::BFloat16, long>(P)",
                "void at::native::(anonymous namespace)::max_pool_forward_nchw<float, float>(int)",
                "void vllm::rms_norm_kernel<c10::BFloat16, 8, 2>(P)",
                "std::enable_if<(((8)>(0))), void>::type vllm::fused_add_rms_norm_kernel<c10::BFloat16, 8>(P)",
                "_ZN5aiter24add_rmsnorm_quant_kernelIDF16bDF16bLi256ELi16ELb0EEEvPT0_",
                "_ZN7ck_tile6kentryILi1ENS_12Rmsnorm2dFwdINS_27Rmsnorm2dFwdPipelineOnePassE",
                "_ZN7sgl_hip10activation18act_and_mul_kernelI14__hip_bfloat16TnPFT_RKS3_E",
                "void layer_norm::ln_bwd_finalize_kernel<layer_norm::Kernel_traits_finalize<1536u> >(P)",
                "void cudnn::bn_fw_tr_1C11_kernel_NCHW<float, float, 512, true, 1>(P)",
                "void multi_tensor_apply_kernel<TensorListMetadata<4>, AdamFunctor<float>, float>(int)",
                "void vllm::rotary_embedding_kernel<c10::BFloat16, true>(P)",
                "void vllm::scaled_fp8_quant_kernel_strided<c10::BFloat16, c10::Float8_e4m3fn>(P)",
                "void cuda::swiglu_and_per_channel_cast_and_transpose<256, 128, false>(P)",
                "void dpsk::grouped_gemm::cuda::utils::transpose<512, 128, 4, 4>(P)",
                "void cudnn::ops::nchwToNhwcKernel<float, float, float, false, true>(P)",
                "batched_transpose_16x32_half",
                "void cudnn::cnn::im2col4d_kernel<float, long>(P)",
                "triton_red_fused__unsafe_view_add_mean_mul_pow_rsqrt_1",
                "loop_transpose_fusion.kd",
            ],
        );
    }

    #[test]
    fn routing_sorting_and_the_unknown_are_other() {
        check(
            Class::Other,
            &[
                "void moe::dev::finalize::finalizeKernelVecLoad<moe::dev::finalize::KernelParams<cutlass::bfloat16_t> >(P)",
                "void moe::dev::routing::routingIndicesOffsetsKernel<moe::dev::routing::KernelParams<float> >(P)",
                "void cub::DeviceRadixSortOnesweepKernel<cub::DeviceRadixSortPolicy<long, int, int>::Policy800>(P)",
                "void split_embedding_codegen_forward_unweighted_kernel<float, float, float, false, long>(P)",
                "void fft2d_r2c_32x32<float, false, 0u, false>(float2*, float const*)",
                "void dpsk::ep::cuda::get_dispatch_layout<256, 32, 8>(long const*, int*)",
                "dpsk::grouped_gemm::cuda::utils::fill_tensormaps_kernel(CUtensorMap_st, void*)",
                "_topk_forward",
                "Kernel",
                "",
            ],
        );
    }

    #[test]
    fn collectives_of_every_library_are_communication() {
        check(
            Class::Communication,
            &[
                "ncclDevKernel_AllGather_RING_LL(ncclDevKernelArgsStorage<4096ul>)",
                "ncclDevKernel_Generic(ncclDevKernelArgsStorage<4096ul>)",
                "ncclKernel_AllReduce_RING_LL_Sum_float(ncclDevComm*, unsigned long, ncclWork*)",
                "ncclSymkDevKernel_AllReduce_RSxLD_AGxST_sum_bf16(P)",
                "void dpsk::ep::internode::dispatch<false, 8, true, 8>(int4*, float*)",
                "void dpsk::ep::internode::cached_notify<false>(int, int)",
                "void deep_ep::intranode::combine<__nv_bfloat16, 4, 768>(P)",
                "void (anonymous namespace)::multimem_all_reduce_kernel<c10::BFloat16, 16>(P)",
                "void vllm::cross_device_reduce_1stage<c10::BFloat16, 2>(P)",
                "void tensorrt_llm::kernels::lamport_style_one_shot_all_reduce<4>(P)",
                "void mscclKernel_Sum_half_Simple(P)",
                "nvshmemi_barrier_all",
            ],
        );
    }

    #[test]
    fn copies_of_rocm_are_copies_by_name() {
        check(
            Class::Copy,
            &[
                "Memcpy HtoD (Pinned -> Device)",
                "__amd_rocclr_copyBuffer.kd",
                "MEMORY_COPY_DEVICE_TO_HOST",
            ],
        );
        check(
            Class::Memset,
            &["Memset (Device)", "__amd_rocclr_fillBufferAligned.kd"],
        );
    }

    #[test]
    fn a_fused_kernel_counts_as_compute() {
        let gemm = "void cutlass::device_kernel<flux::GemmReduceScatterKernel<X> >(P)";
        let norm = "void flashinfer::trtllm_allreduce_fusion::allreduce_fusion_kernel_oneshot_lamport<X>(P)";
        assert!(is_fused(gemm) && is_fused(norm));
        check(Class::Gemm, &[gemm]);
        check(Class::Elementwise, &[norm]);
        assert!(!is_fused("ncclDevKernel_AllReduce_Sum_f32_RING_LL(P)"));
    }

    #[test]
    fn a_long_name_is_answered() {
        check(
            Class::Other,
            &["<".repeat(1 << 18).as_str(), "::".repeat(1 << 17).as_str()],
        );
    }

    #[test]
    fn classes_are_listed_in_order() {
        assert!(Class::ALL.windows(2).all(|pair| pair[0] < pair[1]));
        assert_eq!(Class::ALL.iter().filter(|it| it.is_compute()).count(), 4);
    }
}
