"""Calls the hooks of one run: `ask` for a hook that decides, `wrap` for a hook around a call."""

from queue import SimpleQueue
from uuid import uuid4

from sidehook.v1 import run_hooks_pb2 as pb
from sidehook.v1.context_pb2 import HookContext
from sidehook.v1.outcome_pb2 import Effects
from sidehook.v1.run_hooks_pb2_grpc import RunHooksStub
from sidehook.v1.wrap_pb2 import RELAY_DIRECT, RELAY_RELAYED


class RunEnded(Exception):
    """A middleware ended the run: it hit a tripwire, or it failed."""


class Hooks:
    def __init__(self, channel, agent_name):
        self.stub = RunHooksStub(channel)
        self.context = HookContext(run_id=str(uuid4()), agent_name=agent_name)
        self.effects = Effects()  # What the run still has to do beside the answers.

    def ask(self, hook, **fields):
        request = getattr(pb, f"{hook}Request")(context=self.context, **fields)
        return self.settle(getattr(self.stub, hook)(request, timeout=5))

    def wrap(self, hook, call, real):
        """Makes a real call whenever the middleware asks for one. Returns what came of it all."""
        Frame = getattr(pb, f"{hook}Request")
        returned = "response" if hook == "WrapModelCall" else "result"
        frames, results = SimpleQueue(), {}
        frames.put(Frame(open={"context": self.context, "call": call, "streaming": True}))
        for frame in getattr(self.stub, hook)(iter(frames.get, None), timeout=60):
            kind = frame.WhichOneof("frame")
            if kind == "next":
                number, relay = frame.next.invocation, frame.next.relay
                for sequence, piece in enumerate(real(changed(frame.next, "call", call))):
                    if not isinstance(piece, str):
                        results[number] = piece
                    elif relay == RELAY_DIRECT:
                        print("shown:", piece)
                    elif relay == RELAY_RELAYED:
                        delta = {"invocation": number, "sequence": sequence, "text": piece}
                        frames.put(Frame(delta=delta))
                frames.put(Frame(end={"invocation": number, returned: results[number]}))
            elif kind == "emit":
                print("shown:", frame.emit.delta.text)
            elif kind == "finished":
                finished = frame.finished
                frames.put(None)  # Half-closes. Then Sidehook ends the stream, with OK.
        answer = self.settle(finished)
        return changed(answer, returned, results.get(finished.answered_by.invocation))

    def settle(self, response):
        """Keeps the effects and returns the answer. Any other outcome ends the run."""
        self.effects.MergeFrom(response.effects)
        outcome = response.WhichOneof("outcome")
        if outcome != "answer":
            raise RunEnded(f"{outcome}: {response}")
        return response.answer


def changed(message, field, before):
    """Absent means unchanged."""
    return getattr(message, field) if message.HasField(field) else before
