"""What requests need beyond what the document can say: credentials, values of our formats, and ids of things that
exist.

An id of nothing is refused by contract, so every valid id that was made up is replaced: a reference by one of the
prepared world, the id in a path, three times out of four, by that of a new thing which may be changed or deleted.
What is not a valid id stays as it was made up. Other than that, only these requests are changed:

* What would end the run: things of the world are not deleted but for show, and not updated; API access stays on.
* Values of which each can stand but once, four times out of five: values are taken from answers, too, where they stand.
* Rules that no schema can say, and only where all else is valid: an address is in its subnet, an expiry is in the
  future, a version that was seen is that of the thing, a password has three kinds of characters, or is one's own for
  another e-mail address, which nobody has yet, a list of ports does not name the same one twice.
"""

import datetime
import email.utils
import os
import re
import uuid

import schemathesis
from hypothesis import strategies as st

import world as worlds
from world import NIL, address, login, new_id, numbers, set_up

EMAIL, PASSWORD = os.environ["CONTRACT_EMAIL"], os.environ["CONTRACT_PASSWORD"]
world = worlds.World(os.environ["CONTRACT_NETWORK"])
second_session = login("second@example.org", PASSWORD)

# ---------------------------------------------------------------------------------------------------------- formats

moments = st.datetimes(datetime.datetime(2000, 1, 1), datetime.datetime(2100, 1, 1), timezones=st.just(datetime.UTC))
schemathesis.openapi.format("http-date", moments.map(lambda moment: email.utils.format_datetime(moment, usegmt=True)))
schemathesis.openapi.format("etag", moments.map(lambda moment: f'"{moment:%Y-%m-%dT%H:%M:%S.%fZ}"'))
schemathesis.openapi.format("cidr", st.ip_addresses(v=4).map(lambda ip: f"{ip}/32") | st.ip_addresses(v=6).map(
    lambda ip: f"{ip}/128"
))


# ------------------------------------------------------------------------------------------------------ credentials


@schemathesis.auth()
class Credentials:
    """The session where nothing else will do, the API key where it will, but for one request in four."""

    def get(self, case, context):
        return worlds.KEY, worlds.SESSION

    def set(self, case, data, context):
        key, session = data
        schemes = {name for needed in case.operation.definition.raw.get("security", []) for name in needed}
        if "api_key" in schemes and ("session" not in schemes or next(numbers) % 4):
            case.headers["Authorization"] = f"Bearer {key}"
        elif "session" in schemes:
            case.cookies["session_id"] = session


# -------------------------------------------------------------------------------------------------------- references


def is_id(value):
    """Whether a value is a valid id."""
    return isinstance(value, str) and bool(
        re.fullmatch("[0-9A-Fa-f]{32}|[0-9A-Fa-f]{8}(-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}", value)
    )


def known(values, ids):
    """A list with the ids replaced, the same ones by the same; those for which there is no other are left out."""
    seen, result = {}, []
    for value in values:
        if not is_id(value):
            result.append(value)
            continue
        key = uuid.UUID(value)
        if key not in seen and len(seen) < len(ids):
            seen[key] = ids[len(seen)]
        if key in seen:
            result.append(seen[key])
    return result


LISTS = {
    "tags": lambda: world.tags,
    "tag_ids": lambda: world.tags,
    "binding_ids": lambda: world.bindings,
    "network_ids": lambda: world.networks,
}
KINDS = {"Host": "hosts", "Service": "services", "Group": "groups", "Subnet": "subnets", "Network": "networks"}
REFERENCES = {
    "network_id": lambda: world.network,
    "host_id": lambda: world.host,
    "subnet_id": lambda: world.subnet,
    "interface_id": lambda: world.interface,
    "port_id": lambda: world.port,
    "service_id": lambda: world.service,
    "tag_id": lambda: world.tags[0],
    "user_id": lambda: world.me,
    "organization_id": lambda: world.organization,
    "api_key_id": lambda: world.key,
}


def refer(value):
    """Replaces the references in a body, or in a query string."""
    if isinstance(value, list):
        for element in value:
            refer(element)
    if not isinstance(value, dict):
        return
    if value.get("type") in ("IfEntry", "Host") and is_id(value.get("id")):
        value["id"] = world.far_entry if value["type"] == "IfEntry" else world.far_host
    for key, inner in value.items():
        if key in LISTS and isinstance(inner, list):
            value[key] = known(inner, LISTS[key]())
        elif key in REFERENCES and is_id(inner) and uuid.UUID(inner).int:
            value[key] = REFERENCES[key]()
        else:
            refer(inner)
    # An interface is neither its own aggregate nor its own parent, which no schema can say.
    own = value.get("if_index")
    for key in ("lag_if_index", "parent_if_index"):
        number = value.get(key)
        if isinstance(number, (int, float)) and not isinstance(number, bool) and number == own:
            value[key] = None
    kind = value.get("entity_type")
    if isinstance(kind, str) and kind in KINDS:
        if is_id(value.get("entity_id")):
            value["entity_id"] = world.spare(KINDS[kind])["id"]
        if isinstance(value.get("entity_ids"), list):
            value["entity_ids"] = known(value["entity_ids"], [world.spare(KINDS[kind])["id"] for _ in range(2)])


