# SPDX-License-Identifier: Apache-2.0
"""Inventory plugin of Ansible for Stockroom: objects become hosts."""

DOCUMENTATION = """
name: stockroom
short_description: Objects of a Stockroom server as hosts
description:
  - Reads objects with one streamed export. Their fields become variables of the hosts.
  - Whoever may edit an object chooses its values. So names of variables have a prefix, values are
    never templates, and names and addresses of hosts are DNS names or IP addresses of others than
    this machine. No host is called like a group, because Ansible would take the one for the other.
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
    description:
      - The field with the name of the host, a DNS name or an IP address. Objects without one are
        left out.
    required: true
  address:
    description:
      - The field with the address, for C(ansible_host), with or without the length of a network.
        Without a valid one, Ansible connects to the name.
  references:
    description:
      - The field to show of the objects that a field references, by the name of the referencing
        field. With C(site=city), hosts get the variable C(stockroom_site_city).
    type: dict
    default: {}
  prefix:
    description:
      - Begins the names of all variables that are made of fields. No name that Ansible itself
        reads may begin with it, so it is never empty.
    default: stockroom_
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
  - {prefix: system, key: stockroom_system}
  - {prefix: site, key: stockroom_site_city}
"""

import json
import re
from ipaddress import ip_address
from urllib.parse import urlencode

from ansible.errors import AnsibleError, AnsibleParserError
from ansible.inventory.data import InventoryData
from ansible.module_utils.urls import open_url
from ansible.plugins.inventory import BaseInventoryPlugin, Constructable
from ansible.utils.unsafe_proxy import wrap_var

LABEL = re.compile(r"[A-Za-z0-9_]([A-Za-z0-9_-]{0,61}[A-Za-z0-9_])?")
# Programs read a name with such a last label as an IPv4 address, in notations beyond four numbers.
NUMBER = re.compile(r"[0-9]+|0[xX][0-9A-Fa-f]*")
LONGEST = 253
# Groups that Ansible makes.
TAKEN = ("all", "ungrouped")
# Variables that Ansible reads; with `_` at the end, all that begin so.
MAGIC = (
    "ansible_",
    "discovered_interpreter_",
    "environment",
    "group_names",
    "groups",
    "hostvars",
    "inventory_",
    "item",
    "lookup",
    "omit",
    "play_",
    "playbook_",
    "query",
    "role_",
    "vars",
    "with_",
)
ID = re.compile(r"[1-9][0-9]{0,15}")
MAX_ID = 2**53 - 1
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
        self._check_prefix()
        types = self._types()
        documents = self._export(self._filter(types), not self.get_option("inactive"))
        objects = [(one, _fields(one)) for one in documents]
        shown = self._referenced([fields for _, fields in objects])
        # Of objects with the same name, the last one is the host.
        key = self.get_option("name")
        named = [found for found in objects if _is_host(found[1].get(key))]
        self._warn("objects without the name of a host are left out", len(objects) - len(named))
        hosts = {fields[key]: (one, fields) for one, fields in named}
        hosts = {name: (one, {**fields, **shown(fields)}) for name, (one, fields) in hosts.items()}
        groups = self._groups(hosts, types)
        self._warn("objects with the name of a group are left out", len(groups & set(hosts)))
        without = 0
        for name, (one, fields) in hosts.items():
            if name in groups:
                continue
            address = fields.get(self.get_option("address") or "")
            without += bool(address) and _address(address) is None
            self._add(name, one, fields, types)
        self._warn("addresses that are none of another machine are left out", without)

    def _groups(self, hosts, types):
        """The names of all groups, with those that the hosts would be in."""
        real, self.inventory = self.inventory, InventoryData()
        try:
            for name, (one, fields) in hosts.items():
                self._add(name, one, fields, types)
            return set(real.groups) | set(self.inventory.groups)
        finally:
            self.inventory = real

    def _add(self, name, one, fields, types):
        self.inventory.add_host(name)
        prefix = self.get_option("prefix")
        variables = {_identifier(prefix + field): value for field, value in fields.items()}
        variables["stockroom_id"] = one["public_id"]
        variables["stockroom_type"] = types.get(one["type_id"], str(one["type_id"]))
        address = _address(fields.get(self.get_option("address") or ""))
        if address:
            variables["ansible_host"] = address
        # Ansible must not run what others wrote into fields.
        variables = {key: wrap_var(value) for key, value in variables.items()}
        for key, value in variables.items():
            self.inventory.set_variable(name, key, value)
        strict = self.get_option("strict")
        self._set_composite_vars(self.get_option("compose"), variables, name, strict)
        self._add_host_to_composed_groups(self.get_option("groups"), variables, name, strict)
        for keyed in self.get_option("keyed_groups"):
            try:
                self._add_host_to_keyed_groups([keyed], variables, name, strict)
            except AnsibleParserError as error:
                # Ansible makes no group of a number, which a field of another type may hold.
                if strict:
                    raise
                self.display.warning("a keyed group is left out: %s" % error)

    def _check_prefix(self):
        prefix = self.get_option("prefix")
        is_name = re.fullmatch(r"[A-Za-z_]\w*", prefix, re.ASCII)
        if not is_name or any(_overlap(prefix, name) for name in MAGIC):
            message = "prefix: must begin a name, but none that Ansible reads, not %r" % prefix
            raise AnsibleParserError(message)

    def _warn(self, reason, count):
        if count:
            self.display.warning("%s: %d" % (reason, count))

    @staticmethod
    def _sanitize_group_name(name):
        name = _identifier(name)[:LONGEST]
        name = "_" + name if name[:1].isdigit() else name
        return name + "_" if name in TAKEN else name

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
        wanted = {_target(one.get(field)) for one in objects for field in references}
        wanted = sorted(wanted - {None})
        found = {}
        for start in range(0, len(wanted), IDS_AT_ONCE):
            ids = wanted[start : start + IDS_AT_ONCE]
            for one in self._export({"public_id": {"$in": ids}}, False):
                found[one["public_id"]] = _fields(one)

        def shown(fields):
            values = {
                f"{field}_{of}": found.get(_target(fields.get(field)), {}).get(of)
                for field, of in references.items()
            }
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


