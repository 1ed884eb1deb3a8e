"""Stands in for a model and a tool: both do what is written here."""

import json

from sidehook.v1.chat_pb2 import ChatResponse, ToolCall, ToolDefinition, ToolResult

SHELL = ToolDefinition(
    name="shell",
    description="Runs a command.",
    parameters_json='{"type": "object", "properties": {"command": {"type": "string"}}}',
)


def model(call):
    """Asks for two commands, then sums up. Yields pieces of text, and last the response."""
    messages = call.request.messages
    print("model saw:", next(message.text for message in messages if message.role == "user"))
    if any(message.role == "tool" for message in messages):
        pieces, commands = ["I did ", "what I may."], []
    else:
        pieces, commands = ["I clean up, ", "then I look."], ["rm -rf /", "ls /tmp"]
    yield from pieces
    yield ChatResponse(
        text="".join(pieces),
        tool_calls=[
            ToolCall(id=command, name="shell", arguments_json=json.dumps({"command": command}))
            for command in commands
        ],
    )


def shell(call):
    """Pretends to run a command. Yields like the model."""
    yield ToolResult(text="ran " + json.loads(call.args_json)["command"])
