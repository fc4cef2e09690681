#!/bin/sh
# make_seeds.sh FOLDER: small files of every container for the fuzzer, made by ffmpeg; where
# STREAMCALC_MEDIA names a folder of media, the start and the end of its files too.
set -eu
out=${1:?usage: make_seeds.sh FOLDER}
most=49152
mkdir -p "$out"

# make NAME ARGUMENTS...: cut where it is too long, left out where this ffmpeg cannot make it.
make() {
    name=$1
    shift
    # shellcheck disable=SC2086  # lists of words
    if ffmpeg -nostdin -v quiet -y $source "$@" -fflags +bitexact -flags:v +bitexact \
        -flags:a +bitexact "$out/$name"; then
        [ "$(wc -c <"$out/$name")" -le $most ] || truncate -s $most "$out/$name"
    else
        echo "left out: $name" >&2
        rm -f "$out/$name"
    fi
}

video='-f lavfi -i testsrc=s=64x48:r=25:d=0.4'
sound='-f lavfi -i sine=r=8000:d=0.4'
still='-f lavfi -i color=s=64x48:r=25:d=0.4'
h264='-c:v libx264 -preset ultrafast -g 5 -pix_fmt yuv420p'

source="$video $sound"
make prores.mov -c:v prores_ks -c:a pcm_s16be -timecode 01:00:00:00
make front.mov -c:v prores_ks -c:a pcm_s16be -movflags faststart
make h264.mp4 $h264 -bf 2 -c:a aac
make edits.mp4 -ss 0.2 $h264 -bf 2 -c:a aac
make fragments.mp4 $h264 -c:a aac -movflags frag_keyframe+delay_moov
make sidx.mp4 $h264 -c:a aac -movflags frag_keyframe+delay_moov+default_base_moof+global_sidx
make dash.mp4 $h264 -c:a aac -movflags dash+frag_every_frame+delay_moov
make h264.mkv $h264 -bf 2 -c:a aac
make front.mkv $h264 -c:a pcm_s16le -cues_to_front 1 -reserve_index_space 4096
make clusters.mkv $h264 -c:a pcm_s16le -cluster_time_limit 100
make live.mkv $h264 -c:a pcm_s16le -live 1
make vp8.webm -c:v libvpx -c:a libopus
make h264.ts $h264 -c:a aac
make h264.m2ts $h264 -c:a ac3
make mpeg2.mpg -c:v mpeg2video -c:a mp2 -ar 32000
make mpeg4.avi -c:v mpeg4 -c:a pcm_s16le
make mjpeg.avi -c:v mjpeg -q:v 20 -c:a pcm_s16le
make mpeg2.mxf -t 0.2 -c:v mpeg2video -q:v 20 -c:a pcm_s16le -ar 48000
make h264.mxf -t 0.2 $h264 -c:a pcm_s16le -ar 48000
make flv.flv -c:v flv -c:a aac
make wmv.asf -c:v wmv2 -c:a wmav2 -ar 22050
make nut.nut -c:v mpeg4 -c:a pcm_s16le
source=$video
make dv.mov -s 720x480 -r 30000/1001 -pix_fmt yuv411p -c:v dvvideo
make dv.dv -s 720x480 -r 30000/1001 -pix_fmt yuv411p -c:v dvvideo
make dnxhr.mov -s 320x180 -c:v dnxhd -profile:v dnxhr_lb -pix_fmt yuv422p -frames:v 3
make dnxhr.mxf -s 320x180 -c:v dnxhd -profile:v dnxhr_lb -pix_fmt yuv422p -frames:v 5
make opatom.mxf -s 320x180 -c:v dnxhd -profile:v dnxhr_lb -pix_fmt yuv422p -frames:v 5 -f mxf_opatom

make d10.mxf -s 720x576 -c:v mpeg2video -intra_vlc 1 -non_linear_quant 1 -b:v 30M -minrate 30M \
    -maxrate 30M -bufsize 1.2M -rc_init_occupancy 1.2M -g 1 -flags ildct+low_delay \
    -ps 1 -qmin 1 -qmax 12 -dc 10 -pix_fmt yuv422p -frames:v 1 -f mxf_d10
make hevc.mp4 -c:v libx265 -preset ultrafast -x265-params log-level=none -tag:v hvc1 -pix_fmt yuv420p10le
make raw.h264 $h264
make raw.y4m -frames:v 3 -pix_fmt yuv420p
make vp8.ivf -c:v libvpx
make gif.gif -frames:v 5
make frame.dpx -s 32x18 -frames:v 1 -update 1 -pix_fmt gbrp10be
make frame.exr -s 32x18 -frames:v 1 -update 1 -format half
make frame.tif -s 32x18 -frames:v 1 -update 1 -compression_algo raw
make frame.jp2 -s 32x18 -frames:v 1 -update 1 -c:v jpeg2000
make frame.j2k -s 32x18 -frames:v 1 -update 1 -c:v jpeg2000 -format j2k
make frame.png -s 32x18 -frames:v 1 -update 1
make frame.jpg -s 32x18 -frames:v 1 -update 1
make frame.tga -s 32x18 -frames:v 1 -update 1 -rle 0
source="$video $still"
make cover.mp4 -map 0 -map 1 $h264 -c:v:1 mjpeg -frames:v:1 1 -disposition:v:1 attached_pic
source=$sound
make pcm.wav -c:a pcm_s16le
make pcm.w64 -c:a pcm_s16le
make pcm.aiff -c:a pcm_s16be
make pcm.caf -c:a pcm_s16be
make pcm.mxf -t 0.1 -ar 48000 -c:a pcm_s16le -f mxf_opatom
make flac.flac -c:a flac
make mp3.mp3 -c:a libmp3lame
make aac.aac -c:a aac

[ -d "${STREAMCALC_MEDIA:-}" ] || exit 0
find "$STREAMCALC_MEDIA" -type f ! -name '*.md' -size +0 | sort | while read -r file; do
    name=$(basename "$file")
    head -c $most "$file" >"$out/head-$name"
    [ "$(wc -c <"$file")" -le $most ] || {
        head -c 4096 "$file"
        tail -c $((most - 4096)) "$file"
    } >"$out/ends-$name"
done
