"""Uses the REST side through a client that is generated from its document: python client.py URL API_KEY

The generator must understand all of the document: it warns of nothing. With its client a host is made whose parts
refer to each other by ids that the client gives, and a group of its bindings; both are read back and deleted.
"""

import subprocess
import sys
import sysconfig
import tempfile
from uuid import uuid4

if len(sys.argv) != 3:
    sys.exit(__doc__)
url, key = sys.argv[1:]
tools = sysconfig.get_path("scripts")


def generate(folder):
    """Writes the client into a folder, as the package `generated`."""
    command = [f"{tools}/openapi-python-client", "generate", "--url", f"{url}/openapi.json", "--meta", "none"]
    environment = {"PATH": tools, "LANG": "C.UTF-8", "NO_PROXY": "127.0.0.1"}
    command += ["--output-path", "generated", "--fail-on-warning"]
    done = subprocess.run(command, env=environment, cwd=folder, capture_output=True, text=True)
    said = (done.stdout + done.stderr).strip()
    if done.returncode or said != "Generating generated":
        sys.exit(f"the generator has something to say:\n{said}")


def use():
    """Makes, reads and deletes things with the generated client."""
    from generated import AuthenticatedClient
    from generated.api.groups import create_group, delete_group, get_group
    from generated.api.hosts import create_host, delete_host, get_host
    from generated.api.networks import create_network, delete_network
    from generated.api.subnets import create_subnet
    from generated.models import (
        BindingType, Color, CreateGroupInput, CreateHostInput, CreateNetworkInput, CreateSubnetInput, EdgeStyle,
        Failure, GroupType, HostInterfaceInput, HostPortInput, HostServiceInput, ServiceBindingInput, SubnetType,
        TransportProtocol,
    )  # fmt: skip
    from generated.types import UNSET

    client = AuthenticatedClient(base_url=url, token=key, httpx_args={"trust_env": False})

    def ask(operation, *path, **arguments):
        """The `data` of a success, parsed by the client."""
        answer = operation.sync_detailed(*path, client=client, **arguments)
        assert answer.status_code == 200 and answer.parsed.success is True, answer
        return answer.parsed.data

    nil = "00000000-0000-0000-0000-000000000000"
    network = ask(create_network, body=CreateNetworkInput(name="Generated", organization_id=nil, tags=[])).id
    subnet = ask(create_subnet, body=CreateSubnetInput(
        cidr="192.168.1.0/24", name="LAN", network_id=network, subnet_type=SubnetType.LAN, tags=[],
    ))  # fmt: skip

    interface, ports, bindings = uuid4(), [uuid4() for _ in range(4)], [uuid4() for _ in range(4)]

    def service(name, *numbers):
        return HostServiceInput(id=uuid4(), name=name, service_definition=name, bindings=[
            ServiceBindingInput(
                id=bindings[number], type_=BindingType.PORT, port_id=ports[number], interface_id=interface
            )
            for number in numbers
        ])  # fmt: skip

    wanted = CreateHostInput(
        name="alpha", hostname="alpha.lan", network_id=network, description=None, virtualization=None, hidden=False,
        tags=[],
        interfaces=[HostInterfaceInput(
            id=interface, subnet_id=subnet.id, ip_address="192.168.1.10", mac_address="02:00:00:00:00:01", name="eth0",
        )],
        ports=[
            HostPortInput(id=id, number=number, protocol=TransportProtocol.TCP)
            for id, number in zip(ports, [22, 80, 443, 5432], strict=True)
        ],
        services=[service("SSH", 0), service("Nginx Proxy Manager", 1, 2), service("PostgreSQL", 3)],
    )  # fmt: skip
    host = ask(create_host, body=wanted)
    assert (host.name, host.hostname, host.network_id) == ("alpha", "alpha.lan", network)
    assert host.description is None and host.if_entries == []
    for made, part in zip(host.interfaces, wanted.interfaces, strict=True):
        kept = ("id", "subnet_id", "ip_address", "mac_address", "name")
        assert all(getattr(made, name) == getattr(part, name) for name in kept), made
    for made, part in zip(sorted(host.ports, key=lambda port: port.number), wanted.ports, strict=True):
        assert (made.id, made.number, made.protocol) == (part.id, part.number, part.protocol), made
    for made, part in zip(host.services, wanted.services, strict=True):
        assert (made.id, made.name, made.host_id) == (part.id, part.name, host.id), made
        order = [binding.id for binding in part.bindings]
        for bound, binding in zip(sorted(made.bindings, key=lambda it: order.index(it.id)), part.bindings, strict=True):
            assert bound.service_id == made.id and bound.type_ == binding.type_, bound
            kept = ("id", "port_id", "interface_id")
            assert all(getattr(bound, name) == getattr(binding, name) for name in kept), bound
    assert ask(get_host, host.id) == host

    group = ask(create_group, body=CreateGroupInput(
        name="Request", network_id=network, group_type=GroupType.REQUESTPATH, color=Color.BLUE,
        edge_style=EdgeStyle.STRAIGHT, binding_ids=[bindings[1], bindings[3]], tags=[], description=UNSET,
    ))  # fmt: skip
    assert group.binding_ids == [bindings[1], bindings[3]] and group.description is None
    assert ask(get_group, group.id) == group

    tried = ask(delete_host, host.id, dry_run=True)
    assert ask(get_host, host.id) == host
    gone = ask(delete_host, host.id)
    assert gone.deleted == tried.deleted, (tried, gone)
    missing = get_host.sync(host.id, client=client)
    assert isinstance(missing, Failure) and missing.code == "entity_not_found", missing
    assert ask(get_group, group.id).binding_ids == []
    ask(delete_group, group.id)
    ask(delete_network, network)


with tempfile.TemporaryDirectory() as folder:
    generate(folder)
    sys.path.insert(0, folder)
    use()
print("the generated client works")
