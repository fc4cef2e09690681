#!/bin/sh
# Network shares of a directory by real servers over a link of net.sh. Needs root.
#   shares.sh store-up DIR [MIB]                     a directory to share: clips, and an image of them
#   shares.sh share-up DIR LINK PROTOCOL STORE       PROTOCOL smb, nfs or iscsi; LINK and STORE directories
#   shares.sh share-down DIR
#   shares.sh store-down DIR
# share-up leaves the share's clips in DIR/mnt:
#   smb    Samba shares STORE itself; rclone mounts it, without a cache of its own and without its
#          read-ahead (LAB_RCLONE_BUFFER, 16M where a user says nothing)
#   nfs    NFS-Ganesha exports STORE; qemu-storage-daemon reads STORE/share.img over NFS
#   iscsi  tgt exports STORE/share.img; qemu-storage-daemon logs in
# There are no such clients in the kernel here. That of the last two shows one file, as DIR/disk/image,
# which a loop device with direct I/O mounts. A disk of lab.sh made with LAB_SHARE is a STORE too (its
# mnt). What the server finds in its page cache comes from memory, as in any server; LAB_SERVER_MIB is the
# memory that it has for that and for itself, so that a store of many times more is read from its disk.
set -eu
. "$(dirname "$0")/common.sh"

usage="usage: shares.sh store-up|store-down|share-up|share-down DIR ..."
server=10.77.0.1
target=iqn.2000-01.test.streamcalc:share

store_up() {
    mkdir -p "$dir"
    undo_on_failure store_down
    make_clips "$dir" $((${1:-1024} / 2 * 9 / 10 / clips))
    make_share_image "$dir" $((${1:-1024} / 2))
    done_up
}

store_down() {
    rm -rf --one-file-system "$dir"
}

# The kernel's two ways to give processes less memory.
memory_group() {
    if [ -d /sys/fs/cgroup/memory ]; then
        echo "/sys/fs/cgroup/memory/$(name_for "$dir")"
    else
        echo "/sys/fs/cgroup/$(name_for "$dir")"
    fi
}

make_memory_group() { # MiB
    group=$(memory_group)
    mkdir "$group"
    for limit in "$group/memory.limit_in_bytes" "$group/memory.max"; do
        if [ -e "$limit" ]; then echo "${1}M" >"$limit" && return; fi
    done
    fail "no memory control group: a server's page cache cannot be kept small here"
}

remove_memory_group() {
    if [ -d "$(memory_group)" ]; then wait_for 3 rmdir "$(memory_group)"; fi
}

# A server with directories under /run and /var/lib of its own, in which all keep their sockets and
# states, so that there may be many. It sees mounts that come and go, and they do not see its own. And
# a session of its own: smbd ends its whole process group with itself.
serve() { # name, command...
    log=$dir/$1.log
    pid=$dir/$1.pid
    shift
    # shellcheck disable=SC2016  # for that shell
    setsid "$lab/net.sh" server "$link" unshare --mount --propagation slave sh -c '
        if [ -d "$3" ]; then echo $$ >"$3/cgroup.procs" || exit; fi
        mount --bind "$1" /run && mount --bind "$2" /var/lib && shift 3 && exec "$@"' sh \
        "$dir/run" "$dir/state" "$(memory_group)" "$@" </dev/null >"$log" 2>&1 &
    echo $! >"$pid"
}

beside() { # name, command...: where that server runs
    pid=$(cat "$dir/$1.pid")
    shift
    nsenter --target "$pid" --mount --net "$@"
}

answers() { # port
    "$lab/net.sh" client "$link" python3 -c 'import socket, sys
socket.create_connection((sys.argv[1], int(sys.argv[2])), 1)' $server "$1"
}

answers_within() { # seconds, port, name
    wait_for "$1" answers "$2" || fail "no answer from $3: $(tail -n 5 "$dir/$3.log")"
}

client() { # command...
    setsid "$lab/net.sh" client "$link" "$@" </dev/null >"$dir/client.log" 2>&1 &
    echo $! >"$dir/client.pid"
}

# ---- SMB ----

