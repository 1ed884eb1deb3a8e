//! Hands a program's modules, and those that are built in, to QuickJS.

use std::borrow::Cow;
use std::cell::RefCell;
use std::collections::HashMap;
use std::fmt;
use std::rc::Rc;
use std::sync::Arc;

use rquickjs::loader::{ImportAttributes, Loader, Resolver};
use rquickjs::module::Declared;
use rquickjs::{Ctx, Error, Module, Result};

use super::program::Program;
use super::{BUILTIN_MODULES, names::BUILTIN_PREFIX};

/// The source of a module that is built in.
type Source = Cow<'static, str>;

/// The resolver and the loader of a runtime that runs one program.
///
/// `B` says what is built in: from what is imported and the name of the importing module to the
/// name and the source of a module. It sees every alias of [`BUILTIN_MODULES`] as `sidehook`, and
/// what built-in modules import from each other. Names begin with `sidehook:`. Whoever imports
/// may be part of the name; QuickJS has one instance of a module per name.
///
/// Clones share what they know: give one to QuickJS as the resolver and one as the loader.
pub(crate) struct ProgramModules<B> {
    program: Arc<Program>,
    builtins: Rc<B>,
    /// Built-in modules that were resolved and not yet loaded.
    resolved: Rc<RefCell<HashMap<String, Source>>>,
}

impl<B> ProgramModules<B>
where
    B: Fn(&str, &str) -> Option<(String, Source)>,
{
    /// The modules of `program` and what `builtins` knows.
    pub(crate) fn new(program: Arc<Program>, builtins: B) -> Self {
        Self { program, builtins: Rc::new(builtins), resolved: Rc::default() }
    }

    fn builtin(&self, importer: &str, specifier: &str) -> Option<String> {
        let is_alias = BUILTIN_MODULES.contains(&specifier);
        let specifier = if is_alias { "sidehook" } else { specifier };
        let (name, source) = (self.builtins)(specifier, importer)?;
        self.resolved.borrow_mut().insert(name.clone(), source);
        Some(name)
    }
}

impl<B> Resolver for ProgramModules<B>
where
    B: Fn(&str, &str) -> Option<(String, Source)>,
{
    fn resolve<'js>(
        &mut self,
        _ctx: &Ctx<'js>,
        importer: &str,
        specifier: &str,
        _attributes: Option<ImportAttributes<'js>>,
    ) -> Result<String> {
        if let Some(name) = self.program.resolve(importer, specifier) {
            return Ok(name.to_owned());
        }
        // Scripts must not reach the inner modules by their names.
        let inner = self.program.code(importer).is_some() && specifier.starts_with(BUILTIN_PREFIX);
        let builtin = if inner { None } else { self.builtin(importer, specifier) };
        builtin.ok_or_else(|| {
            let reason = "an import() whose name is computed finds built-in modules, and files \
                          that the same file also imports by a literal name";
            Error::new_resolving_message(importer, specifier, reason)
        })
    }
}

impl<B> Loader for ProgramModules<B>
where
    B: Fn(&str, &str) -> Option<(String, Source)>,
{
    fn load<'js>(
        &mut self,
        ctx: &Ctx<'js>,
        name: &str,
        _attributes: Option<ImportAttributes<'js>>,
    ) -> Result<Module<'js, Declared>> {
        let builtin = self.resolved.borrow_mut().remove(name);
        if let Some(source) = builtin {
            return Module::declare(ctx.clone(), name, source.as_bytes());
        }
        let code = self.program.code(name);
        let code = code.ok_or_else(|| Error::new_loading_message(name, "no such module"))?;
        Module::declare(ctx.clone(), name, code)
    }
}

impl<B> Clone for ProgramModules<B> {
    fn clone(&self) -> Self {
        let Self { program, builtins, resolved } = self;
        let (builtins, resolved) = (Rc::clone(builtins), Rc::clone(resolved));
        Self { program: Arc::clone(program), builtins, resolved }
    }
}

impl<B> fmt::Debug for ProgramModules<B> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ProgramModules").field("program", &self.program).finish_non_exhaustive()
    }
}
