"""A run in which everything was skipped says so to CTest."""


def pytest_sessionfinish(session, exitstatus):
    reporter = session.config.pluginmanager.getplugin("terminalreporter")
    done = sum(len(reporter.stats.get(kind, [])) for kind in ("passed", "failed", "error"))
    if exitstatus == 0 and done == 0:
        session.exitstatus = 77
