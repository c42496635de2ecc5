# Sourced by the other scripts: creates the project's virtual environment, .venv, and keeps it up to date.
# shellcheck shell=bash

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd -P)
venv=$root/.venv

fail() {
    printf 'rogsim: error: %s\n' "$1" >&2
    exit 2
}

# Print the path of a Python that is new enough: $PYTHON if it is set, otherwise the first one found.
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

# What an installation depends on: the location of the project and its requirements.
wanted() {
    printf '%s\n' "$root"
    cat "$root/pyproject.toml"
}

# The stamp is written last, so an interrupted installation has none.
is_current() {
    [ -x "$venv/bin/python" ] && wanted | cmp -s - "$venv/stamp-$1"
}

# fetch PYTHON TARGET...: install the targets in that Python's virtual environment.
# uv needs seconds where pip needs a minute or more, but it ignores pip's settings. So pip does it if those name another
# index, or if uv fails. uv trusts the certificates of the system, as pip does: older versions call that NATIVE_TLS.
# No bytecode is made here: Python makes that of a module when it is first used.
fetch() {
    local python=$1 install=("$1" -m pip install -qq --disable-pip-version-check --no-compile)
    shift
    if "$python" -m pip config list | grep -E '\.(index-url|no-index)=' >/dev/null ||
        ! "${install[@]}" uv 2>/dev/null ||
        ! UV_SYSTEM_CERTS=1 UV_NATIVE_TLS=1 "$python" -m uv pip install -qq --python "$python" "$@" 2>/dev/null; then
        "${install[@]}" "$@"
    fi
}

# install KIND: KIND is "run", or "dev" with the tools that the tests need as well.
install() {
    local python target=$root
    if is_current "$1"; then
        return # another script was faster
    fi
    # Start again unless a complete installation was made here: its programs contain the path of this folder.
    if ! [ -x "$venv/bin/python" ] || ! grep -qxF "$root" "$venv"/stamp-* 2>/dev/null; then
        python=$(find_python) || exit
        "$python" -m venv --clear "$venv" || fail "cannot create a virtual environment in $venv"
    fi
    rm -f "$venv"/stamp-*
    [ "$1" = dev ] && target="$root[dev]"
    fetch "$venv/bin/python" -e "$target" ||
        fail "pip could not install the requirements in pyproject.toml"
    wanted >"$venv/stamp-$1"
}

# need KIND: make sure that .venv has it; print a line if that takes long.
need() {
    if is_current "$1" || { [ "$1" = run ] && is_current dev; }; then
        return
    fi
    echo "Installing rogsim into .venv (once, and again when pyproject.toml changes)…" >&2
    (
        trap 'exit 130' INT # otherwise pip would go on after uv
        # Two scripts that start together must not install at the same time.
        if command -v flock >/dev/null; then flock 9; fi
        install "$1"
    ) 9<"$root/pyproject.toml" || exit $?
}
