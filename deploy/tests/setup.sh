# Sourced by the tests of deploy/: goes to the root of the repository, installs what is missing, and keeps all of it
# under target/deploy.
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
out=$PWD/target/deploy
mkdir -p "$out"

install() { # install PACKAGE...: installs Debian packages
  apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "$@" >/dev/null
}

need() { # need COMMAND PACKAGE...: the same, where the command is missing
  command -v "$1" >/dev/null || install "${@:2}"
}

python_packages() { # puts the packages of requirements.txt and the generated client into $out/venv, and it into PATH
  # Debian has a python3 without this.
  python3 -c 'import ensurepip' 2>/dev/null || install python3 python3-venv
  (
    flock 9 # for tests that run beside each other
    cat deploy/tests/requirements.txt proto/arbiter/v1/*.proto >"$out/wanted"
    if ! cmp -s "$out/wanted" "$out/venv/installed"; then
      python3 -m venv --clear "$out/venv"
      "$out/venv/bin/pip" install --quiet --disable-pip-version-check --requirement deploy/tests/requirements.txt
      mkdir -p "$out/stubs"
      "$out/venv/bin/python" -m grpc_tools.protoc --proto_path=proto --python_out="$out/stubs" \
        --grpc_python_out="$out/stubs" proto/arbiter/v1/*.proto
      mv "$out/wanted" "$out/venv/installed"
    fi
  ) 9>"$out/lock"
  export PATH="$out/venv/bin:$PATH" PYTHONDONTWRITEBYTECODE=1 PYTHONPATH="$out/stubs"
}

arbiter_binary() { # names the service in $ARBITER, and builds it if it was not named
  if [ -z "${ARBITER:-}" ]; then
    cargo build --quiet --release --locked
    ARBITER=$PWD/target/release/arbiter
  fi
  export ARBITER
}
