"""A server with data of its own, for tests in Python."""

import json
import os
import subprocess
import time
from pathlib import Path
from urllib.error import HTTPError
from urllib.request import Request, urlopen

ROOT = Path(__file__).resolve().parent.parent


def binary():
    """The program to test."""
    # The program refuses variables that it does not know.
    given = os.environ.pop("STOCKROOM_BINARY", None)
    if given:
        return str(Path(given).resolve())
    subprocess.run(["cargo", "build", "--quiet", "--package", "stockroom"], cwd=ROOT, check=True)
    target = os.environ.get("CARGO_TARGET_DIR", "target")
    return str(ROOT / target / "debug" / "stockroom")


class Server:
    """A server with its own data."""

    def __init__(self, folder):
        self.binary = binary()
        self.password = os.urandom(12).hex()
        environment = {**os.environ, "STOCKROOM_ADMIN_PASSWORD": self.password}
        data = folder / "data"
        self.output = open(folder / "stdout", "w+", encoding="utf-8")
        command = [self.binary, "serve", "--listen", "127.0.0.1:0", "--data", data]
        self.process = subprocess.Popen(
            command, stdout=self.output, stderr=subprocess.STDOUT, env=environment
        )
        self.url = self._url()
        command = [self.binary, "token", "session", "admin", "--data", data]
        found = subprocess.run(command, check=True, capture_output=True, text=True)
        self.token = found.stdout.split()[-1]

    def _url(self):
        deadline = time.monotonic() + 60
        while time.monotonic() < deadline and self.process.poll() is None:
            self.output.seek(0)
            found = [word for word in self.output.read().split() if word.startswith("http://")]
            if found:
                return found[0].rstrip("/")
            time.sleep(0.1)
        raise AssertionError("the server printed no address")

    def post(self, path, body):
        """Sends a body, and returns the id of what it made."""
        request = Request(
            f"{self.url}/rest/{path}/",
            json.dumps(body).encode(),
            {"Authorization": f"Bearer {self.token}", "Content-Type": "application/json"},
        )
        try:
            with urlopen(request) as answer:
                return json.load(answer)["result_id"]
        except HTTPError as error:
            raise AssertionError(error.read().decode()) from error

    def stop(self):
        """Ends the process."""
        self.process.kill()
        self.process.wait()
        self.output.close()
