"""Reads exported topologies back with parsers that are not ours.

usage: check.py FOLDER…

Each folder holds `expected.json` and the files that were written from the same view. Counts,
labels and ends must come back from each form as far as it carries them. Needs the packages of
requirements.txt, `npm ci` in this folder, and Graphviz.
"""

import collections
import csv
import html
import json
import pathlib
import re
import subprocess
import sys

import networkx
import pyang
import yangson
from lxml import etree

HERE = pathlib.Path(__file__).parent
SVG = "{http://www.w3.org/2000/svg}"
GRAPHML = "{http://graphml.graphdrawing.org/xmlns}"
YED = "{http://www.yworks.com/xml/graphml}"
MOST_FOR_GRAPHVIZ_PICTURE = 200


def printable(text):
    """The text as XML can hold it: what is forbidden is replaced."""
    forbidden = re.compile(
        "[\0-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ufdd0-\ufdef\ufffe\uffff]"
        "|[" + "".join(chr(p << 16 | e) for p in range(1, 17) for e in (0xFFFE, 0xFFFF)) + "]"
    )
    return forbidden.sub("\ufffd", text or "")


def same(what, found, expected):
    """Compares two lists whatever their order, and says where they differ."""
    found, expected = (collections.Counter(map(repr, items)) for items in (found, expected))
    missing, surplus = expected - found, found - expected
    assert found == expected, f"{what}: missing {list(missing)[:3]}, surplus {list(surplus)[:3]}"


class Expected:
    def __init__(self, folder):
        view = json.loads((folder / "expected.json").read_text("utf-8"))
        self.network, self.nodes, self.links = view["network"], view["nodes"], view["links"]
        self.label = {node["id"]: printable(node["label"]) for node in self.nodes}

    def node_rows(self):
        return [(printable(node["id"]), printable(node["label"])) for node in self.nodes]

    def link_rows(self):
        keys = ("id", "a", "b", "a_port", "b_port")
        return [tuple(printable(link[key]) for key in keys) for link in self.links]


def xml_root(path):
    parser = etree.XMLParser(resolve_entities=False, no_network=True, huge_tree=True)
    return etree.parse(str(path), parser).getroot()


def check_graphml(path, expected):
    read = networkx.read_graphml(path, force_multigraph=True)
    label = lambda data: data.get("label") or ""
    rows = [(data["node_id"], label(data)) for _, data in read.nodes(data=True)]
    same("nodes", rows, expected.node_rows())
    rows = [(data["link_id"], label(data)) for _, _, data in read.edges(data=True)]
    same("labels of links", rows, [(l["id"], printable(l["label"])) for l in expected.links])
    # networkx gives the ends of an undirected edge in any order, so they are read from the file.
    root, ns = xml_root(path), GRAPHML
    declared = {key.get("id"): key for key in root.iter(ns + "key")}
    values = lambda element: {d.get("key"): d.text or "" for d in element.findall(ns + "data")}
    nodes = {n.get("id"): values(n)["node_node_id"] for n in root.iter(ns + "node")}
    rows = []
    for edge in root.iter(ns + "edge"):
        data = values(edge)
        ports = (data.get("edge_source_port", ""), data.get("edge_target_port", ""))
        rows.append((data["edge_link_id"], nodes[edge.get("source")], nodes[edge.get("target")]) + ports)
    same("links", rows, expected.link_rows())
    assert {d.get("key") for d in root.iter(ns + "data")} <= set(declared)
    assert read.number_of_edges() == len(expected.links)
    states = [data["state"] for _, _, data in read.edges(data=True)]
    same("states", states, [link["state"] for link in expected.links])
    speeds = [int(data["speed_bps"]) for _, _, data in read.edges(data=True) if "speed_bps" in data]
    same("speeds", speeds, [s for s in (link["speed_bps"] for link in expected.links) if s is not None])
    check_yed(root, expected)


