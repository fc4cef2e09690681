"""Where a lab keeps its images and mounts."""

import shutil
import tempfile
from pathlib import Path

import pytest


def room_unless(missing):
    """A fixture: a folder that is gone afterwards; missing() says why there can be no lab, or None."""
    @pytest.fixture(scope="module")
    def room():
        reason = missing()
        if reason:
            pytest.skip(reason)
        directory = tempfile.mkdtemp(prefix="streamcalc-lab.", dir="/var/tmp")
        yield Path(directory)
        shutil.rmtree(directory, ignore_errors=True)
    return room
