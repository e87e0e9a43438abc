/* Why the numbers of an answer are what they are, as JSON. */
#include "service/api/present_explain.h"

void
lore_present_steps(struct lore_jsonw *w, const struct lore_advice *a)
{
    lore_w_key(w, "steps");
    lore_w_arr(w);
    for (size_t i = 0; i < a->n_steps; i++) {
        const struct lore_step *s = &a->steps[i];
        lore_w_obj(w);
        lore_w_kstr(w, "level", s->level);
        lore_w_kf64(w, "weight", s->weight);
        lore_w_kf64(w, "won", s->won);
        lore_w_kf64(w, "p_win", s->p);
        lore_w_obj_end(w);
    }
    lore_w_arr_end(w);
    lore_w_kf64(w, "if_won", a->if_won);
    lore_w_kf64(w, "if_lost", a->if_lost);
}

void
lore_present_telling(struct lore_jsonw *w, const struct lore_telling *t)
{
    lore_w_key(w, "telling");
    if (t->technique == NULL) {
        lore_w_null(w);
        return;
    }
    lore_w_obj(w);
    lore_w_kstr(w, "technique", t->technique);
    lore_w_kf64(w, "if_won", t->if_won);
    lore_w_kf64(w, "if_lost", t->if_lost);
    lore_w_kbool(w, "leads", t->leads);
    lore_w_kbool(w, "would_lead", t->would_lead);
    lore_w_kstr(w, "why", t->why);
    lore_w_obj_end(w);
}
