/* Tokens, stems, stop words and synonyms. Tables are turned into hashes once. */
#include "service/catalogue/tokens.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "service/base/fnv.h"
#include "service/base/text.h"

static const char *const stop_words[] = {"a", "all", "an", "and", "any", "are", "as", "at", "be",
    "because", "by", "can", "do", "each", "for", "from", "has", "have", "help", "helps", "here",
    "idea", "if", "in", "instead", "into", "is", "it", "its", "just", "let", "make", "of", "on",
    "one", "only", "onto", "or", "our", "per", "set", "should", "so", "some", "than", "that", "the",
    "their", "then", "there", "this", "thus", "through", "to", "try", "us", "use", "using", "value",
    "via", "was", "we", "when", "which", "will", "with", "would"};

static const struct number_word {
    const char *word;
    double value;
} number_words[] = {{"one", 1}, {"two", 2}, {"three", 3}, {"four", 4}, {"five", 5}, {"six", 6},
    {"eight", 8}, {"sixteen", 16}, {"thirty", 30}, {"sixty", 60}};

/* What a word means in this trade. Each is stemmed before it is compared. */
static const struct synonym {
    const char *word, *means;
} synonyms[] = {
    {"asynchronous", "async"},
    {"asynchronously", "async"},
    {"buf", "buffer"},
    {"coalescence", "coalesce"},
    {"cta", "block"},
    {"deeper", "deep"},
    {"dequantization", "dequantize"},
    {"dequant", "dequantize"},
    {"epilog", "epilogue"},
    {"fusion", "fuse"},
    {"ldst", "load"},
    {"mem", "memory"},
    {"parallelism", "parallel"},
    {"parallelization", "parallel"},
    {"parallelize", "parallel"},
    {"reg", "register"},
    {"sharedmem", "smem"},
    {"shmem", "smem"},
    {"spec", "specialize"},
    {"subgroup", "warp"},
    {"sync", "synchronize"},
    {"syncthread", "barrier"},
    {"syncthreads", "barrier"},
    {"threadblock", "block"},
    {"tilling", "tile"},
    {"vec", "vectorize"},
    {"warpspec", "warpspecialize"},
    {"warpspecialized", "warpspecialize"},
    {"recomputation", "recompute"},
    {"wave", "warp"},
    {"wavefront", "warp"},
    {"wider", "wide"},
    {"workgroup", "block"},
};
/* Two words that mean one. */
static const struct pair {
    const char *first, *second, *means;
} pairs[] = {
    {"compute", "unit", "sm"},
    {"global", "memory", "gmem"},
    {"local", "memory", "lmem"},
    {"shared", "memory", "smem"},
    {"shared", "tile", "smem"},
    {"shared", "store", "smem"},
    {"sync", "threads", "barrier"},
    {"thread", "block", "block"},
    {"warp", "group", "warpgroup"},
    {"warp", "spec", "warpspecialize"},
    {"work", "group", "block"},
};
/* Terms that Chinese authors mix with English names, and what each means; the longest first. */
static const char terms[] =
    "共享内存 smem|延迟隐藏 latencyhide|强度削减 strengthreduce|数据重排 reorder|"
    "低精度 lowprecision|分布式 distributed|半精度 half|占用率 occupancy|双缓冲 doublebuffer|"
    "反量化 dequantize|向量化 vectorize|寄存器 register|持久化 persistent|描述符 descriptor|"
    "流水线 pipeline|线程块 block|线程束 warp|重计算 recompute|交错 interleave|位宽 bitwidth|"
    "全局 global|内存 memory|内联 inline|减少 reduce|分块 tile|分层 hierarchical|分支 branch|"
    "切分 split|加载 load|动态 dynamic|原子 atomic|只读 readonly|合并 coalesce|"
    "同步 synchronize|在线 online|填充 pad|复用 reuse|对齐 alignment|局部 local|屏障 barrier|"
    "展开 unroll|布局 layout|常量 constant|并行 parallel|广播 multicast|异步 async|"
    "张量 tensor|归约 reduction|循环 loop|快速 fast|拆分 split|拷贝 copy|指令 instruction|"
    "提升 increase|数学 math|替代 replaces|替换 replaces|树形 tree|核心 core|汇编 assembly|"
    "流水 pipeline|消除 eliminate|混合 mixed|溢出 spill|特化 specialize|稀疏 sparse|"
    "算子 operator|粗化 coarsen|精度 precision|纹理 texture|线程 thread|缓存 cache|"
    "编译 compiler|自动 auto|融合 fuse|规约 reduction|计算 compute|访存 gmem|访问 access|"
    "调优 tune|调度 schedule|路径 path|转置 transpose|选项 flag|避免 avoid|重叠 overlap|"
    "量化 quantize|预取 prefetch|不 not|低 low|无 without";
