/* What the columns of a file seem to be. A table of names comes first; a name counts only when the
 * values fit it. Then the values decide: names of chips, operators and types. What is left is a
 * dimension or a parameter by its name, else a metric when it is a number. */
#include <ctype.h>
#include <string.h>

#include "collectors/import/maps/suggest.h"
#include "collectors/import/maps/value.h"
#include "collectors/import/markdown.h"
#include "collectors/import/tuning/names.h"
#include "service/base/text.h"
#include "service/catalogue/catalogue.h"
#include "service/catalogue/words.h"
#include "service/wire/wire.h"

typedef struct lore_suggest_column column;

enum { MOST_PARAMETER = 65536 /* a greater number counts bytes or operations */ };

/* ---- what the values are ---- */

static bool
is_operator(const char *t)
{
    return lore_operator_find(t) != NULL;
}
static bool
is_language(const char *t)
{
    return lore_language_find(t) != LORE_LANG_NONE;
}
static bool
is_check(const char *t)
{
    return lore_map_check(t) != LORE_C_NONE;
}
static bool
is_decision(const char *t)
{
    static const char *const words[] = {"keep", "kept", "discard", "best", "accept", "accepted",
        "reject", "rejected", "adopt", "revert", "win", "loss", "neutral", "fail", "reference",
        "crash", "hang", "segfault", "timeout"};

    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (lore_streqi(words[i], t))
            return true;
    return strcasestr(t, "fail") != NULL;
}

static bool
texts(const column *c)
{
    return c->n > 0 && !lore_suggest_numeric(c) && c->lists == 0;
}
static bool
any(const column *c)
{
    return c->n > 0;
}
static bool
whole(const column *c)
{
    return lore_suggest_numeric(c) && c->integers == c->numbers && c->least >= 0;
}
static bool
positive(const column *c)
{
    return lore_suggest_numeric(c) && c->most > 0;
}
/* "5.1 us" */
static bool
is_duration(const char *t)
{
    const char *rest = "";
    char unit[16];
    double v;

    if (!lore_md_number(t, &v, &rest, NULL))
        return false;
    rest += strspn(rest, " ");
    size_t n = strcspn(rest, " ,;(");
    if (n == 0 || n >= sizeof unit)
        return false;
    memcpy(unit, rest, n);
    unit[n] = '\0';
    return lore_map_unit_ns(unit) > 0;
}
static bool
durations(const column *c)
{
    if (strstr(c->slug, "stamp"))
        return false;
    return positive(c) || (texts(c) && lore_suggest_all(c, is_duration));
}
static bool
operators(const column *c)
{
    return texts(c) && lore_suggest_all(c, is_operator);
}
static bool
languages(const column *c)
{
    return texts(c) && lore_suggest_all(c, is_language);
}
static bool
dtypes(const column *c)
{
    column copy = *c;

    return lore_suggest_dtypes(&copy);
}
/* Types of the operands, not those that sums are kept in. */
static bool
operand_types(const column *c)
{
    return dtypes(c) && !strstr(c->slug, "acc") && !strstr(c->slug, "compute");
}
/* Few words, at least half of them and two results of checks: the others say why there is none. */
static bool
check_words(const column *c)
{
    size_t yes = 0;

    for (size_t i = 0; i < c->n_distinct; i++)
        yes += is_check(c->distinct[i]);
    return texts(c) && !c->many && yes * 2 >= c->n_distinct && yes > 1;
}
static bool
checks(const column *c)
{
    if (lore_suggest_numeric(c)) /* 0 and 1 */
        return whole(c) && c->most <= 1 && c->n_distinct == 2;
    return c->n > 0 && (c->booleans == c->n || lore_suggest_all(c, is_check));
}
static bool
decisions(const column *c)
{
    return texts(c) && lore_suggest_all(c, is_decision);
}
static bool
dates(const column *c)
{
    return c->n > 0 && c->dates == c->n;
}
static bool
sources(const column *c)
{
    return texts(c) && c->long_texts * 2 > c->n;
}
static bool
lists(const column *c)
{
    return c->lists > 0 && c->lists == c->n;
}

