#!/bin/sh
# recover.sh ESTR2048 FILE: finds the seeds of 100 games of each set of parameters from their boards. The seeds are full
# 32-bit numbers and the moves are random, both from SHA-256 of the game's name, so that anybody plays the same games.
# FILE gets a line for each game; those that are there already are not played again.
set -eu
program=$1
file=$2

[ -e "$file" ] || echo 'parameters,number,seed,found' > "$file"
for parameters in zero official; do
    for number in $(seq 100); do
        ! grep -q "^$parameters,$number," "$file" || continue
        hash=$(printf '%s %s' "$parameters" "$number" | sha256sum | cut -d ' ' -f 1)
        seed=$((0x$(printf '%.8s' "$hash")))
        moves=$(printf '%s' "$hash" | tr 0123456789abcdef UDLRUDLRUDLRUDLR)
        found=$(printf '%s\n%s\n' "$seed" "$moves" | "$program" estr1002 --tinymt "$parameters" |
            "$program" recover --quiet - | sed -n 's/^seed //p' | paste -s -d ';' -)
        [ -n "$found" ] || { echo "no seed was found for $parameters $number; is $program the workbench?" >&2; exit 1; }
        echo "$parameters,$number,$seed,$found" >> "$file"
    done
done

total=$(grep -c '^[zo]' "$file")
right=$(awk -F, '$4 == $3 " with " $1 " parameters"' "$file" | wc -l)
echo "$right of $total seeds found, each the only one that fits"
[ "$right" -eq "$total" ]
