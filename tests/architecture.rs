//! How the code is laid out, held to by reading it: what knows what, and what is nowhere.
//!
//! Arrows point down only. At the top stand the server and the gRPC edge, then the rules core: its texts, the games,
//! what no game may change, the questions that a game answers, what games share, and the plain vocabulary at the
//! bottom.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    reason = "a test that panics has failed, which is its purpose"
)]
#![allow(unreachable_pub, reason = "nothing outside a test reaches into it")]

use std::collections::BTreeSet;

use arbiter::rules::variants;

mod source;

use source::{Source, sources, words};

#[test]
fn the_reader_sees_paths_and_neither_comments_nor_texts() {
    let text = r##"
        use crate::rules::{board::{self, Board as B}, moves::*, play};
        use super::super::variants; // crate::server
        /* std::env */ let a = '"'; let b: &'a str = r#"std::fs "#; let c = "\" std::net";
        let d = '\u{41}'; std::time::Instant::now(); super::made(x)
        #[cfg(test)]
        mod tests {
            use unsafe_tests;
        }
        fn after() {}
    "##;
    let source = Source::new("src/rules/play/walk.rs".to_owned(), text.replace("\n        ", "\n"));
    assert_eq!(source.module, "rules::play::walk");
    let board = ["rules::board::self", "rules::board::Board", "rules::moves", "rules::play"];
    let others = ["rules::variants", "rules::play::made"];
    assert_eq!(source.paths_in_crate(), [&board[..], &others[..]].concat());
    assert_eq!(source.paths().last().map(String::as_str), Some("super::made"));
    assert!(source.paths().contains(&"std::time::Instant::now".to_owned()), "{:?}", source.paths());
    assert!(
        !source
            .paths()
            .iter()
            .any(|path| path.contains("fs") || path.contains("net") || path.contains("env"))
    );
    assert!(!source.code_outside_tests().contains("unsafe_tests"));
    assert!(source.code_outside_tests().contains("fn after()"));
}

/// The sources of the crate.
fn src() -> Vec<Source> {
    let sources = sources(&["src"], &["rs"]);
    assert!(sources.len() > 30, "only {} files were found", sources.len());
    sources
}

/// Fails with all that was found against a rule.
fn check(rule: &str, found: Vec<String>) {
    assert!(found.is_empty(), "{rule}:\n{}", found.join("\n"));
}

/// The part of the rules core that a module path is in, from the bottom to the top. What is not named is vocabulary.
const LAYERS: [&str; 6] = ["vocabulary", "mechanics", "variant", "play", "variants", "notation"];

/// The layer of the path of a module below `rules`.
fn layer(path: &str) -> usize {
    let first = path.strip_prefix("rules::").and_then(|path| path.split("::").next()).unwrap_or_default();
    LAYERS.iter().position(|layer| *layer == first).unwrap_or(0)
}

#[test]
fn the_rules_core_knows_nothing_of_the_edge_and_of_the_world() {
    const CRATES: [&str; 6] = ["tonic", "prost", "tokio", "tracing", "hyper", "rand"];
    const WORLD: [&str; 7] = ["fs", "net", "time", "env", "process", "thread", "io"];
    let mut found = Vec::new();
    for source in src().iter().filter(|source| source.is_in("rules")) {
        for word in words(&source.text).filter(|word| CRATES.contains(word)) {
            found.push(format!("{}: {word}", source.path));
        }
        for path in source.paths() {
            let segments: Vec<&str> = path.split("::").collect();
            let outward = match segments[..] {
                ["std" | "core" | "alloc", module, ..] => WORLD.contains(&module),
                ["crate", part, ..] => part != "rules",
                _ => false,
            };
            if outward {
                found.push(format!("{}: {path}", source.path));
            }
        }
    }
    check("The rules do no input or output, know no time and no chance, and nothing of the edge", found);
}