#define COUNT(a) (sizeof(a) / sizeof *(a))

enum { SLOTS = 512 };
static struct slot {
    uint64_t stem, means;
} slots[SLOTS]; /* single synonyms, by stem */
static struct {
    uint64_t first, second;
} pair_stems[COUNT(pairs)];
static uint64_t pair_means[COUNT(pairs)];
static pthread_once_t once = PTHREAD_ONCE_INIT;

void
lore_tokens_stem(char *word)
{
    static const struct {
        const char *text;
        size_t before; /* letters that must remain */
    } endings[] = {{"izations", 3}, {"isations", 3}, {"ization", 3}, {"isation", 3}, {"ations", 3},
        {"ation", 3}, {"izing", 3}, {"ising", 4}, {"ized", 3}, {"ised", 4}, {"izes", 4},
        {"ises", 4}, {"ize", 4}, {"ise", 4}, {"ings", 3}, {"ing", 3}, {"ed", 3}, {"es", 3}};
    size_t n = strlen(word);

    for (size_t i = 0; i < COUNT(endings); i++) {
        size_t len = strlen(endings[i].text);
        bool size = len < 5 && n > len && word[n - len - 1] == 's' && endings[i].text[1] == 'z';
        if (!size && n >= len + endings[i].before &&
            memcmp(word + n - len, endings[i].text, len) == 0) {
            n -= len;
            break;
        }
    }
    while (n > 3 && (word[n - 1] == 's' || word[n - 1] == 'e'))
        n--;
    if (n > 3 && memcmp(word + n - 2, "iz", 2) == 0)
        n -= 2;
    if (n > 3 && word[n - 1] == word[n - 2] && word[n - 1] != 'l')
        n--;
    if (n > 3 && word[n - 1] == 'y') /* copy, copies, copied */
        word[n - 1] = 'i';
    word[n] = '\0';
}

static uint64_t
stem_of(const char *word)
{
    char mine[LORE_TOKEN_TEXT];
    size_t n = strnlen(word, sizeof mine - 1);

    memcpy(mine, word, n);
    mine[n] = '\0';
    lore_tokens_stem(mine);
    return lore_fnv_text(LORE_FNV, mine);
}

static struct slot *
slot_of(uint64_t stem)
{
    size_t i = stem % SLOTS;

    while (slots[i].stem != 0 && slots[i].stem != stem)
        i = (i + 1) % SLOTS;
    return &slots[i];
}

static uint64_t
meaning(uint64_t stem)
{
    const struct slot *s = slot_of(stem);

    return s->stem != 0 ? s->means : stem;
}

static void
fill(void)
{
    for (size_t i = 0; i < COUNT(synonyms); i++) {
        uint64_t stem = stem_of(synonyms[i].word);
        *slot_of(stem) = (struct slot){stem, stem_of(synonyms[i].means)};
    }
    for (size_t i = 0; i < COUNT(pairs); i++) {
        pair_stems[i].first = meaning(stem_of(pairs[i].first));
        pair_stems[i].second = meaning(stem_of(pairs[i].second));
        pair_means[i] = meaning(stem_of(pairs[i].means));
    }
}