/* ---- names ---- */

static const struct role {
    const char *field, *names; /* slugs; one that begins with '*' may stand anywhere in the name */
    bool (*fits)(const column *c);
    const char *why;
} roles[] = {
    {"date", "date,timestamp,time,datetime,created_at,measured_at,when", dates, "times of day"},
    {"operator",
        "operator,op,op_name,op_type,operation,task,problem,kernel_type,workload,name,kernel",
        operators, "names of operators"},
    {"chip", "chip,gpu,gpu_name,device,device_name,hardware,accelerator,arch,platform,host,machine",
        lore_suggest_chips, "names of chips"},
    {"language", "language,lang,backend,dsl,framework,impl,implementation,provider", languages,
        "kernel languages"},
    {"dtype", "dtype,data_type,datatype,type,precision,a_type,in_dtype,a", operand_types,
        "element types"},
    {"kept", "decision,kept,verdict,outcome,status,result,action,keep", decisions,
        "what was decided"},
    {"correct", "*correct,passed,pass,valid,verified,status,result,ok,check,*verification", checks,
        "results of checks"},
    {"samples", "*samples,*times,*runtimes,*latencies,*measurements", lists, "a list of times"},
    {"std", "*std,*stdev,*stddev,*sigma", lore_suggest_numeric, "its name"},
    {"min", "min,*min_time,*time_min,min_ms,min_us,min_ns,*latency_min,*min_latency", positive,
        "its name"},
    {"max", "max,*max_time,*time_max,max_ms,max_us,max_ns,*latency_max,*max_latency", positive,
        "its name"},
    {"count", "rounds,iterations,iters,repeat,repeats,reps,num_trials,n_runs,trials", whole,
        "its name"},
    {"speedup", "*speedup,*speed_up", positive, "its name"},
    {"rate", "*tflops,*gflops,*tflop_s,*gflop_s,*tflops_s", positive, "a speed, by its name"},
    {"time",
        "time,*latency,*runtime,*duration,*elapsed,*time,mean,median,avg,ms,us,ns,*_ms,*_us,*_ns,*_"
        "usec,"
        "*_msec,*mean_ms,*wall",
        durations, "a time, by its name"},
    {"error", "error,err,*error_message,exception,failure,fail_reason", texts, "its name"},
    {"source", "code,source,src,kernel_code,source_code", sources, "long texts"},
    {"idea",
        "idea,*hypothesis,change,optimization,optimisation,strategy,description,what,idea_summary,"
        "modification",
        texts, "its name"},
    {"technique", "technique,techniques,tags", texts, "its name"},
    {"bottleneck", "bottleneck,limiter,bound,limited_by", texts, "its name"},
    {"notes", "notes,note,remark,remarks,comment,comments,observation", texts, "its name"},
    {"lesson", "lesson,lessons,learned,takeaway", texts, "its name"},
    {"author", "author,user,user_name,model,agent,who", texts, "its name"},
    {"parent", "parent,parent_id,base,base_version,from,from_version", any, "its name"},
    {"version",
        "version,variant,config,config_id,label,iter,iteration,solution,candidate,attempt,trial,"
        "experiment,step,version_id,provider",
        any, "its name"},
    {"kernel", "kernel,kernel_name,name,function,symbol,func,implementation,impl", texts,
        "its name"},
    {"commit", "commit,sha,git_sha,revision", texts, "its name"},
    {"file", "file,filename,file_name,path", texts, "its name"},
    {"layout", "layout,trans,transpose,order", texts, "its name"},
};

static bool
named(const char *slug, const char *names)
{
    for (const char *p = names; *p; p += p[0] == ',') {
        size_t n = strcspn(p, ",");
        if (*p == '*') {
            const char *at = memmem(slug, strlen(slug), p + 1, n - 1);
            if (at)
                return true;
        } else if (strlen(slug) == n && memcmp(slug, p, n) == 0) {
            return true;
        }
        p += n;
    }
    return false;
}

