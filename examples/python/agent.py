"""A small agent that asks Sidehook at every hook.

`hooks.py` calls the hooks, and `scripted.py` stands in for a model and a tool.

    pip install -r examples/python/requirements.txt
    python -m grpc_tools.protoc -I proto proto/sidehook/v1/*.proto \
        --python_out=examples/python --grpc_python_out=examples/python
    python examples/python/agent.py [127.0.0.1:50051 | unix:///run/sidehook/sidehook.sock]
"""

import sys

import grpc
from hooks import Hooks, changed
from scripted import SHELL, model, shell
from sidehook.v1 import run_hooks_pb2 as pb
from sidehook.v1.chat_pb2 import Message, MessageList, ToolCallList, ToolResult

INPUT = "Tidy up my disk. I am ada@example.com, and my card is 4111 1111 1111 1111."


def run(hooks, text):
    """Runs the agent on an input, and returns its final answer."""
    messages = [Message(role="system", text="You keep a disk tidy.")]
    messages += system(hooks.ask("StartRun").added_context)
    messages += [Message(role="user", text=text)]
    messages += system(hooks.ask("BeforeRun", input=text, messages=messages).added_context)
    while text and not hooks.effects.HasField("stop"):
        hooks.context.iteration += 1
        messages += system(added.text for added in hooks.effects.added_context)
        hooks.effects.Clear()
        edit = hooks.ask("BeforeModel", messages=messages)
        messages = list(changed(edit, "messages", MessageList(messages=messages)).messages)
        call = pb.ModelCall(model="scripted", request={"messages": messages, "tools": [SHELL]})
        said = hooks.wrap("WrapModelCall", call, model)
        edit = hooks.ask("AfterModel", response=said, messages=messages)
        said.text = changed(edit, "content", said.text)
        calls = changed(edit, "tool_calls", ToolCallList(tool_calls=said.tool_calls)).tool_calls
        messages.append(Message(role="assistant", text=said.text, tool_calls=calls))
        if calls:
            outcomes = [use_tool(hooks, call) for call in calls]
            messages += [answer(outcome) for outcome in outcomes]
            hooks.ask("AfterToolBatch", calls=outcomes)
        elif text := hooks.ask("BeforeStop", output=said.text).continue_with:
            messages.append(Message(role="user", text=text))
    return said.text


def use_tool(hooks, call):
    """Runs a tool call if it may run. Nobody is here who could be asked."""
    verdict = hooks.ask("BeforeToolCall", tool_call=call, tool=SHELL)
    arguments = changed(verdict, "updated_arguments_json", call.arguments_json)
    if verdict.decision in (pb.TOOL_DECISION_UNSPECIFIED, pb.TOOL_DECISION_ALLOW):
        ready = pb.ToolInvocation(tool_call=call, args_json=arguments, tool=SHELL)
        result = hooks.wrap("WrapToolCall", ready, shell)
    else:
        result = ToolResult(error=f"refused: {verdict.reason}")
    print("tool:", arguments, "->", result.error or result.text)
    return pb.ToolOutcome(tool_call=call, result=result)


def answer(outcome):
    """Makes the message in which the model reads what came of its tool call."""
    text = outcome.result.error or outcome.result.text
    return Message(role="tool", tool_call_id=outcome.tool_call.id, text=text)


def system(texts):
    return [Message(role="system", text=text) for text in texts]


if __name__ == "__main__":
    with grpc.insecure_channel(sys.argv[1] if len(sys.argv) > 1 else "127.0.0.1:50051") as channel:
        hooks, status = Hooks(channel, agent_name="janitor"), pb.RUN_STATUS_FAILED
        try:
            print("answer:", run(hooks, INPUT))
            status = pb.RUN_STATUS_COMPLETED
        finally:
            hooks.ask("AfterRun", status=status)
