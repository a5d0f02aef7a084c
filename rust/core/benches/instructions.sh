#!/bin/sh
# Counts the instructions of fixed search work under callgrind and compares them with those
# recorded in search_instructions.txt. Fails if a part takes more than 5 % more.
#   instructions.sh            compare
#   instructions.sh --record   record what is counted now
set -eu
here=$(dirname "$(realpath "$0")")
recorded=$here/search_instructions.txt
profile=$(mktemp -d)
trap 'rm -rf "$profile"' EXIT

program=$(cd "$here/.." && cargo bench --quiet --bench search_instructions --no-run --message-format=json |
    sed -n 's/.*"executable":"\([^"]*search_instructions-[^"]*\)".*/\1/p' | tail -n 1)
valgrind --tool=callgrind --callgrind-out-file="$profile/out" --toggle-collect='*counted_*' \
    "$program" 2>"$profile/log" || { cat "$profile/log"; exit 1; }
# A part is listed once per source file inlined into it; the largest number is the whole.
callgrind_annotate --inclusive=yes --threshold=100 "$profile/out" 2>"$profile/log" |
    sed -n 's/^ *\([0-9,]*\) .*:search_instructions::\(counted_[a-z_]*\).*/\2 \1/p' |
    tr -d ',' | sort -k1,1 -k2,2nr | awk '!seen[$1]++' >"$profile/counted"
[ -s "$profile/counted" ] || { echo "nothing was counted: is the data there?"; exit 1; }

if [ "${1:-}" = --record ]; then
    cp "$profile/counted" "$recorded"
    cat "$recorded"
    exit
fi
join "$recorded" "$profile/counted" | awk '
    { change = 100 * ($3 - $2) / $2; printf "%-24s %14d %+7.2f %%\n", $1, $3, change }
    change > 5 { failed = 1 }
    END { exit failed || NR < 5 }'
