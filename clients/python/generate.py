"""Generates the stubs from the contract, or checks that the committed ones are what it would give.

    python generate.py            writes src/arbiter_client/v1 and src/arbiter_client/error_details_pb2
    python generate.py --check    writes nothing, exit code 1 if something differs

It needs what requirements-generate.txt pins. That is an old release of grpcio-tools on purpose: generated
code works with the protobuf and grpcio that it was generated for and with later ones, not with earlier ones.
"""

import re
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
CONTRACT = HERE.parent.parent / "proto"
OWN = HERE / "proto"
PACKAGE = HERE / "src" / "arbiter_client"


def run_protoc(out: Path) -> None:
    """Runs protoc on the contract and on the client's own file."""
    # protoc finds the plugin of mypy-protobuf, which writes the types, by this.
    plugin = Path(sys.executable).parent / "protoc-gen-mypy"
    for root, grpc in ((CONTRACT, True), (OWN, False)):
        outputs = [f"--python_out={out}", f"--plugin=protoc-gen-mypy={plugin}", f"--mypy_out=quiet:{out}"]
        if grpc:
            outputs += [f"--plugin=protoc-gen-mypy_grpc={plugin}_grpc"]
            outputs += [f"--grpc_python_out={out}", f"--mypy_grpc_out=quiet:{out}"]
        files = sorted(str(file) for file in root.rglob("*.proto"))
        protoc = [sys.executable, "-m", "grpc_tools.protoc", f"--proto_path={root}"]
        subprocess.run([*protoc, *outputs, *files], check=True)


def adapted(name: str, text: str) -> str:
    """The generated text as the package holds it."""
    # Modules live inside the package and not in a top-level package `arbiter`.
    text = re.sub(r"^from arbiter\.v1 import", "from arbiter_client.v1 import", text, flags=re.M)
    text = re.sub(r"'arbiter\.v1\.(\w+_pb2)'", r"'arbiter_client.v1.\1'", text)
    if name.endswith(".pyi"):
        # An enum field holds any number, as the contract grows. Typed so, it can be compared with and set to
        # the members of this package's enums.
        text = re.sub(
            r"^ +(def )?[a-z_]+(: |\(self\) -> ).*\.ValueType.*$", _with_plain_numbers, text, flags=re.M
        )
    return text


def _with_plain_numbers(line: re.Match[str]) -> str:
    return re.sub(r"\b[\w.]+\.ValueType\b", "_builtins.int", line.group())


def generated() -> dict[Path, str]:
    """What the package should hold: paths in it, and texts."""
    files = {Path("v1/__init__.py"): '"""The generated messages and stubs of the contract."""\n'}
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder)
        run_protoc(out)
        for file in sorted(out.rglob("*.py*")):
            # Only one file of the contract has a service; of the others these hold nothing.
            if "_pb2_grpc" in file.name and not file.name.startswith("service_"):
                continue
            place = Path("v1" if file.parent.name == "v1" else "") / file.name
            files[place] = adapted(file.name, file.read_text())
    return files


def committed() -> dict[Path, str]:
    """What the package holds."""
    files = [*(PACKAGE / "v1").glob("*.py*"), *PACKAGE.glob("*_pb2.py*")]
    return {file.relative_to(PACKAGE): file.read_text() for file in files}


def main() -> int:
    wanted = generated()
    if "--check" in sys.argv[1:]:
        present = committed()
        differing = sorted(path for path in wanted | present if wanted.get(path) != present.get(path))
        for path in differing:
            print(f"not what the contract gives: {path}", file=sys.stderr)
        return 1 if differing else 0
    for path in committed():
        (PACKAGE / path).unlink()
    for path, text in wanted.items():
        (PACKAGE / path).parent.mkdir(exist_ok=True)
        (PACKAGE / path).write_text(text)
    return 0


if __name__ == "__main__":
    sys.exit(main())