#[test]
fn arrows_between_the_layers_of_the_rules_point_down() {
    let mut found = Vec::new();
    for source in src().iter().filter(|source| source.module.starts_with("rules::")) {
        for path in source.paths_in_crate() {
            if path.starts_with("rules::") && layer(&path) > layer(&source.module) {
                found.push(format!("{} ({}): {path}", source.path, LAYERS[layer(&source.module)]));
            }
        }
    }
    check("Nothing knows what is above it", found);
}

/// The games' modules and types, as the register names them.
fn registered() -> Vec<(String, String)> {
    let sources = src();
    let register = sources.iter().find(|source| source.module == "rules::variants").expect("the register");
    let list = register.code.split("static ALL").nth(1).and_then(|rest| rest.split(';').next());
    let list = list.and_then(|list| list.split('=').nth(1)).expect("the list of games");
    let games: Vec<(String, String)> = list
        .split('&')
        .filter_map(|entry| entry.trim_matches(|c: char| !c.is_alphanumeric()).rsplit_once("::"))
        .map(|(module, name)| (module.to_owned(), name.to_owned()))
        .collect();
    assert_eq!(games.len(), variants::ALL.len(), "{list}");
    games
}

#[test]
fn no_game_imports_another() {
    let games = registered();
    let mut found = Vec::new();
    for source in src() {
        let Some(own) = source.module.strip_prefix("rules::variants::") else { continue };
        let own = own.split("::").next().expect("a first segment");
        for path in source.paths_in_crate() {
            let Some(named) = path.strip_prefix("rules::variants::") else { continue };
            let named = named.split("::").next().expect("a first segment");
            let is_game = games.iter().any(|(module, _)| module.split("::").next() == Some(named));
            if is_game && named != own {
                found.push(format!("{}: {path}", source.path));
            }
        }
    }
    check("Games share mechanics, and know nothing of each other", found);
}

#[test]
fn no_file_outside_the_games_names_a_game() {
    // Words of plain English, which only a quoted text makes the name of a game.
    const ENGLISH: [&str; 2] = ["chess", "influence"];
    let games = registered();
    let ids: Vec<&str> = variants::ALL.iter().map(|variant| variant.card().id).collect();
    let mut found = Vec::new();
    for source in src().iter().filter(|source| !source.module.starts_with("rules::variants")) {
        let mut names: BTreeSet<String> = BTreeSet::new();
        for id in &ids {
            let (quoted, text) = (format!("\"{id}\""), source.text.to_lowercase());
            if text.contains(&quoted) || !ENGLISH.contains(id) && has_name(&text, id) {
                names.insert((*id).to_owned());
            }
        }
        for (module, name) in &games {
            names.extend(words(&source.text).find(|word| word == name).map(str::to_owned));
            let path = format!("variants::{module}");
            if source.text.contains(&path) {
                names.insert(path);
            }
        }
        found.extend(names.into_iter().map(|name| format!("{}: {name}", source.path)));
    }
    check("A game is known to its own file and to the register", found);
}

/// Whether the name stands in the text, and not as a part of a longer one.
fn has_name(text: &str, name: &str) -> bool {
    let is_part = |c: char| c.is_alphanumeric() || c == '-' || c == '_';
    text.match_indices(name).any(|(start, _)| {
        let (before, after) = (text[..start].chars().next_back(), text[start + name.len()..].chars().next());
        !before.is_some_and(is_part) && !after.is_some_and(is_part)
    })
}

#[test]
fn generated_types_stay_in_the_edge() {
    const GENERATED: [&str; 3] = ["proto", "pb", "v1"];
    let mut found = Vec::new();
    for source in src().iter().filter(|source| !source.is_in("grpc")) {
        // What other crates generated, as for health checks and reflection, is theirs.
        let is_generated = |path: &String| {
            path.split("::").any(|segment| GENERATED.contains(&segment)) && !path.starts_with("tonic_")
        };
        let paths = source.all_paths().into_iter().filter(is_generated);
        found.extend(paths.map(|path| format!("{}: {path}", source.path)));
        if words(&source.code).any(|word| word == "include_proto") {
            found.push(format!("{}: include_proto", source.path));
        }
    }
    check("What is generated from the proto files is used in grpc alone", found);
}

