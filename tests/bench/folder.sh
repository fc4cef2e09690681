# Sourced by benchmarks: takes [DIR] from the arguments into $dir, by default build/bench, and goes to the root of
# the project.
root=$(cd "$(dirname "$0")/../../.." && pwd)
case ${1:-} in
"" | -*) dir=$root/build/bench ;;
*) mkdir -p "$1" && dir=$(cd "$1" && pwd) && shift ;;
esac
cd "$root"
