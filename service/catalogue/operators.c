/* Operators: what is computed, sorted by name. Families group operators that share evidence;
 * softmax is a norm here because both are one reduction and one rescaling of a row. The list is
 * open: an unknown name is kept as a slug and registered by the service. */
#include <stdint.h>
#include <string.h>

#include "service/base/fnv.h"
#include "service/base/text.h"
#include "service/catalogue/catalogue.h"
#include "service/catalogue/names.h"

static const struct lore_operator operators[] = {
    /* name, family, summary, aliases */
    {"allreduce", "reduction", "Sum over devices, result on all",
        "all_reduce,allgather,reduce_scatter"},
    {"argmax", "reduction", "Index of the largest element", "argmin"},
    {"attention", "attention", "Softmax of query times key, times value",
        "sdpa,scaled_dot_product_attention,attn,self_attention,attention_forward"},
    {"batched_gemm", "gemm", "Many matrix products of one shape",
        "bmm,baddbmm,batch_matmul,batched_matmul,batched_mm,batch_gemm,xgemmbatched,gemm_batched,"
        "gemm_strided_batched"},
    {"batchnorm", "norm", "Normalise channels over a batch", "batch_norm,batch_normalization"},
    {"conv1d", "conv", "Convolution over one axis", "causal_conv1d"},
    {"conv2d", "conv", "Convolution over two axes", "convolution,conv,convolution_2d,conv_2d"},
    {"conv3d", "conv", "Convolution over three axes", "convolution_3d"},
    {"copy", "elementwise", "Copy memory",
        "vcopy,veccopy,vector_copy,memcpy,stream_copy,copy_kernel"},
    {"coulomb", "elementwise", "Electrostatic potential on a grid",
        "direct_coulomb_sum,coulomb_sum"},
    {"cross_entropy", "reduction", "Loss of a softmax classifier", "cross_entropy_loss"},
    {"dedispersion", "reduction", "Undo the dispersion of radio signals and sum channels",
        "dedisp"},
    {"depthwise_conv", "conv", "Convolution of each channel on its own", "depthwise_conv2d"},
    {"dequantize", "quantization", "Convert from a low-precision format", "dequant"},
    {"dot", "reduction", "Inner product of two vectors", "dot_product"},
    {"elementwise", "elementwise", "One result per element",
        "vector_add,vectoradd,vecadd,add,axpy,saxpy,xaxpy,pointwise,triad,stream_triad"},
    {"embedding", "embedding", "Rows of a table by index", "embedding_lookup,embedding_bag"},
    {"expdist", "reduction", "Bhattacharyya-like distance of two point clouds",
        "bhattacharyya_distance"},
    {"fft", "fft", "Fast Fourier transform", "fft1d,fft2d,rfft"},
    {"flash_attention", "attention", "Attention in tiles with online softmax",
        "flash_attn,fa,fa2,fa3,fa4,fmha,flash_attention_forward,flash_attention_2,flash_attention_"
        "3,flash_attn_fwd,flash_attention_fwd,fused_attention,fused_multi_head_attention,fmha_fwd"},
    {"flash_attention_backward", "attention", "Gradients of tiled attention",
        "flash_attn_bwd,fmha_bwd,flash_attention_bwd,attention_backward"},
    {"gated_delta_net", "scan", "Gated delta rule recurrence",
        "gdn,gated_delta_rule,chunk_gdn,gdn_decode,gated_deltanet,gated_delta_rule_update,chunk_"
        "gated_delta_rule"},
    {"gated_rmsnorm_quant", "norm", "Gated RMS norm that also quantises its output",
        "gated_rms_norm_quant"},
    {"gather", "embedding", "Elements at given indices", "index_select"},
    {"gelu", "elementwise", "Gaussian error linear unit", "fast_gelu"},
    {"gemm", "gemm", "Dense matrix product",
        "matmul,mm,sgemm,hgemm,dgemm,bgemm,xgemm,gemm_nn,gemm_nt,gemm_tn,gemm_f32,gemm_f16,gemm_"
        "bf16,gemm_fp16,gemm_fp32,matmul_f16,matmul_fp16,matmul_bf16,matmul_f32,mat_mul,dense_gemm,"
        "addmm,nn_linear,matrix_multiply,matrix_multiplication,matrix_product,matrixmul,linear,"
        "dense"},
    {"gemm_epilogue", "gemm", "Matrix product with a fused bias or activation",
        "gemm_bias,gemm_bias_gelu,gemm_relu,fused_linear"},
    {"gemm_quant", "gemm", "Matrix product with low-precision inputs and scales",
        "scaled_mm,fp8_gemm,w8a8_gemm,w4a16_gemm,gemm_a8w8,block_scaled_gemm,blockscale_gemm,block_"
        "scale_gemm,blockwise_gemm,scaled_gemm,gemm_fp8,fp8_matmul,int8_gemm,gemm_int8,w8a8,w4a16,"
        "w4a8_gemm,w4a4_gemm,quantized_gemm,quant_gemm,nvfp4_gemm,fp4_gemm,mxfp4_gemm,mxfp8_gemm,"
        "gemm_a8w8_blockscale"},
    {"gemv", "gemm", "Matrix times vector", "matvec,mat_vec,matrix_vector,mv,xgemv,sgemv,hgemv"},
    {"gqa", "attention", "Grouped-query attention", "grouped_query_attention"},
    {"grouped_gemm", "gemm", "Many matrix products of different shapes in one launch",
        "group_gemm,grouped_matmul,grouped_mm,moe_gemm,ragged_gemm"},
    {"groupnorm", "norm", "Normalise groups of channels", "group_norm"},
    {"histogram", "atomics", "Count elements by bin", "hist"},
    {"hotspot", "stencil", "Temperature of a chip over time steps", "rodinia_hotspot"},
    {"instancenorm", "norm", "Normalise each channel of each image", "instance_norm"},
    {"layernorm", "norm", "Normalise rows to mean 0 and variance 1",
        "layer_norm,layer_normalization,ln,fused_layer_norm,layernorm_forward"},
    {"linear_attention", "attention", "Attention without softmax, as a recurrence",
        "lightning_attention"},
    {"log_softmax", "norm", "Logarithm of softmax", "logsoftmax"},
    {"mamba", "scan", "Selective state-space scan", "selective_scan,ssm,mamba2"},
    {"mean_reduction", "reduction", "Mean along an axis", "mean,mean_reduce"},
    {"mha", "attention", "Multi-head attention", "multi_head_attention,multihead_attention"},
    {"mla", "attention", "Multi-head latent attention", "multi_head_latent_attention,mla_decode"},
    {"moe", "moe", "Mixture of experts: route, multiply, combine",
        "fused_moe,mixture_of_experts,moe_layer,fused_experts"},
    {"moe_align", "moe", "Sort tokens by expert and pad blocks",
        "moe_align_block_size,moe_sorting"},
    {"moe_fused_gate", "moe", "Grouped top-k gating of experts with bias",
        "fused_gate,biased_grouped_topk,moe_gate"},
    {"mqa", "attention", "Multi-query attention", "multi_query_attention"},
    {"nbody", "elementwise", "Forces between all pairs of bodies", "n_body"},
    {"paged_attention", "attention", "Attention over a paged key-value cache",
        "paged_attn,pagedattention"},
    {"paged_decode", "attention", "One decoding step over a paged key-value cache",
        "gqa_paged_decode,paged_decode_attention,decode_attention,flash_decoding"},
    {"paged_prefill", "attention", "Prefill over a paged key-value cache",
        "gqa_paged_prefill,ragged_prefill"},
    {"pnpoly", "elementwise", "Which points lie inside a polygon", "point_in_polygon"},
    {"pooling", "conv", "Largest or mean value of a window",
        "maxpool,max_pool2d,avgpool,avg_pool2d"},
    {"quantize", "quantization", "Convert to a low-precision format with scales",
        "quant,fp8_quant,per_token_quant,dynamic_quant,quantization,quantise,act_quant"},
    {"reduction", "reduction", "Fold an array into one value or one per row",
        "reduce,sum,row_sum,block_reduce,sum_reduction,reduce_sum,vector_sum,reduction_sum"},
    {"relu", "elementwise", "Rectified linear unit", "leaky_relu"},
    {"rmsnorm", "norm", "Normalise rows by their root mean square",
        "rms_norm,rms_normalization,fused_add_rmsnorm,fused_add_rms_norm,add_rmsnorm,rmsnorm_"
        "forward"},
    {"rope", "attention", "Rotary position embedding",
        "rotary_embedding,rotary,rotary_position_embedding,rope_embedding,apply_rope,apply_rotary,"
        "rotary_emb"},
    {"sage_attention", "attention", "Attention with quantised scores", "sageattention,sage_attn"},
    {"scan", "scan", "Prefix sums", "prefix_sum,cumsum,exclusive_scan,inclusive_scan,prefix_scan"},
    {"scatter_add", "atomics", "Add values at given indices", "index_add,scatter"},
    {"silu", "elementwise", "Sigmoid linear unit", "swish"},
    {"silu_mul", "elementwise", "Gated SiLU of two halves", "swiglu,silu_and_mul,swiglu_forward"},
    {"softmax", "norm", "Exponentials of a row over their sum",
        "row_softmax,softmax_forward,rowwise_softmax,softmax_fwd,safe_softmax,online_softmax"},
    {"sort", "sort", "Order the elements of an array", "radix_sort,bitonic_sort"},
    {"spmm", "sparse", "Sparse times dense matrix", "sparse_matmul"},
    {"spmv", "sparse", "Sparse matrix times vector", "sparse_matvec"},
    {"stencil", "stencil", "Each cell from its neighbours",
        "jacobi,laplacian,stencil_2d,stencil_3d"},
    {"topk", "sort", "The k largest elements", "top_k"},
    {"topk_per_row", "sort", "The k largest elements of each row", "row_topk,top_k_per_row"},
    {"topk_softmax", "moe", "Softmax over experts, then the k largest",
        "moe_topk_softmax,top_k_softmax"},
    {"transpose", "transpose", "Swap axes of an array",
        "permute,matrix_transpose,xtranspose,transpose_2d"},
};
#define N_OPERATORS (sizeof operators / sizeof *operators)

