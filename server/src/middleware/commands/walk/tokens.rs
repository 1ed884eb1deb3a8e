//! Words of a program in one of the languages that shells often start.

/// A word of a program.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Token {
    /// A name with all its parts: `os.system`.
    Name(String),
    /// A literal text.
    Text(String),
    /// A text in backquotes.
    Quoted(String),
    /// `(`, `[` or `{`.
    Open,
    /// `)`, `]` or `}`.
    Close,
    /// The end of a line or of a statement.
    End,
}

/// Reads the words of a program.
pub(super) fn tokens(code: &str) -> Vec<Token> {
    let mut tokens = Vec::new();
    let mut rest = code;
    while let Some(c) = rest.chars().next() {
        let after = rest.get(c.len_utf8()..).unwrap_or_default();
        rest = match c {
            '\'' | '"' => text(rest, c, &mut tokens),
            '`' => {
                let end = after.find('`').unwrap_or(after.len());
                tokens.push(Token::Quoted(after.get(..end).unwrap_or_default().to_owned()));
                after.get(end.saturating_add(1)..).unwrap_or_default()
            }
            '(' | '[' | '{' => {
                tokens.push(Token::Open);
                after
            }
            ')' | ']' | '}' => {
                tokens.push(Token::Close);
                after
            }
            ';' | '\n' => {
                tokens.push(Token::End);
                after
            }
            '#' if after.starts_with([' ', '!']) => {
                after.get(after.find('\n').unwrap_or(after.len())..).unwrap_or_default()
            }
            '%' if after.starts_with("x(")
                || after.starts_with("x{")
                || after.starts_with("x[") =>
            {
                delimited(after.get(1..).unwrap_or_default(), &mut tokens)
            }
            c if c.is_alphabetic() || c == '_' || c == '$' => name(rest, &mut tokens),
            _ => after,
        };
    }
    tokens
}

fn name<'c>(code: &'c str, tokens: &mut Vec<Token>) -> &'c str {
    let end = code
        .find(|c: char| !c.is_alphanumeric() && !matches!(c, '_' | '.' | ':' | '$' | '!' | '?'))
        .unwrap_or(code.len());
    let (name, after) = code.split_at_checked(end).unwrap_or_default();
    if name == "qx" {
        return delimited(after, tokens);
    }
    tokens.push(Token::Name(name.trim_end_matches([':', '!', '?', '.']).to_owned()));
    after
}

/// A command between brackets or other characters.
fn delimited<'c>(code: &'c str, tokens: &mut Vec<Token>) -> &'c str {
    let mut chars = code.chars();
    let close = match chars.next() {
        Some('(') => ')',
        Some('{') => '}',
        Some('[') => ']',
        Some(c) => c,
        None => return "",
    };
    let inner = chars.as_str();
    let end = inner.find(close).unwrap_or(inner.len());
    tokens.push(Token::Quoted(inner.get(..end).unwrap_or_default().to_owned()));
    inner.get(end.saturating_add(close.len_utf8())..).unwrap_or_default()
}

/// A literal text, in single or triple quotes.
fn text<'c>(code: &'c str, quote: char, tokens: &mut Vec<Token>) -> &'c str {
    let triple = if quote == '"' { "\"\"\"" } else { "'''" };
    if let Some(inner) = code.strip_prefix(triple) {
        let (text, after) = inner.split_once(triple).unwrap_or((inner, ""));
        tokens.push(Token::Text(text.to_owned()));
        return after;
    }
    let mut text = String::new();
    let mut chars = code.chars();
    chars.next();
    while let Some(c) = chars.next() {
        match c {
            c if c == quote => break,
            '\\' => match chars.next() {
                Some('n') => text.push('\n'),
                Some('t') => text.push('\t'),
                Some(c) => text.push(c),
                None => break,
            },
            c => text.push(c),
        }
    }
    tokens.push(Token::Text(text));
    chars.as_str()
}
