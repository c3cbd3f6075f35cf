/* Rows of a chart as text: columns if they fit, lines if not. */
#include "tell/chart.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define WIDTH        91 /* of a row; what shows it indents it by 9 */
#define MOST_COLUMNS 54 /* of characters; the words beside it need some room too */
#define LEAST_CELL   10
#define LINE         2 /* of a process: under this letter of its name */
#define GAP          4 /* between the last line and the words */

/* ---- columns ---- */

static size_t longer(size_t a, size_t b) {
    return a > b ? a : b;
}

static void show_involved(hd_chart *c) {
    for (size_t i = 0; i < c->rows.n; i++) {
        const hd_row *r = &c->rows.at[i];
        if (r->kind == HD_ROW_TIME || r->kind == HD_ROW_NOTE)
            continue;
        c->column[r->from].is_shown = true;
        if (r->kind != HD_ROW_MARK)
            c->column[r->to].is_shown = true;
    }
}

/* Where the words begin. */
static size_t place_columns(hd_chart *c) {
    size_t at = LINE, words = 0;
    for (uint32_t p = 0; p < c->n_processes; p++) {
        struct hd_column *column = &c->column[p];
        if (!column->is_shown)
            continue;
        column->at = at;
        words = at + GAP;
        at += longer(LEAST_CELL, longer(strlen(column->who.name), strlen(column->place)) + 2);
    }
    return words;
}

/* ---- drawing ---- */

static void put_trimmed(const char *line, hd_text *out) {
    size_t n = strlen(line);
    while (n > 0 && line[n - 1] == ' ')
        n--;
    hd_text_add(out, "%.*s\n", (int)n, line);
}

static void draw_header(const hd_chart *c, hd_text *out) {
    hd_text names = {0}, places = {0};
    bool has_places = false;
    for (uint32_t p = 0; p < c->n_processes; p++) {
        const struct hd_column *column = &c->column[p];
        if (!column->is_shown)
            continue;
        size_t at = column->at - LINE;
        hd_text_add(&names, "%*s%s", (int)(at - names.n), "", column->who.name);
        hd_text_add(&places, "%*s%s", (int)(at - places.n), "", column->place);
        has_places |= column->place[0] != '\0';
    }
    put_trimmed(hd_text_string(&names), out);
    if (has_places)
        put_trimmed(hd_text_string(&places), out);
    hd_text_release(&names);
    hd_text_release(&places);
}

static void draw_lives(const hd_chart *c, hd_thread_set alive, char mark, char *line) {
    for (uint32_t p = 0; p < c->n_processes; p++)
        if (c->column[p].is_shown && hd_set_has(alive, p))
            line[c->column[p].at] = mark;
}

/* From one line to the other; `head` is its tip. */
static void draw_arrow(size_t from, size_t to, char stroke, char head, char *line) {
    size_t low = from < to ? from : to, high = from < to ? to : from;
    for (size_t i = low + 1; i < high; i++)
        line[i] = stroke;
    line[from < to ? high - 1 : low + 1] = head;
}

/* A message that does not arrive ends in the middle. */
static void draw_lost(size_t from, size_t to, char mark, char *line) {
    size_t middle = (from + to) / 2;
    draw_arrow(from, from < to ? middle + 1 : middle - 1, '-', mark, line);
}

static void draw_row(const hd_chart *c, const hd_row *r, char *line) {
    size_t from = c->column[r->from].at, to = c->column[r->to].at;
    char head = from < to ? '>' : '<';
    draw_lives(c, r->alive, r->kind == HD_ROW_TIME ? ':' : '|', line);
    switch (r->kind) {
    case HD_ROW_MARK:
        line[from] = r->mark;
        break;
    case HD_ROW_MESSAGE:
        draw_arrow(from, to, '-', head, line);
        break;
    case HD_ROW_LOST:
        draw_lost(from, to, r->mark == 'x' ? 'x' : head, line);
        break;
    case HD_ROW_BIRTH:
        draw_arrow(from, to, '.', head, line);
        break;
    case HD_ROW_KILL:
        draw_arrow(from, to, '-', head, line);
        line[to] = 'X';
        break;
    case HD_ROW_TIME:
    case HD_ROW_NOTE:
        break;
    }
}

