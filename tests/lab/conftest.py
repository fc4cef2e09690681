"""A run in which everything was skipped says so to CTest, and one that is ended takes down its lab."""

import signal


def pytest_configure(config):
    signal.signal(signal.SIGTERM, signal.default_int_handler)


def pytest_sessionfinish(session, exitstatus):
    reporter = session.config.pluginmanager.getplugin("terminalreporter")
    done = sum(len(reporter.stats.get(kind, [])) for kind in ("passed", "failed", "error"))
    if exitstatus == 0 and done == 0:
        session.exitstatus = 77