#[test]
fn a_status_of_a_call_is_built_in_one_place() {
    const CONSTRUCTORS: [&str; 23] = [
        "new",
        "ok",
        "cancelled",
        "unknown",
        "invalid_argument",
        "deadline_exceeded",
        "not_found",
        "already_exists",
        "permission_denied",
        "resource_exhausted",
        "failed_precondition",
        "aborted",
        "out_of_range",
        "unimplemented",
        "internal",
        "unavailable",
        "data_loss",
        "unauthenticated",
        "with_details",
        "with_metadata",
        "with_details_and_metadata",
        "with_error_details",
        "with_error_details_vec",
    ];
    let mut found = Vec::new();
    for source in src().iter().filter(|source| source.module != "grpc::status") {
        // The type can have been given another name.
        let aliases = source.code.split("Status as ").skip(1).filter_map(|rest| words(rest).next());
        let names: Vec<&str> = aliases.chain(["Status"]).collect();
        for path in source.all_paths() {
            let segments: Vec<&str> = path.split("::").collect();
            if let [.., name, constructor] = segments[..]
                && names.contains(&name)
                && CONSTRUCTORS.contains(&constructor)
            {
                found.push(format!("{}: {path}", source.path));
            }
        }
    }
    check("Errors become statuses in grpc/status.rs", found);
}

/// A field, and why every game needs it.
type Field = (&'static str, &'static str);

/// The modules and names of what a position is made of, and their fields.
const FIELDS: [(&str, &str, &[Field]); 3] = [
    (
        "rules::position",
        "Position",
        &[
            ("boards", "where the pieces stand"),
            ("placement_key", "what repetition asks after every move, kept up to date"),
            ("to_move", "who is to move"),
            ("above_army", "drawn by lot in the games that have it, so neither boards nor game can tell"),
            ("halfmove_clock", "the draw after fifty moves"),
            ("move_number", "written in every position text"),
        ],
    ),
    (
        "rules::board",
        "Board",
        &[
            ("geometry", "the size and its tables"),
            ("sides", "the squares of each side"),
            ("kinds", "the squares of each kind"),
            ("cells", "the piece of each square, with its twin group"),
            ("castling", "whether kings and rooks have moved"),
            ("en_passant", "the last double step"),
            ("vanished", "that its squares are gone, which an empty board does not say"),
        ],
    ),
    (
        "rules::piece",
        "Piece",
        &[
            ("kind", "what it is"),
            ("side", "whose it is"),
            ("twin_group", "tells promoted pieces apart that look the same"),
        ],
    ),
];

#[test]
fn a_position_has_no_field_that_only_one_game_reads() {
    let sources = src();
    for (module, name, wanted) in FIELDS {
        let source = sources.iter().find(|source| source.module == module).expect(module);
        let body = source.code.split(&format!("pub struct {name} {{")).nth(1).expect(name);
        let body = body.split('}').next().expect("a first part");
        let fields: Vec<&str> = body
            .lines()
            .filter_map(|line| line.trim().trim_start_matches("pub ").split_once(':'))
            .map(|(field, _)| field)
            .collect();
        let wanted: Vec<&str> = wanted.iter().map(|(field, _)| *field).collect();
        assert_eq!(fields, wanted, "a new field of {name} needs a reason that holds for every game");
    }
}

