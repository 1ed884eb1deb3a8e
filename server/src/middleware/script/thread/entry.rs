//! The functions of the JavaScript half that Rust calls.

use rquickjs::{Ctx, Function, Object, Result};

/// Their names, in the order in which they are kept.
const NAMES: [&str; 11] = [
    "dispatch",
    "returned",
    "rejected",
    "stream",
    "cancelled",
    "fire",
    "forget",
    "drop",
    "hasRoom",
    "failure",
    "discover",
];

/// The functions, kept in the runtime where no script reaches them.
pub(super) type Functions<'js> = Vec<Function<'js>>;

/// The functions, by what they are for.
pub(super) struct Entry<'a, 'js> {
    pub(super) dispatch: &'a Function<'js>,
    pub(super) returned: &'a Function<'js>,
    pub(super) rejected: &'a Function<'js>,
    pub(super) stream: &'a Function<'js>,
    pub(super) cancelled: &'a Function<'js>,
    pub(super) fire: &'a Function<'js>,
    pub(super) forget: &'a Function<'js>,
    pub(super) drop: &'a Function<'js>,
    pub(super) has_room: &'a Function<'js>,
    pub(super) failure: &'a Function<'js>,
    pub(super) discover: &'a Function<'js>,
}

/// Keeps the functions of `kit` in the runtime.
pub(super) fn keep<'js>(ctx: &Ctx<'js>, kit: &Object<'js>) -> Result<()> {
    let functions: Functions<'js> =
        NAMES.iter().map(|name| kit.get(*name)).collect::<Result<_>>()?;
    // Refused only while they are being used.
    let _refused = ctx.store_userdata(functions);
    Ok(())
}

impl<'a, 'js> Entry<'a, 'js> {
    /// The functions as they were kept.
    pub(super) fn of(functions: &'a Functions<'js>) -> Option<Self> {
        let [
            dispatch,
            returned,
            rejected,
            stream,
            cancelled,
            fire,
            forget,
            drop,
            has_room,
            failure,
            discover,
        ] = functions.as_slice()
        else {
            return None;
        };
        Some(Self {
            dispatch,
            returned,
            rejected,
            stream,
            cancelled,
            fire,
            forget,
            drop,
            has_room,
            failure,
            discover,
        })
    }
}
