//! The `Admin` service: what an operator sees, and the end of runs.

use super::{CallError, Generation, Service, sidecar::known_sets};
use crate::{
    engine::{Link, Variables},
    hooks::{HookId, VetoUse},
    runs::{Ending, Run},
};
use sidehook_proto::{InvalidField, Validate, v1};
use std::{sync::Arc, time::SystemTime};
use tonic::{Request, Response, Status};
use v1::admin_server::Admin;

/// Runs on a page where the caller does not say.
const PAGE_SIZE: usize = 100;

/// The most runs on a page.
const MAX_PAGE_SIZE: usize = 1000;

#[tonic::async_trait]
impl Admin for Service {
    async fn describe(
        &self,
        _: Request<v1::DescribeRequest>,
    ) -> Result<Response<v1::DescribeResponse>, Status> {
        let generation = self.0.generation();
        let failure = self.0.reload_failure();
        Ok(Response::new(v1::DescribeResponse {
            version: env!("CARGO_PKG_VERSION").into(),
            config_generation: number(generation.number),
            config_hash: generation.hash.clone(),
            start_time: Some(timestamp(self.0.start_time())),
            draining: self.0.is_draining(),
            open_run_count: number(self.0.runs().len()),
            hooks: HookId::ALL.map(|hook| hook_info(hook, &generation)).into(),
            config_load_time: (generation.number > 0).then(|| timestamp(generation.load_time)),
            last_reload_error_time: failure.as_ref().map(|failure| timestamp(failure.time)),
            last_reload_error: failure.map(|failure| failure.error).unwrap_or_default(),
        }))
    }

    async fn list_middleware(
        &self,
        _: Request<v1::ListMiddlewareRequest>,
    ) -> Result<Response<v1::ListMiddlewareResponse>, Status> {
        let generation = self.0.generation();
        let middleware =
            generation.chains.links().iter().map(|link| middleware_info(link)).collect();
        Ok(Response::new(v1::ListMiddlewareResponse { middleware }))
    }

    async fn explain_chain(
        &self,
        request: Request<v1::ExplainChainRequest>,
    ) -> Result<Response<v1::ExplainChainResponse>, Status> {
        let request = request.into_inner();
        explain(&self.0.generation(), &request).map(Response::new).map_err(CallError::into_status)
    }

    async fn list_runs(
        &self,
        request: Request<v1::ListRunsRequest>,
    ) -> Result<Response<v1::ListRunsResponse>, Status> {
        let request = request.into_inner();
        let size = match usize::try_from(request.page_size) {
            Ok(0) => PAGE_SIZE,
            Ok(size) if size <= MAX_PAGE_SIZE => size,
            _ => {
                let problem = format!("is {}; 0 to {MAX_PAGE_SIZE} are allowed", request.page_size);
                return Err(CallError::from(InvalidField::new("page_size", problem)).into_status());
            }
        };
        let page = self.0.runs().page(&request.page_token, size);
        let next = if page.len() == size { page.last().map(|run| run.id().into()) } else { None };
        Ok(Response::new(v1::ListRunsResponse {
            runs: page.iter().map(|run| run_info(run)).collect(),
            next_page_token: next.unwrap_or_default(),
        }))
    }

    async fn get_run(
        &self,
        request: Request<v1::GetRunRequest>,
    ) -> Result<Response<v1::GetRunResponse>, Status> {
        let request = request.into_inner();
        request.validate().map_err(|invalid| CallError::from(invalid).into_status())?;
        let id = request.run_id;
        let run = match (self.0.runs().find(&id), self.0.runs().ending(&id)) {
            (Some(run), _) => run_info(&run),
            (None, Some(ending)) => over(id, ending),
            (None, None) => return Err(CallError::UnknownRun(id).into_status()),
        };
        Ok(Response::new(v1::GetRunResponse { run: Some(run) }))
    }

    async fn end_run(
        &self,
        request: Request<v1::EndRunRequest>,
    ) -> Result<Response<v1::EndRunResponse>, Status> {
        let request = request.into_inner();
        request.validate().map_err(|invalid| CallError::from(invalid).into_status())?;
        let ended = self.0.end_run(&request.run_id);
        Ok(Response::new(v1::EndRunResponse { ended }))
    }
}