#[test]
fn a_move_reaches_a_position_only_through_play() {
    // Who may ask a game to make a step: what no game may change, and games that make a step of other parts.
    const MAKERS: [&str; 2] = ["rules::play", "rules::variants"];
    // Who may put and take pieces: those who carry out steps, and those who read a position from outside.
    const PUTTERS: [&str; 7] = [
        "rules::play",
        "rules::variants",
        "rules::mechanics",
        "rules::position",
        "rules::board",
        "rules::notation::position_text",
        "grpc::structure",
    ];
    let is_among = |module: &str, of: &[&str]| {
        of.iter().any(|part| {
            module == *part || module.strip_prefix(part).is_some_and(|rest| rest.starts_with("::"))
        })
    };
    let mut found = Vec::new();
    for source in src() {
        let Source { path, module, code, .. } = &source;
        if code.contains(".make(") && !is_among(module, &MAKERS) {
            found.push(format!("{path}: make"));
        }
        for call in [".put(", ".take(", ".board_mut("] {
            let receivers = code.match_indices(call).map(|(at, _)| &code[..at]);
            let on_position = |before: &str| before.ends_with("position") || before.ends_with("board");
            if receivers.into_iter().any(on_position) && !is_among(module, &PUTTERS) {
                found.push(format!("{path}: {call}"));
            }
        }
    }
    check("Boards change by moves, and moves are made by play", found);
}

#[test]
fn nothing_panics_and_nothing_is_unsafe() {
    const FORBIDDEN: [&str; 7] =
        [".unwrap(", ".expect(", "panic!(", "unreachable!(", "todo!(", "unimplemented!(", "dbg!("];
    // The sizes of boards come from the identity cards of games, never from input.
    const ALLOWED: [(&str, &str); 1] = [("src/rules/geometry.rs", "panic!(")];
    let mut found = Vec::new();
    for source in src() {
        let code = source.code_outside_tests();
        let calls = FORBIDDEN.into_iter().filter(|call| code.contains(call));
        found.extend(
            calls
                .filter(|call| !ALLOWED.contains(&(source.path.as_str(), call)))
                .map(|call| format!("{}: {call}", source.path)),
        );
        if words(&source.code).any(|word| word == "unsafe") {
            found.push(format!("{}: unsafe", source.path));
        }
    }
    check("What input can reach answers, and does not panic", found);
}

/// What is written by hand, by the ends of names.
const WRITTEN: [&str; 12] = ["rs", "py", "ts", "tsx", "js", "mjs", "css", "go", "java", "cc", "sh", "proto"];

/// Where it is.
const FOLDERS: [&str; 9] =
    ["src", "tests", "benches", "clients", "deploy", "examples", "fuzz", "load", "web"];

/// The sources that are written by hand; what protoc makes has its own names for files and lengths.
fn written() -> impl Iterator<Item = Source> {
    let by_protoc = |source: &Source| source.path.contains("_pb2");
    sources(&[&FOLDERS[..], &["proto"]].concat(), &WRITTEN)
        .into_iter()
        .filter(move |source| !by_protoc(source))
}

#[test]
fn no_file_is_over_500_lines() {
    let long =
        written().map(|source| (source.text.lines().count(), source)).filter(|(lines, _)| *lines > 500);
    check(
        "A file that grows over 500 lines is two files",
        long.map(|(lines, source)| format!("{}: {lines}", source.path)).collect(),
    );
}

#[test]
fn every_file_and_module_has_a_name_that_says_something() {
    const EMPTY: [&str; 8] = ["util", "utils", "common", "helper", "helpers", "types", "misc", "shared"];
    let mut found = Vec::new();
    for source in written() {
        let segments = source.path.split(['/', '.']).filter(|segment| EMPTY.contains(segment));
        found.extend(segments.map(|segment| format!("{}: {segment}", source.path)));
        let modules = source.code.split("mod ").skip(1).filter_map(|rest| words(rest).next());
        let empty = modules.filter(|module| source.path.ends_with(".rs") && EMPTY.contains(module));
        found.extend(empty.map(|module| format!("{}: mod {module}", source.path)));
    }
    check("A name says what is in it", found);
}
