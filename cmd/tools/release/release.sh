#!/usr/bin/env bash
set -euo pipefail
cd "$(dirname "$0")/../../.."
help='usage: release.sh [-n | --pack DIR] VERSION

Writes VERSION, such as v0.1.0, into the go.mod and go.work files of all modules, and prints the
tags that they need. The modules require each other at that version; none has a replace line, which
go install refuses. In a checkout the go.work files replace the version by what lies there.

  -n, --dry-run   show what would be written, and write nothing
  --pack DIR      write nothing but DIR, in which all modules are packed, for GOPROXY=file://DIR
  -h, --help      show this'
library=github.com/flatecs/flatecs
published=(. cmd cmd/arrow cmd/ebiten cmd/gym cmd/shard cmd/vet # modules that others get
	world/link/udp world/link/web world/link/webtransport world/shard)

fail() { echo "release: $1" >&2; exit "${2:-1}"; }

dry='' pack='' version=''
while (($#)); do
	case $1 in
	-h | --help) echo "$help"; exit ;;
	-n | --dry-run) dry=yes ;;
	--pack) pack=${2:-}; [[ $pack ]] || fail '--pack: name a folder' 2; shift ;;
	-*) fail "unknown flag $1; --help shows the others" 2 ;;
	*) [[ ! $version ]] || fail "$1 after the version; give one version" 2; version=$1 ;;
	esac
	shift
done
number='(0|[1-9][0-9]*)'
[[ $version =~ ^v$number\.$number\.$number(-[0-9A-Za-z.-]+)?$ ]] ||
	fail "'$version' is no version of a module; one is v0.1.0" 2

# versioned prints a go.mod or a go.work in which the modules of this tree have the version.
versioned() { sed -E "s#^(\s*(require |replace )?$library\S*) v[0-9]\S*#\1 $version#" "$1"; }

if [[ ! $pack ]]; then
	for file in {bench,"${published[@]}"}/go.{mod,work}; do
		[[ -f $file ]] && ! versioned "$file" | cmp -s - "$file" || continue
		if [[ $dry ]]; then
			versioned "$file" | diff -U0 --label "$file" --label "$file" "$file" - || true
		else
			text=$(versioned "$file") && echo "$text" >"$file"
		fi
	done
	tags=$(printf "%s/$version " "${published[@]}")
	echo "Commit that, then: for tag in ${tags#./}; do git tag \$tag; done"
	exit
fi

for m in "${published[@]}"; do
	[[ -f $m/LICENSE ]] || fail "$m: there is no LICENSE; each module has a copy"
	! grep -q '^replace ' "$m/go.mod" || fail "$m/go.mod has a replace line, which go install refuses"
done
[[ ! $dry ]] || { echo "would pack ${published[*]} into $pack"; exit; }
pack=$(mkdir -p "$pack" && cd "$pack" && pwd) temp=$(mktemp -d)
trap 'rm -rf "$temp"' EXIT

# The tree as it is, in an index and objects that nobody else sees.
objects=$(git rev-parse --path-format=absolute --git-path objects)
cp "$(git rev-parse --git-path index)" "$temp/index"
mkdir "$temp/objects"
export GIT_INDEX_FILE=$temp/index GIT_OBJECT_DIRECTORY=$temp/objects
export GIT_ALTERNATE_OBJECT_DIRECTORIES=$objects
git add --all
for m in "${published[@]}"; do
	mod=${m#.}/go.mod
	git update-index --cacheinfo "100644,$(versioned "$m/go.mod" | git hash-object -w --stdin),${mod#/}"
done
tree=$(git write-tree)
for m in "${published[@]}"; do
	path=$library/$m; path=${path%/.}
	to=$pack/$path/@v
	mkdir -p "$to"
	versioned "$m/go.mod" >"$to/$version.mod"
	echo "$version" >"$to/list"
	echo "{\"Version\":\"$version\"}" >"$to/$version.info"
	within=$m/; within=${within#./}
	mapfile -t others < <(git ls-files "$within*/go.mod" | sed "s#^$within#:(exclude)#; s#/go.mod\$##")
	git archive --format=zip --prefix="$path@$version/" --output="$to/$version.zip" \
		"$tree:${within%/}" -- . "${others[@]}"
done
