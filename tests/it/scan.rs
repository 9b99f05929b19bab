//! Reads Rust source well enough to judge it: blanks comments and texts, cuts test modules out, and lists the paths
//! that code names, with `use` trees spread out and `super` and `self` resolved.
//!
//! It is no parser. What it does not know (macros that build paths, `use crate as x`) it does not see.

use std::collections::BTreeSet;

/// One word, `::`, or single character of code, and the line it stands on (from 1).
#[derive(Clone, Debug)]
pub(crate) struct Token {
    pub(crate) line: usize,
    pub(crate) text: String,
}

/// A path as the code names it: `crate::` is taken off and `super` resolved where it stays in this crate.
#[derive(Clone, Debug)]
pub(crate) struct Path {
    pub(crate) line: usize,
    pub(crate) inside: bool,
    pub(crate) segments: Vec<String>,
}

impl Path {
    pub(crate) fn text(&self) -> String {
        let root = if self.inside { "crate::" } else { "" };
        format!("{root}{}", self.segments.join("::"))
    }

    /// True if these words stand next to each other anywhere in the path.
    pub(crate) fn names(&self, words: &[&str]) -> bool {
        self.segments
            .windows(words.len())
            .any(|window| window == words)
    }

    pub(crate) fn starts_with(&self, words: &[&str]) -> bool {
        self.segments.len() >= words.len()
            && self
                .segments
                .iter()
                .zip(words)
                .all(|(segment, word)| segment == word)
    }
}

/// One source file, read. `path` is from the root of the repository, with `/`.
#[derive(Debug)]
pub(crate) struct Source {
    pub(crate) path: String,
    /// The leading `//!` lines as one text.
    pub(crate) head: String,
    /// Lines without test modules.
    pub(crate) lines: usize,
    /// Everything, tests too.
    pub(crate) all: Vec<Token>,
    /// Without `#[cfg(test)]` items; empty in a `tests.rs` and in the files of a folder `tests`.
    pub(crate) code: Vec<Token>,
    pub(crate) paths: Vec<Path>,
    /// Paths of the tests too.
    pub(crate) all_paths: Vec<Path>,
}

impl Source {
    pub(crate) fn new(path: &str, text: &str) -> Self {
        let head = text
            .lines()
            .map_while(|line| line.strip_prefix("//!"))
            .map(str::trim);
        let head = head.collect::<Vec<_>>().join(" ");
        let all = tokens(&blank(text));
        let (code, test_lines) = without_tests(&all);
        let whole_file_is_test = path.ends_with("/tests.rs") || path.contains("/tests/");
        let code = if whole_file_is_test { Vec::new() } else { code };
        let lines = if whole_file_is_test {
            0
        } else {
            text.lines().count().saturating_sub(test_lines)
        };
        let module = module_of(path);
        Self {
            path: path.to_owned(),
            head,
            lines,
            paths: paths(&code, &module),
            all_paths: paths(&all, &module),
            all,
            code,
        }
    }

    /// The folder under `src`, or `""` for the files at its top.
    pub(crate) fn room(&self) -> &str {
        let inner = self.path.strip_prefix("src/").unwrap_or("");
        inner.split_once('/').map_or("", |(room, _)| room)
    }

    pub(crate) fn file_name(&self) -> &str {
        self.path.rsplit('/').next().unwrap_or("")
    }

    /// The place of the module in the crate: `src/model/trace.rs` is `model::trace`.
    pub(crate) fn module(&self) -> Vec<String> {
        module_of(&self.path)
    }

    /// Lines of code on which these tokens stand in a row.
    pub(crate) fn lines_with(tokens: &[Token], words: &[&str]) -> BTreeSet<usize> {
        tokens
            .windows(words.len())
            .filter(|window| {
                window
                    .iter()
                    .zip(words)
                    .all(|(token, word)| token.text == *word)
            })
            .filter_map(|window| window.first().map(|token| token.line))
            .collect()
    }
}

fn module_of(path: &str) -> Vec<String> {
    let inner = path.strip_prefix("src/").unwrap_or(path);
    let inner = inner.strip_suffix(".rs").unwrap_or(inner);
    let mut module: Vec<String> = inner.split('/').map(str::to_owned).collect();
    if matches!(
        module.last().map(String::as_str),
        Some("mod" | "lib" | "main")
    ) {
        module.pop();
    }
    module
}

