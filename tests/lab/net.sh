#!/bin/sh
# Networks with a set speed on one machine: two network namespaces, a server's and a client's, joined by
# a veth pair that tbf limits in both directions. Nothing in them reaches any other network. Needs root.
#   net.sh link-up DIR [RATE [MTU [QUEUE]]]   RATE and QUEUE (the longest wait in it) as tc has them;
#                                             defaults 1gbit, 1500, 20ms
#   net.sh link-rate DIR RATE                 from now on
#   net.sh link-swing DIR RATE...             another rate each second, over and over
#   net.sh link-down DIR
#   net.sh server|client DIR COMMAND...       there; what the client mounts is seen outside too
# The server is 10.77.0.1, the client 10.77.0.2. Many links may exist at once: each has namespaces of its
# own, named after its directory.
set -eu
. "$(dirname "$0")/common.sh"

usage="usage: net.sh link-up|link-rate|link-swing|link-down|server|client DIR ..."

shape() { # qdisc verb, rate
    queue=$(cat "$dir/queue")
    # 2 ms of it at 1 Gb/s. Less than a timer tick of it could not be caught up with.
    for end in server client; do
        ip netns exec "$name-$end" tc qdisc "$1" dev "$end" root tbf rate "$2" burst 256kb \
            latency "$queue"
    done
}

link_up() {
    mkdir -p "$dir"
    undo_on_failure link_down
    echo "$name" >"$dir/name"
    echo "${3:-20ms}" >"$dir/queue"
    ip netns add "$name-server"
    ip netns add "$name-client"
    ip link add server netns "$name-server" mtu "${2:-1500}" type veth \
        peer name client netns "$name-client" mtu "${2:-1500}"
    ip -netns "$name-server" address add 10.77.0.1/24 dev server
    ip -netns "$name-client" address add 10.77.0.2/24 dev client
    for end in server client; do
        ip -netns "$name-$end" link set lo up
        ip -netns "$name-$end" link set "$end" up
    done
    shape add "${1:-1gbit}"
    done_up
}

swing() {
    while :; do
        for rate in "$@"; do
            shape change "$rate"
            sleep 1
        done
    done
}

link_swing() {
    [ ! -e "$dir/swing.pid" ] || fail "$dir swings already"
    swing "$@" </dev/null >/dev/null 2>&1 &
    echo $! >"$dir/swing.pid"
}

link_down() {
    end_process "$dir/swing.pid"
    for end in server client; do
        if [ -e "/run/netns/$name-$end" ]; then ip netns delete "$name-$end"; fi
    done
    rm -rf --one-file-system "$dir"
}

[ $# -ge 2 ] || fail "$usage"
verb=$1
dir=$2
shift 2
name=$(name_for "$dir")
case $verb in
link-up) link_up "$@" ;;
link-rate) shape change "$1" ;;
link-swing) link_swing "$@" ;;
link-down) link_down ;;
server | client) exec nsenter --net="/run/netns/$name-$verb" "$@" ;;
*) fail "$usage" ;;
esac