def check_yed(root, expected):
    """What yEd draws is valid, and says what the data say."""
    drawn_for = {"nodegraphics": "node", "edgegraphics": "edge"}
    keys = {k.get("id"): k for k in root.iter(GRAPHML + "key") if k.get("yfiles.type")}
    assert {k.get("yfiles.type"): k.get("for") for k in keys.values()} == drawn_for
    schema = etree.XMLSchema(etree.parse(HERE / "yed.xsd"))

    def drawing(element):
        (data,) = (d for d in element.findall(GRAPHML + "data") if d.get("key") in keys)
        (drawn,) = data
        schema.assertValid(etree.ElementTree(drawn))
        return drawn

    # A name stands on one line; one that looks like a page has a character without width before it.
    shown = lambda text: re.sub("[\t\n\r]", " ", printable(text))
    said = lambda label: re.sub("^\u200b(?= *<html)", "", label.text or "", flags=re.I)
    number = lambda element, *names: [float(element.get(name)) for name in names]
    boxes, labels = {}, []
    for node in root.iter(GRAPHML + "node"):
        drawn = drawing(node)
        boxes[node.get("id")] = number(drawn.find(YED + "Geometry"), "x", "y", "width", "height")
        labels.append(said(drawn.find(YED + "NodeLabel")))
    same("drawn names", labels, [shown(node["label"]) for node in expected.nodes])
    check_apart(list(boxes.values()))
    rows = []
    for edge in root.iter(GRAPHML + "edge"):
        drawn = drawing(edge)
        path = drawn.find(YED + "Path")
        for end, names in (("source", ("sx", "sy")), ("target", ("tx", "ty"))):
            _, _, width, height = boxes[edge.get(end)]
            x, y = number(path, *names)
            assert abs(x) <= width / 2 and abs(y) <= height / 2, f"{(x, y)} is outside its box"
        at = {l.get("modelPosition"): said(l) for l in drawn.iter(YED + "EdgeLabel")}
        (link_id,) = (d.text for d in edge if d.get("key") == "edge_link_id")
        texts = tuple(at.get(position) for position in ("shead", "center", "thead"))
        is_dashed = drawn.find(YED + "LineStyle").get("type") == "dashed"
        arrow = drawn.find(YED + "Arrows").get("target")
        rows.append((link_id, *texts, is_dashed, arrow))
    drawn = lambda text: None if text is None else shown(text)
    wanted = [
        (printable(link["id"]), drawn(link["a_port"]), drawn(link["label"]), drawn(link["b_port"]))
        + (link["state"] == "down", "standard" if link["directed"] else "none")
        for link in expected.links
    ]
    same("drawn links", rows, wanted)


def from_dot(text):
    """Undoes the escapes of an `escString` and the entities that Graphviz knows."""
    plain = re.sub(r"\\(.)", lambda m: "\n" if m[1] == "n" else m[1], text, flags=re.S)
    return plain.replace("&#13;", "\r").replace("&amp;", "&")


def check_dot(path, expected):
    run = subprocess.run(["dot", "-Tdot_json", path], capture_output=True, check=True)
    assert not run.stderr, run.stderr
    read = json.loads(run.stdout)
    objects = {node["_gvid"]: node for node in read.get("objects", [])}
    rows = [(from_dot(node["id"]), from_dot(node["label"])) for node in objects.values()]
    same("nodes", rows, expected.node_rows())
    rows = []
    for edge in read.get("edges", []):
        ends = [from_dot(objects[edge[end]]["id"]) for end in ("tail", "head")]
        ports = [from_dot(edge.get(end, "")) for end in ("taillabel", "headlabel")]
        rows.append((from_dot(edge["id"]), *ends, *ports))
    same("links", rows, expected.link_rows())
    if len(expected.nodes) <= MOST_FOR_GRAPHVIZ_PICTURE:
        check_dot_picture(path, expected)


def check_dot_picture(path, expected):
    """What Graphviz draws is what the labels say, blanks aside."""
    run = subprocess.run(["dot", "-Tsvg", path], capture_output=True, check=True)
    root = etree.fromstring(run.stdout, etree.XMLParser(huge_tree=True))
    drawn = []
    for group in root.iter(SVG + "g"):
        kind = (group.get("class") or "").split(" ")[0]
        if kind == "node":
            drawn.append("".join("".join(t.itertext()) for t in group.iter(SVG + "text")))
    squeezed = lambda text: re.sub(r"[\s\xa0]+", "", text)
    same("drawn labels", map(squeezed, drawn), [squeezed(label) for label in expected.label.values()])