static bool
is_taken(const struct lore_suggestion *s, const char *field)
{
    for (size_t i = 0; i < s->n; i++)
        if (lore_streq(s->columns[i].field, field))
            return true;
    return false;
}

/* The unit of time at the end of a name: "time_ms", "Latency [us]". */
static const char *
unit_of(const struct lore_suggestion *s, const column *c)
{
    const char *last = strrchr(c->slug, '_');
    const char *word = last ? last + 1 : c->slug;

    if (lore_map_unit_ns(word) > 0 && strcmp(word, "s") != 0)
        return word;
    if (last && strcmp(word, "s") == 0 && !strstr(c->slug, "flop"))
        return "s";
    for (const char *p = c->slug; (p = strchr(p, '_')) != NULL; p++) {
        const char *inner = lore_strndup(s->arena, p + 1, strcspn(p + 1, "_"));
        if (strlen(inner) > 1 && lore_map_unit_ns(inner) > 0)
            return inner;
    }
    return NULL;
}

/* The unit of "5.1 us". */
static const char *
unit_behind(const struct lore_suggestion *s, const char *text)
{
    const char *rest = "";
    double v;

    if (!lore_md_number(text, &v, &rest, NULL))
        return NULL;
    rest += strspn(rest, " ");
    const char *unit = lore_strndup(s->arena, rest, strcspn(rest, " ,;("));
    return lore_map_unit_ns(unit) > 0 ? unit : NULL;
}

static const char *
rate_unit(const char *slug)
{
    return strstr(slug, "gflop") ? "GFLOPS" : "TFLOPS";
}

static void
set_role(struct lore_suggestion *s, column *c, const struct role *r)
{
    c->field = r->field;
    c->why = r->why;
    if (named(c->field, "time,samples,std,min,max"))
        c->unit = unit_of(s, c);
    if (!c->unit && strcmp(c->field, "time") == 0 && texts(c))
        c->unit = unit_behind(s, c->distinct[0]);
    if (!c->unit && strcmp(c->field, "time") == 0)
        c->unit = lore_suggest_unit(s, c);
    if (strcmp(c->field, "dtype") == 0)
        (void)lore_suggest_dtypes(c);
    if (strcmp(c->field, "rate") == 0)
        c->unit = rate_unit(c->slug);
}

/* Of several columns with times, one whose name has the unit comes first. */
static void
set_named_roles(struct lore_suggestion *s)
{
    for (size_t r = 0; r < sizeof roles / sizeof *roles; r++)
        for (size_t i = 0; i < 2 * s->n; i++) {
            column *c = &s->columns[i % s->n];
            bool with_unit = i < s->n && strcmp(roles[r].field, "time") == 0;
            if (!c->field && !is_taken(s, roles[r].field) && named(c->slug, roles[r].names) &&
                roles[r].fits(c) && (!with_unit || unit_of(s, c)))
                set_role(s, c, &roles[r]);
        }
    for (size_t i = 0; i < s->n; i++) { /* a spread is in the unit of the time */
        column *c = &s->columns[i];
        for (size_t t = 0; t < s->n && c->field && named(c->field, "std,min,max") && !c->unit; t++)
            if (lore_streq(s->columns[t].field, "time"))
                c->unit = s->columns[t].unit;
        if (c->field && named(c->field, "std,min,max") && !c->unit)
            c->field = NULL;
    }
}

/* ---- values, dims, parameters, metrics ---- */

static const struct {
    const char *field, *why;
    bool (*fits)(const column *c);
} by_values[] = {{"chip", "its values are chips", lore_suggest_chips},
    {"operator", "its values are operators", operators},
    {"dtype", "its values are element types", operand_types},
    {"correct", "its values are results of checks", check_words}};

static bool
is_dim(const char *slug)
{
    return named(slug,
        "m,n,k,b,h,d,s,l,c,w,batch,batch_size,batchsize,bs,seq,seqlen,seq_len,sequence_length,q_"
        "len,"
        "kv_len,hidden,hidden_size,hidden_dim,d_model,head_dim,headdim,head_size,heads,num_heads,"
        "n_heads,nheads,kv_heads,num_kv_heads,rows,num_rows,n_rows,nrows,cols,columns,num_cols,"
        "n_cols,ncols,size,width,height,depth,channels,in_channels,out_channels,in_features,"
        "out_features,features,length,vocab,vocab_size,experts,num_experts,topk,tokens,num_tokens,"
        "x,y,z,elements,num_elements,numel,problem_size,dim");
}

