/* A driver for libyaml (bench/run compile): all tokens of three bytes. */
#include <heddle.h>
#include <yaml.h>

int main(void) {
    unsigned char text[3];
    heddle_bytes(text, sizeof text, "text");
    yaml_parser_t parser;
    yaml_token_t token;
    yaml_parser_initialize(&parser);
    yaml_parser_set_input_string(&parser, text, sizeof text);
    for (int is_done = 0; !is_done && yaml_parser_scan(&parser, &token);) {
        is_done = token.type == YAML_STREAM_END_TOKEN;
        yaml_token_delete(&token);
    }
    yaml_parser_delete(&parser);
    return 0;
}
