//! What is shown of a streamed answer, and when.

use crate::support::{Call, Model, Sidecar, delta, model_call, next, text};
use sidehook_client::{
    CallFailure, Client, Deltas, OnUnreachable, Run,
    v1::{
        ChatResponse, HookContext, ModelCall, ModelDelta, Relay, WrapModelCallNext,
        wrap_model_call_request::Frame,
    },
};

/// Streams "Hel", "lo".
async fn hello(_: ModelCall, mut deltas: Deltas<ModelDelta>) -> Result<ChatResponse, CallFailure> {
    deltas.put_text("Hel").await;
    deltas.put_text("lo").await;
    Ok(text("Hello"))
}

/// Streams `hello` through the chain; gives what was shown, and the output.
async fn shown(run: &Run) -> (Vec<String>, ChatResponse) {
    let mut shown = Vec::new();
    let show = |piece: ModelDelta| {
        assert_eq!((piece.invocation, piece.sequence), (0, 0));
        shown.push(piece.text);
    };
    let wrapped = run.wrap_model_call_streaming(model_call("m"), hello, show).await.unwrap();
    (shown, wrapped.output)
}

#[tokio::test]
async fn direct_shows_each_piece_as_it_comes_and_sends_only_the_end() {
    let sidecar = Sidecar::new(|call: Call| async {
        let mut model = Model::open(call).await;
        assert!(model.open.streaming);
        model.next(WrapModelCallNext { answer_needed: false, ..next(1, Relay::Direct) });
        assert_eq!(model.end().await.response, None);
        model.finish_as_came(1).await;
    });
    assert_eq!(shown(&sidecar.run()).await, (vec!["Hel".into(), "lo".into()], text("Hello")));
}

#[tokio::test]
async fn relayed_sends_each_piece_in_order_and_shows_only_what_is_emitted() {
    let sidecar = Sidecar::new(|call: Call| async {
        let mut model = Model::open(call).await;
        model.next(next(1, Relay::Relayed));
        assert_eq!(model.frame().await, Frame::Delta(delta(1, 0, "Hel")));
        model.emit("J");
        assert_eq!(model.frame().await, Frame::Delta(delta(1, 1, "lo")));
        model.emit("ello");
        assert_eq!(model.end().await.response, Some(text("Hello")));
        model.finish_with(text("Jello")).await;
    });
    assert_eq!(shown(&sidecar.run()).await, (vec!["J".into(), "ello".into()], text("Jello")));
}

#[tokio::test]
async fn held_shows_nothing_before_the_end_and_then_the_final_text_in_one_piece() {
    let sidecar = Sidecar::new(|call: Call| async {
        let mut model = Model::open(call).await;
        model.next(next(1, Relay::Held));
        model.keep_alive();
        assert_eq!(model.end().await.response, Some(text("Hello")));
        model.finish_with(text("H***o")).await;
    });
    assert_eq!(shown(&sidecar.run()).await, (vec!["H***o".into()], text("H***o")));
}

#[tokio::test]
async fn held_shows_nothing_of_a_call_that_ends_badly() {
    let sidecar = Sidecar::new(|call: Call| async {
        let mut model = Model::open(call).await;
        model.next(next(1, Relay::Held));
        model.end().await;
        model.call.break_connection();
        model.call.gone().await;
    });
    let show = |piece: ModelDelta| panic!("`{}` was shown", piece.text);
    let run = sidecar.run();
    let ended = run.wrap_model_call_streaming(model_call("m"), hello, show).await;
    assert!(ended.unwrap_err().no_answer().unwrap().is_unreachable());
}

#[tokio::test]
async fn an_answer_without_a_real_call_is_shown_in_one_piece() {
    let sidecar = Sidecar::new(|call: Call| async {
        Model::open(call).await.finish_with(text("cached")).await;
    });
    assert_eq!(shown(&sidecar.run()).await, (vec!["cached".into()], text("cached")));
}

#[tokio::test]
async fn pieces_of_several_real_calls_keep_their_own_numbers() {
    let sidecar = Sidecar::new(|call: Call| async {
        let mut model = Model::open(call).await;
        model.next(next(1, Relay::Relayed));
        model.next(next(2, Relay::Relayed));
        let mut sequences = [0, 0];
        for _ in 0..6 {
            match model.frame().await {
                Frame::Delta(delta) => {
                    let sequence = &mut sequences[delta.invocation as usize - 1];
                    assert_eq!(delta.sequence, *sequence);
                    *sequence += 1;
                }
                Frame::End(end) => assert_eq!(sequences[end.invocation as usize - 1], 2),
                other => panic!("unexpected {other:?}"),
            }
        }
        model.emit("Hello");
        model.finish_as_came(2).await;
    });
    assert_eq!(shown(&sidecar.run()).await, (vec!["Hello".into()], text("Hello")));
}

#[tokio::test]
async fn without_a_sidecar_pieces_are_shown_as_they_come() {
    let proceed = Client::builder().on_unreachable(OnUnreachable::Proceed);
    let client = proceed.connect("unix:///nonexistent/sidehook.sock").unwrap();
    let run = client.run(HookContext::default());
    assert_eq!(shown(&run).await, (vec!["Hel".into(), "lo".into()], text("Hello")));
}

#[tokio::test]
async fn a_long_stream_does_not_stall_a_sidecar_that_emits_as_it_reads() {
    const PIECES: usize = 5000;
    let sidecar = Sidecar::new(|call: Call| async {
        let mut model = Model::open(call).await;
        model.next(next(1, Relay::Relayed));
        while let Frame::Delta(delta) = model.frame().await {
            model.emit(&delta.text);
        }
        model.finish_as_came(1).await;
    });
    let make = |_, mut deltas: Deltas<ModelDelta>| async move {
        for piece in 0..PIECES {
            deltas.put_text(piece.to_string()).await;
        }
        Ok(text("all"))
    };
    let mut shown = Vec::new();
    let show = |piece: ModelDelta| shown.push(piece.text);
    let run = sidecar.run();
    let _ = run.wrap_model_call_streaming(model_call("m"), make, show).await.unwrap();
    assert!(
        shown.iter().map(String::as_str).eq((0..PIECES)
            .map(|n| n.to_string())
            .collect::<Vec<_>>()
            .iter()
            .map(String::as_str))
    );
}
