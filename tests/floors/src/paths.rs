//! Every path that a file names, wherever it stands: in `use` declarations and re-exports, in function
//! bodies, in types, in macros and in tests.

use std::{collections::BTreeSet, str::FromStr as _};

use proc_macro2::{Delimiter, TokenStream, TokenTree};

/// The names in a file.
#[derive(Debug, Default)]
pub struct Paths {
    /// Every path of two segments or more, and everything that is imported.
    pub named: Vec<Named>,
    /// The words that stand alone, outside of `use` declarations.
    pub words: BTreeSet<String>,
}

/// A path as it is written, such as `crate::hosts::entity::Model`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Named {
    /// Its segments, with a last `self` or `*`.
    pub segments: Vec<String>,
    /// The name that a `use` gives it, where it gives another one.
    pub alias: Option<String>,
    /// Whether a `use` declaration imports it.
    pub imported: bool,
    /// Whether that declaration hands it on to others.
    pub handed_on: bool,
    /// The inline modules around it, from the outermost.
    pub within: Vec<String>,
    /// The line, from 1.
    pub line: usize,
}

impl Named {
    /// The first segment.
    pub fn first(&self) -> &str {
        self.segments.first().map_or("", String::as_str)
    }

    /// Returns whether it is everything in a module.
    pub fn is_glob(&self) -> bool {
        self.segments.last().is_some_and(|last| last == "*")
    }

    /// The segments that lead somewhere.
    pub fn path(&self) -> &[String] {
        match self.segments.split_last() {
            Some((last, path)) if last == "self" || last == "*" => path,
            _ => &self.segments,
        }
    }

    /// The name of an import in the file that imports it.
    pub fn called(&self) -> &str {
        let last = self.path().last().map_or("", String::as_str);
        self.alias.as_deref().unwrap_or(last)
    }
}

/// Reads what a file names.
///
/// # Errors
///
/// The text is not Rust.
pub fn read(code: &str) -> Result<Paths, String> {
    let stream = TokenStream::from_str(code).map_err(|error| error.to_string())?;
    let mut reader = Reader::default();
    reader.items(stream);
    Ok(reader.paths)
}

#[derive(Default)]
struct Reader {
    paths: Paths,
    within: Vec<String>,
    handing_on: bool,
}

impl Reader {
    fn items(&mut self, stream: TokenStream) {
        let tokens: Vec<TokenTree> = stream.into_iter().collect();
        let mut at = 0;
        while at < tokens.len() {
            at = match &tokens[at] {
                TokenTree::Ident(word) if *word == "use" => {
                    self.handing_on = is_public(&tokens[..at]);
                    let next = self.import(&tokens, at + 1);
                    self.handing_on = false;
                    next
                }
                TokenTree::Ident(word) if *word == "mod" => self.module(&tokens, at + 1),
                TokenTree::Ident(_) => self.path(&tokens, at),
                TokenTree::Group(group) => {
                    self.items(group.stream());
                    at + 1
                }
                _ => at + 1,
            };
        }
    }

    fn module(&mut self, tokens: &[TokenTree], at: usize) -> usize {
        let (Some(TokenTree::Ident(name)), Some(TokenTree::Group(body))) =
            (tokens.get(at), tokens.get(at + 1))
        else {
            return at;
        };
        self.within.push(name.to_string());
        self.items(body.stream());
        self.within.pop();
        at + 2
    }

    fn path(&mut self, tokens: &[TokenTree], at: usize) -> usize {
        let (segments, next) = segments(tokens, at);
        let follows = at.checked_sub(1).map(|before| &tokens[before]);
        // A field or a method is called like what it holds, and what is defined is not used by that.
        let is_own = follows.is_some_and(|token| match token {
            TokenTree::Punct(sign) => sign.as_char() == '.',
            TokenTree::Ident(word) => ["fn", "struct", "enum", "let", "mod", "type", "const"]
                .contains(&word.to_string().as_str()),
            _ => false,
        });
        match segments.as_slice() {
            [word] if !is_own => drop(self.paths.words.insert(word.clone())),
            [_] => {}
            _ => self.push(segments, None, false, &tokens[at]),
        }
        next
    }

    /// The paths after `use`: but for `use<…>`, which captures lifetimes.
    fn import(&mut self, tokens: &[TokenTree], at: usize) -> usize {
        match tokens.get(at) {
            Some(TokenTree::Punct(sign)) if sign.as_char() == '<' => at,
            _ => self.tree(&[], tokens, at),
        }
    }

