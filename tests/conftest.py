"""What holds for all tests."""

import structlog

# A traceback with every frame's variables, as structlog renders it by default, takes seconds where a state is large.
structlog.configure(
    processors=[
        structlog.contextvars.merge_contextvars,
        structlog.processors.add_log_level,
        structlog.dev.ConsoleRenderer(colors=False, exception_formatter=structlog.dev.plain_traceback),
    ]
)