/* The dimension that column C names: "m" of "m_size", "M" and "shape.M"; NULL: none. */
static const char *
dim_of(const struct lore_suggestion *s, const column *c)
{
    static const char *const before[] = {
        "shape_", "shapes_", "dims_", "dim_", "size_", "problem_", "workload_", "input_"};
    const char *slug = c->slug, *part = strrchr(slug, '.');

    slug = part ? part + 1 : slug;
    if (is_dim(slug))
        return slug;
    for (size_t i = 0; i < sizeof before / sizeof *before; i++)
        if (lore_starts(slug, before[i]) && is_dim(slug + strlen(before[i])))
            return slug + strlen(before[i]);
    size_t n = strlen(slug);
    const char *end = n > 5 && strcmp(slug + n - 5, "_size") == 0  ? slug + n - 5
                      : n > 4 && strcmp(slug + n - 4, "_dim") == 0 ? slug + n - 4
                                                                   : slug;
    const char *stem = lore_strndup(s->arena, slug, (size_t)(end - slug));
    return strlen(stem) == 1 && is_dim(stem) ? stem : NULL;
}

static void
set_other(struct lore_suggestion *s, column *c)
{
    const char *parameter = lore_words_parameter(c->name, s->arena), *dim = dim_of(s, c);
    bool known = lore_words_is_parameter(parameter) || lore_search_meaning(c->name);

    if (whole(c) && named(c->slug, "problem,problem_id,index,idx,row,no,column_1,unnamed_0")) {
        c->why = "it numbers the rows";
    } else if (whole(c) && strcmp(c->slug, "batch_count") == 0) {
        c->field = c->most > 1 ? "dims" : NULL;
        c->as = "B";
        c->why = c->most > 1 ? "whole numbers, a dimension by its name" : "one batch in each row";
    } else if (whole(c) && dim) {
        c->field = "dims";
        c->as = strlen(dim) == 1 ? lore_format(s->arena, "%c", toupper((unsigned char)*dim)) : dim;
        c->why = "whole numbers, a dimension by its name";
    } else if (known && (whole(c) || !c->many) && c->n_distinct > 0 && c->most <= MOST_PARAMETER) {
        c->field = "parameters";
        c->why = "a parameter of tuning by its name";
    } else if (lore_suggest_numeric(c) && c->n_distinct > 0) {
        c->field = "metrics";
        c->why = "numbers without another meaning";
        const struct lore_metric_def *def = lore_metric_find(c->name);
        if (def)
            c->why = "a metric of the catalogue";
    }
}

/* Two dimensions of one name keep the names of their columns. */
static void
part_equal_names(struct lore_suggestion *s)
{
    for (size_t i = 0; i < s->n; i++)
        for (size_t k = 0; k < s->n; k++) {
            column *a = &s->columns[i], *b = &s->columns[k];
            if (i != k && a->as && lore_streq(a->field, b->field) &&
                lore_streq(a->as, b->as ? b->as : b->name))
                a->as = b->as = NULL;
        }
}

/* ---- what is asked ---- */

static void
ask(struct lore_suggestion *s, const char *field, const char *text)
{
    s->questions[s->n_questions++] = (struct lore_suggest_question){field, text, NULL};
}

/* A chip or an operator in the file's name. */
static void
look_at_name(struct lore_suggestion *s)
{
    const char *words = lore_slug(s->arena, s->file);

    if (!s->chip && !is_taken(s, "chip")) {
        const struct lore_chip *c = lore_chip_in(s->arena, s->file);
        s->chip = c ? c->name : NULL;
        s->chip_why = "it stands in the file's name";
    }
    for (const char *p = words; !s->op && !is_taken(s, "operator") && *p; p += p[0] == '_') {
        size_t n = strcspn(p, "_.");
        const struct lore_operator *o = lore_operator_find(lore_strndup(s->arena, p, n));
        s->op = o && n > 2 ? o->name : NULL;
        s->op_why = "it stands in the file's name";
        p += n;
        p += *p == '.' ? strlen(p) : 0;
    }
}

