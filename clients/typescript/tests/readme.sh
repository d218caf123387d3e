#!/usr/bin/env bash
# Plays random games, then installs the package as the README says, and checks and runs the README's code.
# Needs the binary in ARBITER, and a folder to work in.
set -euo pipefail
cd "$(dirname "$0")/.."
here=$PWD
work=$1
project=$work/project
rm -rf "$project"
mkdir -p "$project"

"$ARBITER" serve --listen 127.0.0.1:0 > "$work/log" 2>&1 &
server=$!
trap 'kill "$server"' EXIT
address() { sed -nE 's/.*serving.*(127\.0\.0\.1:[0-9]+).*/\1/p' "$work/log"; }
for _ in $(seq 50); do [ -n "$(address)" ] && break; sleep 0.1; done

npx tsx examples/random-bot.ts --url "http://$(address)" --moves 20 > "$work/games"
cut -c1-110 "$work/games"
[ "$(grep -c ' moves: ' "$work/games")" = 8 ]

block() { awk -v begin="^\`\`\`$1\$" '$0 ~ begin { on = 1; next } /^```$/ { on = 0 } on' README.md; }

# Not from the root of the repository, so that the archive is left where nothing is kept.
block sh | grep -v '^npm ci' | sed "s|YOUR_PROJECT|$project|; s|\./clients/typescript|$here|" > "$work/install"
echo '{ "type": "module" }' > "$project/package.json"
(cd "$work" && npm_config_loglevel=error bash -euo pipefail install)
for file in README.md LICENSE-MIT LICENSE-APACHE dist/web.js src/web.ts; do
  [ -s "$project/node_modules/@arbiter/client/$file" ] || { echo "the package lacks $file"; exit 1; }
done

block ts | sed "s|127.0.0.1:50051|$(address)|" > "$project/readme.ts"
cat > "$project/tsconfig.json" << END
{ "compilerOptions": { "strict": true, "noEmit": true, "module": "nodenext", "target": "es2022",
  "types": ["node"], "typeRoots": ["$here/node_modules/@types"] } }
END
npx tsc --project "$project"
npx tsx "$project/readme.ts" | tee "$work/said"
for words in "'three-universes'" '^false 4$' '^A:e2e4/B:g1f3 ' "PATH_BLOCKED \[ 'a2' \]" '^2460n$' \
  'd8h4' 'true INVALID_POSITION' "\[ 'PAWN_ON_BACK_RANK', 'MISSING_KING' \]"; do
  grep -q -- "$words" "$work/said" || { echo "the README's code did not say $words"; exit 1; }
done
