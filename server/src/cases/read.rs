//! Reads a case file, and says everything that is wrong with it at once.

use super::{
    case::{At, Came, Case, CaseFile, Expect, Reply, Step, Wanted},
    contract::{Contract, Frames, NotInContract, Shape, message_of},
    expected::Expected,
    request::{self, Complaints},
};
use crate::{
    config::{Complaint, Document, Path, Problems},
    hooks::HookId,
};
use prost_reflect::{DynamicMessage, MessageDescriptor, Value as Field};
use serde_json::Value;
use std::path::Path as FilePath;

/// What a chain can say, by the fields of a response.
pub(super) const OUTCOMES: [&str; 4] = ["answer", "veto", "tripwire", "failure"];

/// How a real call can end, beside its output.
pub(super) const FAILURES: [&str; 2] = ["error", "tripwire"];

/// Reads case files.
#[derive(Debug)]
pub(super) struct Reader<'c> {
    contract: &'c Contract,
    schema: Value,
    context: MessageDescriptor,
    effects: MessageDescriptor,
    step: MessageDescriptor,
}

impl<'c> Reader<'c> {
    pub(super) fn new(contract: &'c Contract) -> Result<Self, NotInContract> {
        Ok(Self {
            contract,
            schema: super::schema::case_schema(contract)?,
            context: contract.message("HookContext")?,
            effects: contract.message("Effects")?,
            step: contract.message("Step")?,
        })
    }

    /// Reads `text`, which came from `file`.
    pub(super) fn read(&self, file: &FilePath, text: &str) -> Result<CaseFile, Problems> {
        let document = Document::parse(&file.display().to_string(), text)?;
        let mut problems = document.check(&self.schema);
        let mut complaints = Vec::new();
        let root = At { value: document.value(), path: Path::root() };
        let cases = self.cases(&root, file, &document, &mut complaints);
        problems.extend(complaints.iter().map(|(path, it)| document.problem(path, it.clone())));
        if let Some(problems) = Problems::of(problems) {
            return Err(problems);
        }
        let Some(cases) = cases else {
            let complaint = Complaint::new("cannot be read, although the schema permits it");
            let complaint = complaint.suggest("this is a bug in Sidehook; please report it");
            return Err(document.problem(&Path::root(), complaint).into());
        };
        let wanted = match root.value.get("config") {
            None => Wanted::Nearest,
            Some(Value::String(name)) => Wanted::File(name.into()),
            Some(_) => Wanted::Inline,
        };
        Ok(CaseFile { file: file.to_owned(), wanted, cases, document })
    }

    /// The cases; `None` where the schema complains.
    fn cases(
        &self,
        root: &At<'_>,
        file: &FilePath,
        document: &Document,
        complaints: &mut Complaints,
    ) -> Option<Vec<Case>> {
        let listed = root.get("cases");
        let written: Vec<At<'_>> =
            listed.map_or_else(|| vec![root.clone()], |cases| cases.items().collect());
        let mut cases = Vec::new();
        for at in written {
            let name = at.value.get("name").and_then(Value::as_str);
            let stem = || file.file_name()?.to_str()?.split('.').next();
            let name = name.or_else(stem).unwrap_or_default().to_owned();
            let place = document.place(&at.path);
            cases.push(self.steps(&at, complaints).map(|steps| Case { name, place, steps }));
        }
        cases.into_iter().collect()
    }

    fn steps(&self, case: &At<'_>, complaints: &mut Complaints) -> Option<Vec<Step>> {
        let steps: Vec<At<'_>> =
            case.get("steps").map_or_else(|| vec![case.clone()], |steps| steps.items().collect());
        let steps: Vec<_> = steps.iter().map(|at| self.step(at, case, complaints)).collect();
        steps.into_iter().collect()
    }

    fn step(&self, at: &At<'_>, case: &At<'_>, complaints: &mut Complaints) -> Option<Step> {
        let hook = HookId::find(at.value.get("hook")?.as_str()?)?;
        let shape = self.contract.hook(hook)?;
        let mut context = DynamicMessage::new(self.context.clone());
        for own in [case.get("context"), at.get("context")].into_iter().flatten() {
            // A single case is its own step, and says the same twice.
            let own = request::message(&self.context, &own, complaints);
            for (field, value) in own.fields() {
                context.set_field(&field, value.clone());
            }
        }
        let nothing = Value::Object(serde_json::Map::new());
        let given =
            at.get("request").unwrap_or_else(|| At { value: &nothing, path: at.path.clone() });
        let request = request::message(&shape.request, &given, complaints);
        let replies = replies(shape, at, &request, complaints);
        let expect = at.get("expect");
        let expect = expect.map(|at| self.expect(shape, &at, complaints)).unwrap_or_default();
        Some(Step { hook, context, request, replies, expect })
    }

