//! Many callers at once, of whom many go away in the middle.

use super::Scripted;
use crate::support::{Runtime, soon};
use futures::future::join_all;
use serde_json::json;

/// Counts calls that began, that came to their end, and that heard that nobody waits any more.
const COUNTING: &str = "
    let [began, ended, left] = [0, 0, 0];
    const begin = (context) => { began++; context.signal.addEventListener('abort', () => left++); };
    export default {
      async beforeRun({ input }, context) {
        begin(context);
        const [kind, count] = input.split(' ');
        if (kind === 'timer') await new Promise((done) => setTimeout(done, Number(count)));
        if (kind === 'jobs') for (let i = 0; i < Number(count) * 10; i++) await null;
        if (kind === 'never') await new Promise(() => {});
        ended++;
        return { context: input };
      },
      async wrapModelCall(call, next, context) {
        begin(context);
        const stream = { write: async (delta) => { await null; call.stream.write(delta); } };
        const response = await next({ ...call, stream });
        ended++;
        return { ...response, content: call.model };
      },
      beforeStop: () => ({ continueWith: `${began - ended - left}` }),
    };";

/// Numbers that look random and are the same in every run.
struct Dice(u64);

impl Dice {
    fn roll(&mut self, sides: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963);
        (self.0 >> 33) % sides
    }
}

async fn turns(count: u64) {
    for _ in 0..count {
        tokio::task::yield_now().await;
    }
}

/// Asks again and again, and often does not wait for the answer.
async fn ask(runtime: &Runtime, mut dice: Dice) {
    for _ in 0..20 {
        let kind = ["now", "timer", "jobs", "never"][usize::try_from(dice.roll(4)).unwrap()];
        let input = format!("{kind} {}", dice.roll(20));
        let turns = turns(dice.roll(200) + u64::from(kind != "never") * dice.roll(2) * 1_000_000);
        let call = runtime.ask("before_run", json!({"input": input}));
        tokio::select! {
            response = call => {
                let response = response.unwrap();
                assert_eq!(response["answer"]["added_context"], json!([input]), "{response}");
            }
            () = turns => {}
        }
    }
}

/// Opens calls again and again, and goes away after some frames.
async fn open(runtime: &Runtime, mut dice: Dice) {
    for _ in 0..10 {
        let model = format!("m{}", dice.roll(1000));
        let mut exchange = runtime.open("wrap_model_call").await;
        exchange.send(json!({"open": {"call": {"model": model}, "streaming": true}}));
        let stage = dice.roll(5);
        if stage == 0 {
            continue;
        }
        exchange.expect("next").await;
        for sequence in 0..stage - 1 {
            exchange.send(json!({"delta": {"invocation": 1, "sequence": sequence, "text": "x"}}));
        }
        if stage < 4 {
            turns(dice.roll(200)).await;
            continue;
        }
        exchange.send(json!({"end": {"invocation": 1, "response": {"text": "xxx"}}}));
        let (frames, finished) = exchange.finish().await;
        assert_eq!(frames.len(), 3);
        assert_eq!(finished["answer"]["response"]["text"], json!(model));
    }
}

#[tokio::test]
async fn every_call_gets_its_own_answer_or_hears_that_nobody_waits() {
    let script = Scripted::new(COUNTING).await;
    let runtimes: Vec<_> = (0..8).map(|_| script.runtime()).collect();
    let asking = (0..48).map(|seed| ask(&runtimes[seed as usize % 8], Dice(seed)));
    let opening = (48..64).map(|seed| open(&runtimes[seed as usize % 8], Dice(seed)));
    soon(futures::future::join(join_all(asking), join_all(opening))).await;
    let none_open =
        async { while script.answer("before_stop", json!({})).await["continue_with"] != "0" {} };
    soon(none_open).await;
}