/* The column whose texts name an operator each: "test_softmax[1024]". */
static void
look_at_texts(struct lore_suggestion *s)
{
    for (size_t i = 0; i < s->n && !s->op && !s->named && !is_taken(s, "operator"); i++) {
        const column *c = &s->columns[i];
        size_t n = 0;
        while (texts(c) && n < c->n_distinct && lore_suggest_operator_in(s->arena, c->distinct[n]))
            n++;
        if (n > 0 && n == c->n_distinct)
            s->named = c;
    }
}

static void
set_kind(struct lore_suggestion *s)
{
    size_t parameters = 0;

    for (size_t i = 0; i < s->n; i++)
        parameters += lore_streq(s->columns[i].field, "parameters") && s->columns[i].n_distinct > 1;
    s->kind = LORE_MK_RUNS;
    s->kind_why = "each row is a measurement";
    if (is_taken(s, "idea") || is_taken(s, "kept") || is_taken(s, "parent")) {
        s->kind = LORE_MK_ATTEMPTS;
        s->kind_why = "rows have an idea, a decision or a parent";
    } else if (parameters >= 2 && s->rows >= 8 && is_taken(s, "time")) {
        s->kind = LORE_MK_SWEEP;
        s->kind_why = "rows differ in tuning parameters";
    }
}

/* Remarks have a place in experiments only, and a rate none in sweeps. */
static void
drop_unused(struct lore_suggestion *s)
{
    for (size_t i = 0; i < s->n; i++)
        if (s->columns[i].field && !lore_map_reads(s->kind, s->columns[i].field)) {
            s->columns[i].field = lore_suggest_numeric(&s->columns[i]) ? "metrics" : NULL;
            s->columns[i].why =
                lore_format(s->arena, "kind %s has no such field", lore_map_kind_name(s->kind));
        }
}

static void
set_questions(struct lore_suggestion *s)
{
    if (!s->op && !s->named && !is_taken(s, "operator"))
        ask(s, "operator", "What is computed (gemm, softmax, attention …)?");
    if (!s->chip && !is_taken(s, "chip"))
        ask(s, "chip", "On which chip was it measured (h100, mi300x, rtx4090 …)?");
    if (!s->language && !is_taken(s, "language"))
        ask(s, "language", "In which language is the kernel (cuda, hip, triton, library …)?");
    for (size_t i = 0; i < s->n; i++) {
        const column *c = &s->columns[i];
        if (!c->field || !named(c->field, "time,samples") || c->unit)
            continue;
        ask(s, "unit",
            lore_format(s->arena, "In which unit is %s (ns, us, ms, s)? Its values are %s, %s …",
                c->name, c->n_distinct > 0 ? c->distinct[0] : "lists",
                c->n_distinct > 1 ? c->distinct[1] : "lists"));
        break;
    }
}

void
lore_suggest_roles(struct lore_suggestion *s)
{
    lore_suggest_providers(s);
    set_named_roles(s);
    for (size_t v = 0; v < sizeof by_values / sizeof *by_values; v++)
        for (size_t i = 0; i < s->n; i++)
            if (!s->columns[i].field && !is_taken(s, by_values[v].field) &&
                by_values[v].fits(&s->columns[i])) {
                s->columns[i].field = by_values[v].field;
                s->columns[i].why = by_values[v].why;
                if (strcmp(by_values[v].field, "dtype") == 0)
                    (void)lore_suggest_dtypes(&s->columns[i]);
            }
    for (size_t i = 0; i < s->n; i++)
        if (!s->columns[i].field)
            set_other(s, &s->columns[i]);
    part_equal_names(s);
    look_at_name(s);
    look_at_texts(s);
    set_kind(s);
    drop_unused(s);
    set_questions(s);
}
