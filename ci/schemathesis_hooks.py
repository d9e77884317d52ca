"""Keeps generated requests from locking the run out: nothing may change the user that the token belongs to."""

import schemathesis

ADMIN = 1
SAFE = {"GET", "HEAD", "OPTIONS"}
RECORD = {"/users/{public_id}", "/users/{public_id}/password"}


@schemathesis.hook
def filter_case(context, case):
    """Drops writes to the admin's own record; its settings are fair game."""
    path = case.operation.path.removeprefix("/rest").rstrip("/")
    return case.method.upper() in SAFE or path not in RECORD or not names_admin(case.path_parameters)


def names_admin(parameters):
    try:
        return int(str(parameters.get("public_id"))) == ADMIN
    except ValueError:
        return False
