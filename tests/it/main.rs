//! Sidehook end to end: real chains behind a real socket. One binary, so that it links once.

#[cfg(test)]
mod agent_runs;
#[cfg(test)]
mod around_models;
#[cfg(test)]
mod bad_input;
#[cfg(test)]
mod canary;
#[cfg(test)]
mod cases;
#[cfg(test)]
mod command_line;
#[cfg(test)]
mod documents;
#[cfg(test)]
mod drain;
#[cfg(test)]
mod frames;
#[cfg(test)]
mod half_close;
#[cfg(test)]
mod hooks;
#[cfg(test)]
mod lifecycle;
#[cfg(test)]
mod operators;
#[cfg(test)]
mod processes;
#[cfg(test)]
mod reload;
#[cfg(test)]
mod runs;
#[cfg(test)]
mod scan;
#[cfg(test)]
mod scripts;
#[cfg(test)]
mod support;
#[cfg(test)]
mod tidy;
#[cfg(test)]
mod wrapped;
