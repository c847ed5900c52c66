"""Asks the running server through a client that is generated from the schema: python client.py FOLDER URL API_KEY

The generated code has types of pydantic: each answer is checked against the schema as it is read.
"""

import asyncio
import pathlib
import subprocess
import sys
import sysconfig

if len(sys.argv) != 4:
    sys.exit(__doc__)
folder, url, key = pathlib.Path(sys.argv[1]), *sys.argv[2:]
here = pathlib.Path(__file__).parent
PAGE = 3

SETTINGS = f"""
[tool.ariadne-codegen]
schema_path = "{here.parent.parent / "schema.graphql"}"
queries_path = "{here / "queries.graphql"}"
target_package_name = "generated"
include_comments = "none"

[tool.ariadne-codegen.scalars.DateTime]
type = "datetime.datetime"
"""


def generate():
    """Writes the client into the folder, as the package `generated`."""
    folder.mkdir()
    (folder / "settings.toml").write_text(SETTINGS)
    tools = sysconfig.get_path("scripts")
    command = [f"{tools}/ariadne-codegen", "--config", "settings.toml", "client"]
    environment = {"PATH": tools, "LANG": "C.UTF-8"}
    done = subprocess.run(command, env=environment, cwd=folder, capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"the generator failed:\n{done.stdout}{done.stderr}")


async def use():
    """Reads all hosts a page at a time, and then all of them by their ids."""
    import httpx
    from generated import Client

    headers = {"Authorization": f"Bearer {key}"}
    async with Client(url=url, http_client=httpx.AsyncClient(headers=headers, trust_env=False)) as client:
        hosts, after = [], None
        while True:
            page = (await client.host_page(first=PAGE, after=after)).hosts
            hosts += page.nodes
            after = page.page_info.end_cursor
            if not page.page_info.has_next_page:
                break
        assert len(hosts) == page.total_count > PAGE, len(hosts)
        assert all(host.created_at.tzinfo and host.source_details.type_ for host in hosts)
        things = (await client.things(ids=[host.id for host in hosts])).nodes
        names = [(thing.typename__, thing.id, thing.name) for thing in things]
        assert names == [("Host", host.id, host.name) for host in hosts], names
        assert all(len(thing.ports_connection.nodes) == min(thing.ports_connection.total_count, 2) for thing in things)
        print(f"the client of ariadne-codegen read {len(hosts)} hosts by pages of {PAGE}, and again by their ids")


generate()
sys.path.insert(0, str(folder))
asyncio.run(use())
