#!/bin/sh
# From a fresh Debian 12 or Ubuntu 24.04 (or newer) to an answer: installs what is missing, builds,
# makes real clips with FFmpeg's encoders, and asks how many streams this disk sustains.
#
#   sh examples/quickstart.sh [DIRECTORY]      where the clips go (default: build/quickstart/clips)
#
# CLIP_MB sets the size of each clip in MB (default 1000).
set -eu
case ${1-} in
-h | --help)
    sed -n '2,/^set/s/^# \{0,1\}//p' "$0" | sed '/^set/d'
    exit 0
    ;;
esac
call_dir=$(pwd)
cd "$(dirname "$0")/.."
. examples/packages.sh
# shellcheck disable=SC2086  # a list of words
install_packages $BUILD_PACKAGES ffmpeg

work=$(pwd)/build/quickstart
case ${1-} in
'') clips=$work/clips ;;
/*) clips=$1 ;;
*) clips=$call_dir/$1 ;;
esac
clip_mb=${CLIP_MB:-1000}
mkdir -p "$clips" "$work"

echo "Building"
{
    cmake --preset release -DSTREAMCALC_TESTS=OFF && cmake --build --preset release
} >"$work/build.log" 2>&1 || {
    tail -n 30 "$work/build.log"
    exit 2
}

free_mb=$(df -Pk "$clips" | awk 'NR == 2 {print int($4 / 1000)}')
if [ "$free_mb" -lt $((clip_mb * 4)) ]; then
    echo "$clips has $free_mb MB free; the clips need $((clip_mb * 4)). Name another directory, or set CLIP_MB." >&2
    exit 2
fi

# make_clip NAME SECONDS NOISE ENCODER...: moving noise, encoded once, then looped by copy: real frames
# at realistic rates.
make_clip()
{
    name=$1 seconds=$2 noise=$3
    shift 3
    [ ! -s "$clips/$name.mov" ] || return 0
    echo "Encoding $name ($seconds s, then looped to $clip_mb MB)"
    ffmpeg -v error -nostdin -y -f lavfi \
        -i "testsrc2=size=3840x2160:rate=25,noise=alls=$noise:allf=t" \
        -f lavfi -i "sine=frequency=440:sample_rate=48000" -t "$seconds" "$@" "$work/$name.mov"
    bytes=$(wc -c <"$work/$name.mov")
    ffmpeg -v error -nostdin -y -stream_loop $((clip_mb * 1000000 / bytes)) -i "$work/$name.mov" \
        -map 0 -c copy -movflags +faststart "$work/$name.looped.mov"
    mv "$work/$name.looped.mov" "$clips/$name.mov"
    rm -f "$work/$name.mov"
}
make_clip prores-422-hq 1 20 -c:v prores_ks -profile:v hq -pix_fmt yuv422p10le -c:a pcm_s24le -ac 2
make_clip dnxhr-hqx 1 20 -c:v dnxhd -profile:v dnxhr_hqx -pix_fmt yuv422p10le -c:a pcm_s24le -ac 2
make_clip hevc-4k 2 10 -c:v libx265 -preset ultrafast -b:v 120M -pix_fmt yuv420p10le -tag:v hvc1 \
    -x265-params log-level=error:keyint=25:vbv-maxrate=150000:vbv-bufsize=150000 -c:a aac -b:a 192k -ac 2

echo "Measuring and planning (half a minute)"
echo
streamcalc=$(pwd)/build/release/examples/streamcalc/streamcalc
cd "$work"
rm -f result.json
"$streamcalc" "$clips" --output result.json
echo
echo "The program:   $streamcalc"
echo "The result:    $work/result.json"
echo "The clips:     $clips (delete them when you are done)"
echo "On your own footage:  $streamcalc /path/to/footage"