static struct lore_name_slot slots[1024];
static struct lore_names names = {.slots = slots, .n_slots = 1024};
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void
fill(void)
{
    for (size_t i = 0; i < N_OPERATORS; i++) {
        lore_names_add(&names, operators[i].name, strlen(operators[i].name), i);
        lore_names_add_list(&names, operators[i].aliases, i);
    }
}

const struct lore_names *
lore_operator_names(void)
{
    pthread_once(&once, fill);
    return &names;
}

const struct lore_operator *
lore_operators(size_t *n)
{
    *n = N_OPERATORS;
    return operators;
}

const struct lore_operator *
lore_operator_find(const char *name)
{
    int row = !name ? -1 : lore_names_find(lore_operator_names(), name, strlen(name));

    return row < 0 ? NULL : &operators[row];
}

const char *
lore_operator_name(struct lore_arena *arena, const char *name)
{
    const struct lore_operator *known = lore_operator_find(name);
    const char *slug;

    if (known)
        return known->name;
    slug = lore_operator_slug(arena, name);
    known = lore_operator_find(slug); /* the slug may be a known name: "so+ftmax" */
    return known ? known->name : slug;
}

/* A slug that is never empty and differs for different long texts. A slug longer than MOST bytes,
 * or an empty one, ends in digits of the text's hash. */
const char *
lore_operator_slug(struct lore_arena *arena, const char *name)
{
    enum { MOST = 100 };
    const char *slug = lore_slug(arena, name);
    uint64_t h = lore_fnv_text(LORE_FNV, name);
    size_t n = strlen(slug), prefix = MOST - 9;

    if (n > 0 && n <= MOST)
        return slug;
    if (n > 0 && slug[prefix - 1] == '_') /* lore_slug would merge two underscores */
        prefix--;
    return lore_format(arena, "%.*s_%08x", n == 0 ? 2 : (int)prefix, n == 0 ? "id" : slug,
        (unsigned)(h ^ h >> 32));
}
