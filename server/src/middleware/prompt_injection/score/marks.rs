//! Marks that belong to a conversation's frame, not into its text: chat
//! templates, roles, results of tools, ends of documents.

/// Marks from this number on are found in any text with some layout.
pub(super) const RULERS: u8 = 40;

/// Marks by their number; several forms share one.
const MARKS: &[(u8, &str)] = &[
    // Chat templates.
    (1, "<|"),
    (1, "|>"),
    (2, "[inst]"),
    (2, "[/inst]"),
    (2, "<<sys>>"),
    (2, "<</sys>>"),
    (2, "<start_of_turn>"),
    (2, "<end_of_turn>"),
    (2, "<bos>"),
    (2, "<eos>"),
    (2, "<s>"),
    (2, "</s>"),
    // Roles as tags and headings.
    (3, "[system"),
    (3, "<system"),
    (3, "</system"),
    (3, "(system"),
    (3, "{system"),
    (3, "{{#system"),
    (3, "<assistant"),
    (3, "<user>"),
    (3, "</user"),
    (3, "[user"),
    (3, "[assistant"),
    (3, "<admin"),
    (3, "[admin"),
    (3, "<human>"),
    (44, "###"),
    (44, "##"),
    // Tags that claim weight.
    (5, "<information"),
    (5, "<important"),
    (5, "<instruction"),
    (5, "<prompt"),
    (5, "</prompt"),
    (5, "</instruction"),
    (5, "</information"),
    (5, "<inject"),
    (5, "[important"),
    (5, "[instruction"),
    // Results of tools.
    (6, "<tool"),
    (6, "</tool"),
    (6, "<function"),
    (6, "</function"),
    (6, "</result"),
    (6, "</data"),
    (6, "</document"),
    (6, "</context"),
    (6, "</input"),
    // Ends.
    (47, "---"),
    (47, "==="),
    (47, "***"),
    (47, "\"\"\""),
    (47, "```"),
    (47, "~~~"),
    // What a reader would not see, or what loads by itself.
    (8, "<!--"),
    (9, "!["),
    (10, "<img"),
    (10, "<script"),
    (10, "<iframe"),
    // Places to fill in.
    (11, "[insert"),
    (11, "{{"),
    (11, "${"),
    (11, "{prompt"),
    (52, "!!!"),
    (52, "\\n"),
];

/// The mark that `text` begins with, and its length.
pub(super) fn at(text: &str) -> Option<(u8, usize)> {
    let first = text.bytes().next()?;
    if !matches!(
        first,
        b'<' | b'['
            | b'('
            | b'{'
            | b'#'
            | b'|'
            | b'-'
            | b'='
            | b'*'
            | b'"'
            | b'`'
            | b'~'
            | b'!'
            | b'$'
            | b'\\'
    ) {
        return None;
    }
    let (mark, form) = MARKS.iter().find(|(_, form)| text.starts_with(form))?;
    let mut length = form.len();
    // A ruler counts once, however long.
    if form.len() == 3 || *mark == 44 {
        length += text.bytes().skip(length).take_while(|byte| *byte == first).count();
    }
    Some((*mark, length))
}

const ROLES: &[(u8, &str)] = &[
    (20, "system"),
    (20, "developer"),
    (20, "admin"),
    (21, "assistant"),
    (21, "ai"),
    (21, "chatgpt"),
    (21, "gpt"),
    (21, "bot"),
    (22, "user"),
    (22, "human"),
    (23, "instruction"),
    (23, "instructions"),
    (23, "prompt"),
    (23, "note to ai"),
    (24, "answer"),
    (24, "response"),
    (24, "output"),
    (25, "tool"),
    (25, "function"),
    (25, "result"),
    (26, "important"),
];

/// Who speaks in a line that begins with a role and a colon.
pub(super) fn role(line: &str) -> Option<u8> {
    let colon = line.bytes().take(16).position(|byte| byte == b':')?;
    let name = line.get(..colon)?.trim_end();
    ROLES.iter().find(|(_, role)| *role == name).map(|(mark, _)| *mark)
}
