#!/bin/bash
# Recipes that start workers (examples/launch, docs/launch.md), as far as they can be looked at without the systems that they
# are for; and one of two machines, which are network namespaces with a cable between them that is pulled and put back.
#
#     HEDDLE=build/heddle tests/launch.sh     prints "ok - NAME" or "not ok - NAME: reason"
# shellcheck source=tests/tool/runs.sh
. "$(dirname "$0")/tool/runs.sh"

# ---- two machines, inside of namespaces of our own ----

machines() {
    enter
    trap 'jobs -p | xargs -r kill -9 2>/dev/null; wait 2>/dev/null; rm -rf "$work"' EXIT
    export TMPDIR=$work XDG_CACHE_HOME=$work/cache
    make_programs 0 3000 0 0
    "$HEDDLE" run -q -j 1 --tests all -DSLOW=1 -o alone -DNDEBUG threads.c >log 2>&1
    undisturbed "one machine" alone
    ip netns exec one nats-server -js -a 10.99.0.1 -p 4222 -sd store >server.log 2>&1 &
    server=$!
    coordinate() { # DIR NAME OPTIONS...: nobody works on this machine
        ip netns exec one timeout 300 "$HEDDLE" run -q --no-workers --tests all --cluster nats://10.99.0.1 --run "$2" --patience 2 -o "$1" "${@:3}" -DNDEBUG threads.c >log 2>&1 &
        run=$!
        for _ in $(seq 600); do if [ -s "$2.token" ]; then break; fi; sleep 0.05; done
    }
    # A token may be there before the run is.
    work_on() { # MACHINE NAME
        (for _ in $(seq 100); do
            ip netns exec "$1" "$HEDDLE" worker -j 1 --cluster nats://10.99.0.1 --token "$2.token" >"$1.log" 2>&1 && break
            sleep 0.2
        done) &
    }
    compare() { # NAME DIR STATUS
        [ "$3" = 0 ] || say "$1, as it ends" "status $3: $(tail -n1 log) $(tail -n1 two.log)"
        same "$1" "$2" alone
    }
    coordinate other first -DSLOW=300
    work_on two first
    wait $run
    compare "a worker on another machine" other $?
    coordinate both second
    work_on two second
    sleep 1.5
    ip -n two link set vb down
    work_on one second
    sleep 4 # more than --patience
    ip -n two link set vb up
    wait $run
    compare "two machines, and a cable that was pulled" both $?
    kill $server && wait $server 2>/dev/null
}

if [ "${1:-}" = machines ]; then
    machines
    exit
fi

# ---- texts ----

cd "$top/examples/launch" || exit 1
for script in *.sh; do
    if command -v shellcheck >/dev/null; then
        say "shellcheck of $script" "$(shellcheck "$script" | tr '\n' ' ')"
    else
        say "$script is a script" "$(bash -n "$script" 2>&1)"
    fi
done

if command -v systemd-analyze >/dev/null; then
    say "heddle-worker.service" "$(systemd-analyze verify ./heddle-worker.service 2>&1 | grep heddle-worker)"
else
    skip "heddle-worker.service" "there is no systemd-analyze"
fi

say "kubernetes.yaml" "$(python3 - kubernetes.yaml 2>&1 <<'END'
import sys, yaml
d = yaml.safe_load(open(sys.argv[1]))
assert (d['apiVersion'], d['kind']) == ('apps/v1', 'Deployment')
spec, labels = d['spec'], d['spec']['template']['metadata']['labels']
assert spec['selector']['matchLabels'].items() <= labels.items(), 'the selector does not fit the pods'
pod = spec['template']['spec']
volumes = {v['name'] for v in pod['volumes']}
for c in pod['containers']:
    mounts = {m['name']: m['mountPath'] for m in c['volumeMounts']}
    assert set(mounts) <= volumes, 'a mount without a volume'
    token = c['command'][c['command'].index('--token') + 1]
    assert token.startswith(mounts['run'] + '/'), 'the token is not where the secret is'
    assert all(isinstance(w, str) for w in c['command']), 'a word of the command is no text'
END
)"

# Options of recipes are those that there are.
for option in $(grep -ohE 'heddle (run|worker)[^&|;]*' ./* | grep -oE -- '--[a-z-]+' | sort -u); do
    "$HEDDLE" run --help | grep -qe "$option" || "$HEDDLE" worker --help | grep -qe "$option" || unknown="${unknown:-} $option"
done
say "options of recipes" "${unknown:+there is no$unknown}"

# ---- namespaces ----

setup='mount -t tmpfs none /run && ip netns add one && ip netns add two &&
    ip link add va netns one type veth peer name vb netns two && ip -n one addr add 10.99.0.1/24 dev va && ip -n two addr add 10.99.0.2/24 dev vb &&
    ip -n one link set va up && ip -n two link set vb up && ip -n one link set lo up && ip -n two link set lo up'
if unshare -Urnm sh -c "$setup" 2>/dev/null; then
    cd "$top" && unshare -Urnm sh -c "$setup && exec bash tests/launch.sh machines"
else
    skip "two machines" "network namespaces cannot be made here"
fi
exit $((failures > 0))
