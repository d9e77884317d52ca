# SPDX-License-Identifier: Apache-2.0
"""Inventory plugin of Ansible for Stockroom: objects become hosts."""

DOCUMENTATION = """
name: stockroom
short_description: Objects of a Stockroom server as hosts
description:
  - Reads objects with one streamed export. Their fields become variables of the hosts.
  - The name of the file must end with C(stockroom.yml) or C(stockroom.yaml).
extends_documentation_fragment:
  - constructed
options:
  plugin:
    description: Must be C(stockroom).
    required: true
    choices: [stockroom]
  url:
    description: Address of the server, without C(/rest).
    required: true
    env: [{name: STOCKROOM_SERVER}]
  token:
    description: An API token with the right to view objects. To name types, also that to view types.
    required: true
    env: [{name: STOCKROOM_TOKEN}]
  ca_file:
    description: PEM file with the certificate authorities of the server.
    type: path
    env: [{name: STOCKROOM_CA_FILE}]
  timeout:
    description: Seconds that the server may be silent.
    type: int
    default: 60
  type:
    description: Name of the type of the objects; all types by default.
  filter:
    description: Filter in the language of Stockroom's lists.
    type: dict
    default: {}
  inactive:
    description: Whether objects that are not in use are hosts, too.
    type: bool
    default: false
  name:
    description: The field with the name of the host.
    required: true
  address:
    description: The field with the address, for C(ansible_host).
  references:
    description:
      - The field to show of the objects that a field references, by the name of the referencing
        field. With C(site=city), hosts get the variable C(site_city).
    type: dict
    default: {}
  prefix:
    description: Begins the names of all variables that are made of fields.
    default: ""
"""

EXAMPLES = """
# hosts.stockroom.yml
plugin: stockroom
url: https://cmdb.example.org
type: server
filter: {fields.system: debian}
name: hostname
address: ip
references: {site: city}
keyed_groups:
  - {prefix: system, key: system}
  - {prefix: site, key: site_city}
"""

import json
import re
from urllib.parse import urlencode

from ansible.errors import AnsibleError, AnsibleParserError
from ansible.module_utils.urls import open_url
from ansible.plugins.inventory import BaseInventoryPlugin, Constructable
from ansible.utils.unsafe_proxy import wrap_var

# The name becomes an argument of ssh, and a pattern of Ansible.
HOST = re.compile(r"[\w:][\w.:-]{0,252}", re.ASCII)
# Ids are sent in a URL, which may not have any length.
IDS_AT_ONCE = 500


class InventoryModule(BaseInventoryPlugin, Constructable):
    NAME = "stockroom"

    def verify_file(self, path):
        names = ("stockroom.yml", "stockroom.yaml")
        return super().verify_file(path) and path.endswith(names)

    def parse(self, inventory, loader, path, cache=True):
        super().parse(inventory, loader, path, cache)
        self._read_config_data(path)
        types = self._types()
        documents = self._export(self._filter(types), not self.get_option("inactive"))
        objects = [(one, _fields(one)) for one in documents]
        shown = self._referenced([fields for _, fields in objects])
        # Of objects with the same name, the last one is the host.
        key = self.get_option("name")
        named = [found for found in objects if _is_host(found[1].get(key))]
        hosts = {fields[key]: (one, fields) for one, fields in named}
        for name, (one, fields) in hosts.items():
            self._add(name, one, {**fields, **shown(fields)}, types)

    def _add(self, name, one, fields, types):
        self.inventory.add_host(name)
        prefix = self.get_option("prefix")
        variables = {_identifier(prefix + field): value for field, value in fields.items()}
        variables["stockroom_id"] = one["public_id"]
        variables["stockroom_type"] = types.get(one["type_id"], str(one["type_id"]))
        address = fields.get(self.get_option("address") or "")
        if isinstance(address, str) and _is_host(address.split("/")[0]):
            variables["ansible_host"] = address.split("/")[0]
        # Ansible must not run what others wrote into fields.
        variables = {key: wrap_var(value) for key, value in variables.items()}
        for key, value in variables.items():
            self.inventory.set_variable(name, key, value)
        strict = self.get_option("strict")
        self._set_composite_vars(self.get_option("compose"), variables, name, strict)
        self._add_host_to_composed_groups(self.get_option("groups"), variables, name, strict)
        self._add_host_to_keyed_groups(self.get_option("keyed_groups"), variables, name, strict)

    def _types(self):
        """The names of types by id. Without the right to view types, there are none."""
        try:
            answer = json.load(self._get("types", limit=0, projection='["public_id","name"]'))
        except AnsibleError:
            if self.get_option("type"):
                raise
            return {}
        return {one["public_id"]: one["name"] for one in answer["results"]}

    def _filter(self, types):
        found = self.get_option("filter")
        name = self.get_option("type")
        if not name:
            return found
        ids = [key for key, known in types.items() if known == name]
        if not ids:
            raise AnsibleParserError("there is no type %r" % name)
        return {"$and": [{"type_id": ids[0]}, found]} if found else {"type_id": ids[0]}

    def _referenced(self, objects):
        """A function from the fields of an object to the fields of those that it references."""
        references = self.get_option("references")
        wanted = {one.get(field) for one in objects for field in references}
        wanted = sorted(one for one in wanted if isinstance(one, int))
        found = {}
        for start in range(0, len(wanted), IDS_AT_ONCE):
            ids = wanted[start : start + IDS_AT_ONCE]
            for one in self._export({"public_id": {"$in": ids}}, False):
                found[one["public_id"]] = _fields(one)

        def shown(fields):
            pairs = references.items()
            values = {f"{field}_{of}": found.get(fields.get(field), {}).get(of) for field, of in pairs}
            return {name: value for name, value in values.items() if value is not None}

        return shown

    def _export(self, found, active):
        lines = self._get(
            "exports/objects",
            format="ndjson",
            filter=json.dumps(found),
            active=str(active).lower(),
        )
        # An export that breaks off raises an error here.
        return [json.loads(line) for line in lines]

    def _get(self, path, **parameters):
        url = "%s/rest/%s?%s" % (self.get_option("url").rstrip("/"), path, urlencode(parameters))
        try:
            return open_url(
                url,
                headers={"Authorization": "Bearer %s" % self.get_option("token")},
                ca_path=self.get_option("ca_file"),
                timeout=self.get_option("timeout"),
                # Another server must not get the token.
                follow_redirects="none",
            )
        except Exception as error:
            answer = error.read().decode(errors="replace") if hasattr(error, "read") else ""
            raise AnsibleError("%s/rest/%s: %s %s" % (self.get_option("url"), path, error, answer))


def _fields(one):
    fields = one.get("fields") or []
    return {field["name"]: field["value"] for field in fields if field["value"] is not None}


def _is_host(name):
    return isinstance(name, str) and HOST.fullmatch(name) is not None


def _identifier(name):
    name = re.sub(r"\W", "_", name, flags=re.ASCII)
    return "_" + name if name[:1].isdigit() else name