def within(value):
    """The same with no NUL at the end of a text: there it is stripped, being padding, and nothing to refuse."""
    if isinstance(value, dict):
        return {key: within(inner) for key, inner in value.items()}
    if isinstance(value, list):
        return [within(element) for element in value]
    return f"{value}!" if isinstance(value, str) and value.endswith("\0") else value


def parts(value, key):
    """The objects in a list of an object."""
    given = value.get(key)
    return [part for part in given if isinstance(part, dict)] if isinstance(given, list) else []


def settle_host(body):
    """Makes the parts of a host refer to each other, as they can by ids that the client gives."""
    for key in ("interfaces", "ports", "if_entries", "services"):
        for part in parts(body, key):
            if is_id(part.get("id")):
                part["id"] = new_id()
    for service in parts(body, "services"):
        for binding in parts(service, "bindings"):
            settle_binding(binding, lambda: port_of(body), lambda: interface_of(body))
    for entry in parts(body, "if_entries"):
        if is_id(entry.get("interface_id")):
            entry["interface_id"] = interface_of(body)
    for key, name in [("ports", "number"), ("if_entries", "if_index")]:
        taken = set()
        for part in parts(body, key):
            number = part.get(name)
            if isinstance(number, (int, float)) and number in taken:
                part[name] = next(other for other in range(1, 65_536) if other not in taken)
            if isinstance(number, (int, float)):
                taken.add(part[name])


def port_of(body):
    number = next(numbers)
    body.setdefault("ports", [])
    if not isinstance(body["ports"], list):
        body["ports"] = []
    new = {"id": new_id(), "number": 20_000 + number % 40_000, "protocol": "Udp"}
    body["ports"].append(new)
    return new["id"]


def interface_of(body):
    if not isinstance(body.get("interfaces"), list):
        body["interfaces"] = []
    new = {"id": new_id(), "subnet_id": world.subnet, "ip_address": address()}
    body["interfaces"].append(new)
    return new["id"]


def settle_binding(binding, port, interface):
    """A binding of what nothing else listens on."""
    if is_id(binding.get("id")):
        binding["id"] = new_id()
    if is_id(binding.get("port_id")):
        binding["port_id"] = port()
    if is_id(binding.get("interface_id")):
        binding["interface_id"] = interface()


# ---------------------------------------------------------------------------------------------------------- requests

ROUTE = re.compile("/api/v1/(?P<resource>auth/keys|[a-z-]+)(?P<rest>.*)")


@schemathesis.hook
def before_call(context, case, kwargs):
    path, method, phase = case.operation.path, case.method.upper(), case.meta.phase.name
    probe = case.operation.method.upper() != method
    if probe:
        return
    valid = case.meta.generation.mode.is_positive
    if isinstance(case.body, (dict, list)):
        case.body = settle(path, case.body, valid)
    if path.startswith("/api/auth/"):
        session_request(path, case, valid)
        return
    route = ROUTE.fullmatch(path)
    if not route:
        return
    resource = route["resource"]
    if isinstance(case.query, dict):
        refer(case.query)
    if route["rest"] == "/bulk-delete" and isinstance(case.body, list):
        bulk_delete(resource, case)
    made_up = phase != "stateful" and next(numbers) % 4 != 0
    if isinstance(case.path_parameters, dict) and made_up:
        refer(case.path_parameters)
    for name in ("id", "destination", "other"):
        if isinstance(case.path_parameters, dict) and name in case.path_parameters:
            aim(resource, method, name, case, valid, made_up)


def settle(path, body, valid):
    """A body with the ids of things that exist."""
    refer(body)
    if not valid:
        body = within(body)
    if not isinstance(body, dict):
        return body
    if "/hosts" in path:
        settle_host(body)
    if "/services" in path:
        for binding in parts(body, "bindings"):
            settle_binding(binding, lambda: world.spare("ports")["id"], lambda: world.spare("interfaces")["id"])
    if path.startswith("/api/v1/bindings"):
        settle_binding(body, lambda: world.spare("ports")["id"], lambda: world.spare("interfaces")["id"])
    if not valid:
        return body
    if path.startswith("/api/v1/auth/keys") and body.get("all_networks") is True:
        # The document cannot say so: a key that reaches all networks is given none.
        body.pop("network_ids", None)
    for thing in [body, *parts(body, "interfaces")]:
        if "subnet_id" in thing:
            thing["ip_address"] = address()
    number = next(numbers)
    if number % 5:
        untaken(path, body, number)
    if body.get("expires_at"):
        body["expires_at"] = "2999-12-31T23:59:59Z"
    if path.startswith("/api/v1/organizations") and body.get("api_access_enabled") is False:
        # Off, it would refuse the API key of this run.
        body["api_access_enabled"] = True
    return body


