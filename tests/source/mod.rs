//! Reads source files: their words, their code without comments and texts, and the paths that they name.

use std::path::Path;

/// A source file.
#[derive(Debug)]
pub struct Source {
    /// The path from the root of the project.
    pub path: String,
    /// The module that it holds: `rules::play::walk`; empty for the root.
    pub module: String,
    pub text: String,
    /// The text without comments and without what stands in quotes.
    pub code: String,
}

/// The files below these folders whose names end so, by path. A folder that is not there has none.
pub fn sources(folders: &[&str], ends: &[&str]) -> Vec<Source> {
    let mut found = Vec::new();
    for folder in folders {
        collect(folder, ends, &mut found);
    }
    found.sort_by(|one, other| one.path.cmp(&other.path));
    found
}

/// Folders of what nobody writes.
const MADE: [&str; 7] = ["node_modules", "target", "dist", "gen", "generated", "__pycache__", "vendor"];

fn collect(folder: &str, ends: &[&str], found: &mut Vec<Source>) {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let Ok(entries) = std::fs::read_dir(root.join(folder)) else { return };
    for entry in entries {
        let entry = entry.expect("an entry of a folder");
        let name = entry.file_name().into_string().expect("a name that is text");
        let path = format!("{folder}/{name}");
        if entry.path().is_dir() {
            if !MADE.contains(&name.as_str()) && !name.starts_with('.') {
                collect(&path, ends, found);
            }
        } else if name.rsplit_once('.').is_some_and(|(_, end)| ends.contains(&end)) {
            found.push(Source::new(path, std::fs::read_to_string(entry.path()).expect("a source is text")));
        }
    }
}

fn module(path: &str) -> String {
    let path = path.strip_prefix("src/").unwrap_or(path);
    let path = path.strip_suffix(".rs").unwrap_or(path);
    let path = path.strip_suffix("/mod").unwrap_or(path);
    if path == "lib" || path == "main" { String::new() } else { path.replace('/', "::") }
}

/// The words of a text.
pub fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !c.is_alphanumeric() && c != '_').filter(|word| !word.is_empty())
}

/// Rust code without its comments and what stands in its quotes; lines stay lines.
fn code(text: &str) -> String {
    let mut code = String::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let skipped = if rest.starts_with("//") {
            rest.find('\n').unwrap_or(rest.len())
        } else if rest.starts_with("/*") {
            rest.find("*/").map_or(rest.len(), |end| end + 2)
        } else if first == '"' {
            quoted(rest)
        } else if first == 'r' && is_raw(rest) && !code.ends_with(|c: char| c.is_alphanumeric() || c == '_') {
            let hashes = rest[1..].find('"').unwrap_or(0);
            let end = format!("\"{}", "#".repeat(hashes));
            let start = hashes + 2;
            rest[start..].find(&end).map_or(rest.len(), |found| start + found + end.len())
        } else if first == '\'' {
            letter(rest)
        } else {
            0
        };
        if skipped == 0 {
            code.push(first);
            rest = &rest[first.len_utf8()..];
        } else {
            let lines = rest[..skipped].chars().filter(|c| *c == '\n').count();
            code.extend(std::iter::repeat_n('\n', lines));
            rest = &rest[skipped..];
        }
    }
    code
}

fn is_raw(rest: &str) -> bool {
    rest[1..].trim_start_matches('#').starts_with('"')
}

/// The length of the text in quotes at the start.
fn quoted(rest: &str) -> usize {
    let mut letters = rest.char_indices().skip(1);
    while let Some((at, letter)) = letters.next() {
        match letter {
            '\\' => drop(letters.next()),
            '"' => return at + 1,
            _ => (),
        }
    }
    rest.len()
}

/// The length of the letter in quotes at the start; none for a lifetime.
fn letter(rest: &str) -> usize {
    let escaped = rest.starts_with("'\\");
    let inner = rest.char_indices().nth(if escaped { 3 } else { 2 });
    match inner {
        Some((at, '\'')) => at + 1,
        Some(_) if escaped => rest[3..].find('\'').map_or(0, |end| 3 + end + 1),
        _ => 0,
    }
}

