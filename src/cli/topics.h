/* topics.h -- what `heddle help TOPIC` explains besides commands. */
#ifndef HD_CLI_TOPICS_H
#define HD_CLI_TOPICS_H

typedef struct hd_topic {
    const char *name, *summary, *text;
    void (*list)(void); /* prints what a table of the library knows, or NULL */
} hd_topic;

/* Ended by an entry without a name. */
extern const hd_topic hd_topics[];
#endif