bool
lore_tokens_stop(const char *word)
{
    size_t low = 0, high = COUNT(stop_words);

    while (low < high) {
        size_t middle = (low + high) / 2;
        int order = strcmp(stop_words[middle], word);
        if (order == 0)
            return true;
        if (order < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return false;
}

/* --- splitting --- */

static bool
is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

static bool
is_upper(char c)
{
    return c >= 'A' && c <= 'Z';
}

struct reader {
    const char *s;
    size_t at, len;
};

static char
peek(const struct reader *r, size_t i)
{
    return r->at + i < r->len ? r->s[r->at + i] : '\0';
}

static size_t
digits_at(const struct reader *r, size_t i)
{
    size_t n = 0;

    while (lore_is_digit(peek(r, i + n)))
        n++;
    return n;
}

/* The length of the number or shape at the reader; 0: the run is a word, such as "2d" or "1p2c". */
static size_t
number_length(const struct reader *r, struct lore_token *t)
{
    size_t n = digits_at(r, 0), letters = 0;

    if (peek(r, n) == '.' && digits_at(r, n + 1) > 0)
        n += 1 + digits_at(r, n + 1);
    t->kind = LORE_TOKEN_NUMBER;
    while ((peek(r, n) | 32) == 'x' && digits_at(r, n + 1) > 0) {
        t->kind = LORE_TOKEN_SHAPE;
        n += 1 + digits_at(r, n + 1);
    }
    while (is_letter(peek(r, n + letters)))
        letters++;
    if (lore_is_digit(peek(r, n + letters))) /* "3xtf32", "1p2c" */
        return letters == 0 || t->kind == LORE_TOKEN_SHAPE ? n : 0;
    if (t->kind == LORE_TOKEN_NUMBER && letters == 1 && (peek(r, n) | 32) == 'x') {
        t->times = true;
        return n + 1;
    }
    return letters == 0 || letters > 2 || t->kind == LORE_TOKEN_SHAPE ? n : 0;
}

/* "TileK" has two words; "WGMMAs", "SoA" and "float4" one. */
static size_t
word_length(const struct reader *r)
{
    size_t n = 0;

    while (is_letter(peek(r, n)) || lore_is_digit(peek(r, n))) {
        if (n > 2 && is_upper(peek(r, n)) && !is_upper(peek(r, n - 1)) && is_letter(peek(r, n - 1)))
            break;
        n++;
    }
    return n;
}

static void
put_text(const struct reader *r, size_t n, struct lore_token *t)
{
    size_t most = n < LORE_TOKEN_TEXT - 1 ? n : LORE_TOKEN_TEXT - 1;

    for (size_t i = 0; i < most; i++)
        t->text[i] = is_upper(peek(r, i)) ? (char)(peek(r, i) | 32) : peek(r, i);
    t->text[most] = '\0';
}

static void
read_word(struct reader *r, struct lore_token *t)
{
    size_t n = lore_is_digit(peek(r, 0)) ? number_length(r, t) : 0;

    if (n == 0) {
        t->kind = LORE_TOKEN_WORD;
        t->times = false;
        n = word_length(r);
    }
    put_text(r, n, t);
    t->len = (uint32_t)n;
    r->at += n;
    t->stem = lore_fnv_text(LORE_FNV, t->text);
    if (t->kind == LORE_TOKEN_NUMBER)
        t->value = strtod(t->text, NULL);
    if (t->kind != LORE_TOKEN_WORD)
        return;
    t->stem = meaning(stem_of(t->text));
    for (size_t i = 0; i < COUNT(number_words); i++)
        if (strcmp(number_words[i].word, t->text) == 0)
            t->value = number_words[i].value;
}

/* A term at the reader, which moves behind it. */
static bool
read_term(struct reader *r, struct lore_token *t)
{
    for (const char *s = terms; *s != '\0';) {
        size_t n = strcspn(s, " "), means = strcspn(s, "|") - n - 1;
        const char *next = s + n + 1 + means;
        if (r->len - r->at >= n && memcmp(r->s + r->at, s, n) == 0) {
            memcpy(t->text, s + n + 1, means);
            t->text[means] = '\0';
            t->kind = LORE_TOKEN_WORD;
            t->stem = meaning(stem_of(t->text));
            t->len = (uint32_t)n;
            r->at += n;
            return true;
        }
        s = next + (*next == '|');
    }
    return false;
}

/* The mark at the reader, which moves behind it; 0: none. */
static char
read_mark(struct reader *r)
{
    static const struct {
        const char *text;
        char mark;
    } marks[] = {{"->", '>'}, {"=>", '>'}, {"\xe2\x86\x92", '>'}, {"\xc3\x97", 'x'},
        {"\xe2\x80\x94", '|'}, {"\xe2\x80\x93", '|'}, {" - ", '|'}, {" -- ", '|'}, {"\n", ';'}};
    char c = peek(r, 0);

    for (size_t i = 0; i < COUNT(marks); i++) {
        size_t n = strlen(marks[i].text);
        if (r->len - r->at >= n && memcmp(r->s + r->at, marks[i].text, n) == 0) {
            r->at += n;
            return marks[i].mark;
        }
    }
    r->at++;
    if (c == '.')
        return is_letter(peek(r, 0)) || lore_is_digit(peek(r, 0)) ? '\0' : '.';
    return c != '\0' && strchr("=:,;()[]{}/+%&!*<", c) ? c : '\0';
}

/* Whether the word at START goes on from the one that ended at END. */
static bool
is_glued(const char *text, size_t end, size_t start)
{
    if (start == end + 1 && text[end] == '.')
        return true;
    for (; end < start; end++)
        if (text[end] != '_')
            return false;
    return true;
}

size_t
lore_tokens_read(const char *text, size_t len, struct lore_token *out, size_t cap)
{
    struct reader r = {text, 0, len};
    size_t n = 0, end = 0; /* end: of the word before */

    pthread_once(&once, fill);
    while (r.at < len && n < cap) {
        struct lore_token *t = &out[n];
        size_t start = r.at;
        bool word = is_letter(text[start]) || lore_is_digit(text[start]);

        *t = (struct lore_token){.at = (uint32_t)start, .kind = LORE_TOKEN_MARK};
        if (word) {
            t->glued = n > 0 && end > 0 && out[n - 1].kind != LORE_TOKEN_MARK &&
                       is_glued(text, end, start);
            read_word(&r, t);
            end = r.at;
        } else if ((unsigned char)text[start] < 0xe4 || !read_term(&r, t)) {
            t->mark = read_mark(&r);
            t->len = (uint32_t)(r.at - start);
        }
        n += t->kind != LORE_TOKEN_MARK || t->mark != '\0';
    }
    return n;
}

static bool
is_count(const struct lore_token *t)
{
    return (t->kind == LORE_TOKEN_NUMBER && !t->times) || t->kind == LORE_TOKEN_SHAPE;
}

/* "64 × 128", "4 x 4" as one shape. V[KEPT - 2] is the number, V[KEPT - 1] the sign, T the next. */
static bool
join_shape(struct lore_token *v, size_t kept, const struct lore_token *t)
{
    struct lore_token *a = kept > 1 ? &v[kept - 2] : NULL, *x = kept > 0 ? &v[kept - 1] : NULL;
    size_t na, nt = strlen(t->text);

    if (!a || !is_count(a) || !is_count(t) ||
        !(x->kind == LORE_TOKEN_MARK ? x->mark == 'x' : strcmp(x->text, "x") == 0))
        return false;
    na = strlen(a->text);
    if (na + 1 + nt >= sizeof a->text)
        return false;
    a->text[na] = 'x';
    memcpy(a->text + na + 1, t->text, nt + 1);
    a->kind = LORE_TOKEN_SHAPE;
    a->stem = lore_fnv_text(LORE_FNV, a->text);
    a->len = t->at + t->len - a->at;
    return true;
}

size_t
lore_tokens_unify(struct lore_token *v, size_t n)
{
    size_t kept = 0;

    for (size_t i = 0; i < n; i++) {
        struct lore_token *last = kept > 0 ? &v[kept - 1] : NULL;

        if (join_shape(v, kept, &v[i])) {
            kept--;
            continue;
        }
        size_t p = COUNT(pairs);

        if (last && last->kind == LORE_TOKEN_WORD && v[i].kind == LORE_TOKEN_WORD)
            for (p = 0; p < COUNT(pairs); p++)
                if (pair_stems[p].first == last->stem && pair_stems[p].second == v[i].stem)
                    break;
        if (p < COUNT(pairs)) {
            last->stem = pair_means[p];
            last->len = v[i].at + v[i].len - last->at;
        } else
            v[kept++] = v[i];
    }
    return kept;
}