    fn tree(&mut self, before: &[String], tokens: &[TokenTree], at: usize) -> usize {
        let (more, mut next) = segments(tokens, skip_colons(tokens, at));
        let path = [before, &more].concat();
        match tokens.get(next) {
            Some(TokenTree::Group(group)) if group.delimiter() == Delimiter::Brace => {
                let inner: Vec<TokenTree> = group.stream().into_iter().collect();
                let mut at = 0;
                while at < inner.len() {
                    at = self.tree(&path, &inner, at) + 1;
                }
                next + 1
            }
            Some(TokenTree::Punct(sign)) if sign.as_char() == '*' => {
                self.push([&path[..], &["*".to_owned()]].concat(), None, true, &tokens[next]);
                next + 1
            }
            following => {
                let mut alias = None;
                if matches!(following, Some(TokenTree::Ident(word)) if *word == "as") {
                    alias = tokens.get(next + 1).map(ToString::to_string);
                    next += 2;
                }
                if let Some(token) = tokens.get(at) {
                    self.push(path, alias, true, token);
                }
                next
            }
        }
    }

    fn push(
        &mut self,
        segments: Vec<String>,
        alias: Option<String>,
        imported: bool,
        token: &TokenTree,
    ) {
        let line = token.span().start().line;
        let (within, handed_on) = (self.within.clone(), self.handing_on);
        self.paths.named.push(Named { segments, alias, imported, handed_on, within, line });
    }
}

/// Returns whether what comes next is preceded by `pub`, or `pub(…)`.
fn is_public(before: &[TokenTree]) -> bool {
    let is_word = |token: &TokenTree| matches!(token, TokenTree::Ident(word) if *word == "pub");
    matches!(before, [.., token, TokenTree::Group(_)] | [.., token] if is_word(token))
}

/// The words joined by `::` from a place on, and the place behind them; what they lead to in braces
/// or by a star stands there.
fn segments(tokens: &[TokenTree], mut at: usize) -> (Vec<String>, usize) {
    let mut segments = Vec::new();
    while let Some(TokenTree::Ident(word)) = tokens.get(at) {
        segments.push(word.to_string());
        let next = skip_colons(tokens, at + 1);
        let ends = next == at + 1;
        at = next;
        if ends {
            break;
        }
    }
    (segments, at)
}

fn skip_colons(tokens: &[TokenTree], at: usize) -> usize {
    let is_colon =
        |at: usize| matches!(tokens.get(at), Some(TokenTree::Punct(sign)) if sign.as_char() == ':');
    if is_colon(at) && is_colon(at + 1) { at + 2 } else { at }
}

#[cfg(test)]
mod tests {
    use super::read;

    fn named(code: &str) -> Vec<String> {
        read(code).unwrap().named.into_iter().map(|named| named.segments.join("::")).collect()
    }

    #[test]
    fn imports_are_read_as_the_compiler_reads_them() {
        let code = "//! x\nuse std::fmt;\nuse crate::{a, b::{self, c::D as E}, e::*, // g::H\n};\n\
                    pub use crate::i::J;";
        let wanted = ["std::fmt", "crate::a", "crate::b::self", "crate::b::c::D", "crate::e::*"];
        assert_eq!(named(code), [&wanted[..], &["crate::i::J"]].concat());
        assert_eq!(read(code).unwrap().named[3].alias.as_deref(), Some("E"));
    }

    #[test]
    fn paths_are_read_in_functions_types_macros_and_tests() {
        let code = "fn f(x: &super::Link) -> crate::a::B { use c::d; vec![e::f(); 2] }\n\
                    #[cfg(test)] mod tests { use super::*; }\nconst X: [u8; g::N] = [0; g::N];";
        let wanted = ["super::Link", "crate::a::B", "c::d", "e::f", "super::*", "g::N", "g::N"];
        assert_eq!(named(code), wanted);
        assert_eq!(read(code).unwrap().named[4].within, ["tests"]);
    }

    #[test]
    fn comments_texts_and_captures_are_no_paths() {
        let code = "// a::b\n/// [`c::d`]\nfn f() -> impl Iterator + use<'_> { \"e::f\" }";
        assert_eq!(named(code), [""; 0]);
    }
}
