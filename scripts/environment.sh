# Sourced by the other scripts: makes the project's own virtual environment, .venv, and keeps it up to date.
# shellcheck shell=bash

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd -P)
venv=$root/.venv

fail() {
    printf 'rogsim: error: %s\n' "$1" >&2
    exit 2
}

# Print the path of a Python that is new enough: $PYTHON if it is set, else the first that is found.
find_python() {
    local name names=(python3 python3.14 python3.13 python3.12 python3.11)
    if [ -n "${PYTHON:-}" ]; then names=("$PYTHON"); fi
    for name in "${names[@]}"; do
        if "$name" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then
            command -v "$name"
            return
        fi
    done
    fail "Python 3.11 or newer is needed, and ${names[0]} is $("${names[0]}" --version 2>/dev/null || echo missing). PYTHON=/path/to/python3 names another."
}

# What an installation depends on: where the project lies and what it asks for.
wanted() {
    printf '%s\n' "$root"
    cat "$root/pyproject.toml"
}

# A stamp is written last, so an installation that was interrupted has none.
is_current() {
    [ -x "$venv/bin/python" ] && wanted | cmp -s - "$venv/stamp-$1"
}

# install KIND: KIND is "run", or "dev" with the tools that the tests need as well.
install() {
    local python target=$root
    if is_current "$1"; then
        return # another script was faster
    fi
    # Begin anew unless a whole installation was made here: its programs hold the path of this folder.
    if ! [ -x "$venv/bin/python" ] || ! grep -qxF "$root" "$venv"/stamp-* 2>/dev/null; then
        python=$(find_python) || exit
        "$python" -m venv --clear "$venv" || fail "no virtual environment could be made in $venv"
    fi
    rm -f "$venv"/stamp-*
    [ "$1" = dev ] && target="$root[dev]"
    "$venv/bin/python" -m pip install -qq --disable-pip-version-check -e "$target" ||
        fail "pip could not install what pyproject.toml asks for"
    wanted >"$venv/stamp-$1"
}

# need KIND: make sure that .venv holds it; says so where that takes long.
need() {
    if is_current "$1" || { [ "$1" = run ] && is_current dev; }; then
        return
    fi
    echo "Installing rogsim into .venv (once, and again when pyproject.toml changes)…" >&2
    (
        # Two scripts that start together must not install at the same time.
        if command -v flock >/dev/null; then flock 9; fi
        install "$1"
    ) 9<"$root/pyproject.toml" || exit $?
}
