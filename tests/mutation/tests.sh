# shellcheck shell=bash
# tests.sh -- which tests could see a change of a file: quick FILE, slow FILE, one command per line, those that see most first.
# tests/mutate sources it.

quick() {
    case $1 in
    src/explore/*) quick_tests_of_search ;;
    */gateway.c)
        echo "build/tests/unit/test_functions"
        grep -l -e '--external' tests/programs/*/*.c | check
        quick_tests_of_functions "$(functions_of "$1")"
        ;;
    */functions.c)
        echo "build/tests/unit/test_functions"
        quick_tests_of_functions "$(functions_of "$1")"
        ;;
    */standard_input.c)
        echo "build/tests/unit/test_standard_input"
        quick_tests_of_functions "$(functions_of "$1")"
        ;;
    */surroundings.c)
        echo "build/tests/check_program tests/programs/memory/errno_short.c"
        quick_tests_of_functions "$(functions_of "$1")"
        ;;
    *) quick_tests_of_functions "$(functions_of "$1")" ;;
    esac
}
slow() {
    case $1 in src/explore/*) slow_tests_of_search ;; *) slow_tests_of_functions "$(functions_of "$1")" ;; esac
}

check() { xargs -r -n 1 echo build/tests/check_program; }

# The hostile build has assertions, the plain one has more programs in less time: what searches do for the first ones is compared (tests/property/tallies).
quick_tests_of_search() {
    local t
    for t in search_keeps decisions wakeup events explore reductions weave straying; do echo "build/hostile/tests/unit/test_$t"; done
    echo "build/tests/unit/test_straying"
    echo "build/tests/property/property_weave 1 200"
    echo "build/tests/property/property_messages 1 120"
    echo "build/tests/property/property_split 1 100"
    echo "build/hostile/tests/property/property_weave 1 50"
    echo "build/hostile/tests/property/property_messages 1 40"
    echo "build/hostile/tests/property/property_split 1 40"
}
slow_tests_of_search() {
    local t
    for t in follow story threads sync; do echo "build/tests/unit/test_$t"; done
    echo "build/hostile/tests/property/property_weave 1 250"
    echo "build/hostile/tests/property/property_messages 1 250"
    echo "build/hostile/tests/property/property_split 1 250"
    echo "build/tests/property/property_weave 1 300"
    echo "build/tests/property/property_threads 8"
    echo "build/tests/property/property_sections 8"
    echo "build/tests/property/property_processes 8"
    echo "build/tests/property/property_endings 8"
    echo "build/tests/property/property_faults 8"
    ls tests/programs/counts/*.c tests/programs/messages/actor*.c tests/programs/threads/*.c | check
}

# The library functions that a file defines, or lets through.
functions_of() {
    case $1 in
    */gateway.c | */functions.c) grep -oE '\bREAL\([a-z0-9_]+' src/program/functions.def | sed 's/REAL(//' ;;
    */standard_input.c) printf '%s\n' getchar fgets scanf getline ;;
    */surroundings.c) printf '%s\n' getenv setenv getopt ;;
    */heddle.c) printf '%s\n' heddle_choose heddle_bytes heddle_assume heddle_input heddle_input_array __heddle_bound heddle_assert ;;
    */address.c) { printf '%s\n' gethostbyname getservbyname; grep -oE 'hd_libc_[a-z0-9_]+\(' "$1" | sed 's/hd_libc_//; s/($//'; } | sort -u ;;
    */directory.c) printf '%s\n' opendir readdir telldir ;;
    */streams.c) grep -hoE 'hd_libc_[a-z0-9_]+\(' "$1" src/machine/libc/stream.c | sed 's/hd_libc_//; s/($//' | sort -u ;;
    */multicast.c) printf '%s\n' setsockopt sendto recv ;;
    */imports.c) printf '%s\n' main ;;
    *) grep -oE 'hd_libc_[a-z0-9_]+\(' "$1" | sed 's/hd_libc_//; s/($//' | sort -u ;;
    esac
}

# calls_of FUNCTIONS, a line each: a pattern of their calls.
calls_of() { sed 's/.*/\\b&\\(/' <<<"$1" | paste -sd '|'; }
# by_calls PATTERN FILE...: those that match, most often first.
by_calls() { grep -cE "$@" /dev/null | grep -v ':0$' | sort -t : -k 2,2nr | cut -d : -f 1; }

# FUNCTIONS, a line each: the tests that call one of them.
quick_tests_of_functions() {
    local calls of_calls='tests/calls/*.c' of_files=tests/files/calls.c
    local of_programs='tests/programs/memory/*_short.c tests/programs/messages/*_waits.c tests/programs/messages/inputs_travel.c tests/programs/inputs/interface.c
        tests/programs/library/no_streams.c tests/programs/errors/ends.c tests/programs/errors/ends_of_children.c tests/programs/library/refused.c tests/programs/library/symbolic_arguments.c tests/programs/library/overwritten.c tests/programs/library/chosen_texts.c tests/programs/library/growing_buffers.c
        tests/programs/messages/services.c tests/programs/messages/apart.c tests/programs/messages/parents.c tests/regress/2026-11-17-kill-by-another-thread.c tests/regress/2026-11-16-signals-of-threads.c tests/programs/inputs/symbolic_bounds.c
        tests/programs/memory/bad_frees.c tests/programs/messages/words_of_waiting.c tests/programs/threads/given_back.c tests/programs/threads/freed_locked.c tests/programs/threads/closing_waits.c tests/programs/threads/words_of_streams.c tests/programs/threads/closed_stream.c tests/programs/threads/closed_list.c tests/programs/threads/outside_calls.c tests/programs/library/mapped_files.c tests/programs/library/listed_names.c tests/programs/messages/first_call.c tests/programs/messages/group_members.c
        tests/programs/library/random_numbers.c tests/programs/library/partial_dates.c tests/programs/messages/unordered_changes.c tests/programs/messages/shared_later.c tests/programs/library/decided_prints.c tests/programs/threads/quick_exits.c tests/programs/threads/cancelled_waits.c tests/programs/threads/cancel_streams.c tests/programs/library/wide_ungetc.c'
    calls=$(calls_of "$1")
    # shellcheck disable=SC2086
    by_calls "$calls" $of_calls $of_files $of_programs | while read -r t; do
        case $t in
        tests/calls/*) echo "bash tests/calls.sh $t" ;; tests/files/*) echo "bash tests/files.sh" ;; *) echo "build/tests/check_program $t" ;;
        esac
    done
    echo "bash tests/pairs.sh"
    echo "bash tests/nodes.sh"
    by_calls "$calls" tests/regress/*.c tests/programs/*/*.c | head -n 12 | check
}
slow_tests_of_functions() {
    local t recipes
    for t in machine world; do echo "build/tests/unit/test_$t"; done
    by_calls "$(calls_of "$1")" tests/regress/*.c tests/programs/*/*.c | sed -n 13,52p | check
    echo "bash tests/operands.sh"
    recipes=$(sed 's/.*/WALK(&)/' <<<"$1" | grep -ohFf - tests/walk/*.c | sed 's/WALK(//; s/)//' | sort -u | paste -sd ' ')
    [ -z "$recipes" ] || echo "build/tests/property/property_functions $recipes"
    echo "build/tests/property/property_operands 10"
    echo "build/tests/property/property_processes 15"
    echo "build/tests/property/property_endings 5"
}