/* How much of `text` goes into `room`: up to a blank if it does not fit. */
static size_t piece_of(const char *text, size_t room) {
    size_t n = strlen(text), end = room;
    if (n <= room)
        return n;
    while (end > 0 && text[end] != ' ')
        end--;
    return end ? end : room;
}

static void put_row(const hd_chart *c, const hd_row *r, size_t words, bool is_brief, hd_text *out) {
    const char *text = is_brief && r->brief ? r->brief : r->text;
    char line[WIDTH + 1];
    hd_row rest = {.kind = HD_ROW_NOTE, .alive = r->alive};
    do {
        size_t n = piece_of(text, WIDTH - words);
        memset(line, ' ', words);
        line[words] = '\0';
        draw_row(c, r, line);
        snprintf(line + words, sizeof line - words, "%.*s", (int)n, text);
        put_trimmed(line, out);
        text += n + (text[n] == ' ');
        r = &rest;
    } while (*text);
}

/* All messages in the same words. */
static bool must_be_brief(const hd_chart *c, size_t words) {
    for (size_t i = 0; i < c->rows.n; i++)
        if (c->rows.at[i].brief && strlen(c->rows.at[i].text) > WIDTH - words)
            return true;
    return false;
}

static void draw_columns(const hd_chart *c, size_t words, hd_text *out) {
    bool is_brief = must_be_brief(c, words);
    draw_header(c, out);
    for (size_t i = 0; i < c->rows.n; i++) {
        hd_telling telling = hd_story_is_told(i, c->rows.n);
        if (telling == HD_TOLD)
            put_row(c, &c->rows.at[i], words, is_brief, out);
        else if (telling == HD_FIRST_LEFT_OUT)
            hd_text_add(out, "  ...\n");
    }
}

/* ---- lines ---- */

static void describe_who(const hd_chart *c, const hd_row *r, hd_text *out) {
    static const char *const between[] = {
        [HD_ROW_MESSAGE] = " -> ", [HD_ROW_LOST] = " -> ", [HD_ROW_BIRTH] = " creates ",
        [HD_ROW_KILL] = " kills ", [HD_ROW_TIME] = "then", [HD_ROW_NOTE] = "then",
        [HD_ROW_MARK] = "",
    };
    bool is_about_all = r->kind == HD_ROW_TIME || r->kind == HD_ROW_NOTE;
    hd_text_add(out, "%s%s%s", is_about_all ? "" : c->column[r->from].who.name, between[r->kind],
                is_about_all || r->kind == HD_ROW_MARK ? "" : c->column[r->to].who.name);
}

static void put_lines(const hd_chart *c, hd_text *out) {
    for (size_t i = 0; i < c->rows.n; i++) {
        hd_telling telling = hd_story_is_told(i, c->rows.n);
        hd_text who = {0};
        describe_who(c, &c->rows.at[i], &who);
        if (telling == HD_TOLD)
            hd_text_add(out, "%-20s %s\n", hd_text_string(&who), c->rows.at[i].text);
        else if (telling == HD_FIRST_LEFT_OUT)
            hd_text_add(out, "...\n");
        hd_text_release(&who);
    }
}

void hd_chart_draw(hd_chart *c, hd_text *out) {
    show_involved(c);
    size_t words = place_columns(c);
    if (words - GAP > MOST_COLUMNS) {
        for (uint32_t p = 0; p < c->n_processes; p++)
            c->column[p].place[0] = '\0';
        words = place_columns(c);
    }
    if (words - GAP <= MOST_COLUMNS)
        draw_columns(c, words, out);
    else
        put_lines(c, out);
}
