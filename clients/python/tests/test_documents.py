"""What the README and the examples say holds."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

from conformance.server import Server

HERE = Path(__file__).resolve().parents[1]


def blocks(language: str) -> list[str]:
    """The blocks of code of the README."""
    return re.findall(rf"^```{language}\n(.*?)^```$", (HERE / "README.md").read_text(), re.M | re.S)


def test_the_code_of_the_readme_runs_and_prints_what_it_says(
    server: Server, capsys: pytest.CaptureFixture[str]
) -> None:
    code = "\n".join(blocks("python"))
    exec(compile(code.replace("127.0.0.1:50051", server.address), "README.md", "exec"), {})
    printed = capsys.readouterr().out.splitlines()
    said = re.findall(r"^ *print\(.*\)(?:  |\n)# (.+)$", code, re.M)
    assert len(said) == 9
    for line in said:
        assert line in printed


def test_the_files_that_the_readme_names_are_there() -> None:
    links = re.findall(r"\]\(([^)]+)\)", (HERE / "README.md").read_text())
    assert len(links) > 5
    assert [link for link in links if not (HERE / link).exists()] == []


def test_at_most_five_commands_lead_to_a_played_move() -> None:
    commands = [line for block in blocks("sh") for line in block.splitlines()]
    assert len(commands) <= 5
    assert commands[-1].endswith("examples/compound_move.py")


def run(*command: str) -> list[str]:
    done = subprocess.run([sys.executable, *command], cwd=HERE, capture_output=True, text=True, check=True)
    return done.stdout.splitlines()


def test_the_compound_move_is_played(server: Server) -> None:
    printed = run("examples/compound_move.py", server.address)
    assert "from A:e2 to: e3, e4" in printed
    assert "then: B:b1a3, B:b1c3, B:g1f3, B:g1h3" in printed
    assert any(line.startswith("played A:e2e4/B:g1f3 ") for line in printed)
    assert any("PAIR_NOT_ALLOWED" in line for line in printed)


def test_the_bot_plays_the_same_games_from_the_same_seed(server: Server) -> None:
    command = ["examples/random_bot.py", "influence", "gamma2", "--target", server.address]
    command += ["--plies", "20", "--seed", "7"]
    printed = run(*command)
    assert sum(line.startswith("  ") for line in printed) == 20
    assert [line.split(":")[0] for line in printed if "after 20 moves" in line] == ["influence", "gamma2"]
    assert run(*command) == printed