impl Source {
    pub fn new(path: String, text: String) -> Self {
        Self { module: module(&path), code: code(&text), path, text }
    }

    /// Whether it is the module of this name at the root, or below it.
    pub fn is_in(&self, part: &str) -> bool {
        self.module.split("::").next() == Some(part)
    }

    /// The code that is not for tests alone. A test module stands at the end of its file, or is brought to its end by
    /// a brace at the start of a line.
    pub fn code_outside_tests(&self) -> String {
        let mut kept = String::new();
        let mut lines = self.code.lines();
        while let Some(line) = lines.next() {
            if line.trim() == "#[cfg(test)]" {
                let first = lines.next().unwrap_or_default();
                if !first.trim_end().ends_with(';') {
                    lines.find(|line| *line == "}");
                }
            } else {
                kept.push_str(line);
                kept.push('\n');
            }
        }
        kept
    }

    /// The paths that begin with `crate`, `super`, `self`, `std`, `core` or `alloc`.
    pub fn paths(&self) -> Vec<String> {
        const STARTS: [&str; 6] = ["crate", "super", "self", "std", "core", "alloc"];
        let starts = |path: &String| path.split("::").next().is_some_and(|first| STARTS.contains(&first));
        self.all_paths().into_iter().filter(starts).collect()
    }

    /// All paths of two names and more, with groups in braces spread out.
    pub fn all_paths(&self) -> Vec<String> {
        let code: String = self.code.split_whitespace().collect::<Vec<_>>().join(" ");
        let code = code.replace(" ::", "::").replace(":: ", "::");
        let mut found = Vec::new();
        let mut rest = code.as_str();
        while let Some(start) = rest.find(is_name) {
            rest = &rest[start..];
            let mut here = Vec::new();
            rest = read_path(rest, String::new(), &mut here);
            found.extend(here.into_iter().filter(|path| path.contains("::")));
        }
        found
    }

    /// The paths to this crate's own modules and what is in them, from the root of the crate.
    pub fn paths_in_crate(&self) -> Vec<String> {
        self.paths().iter().filter_map(|path| self.absolute(path)).collect()
    }

    fn absolute(&self, path: &str) -> Option<String> {
        let mut at: Vec<&str> = self.module.split("::").collect();
        let mut segments = path.split("::").peekable();
        match segments.next()? {
            "crate" => at.clear(),
            "super" => drop(at.pop()),
            "self" => (),
            _ => return None,
        }
        while segments.next_if_eq(&"super").is_some() {
            at.pop();
        }
        at.extend(segments);
        Some(at.join("::"))
    }
}

fn is_name(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

/// Reads a path, or the group that a path ends with, after `before`; gives what follows it.
fn read_path<'a>(mut rest: &'a str, mut before: String, found: &mut Vec<String>) -> &'a str {
    loop {
        if let Some(inner) = rest.strip_prefix('{') {
            rest = inner;
            while let Some(first) = rest.chars().next().filter(|first| *first != '}') {
                if is_name(first) || first == '{' {
                    rest = read_path(rest, before.clone(), found);
                    // Another name that is given here.
                    if let Some(other) = rest.strip_prefix(" as ") {
                        rest = other.trim_start_matches(is_name);
                    }
                } else {
                    rest = &rest[first.len_utf8()..];
                }
            }
            return rest.strip_prefix('}').unwrap_or_default();
        }
        let end = rest.find(|c| !is_name(c)).unwrap_or(rest.len());
        before.push_str(&rest[..end]);
        rest = &rest[end..];
        match rest.strip_prefix("::") {
            Some(after) if after.starts_with(is_name) || after.starts_with('{') => {
                before.push_str("::");
                rest = after;
            }
            _ => {
                found.push(before);
                return rest;
            }
        }
    }
}
