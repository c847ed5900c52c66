"""Things that exist, made over REST, for requests to refer to."""

import itertools
import os
import uuid
from http.cookiejar import DefaultCookiePolicy

import requests

URL = os.environ["CONTRACT_URL"]
KEY = os.environ["CONTRACT_KEY"]
SESSION = os.environ["CONTRACT_SESSION"]
NIL = str(uuid.UUID(int=0))

numbers = itertools.count(1)
http = requests.Session()
http.trust_env = False
# Nobody stays logged in between requests.
http.cookies.set_policy(DefaultCookiePolicy(allowed_domains=[]))


class Taken(Exception):
    """Something else has this name or number already."""


def new_id():
    """An id of no thing, the same ones in the same order in every run."""
    return str(uuid.uuid5(uuid.NAMESPACE_URL, f"contract {next(numbers)}"))


def call(method, path, body=None, session=None):
    """The `data` of an answer, which has to be a success."""
    who = {"Cookie": f"session_id={session}"} if session else {"Authorization": f"Bearer {KEY}"}
    answer = http.request(method, f"{URL}{path}", json=body, headers=who, timeout=20)
    if answer.status_code == 409:
        raise Taken(answer.text)
    if not answer.ok:
        raise RuntimeError(f"{method} {path} {body}: {answer.status_code} {answer.text}")
    return answer.json()["data"]


def login(email, password):
    """The session of a user."""
    answer = http.post(f"{URL}/api/auth/login", json={"email": email, "password": password}, timeout=20)
    answer.raise_for_status()
    return answer.cookies["session_id"]


def set_up():
    """A session in which an organization was set up, and in which nobody has logged in."""
    body = {"organization_name": "Another", "network": {"name": "Another"}}
    answer = http.post(f"{URL}/api/auth/setup", json=body, timeout=20)
    answer.raise_for_status()
    return answer.cookies["session_id"]


def address():
    """An address in the subnet of this world that no other interface has."""
    number = next(numbers)
    return f"10.{number >> 16 & 255}.{number >> 8 & 255}.{number & 255}"


class World:
    """One of each thing, all in one network and fit for each other; nothing here is changed by the requests under
    test."""

    def __init__(self, network):
        self.network = network
        me = call("POST", "/api/auth/me", session=SESSION)
        self.me, self.organization = me["id"], me["organization_id"]
        self.tags = [self.spare("tags")["id"] for _ in range(8)]
        self.subnet = call("POST", "/api/v1/subnets", self.subnet_body("10.0.0.0/8"))["id"]
        self.host = self.spare("hosts")["id"]
        self.interface = self.spare("interfaces")["id"]
        self.port = self.spare("ports")["id"]
        self.service = self.spare("services")["id"]
        bindings = [self.spare("bindings") for _ in range(6)]
        self.bindings = [binding["id"] for binding in bindings]
        self.group = self.spare("groups")["id"]
        self.far_host = self.spare("hosts")["id"]
        self.entry = self.spare("if-entries")["id"]
        self.far_entry = call("POST", "/api/v1/if-entries", self.entry_body(self.far_host))["id"]
        self.change = call("GET", "/api/v1/changes?limit=1")[0]["id"]
        self.key = self.spare("auth/keys")["id"]
        users = {user["email"]: user["id"] for user in call("GET", "/api/v1/users", session=SESSION)}
        self.viewer, self.second = users["viewer@example.org"], users["second@example.org"]
        self.leavers = sorted(id for email, id in users.items() if email.startswith("leaver"))
        keys = [key["id"] for key in call("GET", "/api/v1/auth/keys", session=SESSION)]
        networks = [row["id"] for row in call("GET", "/api/v1/networks")]
        self.networks = [network, *(id for id in networks if id != network)]
        self.kept = {
            self.me, self.organization, *self.tags, self.subnet, self.host, self.interface, self.port, self.service,
            *self.bindings, *(binding["interface_id"] for binding in bindings), self.group, self.far_host, self.entry,
            self.far_entry, self.viewer, self.second, *keys, *networks,
        }  # fmt: skip

    def subnet_body(self, cidr):
        return {"cidr": cidr, "network_id": self.network, "name": "Range", "subnet_type": "Lan", "tags": []}

    def entry_body(self, host):
        index = 1_000_000 + next(numbers)
        return {
            "host_id": host, "network_id": self.network, "if_index": index, "if_descr": f"Ethernet {index}",
            "if_type": 6, "admin_status": "Up", "oper_status": "Up",
        }  # fmt: skip

    def spare(self, resource):
        """A new thing that a request may change or delete."""
        try:
            return self.made(resource, next(numbers))
        except Taken:
            # By a request under test, which made up the same.
            return self.spare(resource)

    def made(self, resource, number):
        """Makes a new thing."""
        if resource == "auth/keys":
            body = {"name": f"Key {number}", "organization_id": NIL, "user_id": NIL, "tags": []}
            return call("POST", "/api/v1/auth/keys", body, SESSION)["api_key"]
        return call("POST", f"/api/v1/{resource}", self.body(resource, number))

    def body(self, resource, number):
        """What makes a new thing."""
        network = {"network_id": self.network}
        match resource:
            case "networks":
                return {"name": f"Network {number}", "organization_id": NIL, "tags": []}
            case "tags":
                return {"name": f"Tag {number}", "color": "Blue", "organization_id": NIL}
            case "subnets":
                return self.subnet_body(f"172.{16 + (number >> 16 & 15)}.{number >> 8 & 255}.{number & 255}/32")
            case "hosts":
                return network | {"name": f"Host {number}", "tags": []}
            case "interfaces":
                return network | {"host_id": self.host, "subnet_id": self.subnet, "ip_address": address()}
            case "ports":
                return network | {"host_id": self.host, "number": 10_000 + number % 50_000, "protocol": "Tcp"}
            case "services":
                name = f"Service {number}"
                return network | {"host_id": self.host, "name": name, "service_definition": "Nginx"}
            case "bindings":
                interface = self.spare("interfaces")["id"]
                return network | {"service_id": self.service, "type": "Interface", "interface_id": interface}
            case "groups":
                look = {"group_type": "RequestPath", "color": "Blue", "edge_style": "Straight"}
                return network | look | {"name": f"Group {number}", "binding_ids": [], "tags": []}
            case "if-entries":
                return self.entry_body(self.host)
        raise ValueError(resource)
