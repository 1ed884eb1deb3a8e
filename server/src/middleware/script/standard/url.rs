//! Parses and changes URLs and queries for `url.js` and `search_params.js`.

#![expect(clippy::needless_pass_by_value, reason = "the engine gives arguments by value")]

use rquickjs::{Function, Object, Result};
use url::{Url, form_urlencoded, quirks};

/// Defines what `url.js` calls.
pub(super) fn define(native: &Object<'_>) -> Result<()> {
    let ctx = native.ctx();
    native.set("parse", Function::new(ctx.clone(), parse)?)?;
    native.set("assign", Function::new(ctx.clone(), assign)?)
}

/// Defines what `search_params.js` calls.
pub(super) fn define_query(native: &Object<'_>) -> Result<()> {
    let ctx = native.ctx();
    native.set("parse", Function::new(ctx.clone(), parse_query)?)?;
    native.set("serialize", Function::new(ctx.clone(), serialize_query)?)
}

/// The components of a URL, or nothing if it is not one.
fn parse(input: String, base: Option<String>) -> Option<Vec<String>> {
    let base = base.map(|base| Url::parse(&base)).transpose().ok()?;
    let url = Url::options().base_url(base.as_ref()).parse(&input).ok()?;
    Some(components(&url))
}

/// The components after one of them was set, or nothing if the value does not fit there.
fn assign(href: String, name: String, value: String) -> Option<Vec<String>> {
    let mut url = Url::parse(&href).ok()?;
    let assigned = match name.as_str() {
        "protocol" => quirks::set_protocol(&mut url, &value),
        "username" => quirks::set_username(&mut url, &value),
        "password" => quirks::set_password(&mut url, &value),
        "host" => quirks::set_host(&mut url, &value),
        "hostname" => quirks::set_hostname(&mut url, &value),
        "port" => quirks::set_port(&mut url, &value),
        "pathname" => {
            quirks::set_pathname(&mut url, &value);
            Ok(())
        }
        "search" => {
            quirks::set_search(&mut url, &value);
            Ok(())
        }
        "hash" => {
            quirks::set_hash(&mut url, &value);
            Ok(())
        }
        _ => Err(()),
    };
    assigned.ok().map(|()| components(&url))
}

/// In the order that `url.js` counts on.
fn components(url: &Url) -> Vec<String> {
    vec![
        quirks::href(url).to_owned(),
        quirks::origin(url),
        quirks::protocol(url).to_owned(),
        quirks::username(url).to_owned(),
        quirks::password(url).to_owned(),
        quirks::host(url).to_owned(),
        quirks::hostname(url).to_owned(),
        quirks::port(url).to_owned(),
        quirks::pathname(url).to_owned(),
        quirks::search(url).to_owned(),
        quirks::hash(url).to_owned(),
    ]
}

/// Name, value, name, value, and so on.
fn parse_query(query: String) -> Vec<String> {
    form_urlencoded::parse(query.as_bytes())
        .flat_map(|(name, value)| [name.into_owned(), value.into_owned()])
        .collect()
}

fn serialize_query(list: Vec<String>) -> String {
    let mut query = form_urlencoded::Serializer::new(String::new());
    for pair in list.chunks_exact(2) {
        if let [name, value] = pair {
            query.append_pair(name, value);
        }
    }
    query.finish()
}