# Names that the usual /etc/hosts gives to the own machine.
OWN_NAMES = ("localhost", "localhost4", "localhost6", "ip6-localhost", "ip6-loopback")


def _fields(one):
    fields = one.get("fields") or []
    return {field["name"]: field["value"] for field in fields if field["value"] is not None}


def _target(value):
    """The id of the object that a value references, as a number or as a text of digits. In objects
    of other types, a field of the same name holds anything."""
    if isinstance(value, str):
        value = int(value) if ID.fullmatch(value) else None
    is_number = isinstance(value, (int, float)) and not isinstance(value, bool)
    return int(value) if is_number and 1 <= value <= MAX_ID and value == int(value) else None


def _address(value):
    """The host in a field, which may have the length of a network."""
    host = value.split("/")[0] if isinstance(value, str) else None
    return host if _is_host(host) else None


def _is_host(name):
    """Whether it is a DNS name or an IP address of another machine."""
    if not isinstance(name, str) or not 0 < len(name) <= LONGEST or name in TAKEN:
        return False
    labels = name.split(".")
    if ":" in name or NUMBER.fullmatch(labels[-1]):
        return _is_address(name)
    return all(LABEL.fullmatch(one) and one.lower() not in OWN_NAMES for one in labels)


def _is_address(text):
    try:
        # A zone may be any text.
        address = ip_address("" if "%" in text else text)
    except ValueError:
        return False
    address = getattr(address, "ipv4_mapped", None) or address
    return not (address.is_loopback or address.is_unspecified)


def _overlap(prefix, name):
    """Whether a name with this prefix may be one that Ansible reads."""
    return name.startswith(prefix) or (name.endswith("_") and prefix.startswith(name))


def _identifier(name):
    return re.sub(r"\W", "_", name, flags=re.ASCII)
