import json
import logging
import logging.config
import warnings

import pytest
import structlog

from services.process.service_log import configure_logs, correlation, current_correlation, granian_loggers


@pytest.fixture(autouse=True)
def _logging_as_before():
    root, of_rq = logging.getLogger(), logging.getLogger("rq.worker")
    handlers, level, configured = root.handlers[:], root.level, structlog.get_config()
    # RQ sets its own logger's level when a worker works; one may have worked in this process before.
    of_rq_before = of_rq.level
    of_rq.setLevel(logging.NOTSET)
    yield
    logging.captureWarnings(capture=False)
    root.handlers[:] = handlers
    root.setLevel(level)
    of_rq.setLevel(of_rq_before)
    structlog.configure(**configured)


@pytest.fixture
def lines(capsys):
    configure_logs("json", "info", process="api")
    return lambda: [json.loads(line) for line in capsys.readouterr().err.splitlines()]


def test_every_line_says_what_when_and_which_process(lines):
    structlog.get_logger("tablee.matches").info("match created", match="m1", players=3)
    (line,) = lines()
    assert line.pop("timestamp").endswith("Z")
    assert line == {
        "message": "match created",
        "match": "m1",
        "players": 3,
        "level": "info",
        "logger": "tablee.matches",
        "process": "api",
    }


def test_lines_of_libraries_look_like_our_own(lines):
    logging.getLogger("rq.worker").warning("job %s failed", "j1")
    (line,) = lines()
    assert (line["message"], line["level"], line["logger"], line["process"]) == (
        "job j1 failed",
        "warning",
        "rq.worker",
        "api",
    )


def test_granian_keeps_no_handlers_of_its_own_and_takes_none_of_ours(lines):
    logging.config.dictConfig({"version": 1, "disable_existing_loggers": False, **granian_loggers()})
    logging.getLogger("_granian").info("listening")
    assert [line["message"] for line in lines()] == ["listening"]


def test_one_correlation_id_ties_lines_together(lines):
    with correlation() as first:
        structlog.get_logger().info("one")
        logging.getLogger("rq.worker").info("two")
        assert current_correlation() == first
    with correlation("from-a-job"):
        structlog.get_logger().info("three")
    assert current_correlation() is None
    assert [line["correlation"] for line in lines()] == [first, first, "from-a-job"]


def test_a_traceback_tells_no_local_variables(lines):
    hand = "the seven of llamas"

    def fail():
        hidden = hand
        raise ValueError(len(hidden))

    try:
        fail()
    except ValueError:
        structlog.get_logger().exception("failed")
        logging.getLogger("litestar").exception("failed")
    found = lines()
    assert [line["exception"][0]["exc_type"] for line in found] == ["ValueError", "ValueError"]
    assert "llamas" not in json.dumps(found)


def test_the_console_tells_no_local_variables_either(capsys):
    configure_logs("console", "info", process="api")
    hand = "the seven of llamas"
    try:
        raise ValueError(len(hand))
    except ValueError:
        structlog.get_logger().exception("failed", match="m1")
    text = capsys.readouterr().err
    assert "failed" in text
    assert "ValueError: 19" in text
    assert "\x1b" not in text
    assert "llamas" not in text


def test_lines_below_the_level_are_not_written(lines):
    structlog.get_logger().debug("too much")
    logging.getLogger("rq.worker").debug("too much")
    assert lines() == []


def test_values_that_json_does_not_know_do_not_break_the_log(lines):
    structlog.get_logger().info("odd", value=object)
    assert lines()[0]["value"] == "<class 'object'>"


def test_warnings_go_to_the_log(lines):
    with warnings.catch_warnings():
        warnings.simplefilter("always")
        configure_logs("json", "info", process="api")
        warnings.warn("old", DeprecationWarning, stacklevel=1)
        logging.captureWarnings(capture=False)
    assert "DeprecationWarning: old" in lines()[0]["message"]