/// The same text with comments and the insides of strings and characters replaced by blanks; line ends stay.
fn blank(text: &str) -> String {
    let chars: Vec<char> = text.chars().collect();
    let at = |index: usize| chars.get(index).copied().unwrap_or('\0');
    let mut out = String::with_capacity(text.len());
    let mut index = 0;
    while index < chars.len() {
        let end = match (at(index), at(index + 1)) {
            ('/', '/') => (index..chars.len())
                .find(|&i| at(i) == '\n')
                .unwrap_or(chars.len()),
            ('/', '*') => end_of_comment(&chars, index),
            ('"', _) => end_of_string(&chars, index),
            ('r', '"' | '#') if index == 0 || !is_word(at(index - 1)) || at(index - 1) == 'b' => {
                end_of_raw_string(&chars, index)
            }
            ('\'', '\\') => (index + 3..chars.len())
                .find(|&i| at(i) == '\'')
                .map_or(chars.len(), |i| i + 1),
            ('\'', _) if at(index + 2) == '\'' => index + 3,
            _ => index,
        };
        if end == index {
            out.push(at(index));
            index += 1;
        } else {
            out.extend((index..end).map(|i| if at(i) == '\n' { '\n' } else { ' ' }));
            index = end;
        }
    }
    out
}

fn end_of_comment(chars: &[char], start: usize) -> usize {
    let mut depth = 0_usize;
    let mut index = start;
    while index < chars.len() {
        match (chars.get(index), chars.get(index + 1)) {
            (Some('/'), Some('*')) => {
                depth += 1;
                index += 2;
            }
            (Some('*'), Some('/')) => {
                depth -= 1;
                index += 2;
                if depth == 0 {
                    return index;
                }
            }
            _ => index += 1,
        }
    }
    chars.len()
}

fn end_of_string(chars: &[char], start: usize) -> usize {
    let mut index = start + 1;
    while let Some(char) = chars.get(index) {
        match char {
            '\\' => index += 2,
            '"' => return index + 1,
            _ => index += 1,
        }
    }
    chars.len()
}

/// `start` itself if no raw string begins there (`r#type` is a word).
fn end_of_raw_string(chars: &[char], start: usize) -> usize {
    let hashes = chars
        .iter()
        .skip(start + 1)
        .take_while(|char| **char == '#')
        .count();
    let open = start + 1 + hashes;
    if chars.get(open) != Some(&'"') {
        return start;
    }
    let closes = |quote: usize| {
        chars.get(quote) == Some(&'"')
            && chars
                .iter()
                .skip(quote + 1)
                .take(hashes)
                .filter(|char| **char == '#')
                .count()
                == hashes
    };
    (open + 1..chars.len())
        .find(|&quote| closes(quote))
        .map_or(chars.len(), |quote| quote + 1 + hashes)
}

fn is_word(char: char) -> bool {
    char.is_alphanumeric() || char == '_'
}

fn tokens(blanked: &str) -> Vec<Token> {
    let mut out: Vec<Token> = Vec::new();
    for (index, line) in blanked.lines().enumerate() {
        let mut rest = line.trim_start();
        while let Some(first) = rest.chars().next() {
            let size = if is_word(first) {
                rest.find(|char| !is_word(char)).unwrap_or(rest.len())
            } else if rest.starts_with("::") {
                2
            } else {
                first.len_utf8()
            };
            let (text, after) = rest.split_at(size);
            out.push(Token {
                line: index + 1,
                text: text.to_owned(),
            });
            rest = after.trim_start();
        }
    }
    out
}

/// Cuts out every item under `#[cfg(test)]` and says how many lines they take.
fn without_tests(all: &[Token]) -> (Vec<Token>, usize) {
    const MARK: [&str; 7] = ["#", "[", "cfg", "(", "test", ")", "]"];
    let is_mark = |index: usize| {
        MARK.iter()
            .enumerate()
            .all(|(i, word)| text(all, index + i) == *word)
    };
    let (mut kept, mut lines, mut index) = (Vec::new(), 0, 0);
    while let Some(token) = all.get(index) {
        if is_mark(index) {
            let end = end_of_item(all, index + MARK.len());
            let last = all.get(end - 1).map_or(token.line, |token| token.line);
            lines += last + 1 - token.line;
            index = end;
        } else {
            kept.push(token.clone());
            index += 1;
        }
    }
    (kept, lines)
}

/// One past the `;` or the closing brace of the item that begins at `start`.
fn end_of_item(all: &[Token], start: usize) -> usize {
    let mut depth = 0_usize;
    for (index, token) in all.iter().enumerate().skip(start) {
        match token.text.as_str() {
            "{" | "(" | "[" => depth += 1,
            ")" | "]" => depth = depth.saturating_sub(1),
            "}" => {
                depth = depth.saturating_sub(1);
                if depth == 0 && text(all, index + 1) != ";" {
                    return index + 1;
                }
            }
            ";" if depth == 0 => return index + 1,
            _ => {}
        }
    }
    all.len()
}

fn text(all: &[Token], index: usize) -> &str {
    all.get(index).map_or("", |token| token.text.as_str())
}

fn is_name(word: &str) -> bool {
    word.starts_with(|char: char| char.is_alphabetic() || char == '_')
}