def check_csv(path, expected):
    undone = lambda cell: re.sub(r"^'(?='* *[=+\-@\t\r\n＝＋－＠])", "", cell)
    with open(path, encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file, strict=True))
    for row in rows:
        for cell in row.values():
            assert not re.match(r" *[=+\-@\t\r\n＝＋－＠]", cell), cell
    keys = ("link_id", "a_id", "b_id", "a_port", "b_port")
    same("links", [tuple(undone(row[key]) for key in keys) for row in rows], expected.link_rows())
    hosts = [(undone(row["a_host"]), undone(row["b_host"])) for row in rows]
    same("hosts", hosts, [(expected.label[l["a"]], expected.label[l["b"]]) for l in expected.links])
    same("states", [row["state"] for row in rows], [l["state"] for l in expected.links])
    speeds = [str(l["speed_bps"] if l["speed_bps"] is not None else "") for l in expected.links]
    same("speeds", [row["speed_bps"] for row in rows], speeds)


def check_drawio(path, expected):
    root = xml_root(path)
    cells = {o.get("id"): o for o in root.iter("object")}
    nodes = {k: o for k, o in cells.items() if o.find("mxCell").get("vertex") == "1"}
    rows = [(o.get("node_id"), o.get("label")) for o in nodes.values()]
    same("nodes", rows, expected.node_rows())
    ports = {cell.get("id"): cell.get("value") for cell in root.iter("mxCell") if cell.get("id")}
    rows = []
    for key, edge in cells.items():
        cell = edge.find("mxCell")
        if cell.get("edge") == "1":
            ends = [nodes[cell.get(end)].get("node_id") for end in ("source", "target")]
            names = [ports.get(f"{key}p{end}", "") for end in (0, 1)]
            rows.append((edge.get("link_id"), *ends, *names))
    same("links", rows, expected.link_rows())
    ids = [e.get("id") for e in root.iter("object", "mxCell") if e.get("id")]
    assert len(ids) == len(set(ids))
    assert not re.search(r"html=1", path.read_text("utf-8"))
    check_apart([[float(o.find("mxCell/mxGeometry").get(k)) for k in ("x", "y", "width", "height")] for o in nodes.values()])


def check_apart(boxes):
    boxes.sort()
    for place, (x, y, width, height) in enumerate(boxes):
        for other in boxes[place + 1 :]:
            if other[0] >= x + width:
                break
            assert other[1] >= y + height or other[1] + other[3] <= y, f"{(x, y)} overlaps {other}"


def check_svg(path, expected):
    root = xml_root(path)
    assert root.tag == SVG + "svg"
    allowed = {"svg", "title", "style", "defs", "marker", "path", "rect", "g", "text"}
    assert {element.tag.removeprefix(SVG) for element in root.iter()} <= allowed
    assert not any(name.startswith("on") or "href" in name for e in root.iter() for name in e.attrib)
    groups = lambda kind: [g for g in root.iter(SVG + "g") if g.get("class") == kind]
    nodes, edges = groups("node"), groups("edge")
    counts = [int(node.get("data-count")) for node in nodes]
    assert sum(counts) == len(expected.nodes), (sum(counts), len(expected.nodes))
    ids = {node.get("data-id") for node in nodes}
    assert all(edge.get(end) in ids for edge in edges for end in ("data-a", "data-b"))
    boxes = [
        [float(node.find(SVG + "rect").get(key)) for key in ("x", "y", "width", "height")]
        for node in nodes
    ]
    check_apart(boxes)
    if max(counts, default=1) > 1:
        return
    rows = [(node.get("data-id"), node.get("data-label")) for node in nodes]
    same("nodes", rows, expected.node_rows())
    rows = [tuple(edge.get(f"data-{key}") for key in ("id", "a", "b")) for edge in edges]
    same("links", rows, [row[:3] for row in expected.link_rows()])
    for node in nodes:
        title = node.find(SVG + "title").text or ""
        assert title.startswith(node.get("data-label")), title


def check_rfc8345(path, expected, model):
    raw = json.loads(path.read_text("utf-8"))
    model.from_raw(raw).validate(ctype=yangson.enumerations.ContentType.all)
    networks = raw["ietf-network:networks"]["network"]
    assert len(networks) == 1
    nodes = [node["node-id"] for node in networks[0]["node"]]
    assert len(set(nodes)) == len(expected.nodes) == len(nodes)
    from urllib.parse import unquote

    plain = lambda uri: unquote(uri.removeprefix("urn:uuid:").removeprefix("toposcope:"))
    rows = []
    for link in networks[0]["ietf-network-topology:link"]:
        source, to = link["source"], link["destination"]
        rows.append(
            (plain(link["link-id"]), plain(source["source-node"]), plain(to["dest-node"]))
            + (plain(source.get("source-tp", "")), plain(to.get("dest-tp", "")))
        )
    wanted = []
    for link in expected.links:
        a, b = (link["a"], link["b"]), (link["a_port_id"] or "", link["b_port_id"] or "")
        wanted.append((link["id"] + ":forward", *a, *b))
        if not link["directed"]:
            wanted.append((link["id"] + ":backward", *a[::-1], *b[::-1]))
    same("links", rows, wanted)


