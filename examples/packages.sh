# Sourced by quickstart.sh and tests/run.sh: install_packages NAME... makes sure that Debian packages
# are there, as root or through sudo; where it may not, it names them and stops.

missing_packages()
{
    for package in "$@"; do
        dpkg-query -W -f='${Status}\n' "$package" 2>/dev/null | grep -q ' installed$' ||
            printf '%s ' "$package"
    done
}

install_packages()
{
    if ! command -v dpkg-query >/dev/null 2>&1; then
        echo "This system has no Debian packages; install what stands for these yourself:" >&2
        echo "  $*" >&2
        echo "then build with: cmake --preset release -DSTREAMCALC_TESTS=OFF && cmake --build --preset release" >&2
        exit 2
    fi
    missing=$(missing_packages "$@")
    [ -n "$missing" ] || return 0
    if [ "$(id -u)" = 0 ]; then
        as_root=
    elif command -v sudo >/dev/null 2>&1 && { [ -t 0 ] || sudo -n true 2>/dev/null; }; then
        as_root=sudo
    else
        echo "Missing packages, and no right to install them. Have these installed, then try again:" >&2
        echo "  apt-get install --no-install-recommends $missing" >&2
        exit 2
    fi
    echo "Installing: $missing"
    # shellcheck disable=SC2086  # both are lists of words
    {
        $as_root env DEBIAN_FRONTEND=noninteractive apt-get update -qq &&
            $as_root env DEBIAN_FRONTEND=noninteractive \
                apt-get install -y -qq --no-install-recommends $missing >/dev/null
    } || {
        echo "apt-get could not install: $missing" >&2
        exit 2
    }
}

BUILD_PACKAGES='gcc libc6-dev cmake ninja-build pkg-config libavformat-dev libavcodec-dev
    libavutil-dev libjansson-dev'