fn paths(code: &[Token], module: &[String]) -> Vec<Path> {
    let mut out = Vec::new();
    let mut braces: Vec<Option<String>> = Vec::new();
    let mut index = 0;
    while let Some(token) = code.get(index) {
        let before = if index == 0 {
            ""
        } else {
            text(code, index - 1)
        };
        if token.text == "{" {
            let opens_module = index >= 2 && text(code, index - 2) == "mod";
            braces.push(opens_module.then(|| before.to_owned()));
        } else if token.text == "}" {
            braces.pop();
        }
        let goes_on =
            text(code, index + 1) == "::" || (before == "use" && text(code, index + 1) != "{");
        let begins = before != "::"
            || index < 2
            || !(is_name(text(code, index - 2)) || text(code, index - 2) == ">");
        let is_visibility = before == "in" && index >= 2 && text(code, index - 2) == "(";
        if is_name(&token.text) && goes_on && begins && !is_visibility {
            let mut raw = Vec::new();
            index = spread(code, index, &[], &mut raw);
            let here: Vec<String> = module
                .iter()
                .cloned()
                .chain(braces.iter().flatten().cloned())
                .collect();
            out.extend(
                raw.into_iter()
                    .map(|(line, segments)| resolve(line, segments, &here)),
            );
        } else {
            index += 1;
        }
    }
    out
}

/// Follows one path or `use` tree from `index`, pushes every path in it, and returns where it ends.
fn spread(
    code: &[Token],
    mut index: usize,
    stem: &[String],
    out: &mut Vec<(usize, Vec<String>)>,
) -> usize {
    let line = code.get(index).map_or(0, |token| token.line);
    let mut segments = stem.to_vec();
    loop {
        match text(code, index) {
            "{" => {
                index += 1;
                while index < code.len() && text(code, index) != "}" {
                    index = if text(code, index) == "," {
                        index + 1
                    } else {
                        spread(code, index, &segments, out)
                    };
                }
                return index + 1;
            }
            "*" => {
                segments.push("*".to_owned());
                index += 1;
            }
            "self" if !segments.is_empty() => index += 1,
            word if is_name(word) => {
                segments.push(word.to_owned());
                index += 1;
            }
            _ => index += usize::from(stem.len() == segments.len()),
        }
        let next = text(code, index + 1);
        if text(code, index) != "::" || !(is_name(next) || next == "{" || next == "*") {
            break;
        }
        index += 1;
    }
    if text(code, index) == "as" {
        index += 2;
    }
    out.push((line, segments));
    index
}

fn resolve(line: usize, segments: Vec<String>, module: &[String]) -> Path {
    let first = segments.first().map_or("", String::as_str);
    let ups = segments
        .iter()
        .take_while(|segment| *segment == "super" || *segment == "self")
        .count();
    let supers = segments
        .iter()
        .take_while(|it| *it == "super" || *it == "self")
        .filter(|it| *it == "super")
        .count();
    match first {
        "crate" | "warpline" => Path {
            line,
            inside: true,
            segments: segments.into_iter().skip(1).collect(),
        },
        "self" | "super" => {
            let stay = module.len().saturating_sub(supers);
            let base = module.iter().take(stay).cloned();
            Path {
                line,
                inside: true,
                segments: base.chain(segments.into_iter().skip(ups)).collect(),
            }
        }
        _ => Path {
            line,
            inside: false,
            segments,
        },
    }
}

#[test]
fn comments_texts_and_tests_are_not_code() {
    let text = "// crate::a::B\n/* crate::c /* nested */ crate::d */\nfn f<'a>(x: &'a str) -> char { g(\"crate::e\", r#\"crate::\"f\"#, '\"', '\\''); crate::real::go() }\n\
                #[cfg(test)]\nmod tests {\n    use crate::only::in_tests;\n}\n";
    let source = Source::new("src/base/time.rs", text);
    let paths: Vec<String> = source.paths.iter().map(Path::text).collect();
    assert_eq!(paths, ["crate::real::go"]);
    assert_eq!(source.paths.first().map(|path| path.line), Some(3));
    assert_eq!(source.lines, 3);
    assert_eq!(source.all_paths.len(), 2);
}

#[test]
fn use_trees_are_spread_and_super_is_resolved() {
    let text = "use crate::{base::{Time, Dur as D}, model::*};\nuse super::ids::RankId;\nuse std::{fs, io::{self, Read}};\n\
                use super::*;\nmod inner { use super::Own; }\npub(in crate::model) fn f() { let x = Vec::<u8>::new(); <A as crate::view::B>::c(); }";
    let source = Source::new("src/model/trace.rs", text);
    let paths: Vec<String> = source.paths.iter().map(Path::text).collect();
    assert_eq!(
        paths,
        [
            "crate::base::Time",
            "crate::base::Dur",
            "crate::model::*",
            "crate::model::ids::RankId",
            "std::fs",
            "std::io",
            "std::io::Read",
            "crate::model::*",
            "crate::model::trace::Own",
            "Vec",
            "crate::view::B"
        ]
    );
}
