"""A service of real stores and idle processes, as tests start, stop and kill it.

python -m tests.integration.api.supervision.service FOLDER [CHILD=PYTHON ...]
"""

import os
import sys
from pathlib import Path

from api.supervision.child import Child, store_child
from api.supervision.errors import ChildFailed
from api.supervision.supervisor import Supervisor
from services.log.embedded.data_folder import DataFolder
from services.log.embedded.running import Running, publish, withdraw
from services.log.embedded.stores import embedded_stores
from services.process.service_log import configure_logs

REPORT = "from services.log.embedded.start_report import report_started; report_started()"
IDLE = f"import signal; {REPORT}; signal.pause()"


def main() -> int:
    configure_logs("json", "debug", process="supervisor")
    programs = dict(argument.split("=", 1) for argument in sys.argv[2:]) or {"idler": IDLE}
    with DataFolder(Path(sys.argv[1]), purpose="a test") as folder:
        log, jobs = embedded_stores(folder)
        needs = (log.name, jobs.name)

        def announce(supervisor: Supervisor) -> None:
            publish(
                folder.path,
                Running(
                    pid=os.getpid(),
                    purpose="a test",
                    log_store_url=log.url,
                    job_store_url=jobs.url,
                    api_url="http://127.0.0.1:1",
                    pids=supervisor.pids,
                ),
            )

        children = [
            Child(
                name=name,
                argv=(sys.executable, "-c", program),
                needs=needs,
                grace=60.0 if name == "patient" else 1.0,
                reports=REPORT in program,
            )
            for name, program in programs.items()
        ]
        supervisor = Supervisor([store_child(log), store_child(jobs), *children], on_ready=announce)
        try:
            return supervisor.run()
        except ChildFailed as failure:
            sys.stderr.write(f"{failure}\n")
            return 1
        finally:
            withdraw(folder.path)


if __name__ == "__main__":
    raise SystemExit(main())
