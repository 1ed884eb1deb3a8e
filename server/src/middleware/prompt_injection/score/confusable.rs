//! Letters of other scripts that look like Latin ones, and digits that stand
//! for letters.

/// Pairs of a letter and the Latin one that it looks like. What compatibility
/// decomposition already maps (full width, mathematical, circled) is not here.
const LOOKALIKES: &[(&str, char)] = &[
    ("аɑαᴀаꭺ𐊠Ꭺ", 'a'),
    ("Ьƅвᏼᗷʙ", 'b'),
    ("сϲᴄⅽᏟᑕ", 'c'),
    ("ԁɗᏧᑯᴅᗞ", 'd'),
    ("еєҽᴇεꬲᎬ", 'e'),
    ("ғϝꞙᖴ", 'f'),
    ("ɡցԍɢᏀ", 'g'),
    ("һհʜнᏂᎻ", 'h'),
    ("іıɩɪιᎥӏ", 'i'),
    ("јϳᴊᎫ", 'j'),
    ("кκᴋҟᏦ", 'k'),
    ("ʟⅼᏞᒪ", 'l'),
    ("мᴍмᎷⅿ", 'm'),
    ("пոɴηᴎ", 'n'),
    ("оοօᴏσөഠ", 'o'),
    ("рρᴘᏢᑭ", 'p'),
    ("ԛզϙ", 'q'),
    ("гʀᴦᏒᖇ", 'r'),
    ("ѕꜱʂᏚ", 's'),
    ("тτᴛᎢ", 't'),
    ("υսᴜцᑌ", 'u'),
    ("νѵᴠᏙ", 'v'),
    ("ԝѡωᴡᎳ", 'w'),
    ("хχᕁⅹ", 'x'),
    ("уγʏүᎩ", 'y'),
    ("ᴢʐᏃ", 'z'),
];

/// The Latin letter that `letter` looks like.
pub(super) fn latin(letter: char) -> Option<char> {
    LOOKALIKES.iter().find(|(like, _)| like.contains(letter)).map(|(_, latin)| *latin)
}

/// The letter that a digit or a sign stands for in leetspeak.
pub(super) const fn leet(sign: u8) -> Option<u8> {
    Some(match sign {
        b'0' => b'o',
        b'1' | b'!' => b'i',
        b'3' => b'e',
        b'4' | b'@' => b'a',
        b'5' | b'$' => b's',
        b'7' => b't',
        _ => return None,
    })
}