serve_smb() {
    mkdir -p "$dir/run/samba" "$dir/state/samba"
    cat >"$dir/smb.conf" <<END
[global]
    server role = standalone server
    map to guest = Bad User
    guest account = root
    bind interfaces only = yes
    interfaces = $server
    smb ports = 445
    disable netbios = yes
    load printers = no
    disable spoolss = yes
    lock directory = /run/samba
    pid directory = /run/samba
    state directory = /var/lib/samba
    cache directory = /var/lib/samba
    private dir = /var/lib/samba
    log file = $dir/smbd.log
[media]
    path = $store
    guest ok = yes
    read only = yes
END
    serve smb smbd -F --no-process-group -s "$dir/smb.conf"
    answers_within 10 445 smb
}

mount_smb() {
    printf '[nas]\ntype = smb\nhost = %s\nuser = guest\n' $server >"$dir/rclone.conf"
    client rclone mount nas:media "$dir/mnt" --config "$dir/rclone.conf" --cache-dir "$dir/cache" \
        --read-only --vfs-cache-mode off --buffer-size "${LAB_RCLONE_BUFFER:-0}" --allow-other
    wait_for 15 is_mounted "$dir/mnt" || fail "no mount by rclone: $(tail -n 5 "$dir/client.log")"
}

# ---- NFS and iSCSI: one file ----

serve_nfs() {
    cat >"$dir/ganesha.conf" <<END
NFS_CORE_PARAM {
    Protocols = 3;
    Bind_addr = $server;
    MNT_Port = 20048;
    Enable_NLM = false;
    Enable_RQUOTA = false;
}
EXPORT {
    Export_Id = 1;
    Path = $store;
    Pseudo = /store;
    Access_Type = RO;
    Squash = none;
    SecType = sys;
    FSAL { Name = VFS; }
}
END
    serve rpcbind rpcbind -f -w
    answers_within 10 111 rpcbind
    mkdir -p "$dir/state/nfs/ganesha" "$dir/run/ganesha"
    serve nfs ganesha.nfsd -F -L /dev/stdout -f "$dir/ganesha.conf" -p "$dir/run/ganesha.pid" \
        -N EVENT
    answers_within 15 2049 nfs
    answers_within 5 20048 nfs
}

serve_iscsi() {
    mkdir -p "$dir/run/tgtd"
    serve iscsi tgtd -f --iscsi "portal=$server:3260"
    answers_within 10 3260 iscsi
    tgt() {
        beside iscsi tgtadm --lld iscsi --tid 1 "$@"
    }
    tgt --op new --mode target --targetname $target
    tgt --op new --mode logicalunit --lun 1 --backing-store "$store/share.img"
    tgt --op bind --mode target --initiator-address ALL
}

# Writable would be a risk for the store, so it is not.
mount_image() { # driver and its options
    mkdir -p "$dir/disk"
    : >"$dir/disk/image"
    client qemu-storage-daemon --blockdev "node-name=share,read-only=on,$1" \
        --export "type=fuse,id=share,node-name=share,mountpoint=$dir/disk/image,allow-other=on"
    wait_for 15 test -s "$dir/disk/image" ||
        fail "no image by qemu-storage-daemon: $(tail -n 5 "$dir/client.log")"
    losetup -r --direct-io=on --show -f "$dir/disk/image" >"$dir/loop"
    mount -o ro "$(cat "$dir/loop")" "$dir/mnt"
}

mount_nfs() {
    mount_image "driver=nfs,server.type=inet,server.host=$server,path=$store/share.img"
}

mount_iscsi() {
    mount_image "driver=iscsi,transport=tcp,portal=$server:3260,target=$target,lun=1"
}

share_up() {
    link=$1
    protocol=$2
    store=$3
    mkdir -p "$dir/mnt" "$dir/run" "$dir/state"
    undo_on_failure share_down
    if [ -n "${LAB_SERVER_MIB:-}" ]; then make_memory_group "$LAB_SERVER_MIB"; fi
    "serve_$protocol"
    "mount_$protocol"
    done_up
}

share_down() {
    unmount "$dir/mnt"
    if [ -s "$dir/loop" ]; then losetup -d "$(cat "$dir/loop")" || true; fi
    unmount "$dir/disk/image"
    for process in client smb nfs rpcbind iscsi; do
        end_process "$dir/$process.pid"
    done
    remove_memory_group
    rm -rf --one-file-system "$dir"
}

[ $# -ge 2 ] || fail "$usage"
verb=$1
dir=$2
shift 2
case $verb-$# in
store-up-[01]) store_up "$@" ;;
store-down-0) store_down ;;
share-up-3) share_up "$@" ;;
share-down-0) share_down ;;
*) fail "$usage" ;;
esac
