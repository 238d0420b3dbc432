#!/bin/sh
# scores.sh ESTR2048 FOLDER: plays the games of player-scores.csv, and prints that file. FOLDER keeps every game that is
# finished, so that the work can be stopped and goes on.
set -eu
program=$1
folder=$2
mkdir -p "$folder"

play() {
    name=$1
    shift
    "$program" run --player fair "$@" --out "$folder/$name.jsonl" >&2
}
play budget-1 --budget 1 --seeds 1..2000
play nodes-1000 --nodes 1000 --seeds 1..100
play usual --seeds 1..200

echo 'effort,seed,score'
for name in budget-1 nodes-1000 usual; do
    sed -n "s/^{\"seed\":\([0-9]*\),\"score\":\([0-9]*\),.*/$name,\1,\2/p" "$folder/$name.jsonl" | sort -t , -n -k 2
done
