#!/bin/sh
# Disks with a set speed on one machine: nbdkit (rate, delay, error, pause) -> nbdfuse -> loop device
# with direct I/O -> mount. Needs root.
#   lab.sh disk-up DIR RATE [FILTER_OPTION...]   RATE in bits/s, 2^20-based, as nbdkit has it: 800M
#   lab.sh disk-stall DIR EVERY LENGTH           no read is answered for LENGTH of each EVERY seconds
#   lab.sh disk-down DIR
#   lab.sh nodirect-up DIR TOOL SOURCE           a FUSE mount of SOURCE that refuses O_DIRECT
#   lab.sh nodirect-down DIR
# disk-up leaves DIR/mnt with clips of incompressible size, and fails unless the limit really holds.
# LAB_WRITABLE=1 mounts it for writing too. LAB_IMAGE_MIB and LAB_CLIP_MIB are sizes. LAB_PLUGIN is an
# nbdkit plugin that limits the rate by itself (seek_disk.so), for reading. LAB_SHARE makes it a store
# for shares.sh: of "files", or of one "image".
set -eu
. "$(dirname "$0")/common.sh"

image_mib=${LAB_IMAGE_MIB:-1024}
clip_mib=${LAB_CLIP_MIB:-$((image_mib * 9 / 10 / clips))}
if [ "${LAB_WRITABLE:-0}" = 1 ]; then
    loop_mode= mount_mode=rw
else
    loop_mode=-r mount_mode=ro
fi

make_image() {
    mkdir -p "$dir/clips"
    case ${LAB_SHARE:-} in
    files) make_clips "$dir/clips" "$clip_mib" ;;
    image) make_share_image "$dir/clips" $((image_mib * 9 / 10)) ;;
    *)
        for clip in $(seq $clips); do
            yes "clip $clip of the lab" | head -c "${clip_mib}M" >"$dir/clips/clip$clip.mov"
        done
        ;;
    esac
    mke2fs -q -t ext4 -O ^has_journal -m 0 -d "$dir/clips" "$dir/disk.img" "${image_mib}M"
    rm -r "$dir/clips"
}

# Two reads of one range: a cache anywhere would make the second one fast.
check_limit() {
    limit=$(numfmt --from=iec "$1")
    # 0.7 s of it, so that the 0.05 s that the rate filter saves up do not count for much.
    check_mib=$((limit * 7 / 10 / 8 / 1048576))
    [ "$check_mib" -le "$clip_mib" ] || check_mib=$clip_mib
    file=$(find "$dir/mnt" -name "clip1.mov" -o -name "share.img")
    for pass in 1 2; do
        begin=$(date +%s%N)
        dd if="$file" of=/dev/null bs=1M count=$check_mib iflag=direct 2>/dev/null
        end=$(date +%s%N)
    done
    rate=$((check_mib * 1048576 * 8 * 1000 / ((end - begin) / 1000000)))
    [ "$rate" -le $((limit * 11 / 10)) ] ||
        fail "read $pass of the same range ran at $rate bits/s with a limit of $limit"
}

disk_up() {
    rate=$1
    shift
    mkdir -p "$dir/nbd" "$dir/mnt"
    undo_on_failure disk_down
    make_image
    limited="--filter=rate file burstiness=0.05" queue=
    # A disk that chooses among its requests has to see them: nbdfuse sends few at once.
    [ -z "${LAB_PLUGIN:-}" ] ||
        limited=$LAB_PLUGIN queue="-C 32"
    # shellcheck disable=SC2086  # several words
    nbdkit -P "$dir/nbdkit.pid" -U "$dir/nbd.sock" --filter=pause --filter=error --filter=delay \
        $limited file="$dir/disk.img" rate="$rate" \
        pause-control="$dir/pause.sock" error-pread=EIO error-pread-rate=1 \
        error-pread-file="$dir/fail-reads" "$@"
    # shellcheck disable=SC2086  # several words
    nbdfuse -P "$dir/nbdfuse.pid" $queue -o allow_other "$dir/nbd" --unix "$dir/nbd.sock" \
        </dev/null >"$dir/nbdfuse.log" 2>&1 &
    wait_for 10 test -s "$dir/nbd/nbd" || fail "nbdfuse did not start"
    losetup $loop_mode --direct-io=on --show -f "$dir/nbd/nbd" >"$dir/loop"
    loop=$(cat "$dir/loop")
    [ "$(cat "/sys/block/${loop#/dev/}/loop/dio")" = 1 ] || fail "no direct I/O on $loop"
    mount -o "$mount_mode" "$loop" "$dir/mnt"
    check_limit "$rate"
    done_up
}

disk_stall() {
    [ ! -e "$dir/stall.pid" ] || fail "$dir stalls already"
    "$lab/pause_disk.py" "$dir/pause.sock" "$@" </dev/null >"$dir/stall.log" 2>&1 &
    echo $! >"$dir/stall.pid"
}

disk_down() {
    end_process "$dir/stall.pid"
    if [ -S "$dir/pause.sock" ]; then "$lab/pause_disk.py" "$dir/pause.sock" r 2>/dev/null || true; fi
    rm -f "$dir/fail-reads"
    unmount "$dir/mnt"
    if [ -s "$dir/loop" ]; then losetup -d "$(cat "$dir/loop")" || true; fi
    unmount "$dir/nbd"
    end_process "$dir/nbdfuse.pid"
    end_process "$dir/nbdkit.pid"
    rm -rf --one-file-system "$dir"
}

nodirect_up() {
    mkdir -p "$dir"
    "$1" "$2" -f -o allow_other "$dir" </dev/null >"$dir.log" 2>&1 &
    echo $! >"$dir.pid"
    wait_for 10 is_mounted "$dir" || fail "the FUSE mount did not start: $(cat "$dir.log")"
}

nodirect_down() {
    unmount "$dir"
    end_process "$dir.pid"
    rm -f "$dir.log"
    rmdir "$dir" 2>/dev/null || true
}

[ $# -ge 2 ] || fail "usage: lab.sh disk-up|disk-stall|disk-down|nodirect-up|nodirect-down DIR ..."
verb=$1
dir=$2
shift 2
case $verb in
disk-up) disk_up "$@" ;;
disk-stall) disk_stall "$@" ;;
disk-down) disk_down ;;
nodirect-up) nodirect_up "$@" ;;
nodirect-down) nodirect_down ;;
*) fail "unknown verb $verb" ;;
esac
