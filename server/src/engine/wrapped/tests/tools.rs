//! `WrapToolCall`: what a link may change of a call, and what that costs.

use super::{acted::Does, played::Scene};
use crate::hooks::{Wrap, WrapToolCall};
use sidehook_proto::v1::ToolInvocation;

/// Runs links that edit the approved call `{"id":"1"}`, outermost first, and
/// compares the frames and the outcome.
async fn check(edits: &[fn(&mut ToolInvocation)], frames: &str, outcome: &str) {
    let scene = Scene::of(edits.iter().copied().map(Does::EditsTool)).call(r#"{"id":"1"}"#);
    scene.play::<WrapToolCall>().await.check(frames, outcome);
}

fn tool_call(call: &mut ToolInvocation) -> &mut sidehook_proto::v1::ToolCall {
    call.tool_call.as_mut().unwrap()
}

#[tokio::test(start_paused = true)]
async fn new_arguments_lose_the_approval_and_the_runtime_is_told() {
    let frames = r#"next 1 ({"id":"2"}) approval"#;
    check(
        &[|call| tool_call(call).arguments_json = r#"{"id":"2"}"#.into()],
        frames,
        "1 as it came",
    )
    .await;
    check(&[|call| call.args_json = r#"{"id":"2"}"#.into()], frames, "1 as it came").await;
}

#[tokio::test(start_paused = true)]
async fn links_inside_see_that_the_call_is_not_approved() {
    let seen: fn(&mut ToolInvocation) = |call| {
        let approved = call.approved;
        tool_call(call).arguments_json = format!(r#"{{"id":"{approved}"}}"#);
    };
    check(&[seen], r#"next 1 ({"id":"true"}) approval"#, "1 as it came").await;
    check(&[seen, seen], r#"next 1 ({"id":"false"}) approval"#, "1 as it came").await;
}

#[tokio::test(start_paused = true)]
async fn a_call_that_is_handed_on_as_it_came_keeps_its_approval() {
    check(&[|_| {}], "next 1", "1 as it came").await;
    let frames = r#"next 1 ({"id":"1"} approved)"#;
    check(&[|call| tool_call(call).extra_json = "{}".into()], frames, "1 as it came").await;
}

#[tokio::test(start_paused = true)]
async fn an_approval_is_needed_only_for_new_arguments() {
    let unapproved: fn(&mut ToolInvocation) = |call| tool_call(call).extra_json = "{}".into();
    let scene = Scene::of([Does::EditsTool(unapproved)]).call(r#"{"id":"1"}"#);
    let played = scene.unapproved().play::<WrapToolCall>().await;
    played.check(r#"next 1 ({"id":"1"})"#, "1 as it came");
}

#[tokio::test(start_paused = true)]
async fn arguments_that_do_not_fit_answer_the_link_and_the_tool_does_not_run() {
    let problem = r#"error: The call was not made: a middleware gave arguments that do not fit the tool's schema at /id: 7 is not of type "string"."#;
    let edit: fn(&mut ToolInvocation) = |call| call.args_json = r#"{"id":7}"#.into();
    check(&[edit], "", &format!("0 by a: {problem}")).await;
    let problem =
        "error: The call was not made: a middleware gave arguments that are not a JSON object.";
    check(&[|call| call.args_json = "[]".into()], "", &format!("0 by a: {problem}")).await;
}

#[tokio::test(start_paused = true)]
async fn the_tool_the_calls_id_its_name_and_its_approval_cannot_be_changed() {
    let edits: [fn(&mut ToolInvocation); 5] = [
        |call| tool_call(call).id = "other".into(),
        |call| tool_call(call).name = "other".into(),
        |call| call.tool = None,
        |call| call.approved = false,
        |call| call.tool_call = None,
    ];
    for edit in edits {
        check(&[edit], "", "failed by a: invalid_params/malformed_answer").await;
    }
}

#[tokio::test(start_paused = true)]
async fn a_link_inside_cannot_approve_new_arguments_itself() {
    let rewrites: fn(&mut ToolInvocation) = |call| call.args_json = r#"{"id":"2"}"#.into();
    let approves: fn(&mut ToolInvocation) = |call| call.approved = true;
    check(&[rewrites, approves], "", "failed by b: invalid_params/malformed_answer").await;
}

#[tokio::test(start_paused = true)]
async fn large_integers_in_new_arguments_pass_bit_for_bit() {
    let edit: fn(&mut ToolInvocation) = |call| call.args_json = r#"{"n":9007199254740993}"#.into();
    check(&[edit], r#"next 1 ({"n":9007199254740993}) approval"#, "1 as it came").await;
}

#[tokio::test(start_paused = true)]
async fn wrap_cannot_change_the_request() {
    let played = Scene::of([Does::Changes { call: "x", result: "" }]).play::<Wrap>().await;
    played.check("", "failed by a: invalid_params/malformed_answer");
    let played = Scene::of([Does::Copies]).play::<Wrap>().await;
    played.check("next 1", "1 as it came");
}