    fn expect(&self, shape: &Shape, at: &At<'_>, complaints: &mut Complaints) -> Expect {
        let mut expect = Expect::default();
        for outcome in OUTCOMES {
            let (Some(at), Some(message)) = (at.get(outcome), shape.outcome(outcome)) else {
                continue;
            };
            if let Some((other, _)) = &expect.outcome {
                let message = format!("cannot stand beside `{other}`: a chain says one of the two");
                complaints.push((at.path, Complaint::new(message)));
                continue;
            }
            expect.outcome = Some((outcome, Expected::message(&message, &at, complaints)));
        }
        let effects = at.get("effects");
        expect.effects = effects.map(|at| Expected::message(&self.effects, &at, complaints));
        expect.report = at.get("report").map(|report| {
            let step = |at: At<'_>| {
                let middleware = at.value.get("middleware").and_then(Value::as_str);
                (middleware.map(str::to_owned), Expected::message(&self.step, &at, complaints))
            };
            report.items().map(step).collect()
        });
        if let Some(frames) = &shape.frames {
            let next = at.get("next");
            expect.next = next.map(|at| Expected::messages(&frames.next, &at, complaints));
            expect.emitted = at.get("emitted").map(|at| Expected::text(&at, complaints));
        }
        expect.exact = at.value.get("exact") == Some(&Value::Bool(true));
        expect
    }
}

/// What the runtime answers to each `next`.
fn replies(
    shape: &Shape,
    step: &At<'_>,
    request: &DynamicMessage,
    complaints: &mut Complaints,
) -> Vec<Reply> {
    let Some(replies) = step.get("replies") else { return Vec::new() };
    let Some(frames) = &shape.frames else {
        let complaint =
            Complaint::new(format!("nothing is asked of the runtime at `{}`", shape.hook));
        let suggestion =
            "the hooks with replies are `wrap_model_call`, `wrap_tool_call` and `wrap`";
        complaints.push((replies.path, complaint.suggest(suggestion)));
        return Vec::new();
    };
    let is_streaming =
        matches!(request.get_field_by_name("streaming").as_deref(), Some(Field::Bool(true)));
    let mut read = Vec::new();
    for at in replies.items() {
        if let Some(deltas) = at.get("deltas").filter(|_| !is_streaming) {
            let complaint = Complaint::new("nothing is streamed in this call");
            let suggestion = "write `streaming: true` in its `request`";
            complaints.push((deltas.path, complaint.suggest(suggestion)));
        }
        read.push(reply(frames, &at, complaints));
    }
    read
}

fn reply(frames: &Frames, at: &At<'_>, complaints: &mut Complaints) -> Reply {
    let output = frames.output.name();
    let ends = [output].into_iter().chain(FAILURES).filter_map(|key| Some((key, at.get(key)?)));
    let ends: Vec<(&str, At<'_>)> = ends.collect();
    if let [(first, _), .., (last, second)] = ends.as_slice() {
        let message = format!("`{last}` cannot stand beside `{first}`: a call ends in one way");
        complaints.push((second.path.clone(), Complaint::new(message)));
    }
    let came = match ends.first() {
        Some((key, at)) if *key != output => {
            let mut failed = DynamicMessage::new(frames.failed.clone());
            let field = frames.failed.get_field_by_name(key);
            if let Some((field, cause)) = field.and_then(|it| Some((it.clone(), message_of(&it)?)))
            {
                let cause = request::message(&cause, at, complaints);
                failed.set_field(&field, Field::Message(cause));
            }
            Came::Failed(failed)
        }
        Some((_, at)) => Came::Output(request::message(&frames.result, at, complaints)),
        None => Came::Output(DynamicMessage::new(frames.result.clone())),
    };
    let deltas = at.get("deltas");
    let deltas = deltas.iter().flat_map(At::items).map(|at| match at.value {
        Value::String(text) => {
            let mut delta = DynamicMessage::new(frames.delta.clone());
            delta.set_field_by_name("text", Field::String(text.clone()));
            delta
        }
        _ => request::message(&frames.delta, &at, complaints),
    });
    Reply { deltas: deltas.collect(), came }
}
