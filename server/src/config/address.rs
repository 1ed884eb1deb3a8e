//! Where Sidehook listens: a TCP address or a Unix socket.

use std::{
    borrow::Cow,
    fmt,
    net::{IpAddr, Ipv6Addr},
    path::PathBuf,
    str::FromStr,
};

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::Value;

use crate::config::{
    format::{self, Format},
    found::{found, quoted},
    problem::Complaint,
};

/// The longest path of a Unix socket, in bytes: what Linux can bind.
const MAX_SOCKET_PATH: usize = 107;

/// Where to listen: `127.0.0.1:50051`, `[::1]:50051`, `localhost:0` (any free port) or
/// `unix:///run/sidehook/sidehook.sock`.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Address {
    /// A TCP port of an interface.
    Tcp {
        /// An IP address without brackets, or a host name.
        host: String,
        /// The port; 0 is any free one.
        port: u16,
    },
    /// A Unix socket at an absolute path.
    Unix(PathBuf),
}

impl fmt::Display for Address {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Tcp { host, port } if host.contains(':') => write!(f, "[{host}]:{port}"),
            Self::Tcp { host, port } => write!(f, "{host}:{port}"),
            Self::Unix(path) => write!(f, "unix://{}", path.display()),
        }
    }
}

impl FromStr for Address {
    type Err = Complaint;

    /// Reads what may also stand in a configuration.
    fn from_str(text: &str) -> Result<Self, Complaint> {
        Self::read(&Value::String(text.to_owned()))
    }
}

impl Format for Address {
    const NAME: &'static str = "sidehook-address";

    fn read(value: &Value) -> Result<Self, Complaint> {
        let expected = "expected an address such as `127.0.0.1:50051`";
        match value {
            Value::String(text) => match text.strip_prefix("unix:") {
                Some(path) => unix(text, path),
                None => tcp(text),
            },
            Value::Number(port)
                if port.as_u64().is_some_and(|port| u16::try_from(port).is_ok()) =>
            {
                let complaint = Complaint::new(format!("{expected}, found {}", found(value)));
                Err(complaint.suggest(format!("did you mean `127.0.0.1:{port}`?")))
            }
            _ => Err(Complaint::new(format!("{expected}, found {}", found(value)))),
        }
    }

    fn schema() -> Schema {
        json_schema!({
            "description": "Where to listen: `127.0.0.1:50051`, `[::1]:50051`, `localhost:0` (any free port) or `unix:///run/sidehook/sidehook.sock`.",
            "type": "string",
            "pattern": "^(unix:///.+|[A-Za-z0-9_.-]+:[0-9]{1,5}|\\[[0-9A-Fa-f:.]+\\]:[0-9]{1,5})$",
            "examples": ["127.0.0.1:50051", "unix:///run/sidehook/sidehook.sock"],
        })
    }
}

impl JsonSchema for Address {
    fn schema_name() -> Cow<'static, str> {
        "Address".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        format::named::<Self>()
    }
}

impl<'de> Deserialize<'de> for Address {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        format::deserialize(deserializer)
    }
}

impl Serialize for Address {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

fn unix(text: &str, path: &str) -> Result<Address, Complaint> {
    let absolute = path.trim_start_matches('/');
    let is_absolute = path.starts_with("///") && !path.starts_with("////");
    if absolute.is_empty() || absolute.contains('\0') {
        return Err(Complaint::new(format!("{} names no socket", quoted(text)))
            .suggest("write it like `unix:///run/sidehook/sidehook.sock`"));
    }
    if !is_absolute {
        let complaint = Complaint::new(format!("{} is not an absolute path", quoted(text)));
        return Err(complaint.suggest(format!("did you mean `unix:///{absolute}`?")));
    }
    // The slash that `absolute` lacks.
    let length = absolute.len() + 1;
    if length > MAX_SOCKET_PATH {
        let message =
            format!("the path has {length} bytes; a socket's path has at most {MAX_SOCKET_PATH}");
        return Err(Complaint::new(message));
    }
    Ok(Address::Unix(PathBuf::from(format!("/{absolute}"))))
}

fn tcp(text: &str) -> Result<Address, Complaint> {
    let complain = |why: &str| Complaint::new(format!("{} {why}", quoted(text)));
    if let Some((_, rest)) = text.split_once("://") {
        let rest = rest.trim_end_matches('/');
        let complaint = complain("has a scheme, which a listening address has not");
        return Err(match tcp(rest) {
            Ok(_) => complaint.suggest(format!("did you mean `{rest}`?")),
            Err(_) => complaint,
        });
    }
    if text.starts_with('/') {
        return Err(complain("is a path").suggest(format!("did you mean `unix://{text}`?")));
    }
    if text.parse::<Ipv6Addr>().is_ok() {
        let complaint = complain("has no port, or an IPv6 address without brackets");
        return Err(complaint.suggest("write it like `[::1]:50051`"));
    }
    let Some((host, port)) = text.rsplit_once(':') else {
        let complaint = complain("has no port");
        return Err(if is_host(text) && text.parse::<u16>().is_err() {
            complaint.suggest(format!("did you mean `{text}:50051`?"))
        } else {
            complaint.suggest("write it like `127.0.0.1:50051`")
        });
    };
    let is_digits = !port.is_empty() && port.bytes().all(|byte| byte.is_ascii_digit());
    let Some(port) = is_digits.then(|| port.parse::<u16>().ok()).flatten() else {
        return Err(complain("has no port from 0 to 65535"));
    };
    if host.is_empty() {
        return Err(complain("has no host").suggest(format!(
            "write `127.0.0.1:{port}` for this machine, `0.0.0.0:{port}` for every interface"
        )));
    }
    let unbracketed = host.strip_prefix('[').and_then(|host| host.strip_suffix(']'));
    match unbracketed {
        Some(host) if host.parse::<Ipv6Addr>().is_ok() => {
            Ok(Address::Tcp { host: host.to_owned(), port })
        }
        Some(_) => Err(complain("has no IPv6 address in its brackets")),
        None if host.contains(':') => {
            let complaint = complain("has an IPv6 address without brackets");
            Err(complaint.suggest(format!("did you mean `[{host}]:{port}`?")))
        }
        None if is_host(host) => Ok(Address::Tcp { host: host.to_owned(), port }),
        None => Err(complain("has a host that is neither an IP address nor a host name")),
    }
}

fn is_host(host: &str) -> bool {
    let is_numeric = host.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.');
    let is_label = |label: &str| {
        !label.is_empty()
            && label.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_'))
    };
    host.parse::<IpAddr>().is_ok() || (!is_numeric && host.split('.').all(is_label))
}

#[cfg(test)]
mod tests;
