/* Counts the bytes of its clients' requests, each of which ends with its connection. */
#include "node.h"

static int total;

int main(int argc, char **argv) {
    int s = open_at(argv[1], SOCK_STREAM), n_clients = atoi(argv[2]);
    char c;
    (void)argc;
    heddle_export("total", &total, sizeof total);
    listen(s, n_clients);
    for (int i = 0; i < n_clients; i++) {
        int client = accept(s, NULL, NULL);
        while (read(client, &c, 1) == 1)
            total++;
        close(client);
    }
    close(s);
    return 0;
}
