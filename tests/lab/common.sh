# shellcheck shell=sh disable=SC2034,SC2064,SC2017
# Sourced by the lab's scripts.

lab=$(cd "$(dirname "$0")" && pwd)

fail() {
    echo "lab: $*" >&2
    exit 1
}

wait_for() { # seconds, command...
    until=$(($(date +%s) + $1))
    shift
    until "$@" 2>/dev/null; do
        [ "$(date +%s)" -lt "$until" ] || return 1
        sleep 0.05
    done
}

gone() {
    ! kill -0 "$1"
}

end_process() { # pid file
    [ -s "$1" ] || return 0
    pid=$(cat "$1")
    kill "$pid" 2>/dev/null || true
    wait_for 3 gone "$pid" || kill -9 "$pid" 2>/dev/null || true
    rm -f "$1"
}

# What an interrupted or failed "up" has made so far is removed; then done_up.
undo_on_failure() { # command
    trap "$1" EXIT
    trap 'exit 1' HUP INT TERM
}

done_up() {
    trap - EXIT HUP INT TERM
}

# Asked of the kernel: a mount whose server is gone answers nothing itself.
is_mounted() {
    grep -qF " $1 " /proc/self/mounts
}

unmount() {
    # What was just let go by a loop device or a server may take a moment to be free.
    if is_mounted "$1"; then wait_for 2 umount "$1" || umount -l "$1"; fi
}

# Clips that nothing makes smaller.
clips=4
make_clips() { # directory, MiB of one
    mkdir -p "$1"
    for clip in $(seq $clips); do
        head -c "$2M" /dev/urandom >"$1/clip$clip.mov"
    done
}

# An ext4 image without holes, with what is in a directory, which is removed.
make_full_ext4() { # image, MiB, directory
    head -c "$2M" /dev/urandom >"$1"
    mke2fs -q -F -t ext4 -O ^has_journal -E nodiscard -m 0 -d "$3" "$1"
    rm -r "$3"
}

# What a share of one file, as those of NFS and iSCSI are here, is made of: an image with clips.
make_share_image() { # directory, MiB
    make_clips "$1/files" $(($2 * 9 / 10 / clips))
    make_full_ext4 "$1/share.img" "$2" "$1/files"
}

# Of the kernel's objects that are made for a directory, so that there may be many.
name_for() { # directory
    echo "streamcalc-$(printf %s "$1" | cksum | tr ' ' -)"
}
