#!/bin/sh
# Makes .venv and installs what a lock file names, then the checkout itself.
#
#     sh deploy/set_up_environment.sh requirements.lock
#
# Does nothing when the environment already holds exactly that. Needs Python 3.11 or newer with its venv module.
set -eu

lock=$1
stamp=.venv/.installed-$lock

fail() {
    printf '\n%s\n' "$1" >&2
    exit 1
}

# Two makes at the same time (an editor's and a person's) must not install over each other.
if command -v flock >/dev/null 2>&1; then
    exec 9>.venv-setup.lock
    flock 9
fi

wanted=$(cat pyproject.toml requirements.lock "$lock" | cksum)
if [ -f "$stamp" ] && [ "$(cat "$stamp")" = "$wanted $PWD" ] && .venv/bin/python -c '' 2>/dev/null; then
    exit 0
fi

is_recent() {
    "$1" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null
}

python=
for candidate in "${PYTHON:-python3}" python3 python3.14 python3.13 python3.12 python3.11; do
    if is_recent "$candidate"; then
        python=$candidate
        break
    fi
done
[ -n "$python" ] || fail "Tablée needs Python 3.11 or newer. Found: $(python3 --version 2>&1 || true)
Install a newer one, or name it: make PYTHON=/path/to/python3.12 up"

# A moved checkout or a Python that was upgraded away leaves an environment whose scripts point nowhere.
if [ -d .venv ] && ! { [ -f .venv/.made-in ] && [ "$(cat .venv/.made-in)" = "$PWD" ] && is_recent .venv/bin/python; }; then
    echo "The environment in .venv is of another place or Python: making it anew."
    rm -rf .venv
fi
if [ ! -d .venv ]; then
    echo "Making the environment .venv with $("$python" --version)."
    if ! "$python" -m venv .venv; then
        rm -rf .venv
        fail "Python's venv module could not make an environment (see above).
On Debian and Ubuntu: apt install python3-venv"
    fi
    printf '%s' "$PWD" >.venv/.made-in
fi

echo "Installing what $lock names."
.venv/bin/python -m pip install --quiet --disable-pip-version-check --require-hashes --only-binary :all: -r "$lock" ||
    fail "The packages that $lock names could not be installed (see above). Nothing else was changed; try again."
.venv/bin/python -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation --editable .

printf '%s' "$wanted $PWD" >"$stamp"
# The lock for development holds all of the other one, version by version.
if [ "$lock" = requirements-dev.lock ]; then
    printf '%s' "$(cat pyproject.toml requirements.lock requirements.lock | cksum) $PWD" >.venv/.installed-requirements.lock
fi