def own_address(number, email):
    """The address with a number in front, that no other has, and no longer than one may be: the end gives way."""
    local, at, domain = f"{number}{email}".rpartition("@")
    local = local[: 254 - len(at) - min(len(domain), 64)]
    return f"{local}{at}{domain[: 254 - len(at) - len(local)]}"


def untaken(path, body, number):
    """Gives something a name or number that nothing else has."""
    if "number" in body:
        body["number"] = 60_001 + number % 5_000
    if "if_index" in body:
        body["if_index"] = 2_000_000 + number
    if path in ("/api/v1/tags", "/api/v1/tags/{id}") and isinstance(body.get("name"), str):
        body["name"] = f"{number} {body['name']}"[:100]
    if path == "/api/auth/register":
        body["email"] = own_address(number, body["email"])


def session_request(path, case, valid):
    body = case.body if isinstance(case.body, dict) else {}
    if path.endswith("/login"):
        # Failed logins are slowed down for each address and account: every one gets its own.
        number = next(numbers)
        case.headers["X-Forwarded-For"] = f"2001:db8::{number & 65535:x}"
        if valid and number % 2:
            body |= {"email": EMAIL, "password": PASSWORD}
        elif isinstance(body.get("email"), str):
            body["email"] = f"{number}{body['email']}"
    elif path.endswith("/register") and valid:
        body["password"] = f"Aa1{body['password'][3:]}"
        case.cookies["session_id"] = set_up()
    elif path.endswith("/logout"):
        # The session of this run goes on.
        case.cookies["session_id"] = set_up()


def bulk_delete(resource, case):
    """Names a new thing in the place of the first, and nothing of the world."""
    ids = [id for id in case.body if is_id(id)]
    spares = {id: spare(resource)["id"] for id in ids if id in world.kept}
    if ids and len(ids) == len(case.body):
        spares.setdefault(ids[0], spare(resource)["id"])
    case.body = [spares.get(id, id) if isinstance(id, str) else id for id in case.body]


def spare(resource):
    """A new thing to be deleted; users can only be made on the command line, so there are but a few."""
    if resource == "users":
        return {"id": world.leavers.pop() if world.leavers else new_id()}
    return world.spare(resource)


def aim(resource, method, name, case, valid, made_up):
    """Puts the id of something that exists into a path."""
    id = case.path_parameters[name]
    if not is_id(id):
        return
    kept = id in world.kept
    if method == "GET":
        if made_up:
            case.path_parameters[name] = readable(resource)
    elif resource == "users":
        user_request(method, case, valid)
    elif resource == "organizations":
        case.path_parameters[name] = world.organization
        version(case, case.body, None, valid)
    elif kept or made_up:
        row = world.spare(resource)
        case.path_parameters[name] = row["id"]
        version(case, case.body, row, valid)


def readable(resource):
    """The id of something to read."""
    return {
        "auth/keys": world.key,
        "bindings": world.bindings[0],
        "changes": world.change,
        "groups": world.group,
        "hosts": world.host,
        "if-entries": world.entry,
        "interfaces": world.interface,
        "networks": world.network,
        "organizations": world.organization,
        "ports": world.port,
        "services": world.service,
        "subnets": world.subnet,
        "tags": world.tags[0],
        "users": world.me,
    }[resource]


def user_request(method, case, valid):
    """Users that this run can do without: one who changes the own address, one who gets another level, some to be
    deleted."""
    body = case.body if isinstance(case.body, dict) else {}
    if method == "DELETE":
        if world.leavers and (case.query or {}).get("dry_run") is not True:
            case.path_parameters["id"] = world.leavers.pop()
        else:
            case.path_parameters["id"] = world.viewer
            case.query = {**(case.query or {}), "dry_run": "true"} if valid else case.query
    elif body.get("email") is not None:
        case.path_parameters["id"] = world.second
        if "session_id" in case.cookies:
            case.cookies["session_id"] = second_session
        if valid:
            # It takes the password, and that somebody unseen has the address is a refusal like others.
            body |= {"email": own_address(next(numbers), body["email"]), "password": PASSWORD}
        # Who changes the address stays an Owner, to be able to do it again.
        if body.get("permissions") in ("Viewer", "Member", "Admin"):
            body["permissions"] = "Owner"
    else:
        case.path_parameters["id"] = world.viewer
    version(case, body, None, valid)


def version(case, body, row, valid):
    """The version of what the request is about, where it names one, and what cannot be changed about it."""
    body = body if isinstance(body, dict) else {}
    if row:
        for key in ("host_id", "service_id", "network_id"):
            if is_id(body.get(key)) and key in row:
                body[key] = row[key]
    if not valid:
        return
    headers = case.headers or {}
    if body.get("expected_updated_at") is not None:
        if row:
            body["expected_updated_at"] = row["updated_at"]
        else:
            del body["expected_updated_at"]
    if "If-Match" in headers and headers["If-Match"] != "*":
        headers["If-Match"] = f'"{row["updated_at"]}"' if row else "*"
    if "If-Unmodified-Since" in headers:
        headers["If-Unmodified-Since"] = email.utils.format_datetime(
            datetime.datetime.now(datetime.UTC) + datetime.timedelta(minutes=1), usegmt=True
        )