fn explain(
    generation: &Generation,
    request: &v1::ExplainChainRequest,
) -> Result<v1::ExplainChainResponse, CallError> {
    request.validate()?;
    let hook = HookId::find(&request.hook)
        .ok_or_else(|| InvalidField::new("hook", format!("names no hook: `{}`", request.hook)))?;
    let context = request.context.clone().unwrap_or_default();
    known_sets(&generation.chains, &context)?;
    let ask = |link: &Arc<Link>| {
        let (applies, why) = why(link, hook, &context);
        v1::ExplainedLink {
            middleware: link.name.to_string(),
            kind: link.kind.into(),
            layer: v1::Layer::from(link.layer).into(),
            applies,
            why,
            on_fault: link.on_fault.at(hook).name().into(),
        }
    };
    let chain = generation.chains.at(hook);
    let is_out = |link: &&Arc<Link>| !chain.iter().any(|inside| Arc::ptr_eq(inside, link));
    let outside = generation.chains.links().iter().filter(is_out);
    Ok(v1::ExplainChainResponse {
        hook: hook.name().into(),
        rule: hook.info().rule.name().into(),
        links: chain.iter().chain(outside).map(ask).collect(),
        config_generation: number(generation.number),
    })
}

/// Whether a link would run, and why or why not.
fn why(link: &Link, hook: HookId, context: &v1::HookContext) -> (bool, String) {
    if !link.hooks.contains(hook) {
        return (false, "it does not listen to this hook".into());
    }
    if let Some(why) = link.out_of_scope(context) {
        return (false, why.into());
    }
    if link.middleware.observes() {
        return (true, "it is told after the call".into());
    }
    let Some(when) = &link.when else { return (true, "it applies to every call".into()) };
    let text = when.text();
    match when.holds(context, hook, "", &Variables::new()) {
        Ok(true) => (true, format!("`{text}` holds")),
        Ok(false) => (false, format!("`{text}` does not hold")),
        Err(error) => (false, format!("`{text}` fails: {error}")),
    }
}

fn hook_info(hook: HookId, generation: &Generation) -> v1::HookInfo {
    let info = hook.info();
    v1::HookInfo {
        name: hook.name().into(),
        service: hook.service().into(),
        method: hook.method().into(),
        rule: info.rule.name().into(),
        can_veto: info.veto == VetoUse::Cancels,
        fault_default: info.faults.name().into(),
        link_count: i32::try_from(generation.chains.at(hook).len()).unwrap_or(i32::MAX),
    }
}

fn middleware_info(link: &Link) -> v1::MiddlewareInfo {
    v1::MiddlewareInfo {
        name: link.name.to_string(),
        kind: link.kind.into(),
        layer: v1::Layer::from(link.layer).into(),
        priority: link.priority,
        agents: link.agents.patterns().to_vec(),
        set: link.set.clone().unwrap_or_default(),
        mode: link.mode.name().into(),
        hooks: link.hooks.iter().map(|hook| hook.name().into()).collect(),
        when: link.when.as_ref().map(|when| when.text().into()).unwrap_or_default(),
        call_count: number(link.counters.call_count()),
        fault_count: number(link.counters.fault_count()),
        timeout: link.timeout.and_then(|limit| prost_types::Duration::try_from(limit).ok()),
    }
}

fn run_info(run: &Run<Arc<Generation>>) -> v1::RunInfo {
    v1::RunInfo {
        run_id: run.id().into(),
        state: v1::RunState::Open.into(),
        open_time: Some(timestamp(run.open_time())),
        last_hook_time: Some(timestamp(run.last_hook_time())),
        config_generation: number(run.pinned().number),
        state_byte_count: number(run.state().byte_count()),
        hook_count: run.hook_count(),
    }
}

fn over(run_id: String, ending: Ending) -> v1::RunInfo {
    let state = match ending {
        Ending::Ended => v1::RunState::Ended,
        Ending::Evicted => v1::RunState::Evicted,
    };
    v1::RunInfo { run_id, state: state.into(), ..v1::RunInfo::default() }
}

fn timestamp(time: SystemTime) -> prost_types::Timestamp {
    time.into()
}

fn number(value: impl TryInto<i64>) -> i64 {
    value.try_into().unwrap_or(i64::MAX)
}