def yang_model():
    """The data model of RFC 8345, from the YANG modules that come with pyang."""
    share = pathlib.Path(sys.prefix) / "share/yang/modules"
    if not share.exists():
        share = pathlib.Path(pyang.__file__).parents[4] / "share/yang/modules"
    names = {"ietf-network": True, "ietf-network-topology": True}
    names |= {"ietf-inet-types": False, "ietf-yang-types": False}
    modules = []
    for name, is_implemented in names.items():
        text = (share / "ietf" / f"{name}.yang").read_text("utf-8")
        modules.append(
            {
                "name": name,
                "revision": re.search(r"revision\s+\"?([\d-]+)", text)[1],
                "namespace": re.search(r"namespace\s+\"([^\"]+)", text)[1],
                "conformance-type": "implement" if is_implemented else "import",
            }
        )
    library = {"ietf-yang-library:modules-state": {"module-set-id": "0", "module": modules}}
    return yangson.DataModel(json.dumps(library), (str(share / "ietf"), str(share / "iana")))


def run_node(path):
    run = subprocess.run(["node", HERE / "check.mjs", path], capture_output=True, text=True)
    assert run.returncode == 0, run.stderr[-2000:]
    return json.loads(run.stdout)


def check_mermaid(path, expected):
    text, read = path.read_text("utf-8"), run_node(path)
    assert read["type"].startswith("flowchart") and read["fits"], read["type"]
    ids = [node["id"] for node in read["nodes"]]
    assert len(ids) == len(set(ids)) and set(ids) == {f"n{k}" for k in range(len(ids))}
    rolled_up = re.search(r"%% rolled up: (\d+) nodes and (\d+) links", text)
    if rolled_up:
        counts = (len(expected.nodes), len(expected.links))
        assert tuple(map(int, rolled_up.groups())) == counts
        return
    shown = lambda label: (label or " ").strip()
    labels = [node["label"].strip() for node in read["nodes"]]
    same("nodes", labels, [shown(label) for label in expected.label.values()])
    by_id = {node["id"]: node["label"].strip() for node in read["nodes"]}
    ends = [(by_id[link["a"]], by_id[link["b"]]) for link in read["links"]]
    wanted = [(expected.label[l["a"]].strip(), expected.label[l["b"]].strip()) for l in expected.links]
    same("links", ends, wanted)


def check_cytoscape(path, expected):
    read = run_node(path)
    raw = lambda text: text or ""
    rows = [(node["node_id"], node["label"]) for node in read["nodes"]]
    same("nodes", rows, [(node["id"], node["label"]) for node in expected.nodes])
    keys = ("link_id", "a", "b", "source_port", "target_port")
    rows = [tuple(raw(link[key]) for key in keys) for link in read["links"]]
    keys = ("id", "a", "b", "a_port", "b_port")
    same("links", rows, [tuple(raw(link[key]) for key in keys) for link in expected.links])
    spots = [tuple(node["position"].values()) for node in read["nodes"]]
    assert len(set(spots)) == len(spots)


def main():
    model = yang_model()
    checks = {
        ".dot": check_dot,
        ".graphml": check_graphml,
        ".mmd": check_mermaid,
        ".cyjs": check_cytoscape,
        ".rfc8345.json": lambda path, expected: check_rfc8345(path, expected, model),
        ".drawio": check_drawio,
        ".svg": check_svg,
        ".csv": check_csv,
    }
    passed = failed = 0
    for folder in map(pathlib.Path, sys.argv[1:]):
        expected = Expected(folder)
        for extension, check in checks.items():
            path = folder / f"{folder.name}{extension}"
            try:
                check(path, expected)
                passed += 1
            except Exception as error:
                failed += 1
                print(f"{path}: {type(error).__name__}: {str(error)[:600]}")
    print(f"{passed} passed, {failed} failed")
    sys.exit(1 if failed or not passed else 0)


if __name__ == "__main__":
    main()
