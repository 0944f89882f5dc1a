"""Which languages there are servers for: their files, the programs that understand them, and how to get one."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import PurePosixPath


@dataclass(frozen=True)
class Language:
    """`suffixes` give the protocol's name of each kind of file; `servers` are command lines, the best first.

    `needs` are programs a server calls; `install` says how to get one.
    """

    name: str
    title: str
    suffixes: Mapping[str, str]
    servers: tuple[tuple[str, ...], ...]
    install: str
    needs: tuple[str, ...] = ()

    @property
    def setting(self) -> str:
        """The environment variable that names another server."""
        return f"CODER_LSP_SERVER_{self.name.upper()}"


LANGUAGES = (
    Language(
        "python",
        "Python",
        {".py": "python", ".pyi": "python"},
        (("basedpyright-langserver", "--stdio"), ("pyright-langserver", "--stdio"), ("pylsp",)),
        "pip install pyright",
    ),
    Language(
        "typescript",
        "TypeScript and JavaScript",
        {
            **dict.fromkeys((".ts", ".mts", ".cts"), "typescript"),
            **dict.fromkeys((".js", ".mjs", ".cjs"), "javascript"),
            ".tsx": "typescriptreact",
            ".jsx": "javascriptreact",
        },
        (("typescript-language-server", "--stdio"),),
        "npm install --save-dev typescript-language-server typescript",
    ),
    Language("rust", "Rust", {".rs": "rust"}, (("rust-analyzer",),), "rustup component add rust-analyzer", ("cargo", "rustc")),
    Language("go", "Go", {".go": "go"}, (("gopls",),), "go install golang.org/x/tools/gopls@latest", ("go",)),
    Language(
        "cpp",
        "C and C++",
        {**dict.fromkeys((".c", ".h"), "c"), **dict.fromkeys((".cc", ".cpp", ".cxx", ".hh", ".hpp", ".hxx"), "cpp")},
        (("clangd",),),
        "apt install clangd",
    ),
)

ANY = Language("workspace", "the workspace", {}, (), "")
"""Whatever the operator named for questions about the whole workspace."""


def language_of(path: str) -> Language | None:
    suffix = PurePosixPath(path).suffix.lower()
    return next((language for language in LANGUAGES if suffix in language.suffixes), None)


def kind_of(path: str) -> str:
    """The protocol's name for this kind of file."""
    language, suffix = language_of(path), PurePosixPath(path).suffix.lower()
    return language.suffixes[suffix] if language else "plaintext"


def how_to_get(language: Language) -> str:
    names = " or ".join(server[0] for server in language.servers)
    return (
        f"There is no language server for {language.title} here. Install {names} in the project or on the server "
        f"(for example: {language.install}), or let the operator name one in {language.setting}. Until then use grep and read."
    )


def choice_missing(language: Language, program: str) -> str:
    return f"{program}, which {language.setting} names, is not on the server. The operator can install it or take the setting away."


def not_served(path: str) -> str:
    known = ", ".join(suffix for language in LANGUAGES for suffix in language.suffixes)
    return f"No language server is known for {PurePosixPath(path).name}; files that have one end in {known}. Use grep and read instead."
