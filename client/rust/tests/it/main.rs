//! The client against a scripted sidecar, over a socket. One binary, so that it links once.

#[cfg(test)]
mod concurrency;
#[cfg(test)]
mod hooks;
#[cfg(test)]
mod relays;
#[cfg(test)]
mod support;
#[cfg(test)]
mod tools;
#[cfg(test)]
mod unreachable;
#[cfg(test)]
mod waiting;
#[cfg(test)]
mod wrapped;
