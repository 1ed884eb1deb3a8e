//! Memory of a script that is put aside for the error of an interrupt.
//!
//! An interrupt without room for its error is one that a script can catch. So
//! the reserve is given up when the engine is interrupted, and taken anew before
//! the script goes on.

use rquickjs::{Ctx, Persistent, Result, String as JsString};
use std::cell::RefCell;

/// Characters of the reserve.
const LENGTH: usize = 16 << 10;

thread_local! {
    /// The reserve of the script that this thread works on. What interrupts it
    /// sees neither the engine nor a value of it, which cannot change threads.
    static RESERVE: RefCell<Option<Saved>> = const { RefCell::new(None) };
}

type Saved = Persistent<JsString<'static>>;

/// Where the reserve lies in the runtime while nobody works on the script.
type Resting<'js> = RefCell<Option<JsString<'js>>>;

/// The reserve is where an interrupt finds it, until this is dropped.
pub(super) struct Reserve<'a, 'js> {
    ctx: &'a Ctx<'js>,
    /// That of another script, further down on the stack.
    outer: Option<Saved>,
}

impl<'a, 'js> Reserve<'a, 'js> {
    /// Makes a place for the reserve in the runtime.
    pub(super) fn install(ctx: &Ctx<'js>) {
        // Refused only while something of the kind is being looked at.
        let _refused = ctx.store_userdata::<Resting<'js>>(RefCell::default());
    }

    /// Brings the reserve to this thread, which begins to work on the script.
    pub(super) fn bring(ctx: &'a Ctx<'js>) -> Self {
        let resting = ctx.userdata::<Resting<'js>>();
        let text = resting.and_then(|resting| resting.take());
        let outer = RESERVE.replace(text.map(|text| Persistent::save(ctx, text)));
        Self { ctx, outer }
    }

    /// Fills it up, if it was given up.
    pub(super) fn renew(ctx: &Ctx<'js>) -> Result<()> {
        if RESERVE.with_borrow(Option::is_some) {
            return Ok(());
        }
        let text = JsString::from_str(ctx.clone(), &" ".repeat(LENGTH))?;
        RESERVE.set(Some(Persistent::save(ctx, text)));
        Ok(())
    }
}

impl Drop for Reserve<'_, '_> {
    fn drop(&mut self) {
        let text = RESERVE.replace(self.outer.take()).and_then(|text| text.restore(self.ctx).ok());
        if let Some(resting) = self.ctx.userdata::<RefCell<Option<JsString<'_>>>>() {
            resting.replace(text);
        }
    }
}

/// Gives up the reserve of the script that this thread works on.
pub(super) fn give_up() {
    drop(RESERVE.take());
}
