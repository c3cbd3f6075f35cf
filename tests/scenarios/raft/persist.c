#include "raft.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void state_path(raft_t *r, char *path, size_t size, const char *suffix)
{
	snprintf(path, size, "%s/raft-%d%s", r->config.datadir, r->me, suffix);
}

void raft_save(raft_t *r)
{
	char path[256], temp[256];
	uint32_t i;
	FILE *f;
	state_path(r, path, sizeof(path), ".state");
	state_path(r, temp, sizeof(temp), ".tmp");
	f = fopen(temp, "wb");
	if (!f) {
		perror(temp);
		exit(EXIT_FAILURE);
	}
	fprintf(f, "%u %d %u\n", r->term, r->vote, r->log.n);
	for (i = 0; i < r->log.n; i++) {
		raft_entry_t *e = r->log.entries[i];
		fprintf(f, "%u %u\n", e->term, e->len);
		fwrite(e->data, 1, e->len, f);
	}
	fflush(f);
	fsync(fileno(f));
	fclose(f);
	if (rename(temp, path) == -1) {
		perror("rename");
		exit(EXIT_FAILURE);
	}
}

bool raft_load(raft_t *r)
{
	char path[256];
	uint32_t i, n;
	FILE *f;
	state_path(r, path, sizeof(path), ".state");
	f = fopen(path, "rb");
	if (!f) return false;
	if (fscanf(f, "%u %d %u", &r->term, &r->vote, &n) != 3 || fgetc(f) != '\n') goto damaged;
	for (i = 0; i < n && i < RAFT_LOG_SIZE; i++) {
		unsigned term, len;
		if (fscanf(f, "%u %u", &term, &len) != 2 || fgetc(f) != '\n' || len > RAFT_CHUNK) goto damaged;
		raft_entry_t *e = malloc(sizeof(*e));
		e->term = term;
		e->len = len;
		e->data = malloc(len);
		if (fread(e->data, 1, len, f) != len) goto damaged;
		r->log.entries[r->log.n++] = e;
	}
	fclose(f);
	return true;
damaged:
	fprintf(stderr, "%s is damaged\n", path);
	fclose(f);
	exit(EXIT_FAILURE);
}
