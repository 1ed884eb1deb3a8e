//! `pii` outside of any run.

use super::{Entity, Masking, middleware::Pii, words};
use crate::{
    engine::Fault,
    middleware::{Finder, Found, Mask},
};
use async_trait::async_trait;
use std::borrow::Cow;

#[async_trait]
impl Finder for Pii {
    async fn find(&self, member: &str, text: &str) -> Result<Vec<Found>, Fault> {
        let words = words::of_name(member);
        let behind = match words.as_str() {
            "" => Cow::Borrowed(text),
            words => Cow::Owned([words, "\n", text].concat()),
        };
        let shift = behind.len() - text.len();
        let found = self.masker.scanner().find(&behind).into_iter();
        let found = found.filter(|found| found.start >= shift).map(|found| Found {
            span: found.start - shift..found.end - shift,
            kind: self.name_of(found.entity).to_owned(),
        });
        Ok(found.collect())
    }

    fn mask(&self) -> Mask<'_> {
        let mut masking = Masking::default();
        Box::new(move |member, text| match self.masker.mask_member(member, text, &mut masking) {
            Cow::Borrowed(_) => None,
            Cow::Owned(masked) => Some(masked),
        })
    }
}

impl Pii {
    /// The name of a kind in the configuration.
    pub(super) fn name_of(&self, entity: Entity) -> &str {
        match entity {
            Entity::Custom(place) => {
                self.names.get(usize::from(place)).map_or("custom", String::as_str)
            }
            known => known.name(),
        }
    }
}
