"""Writes real networks, and what NetworkX answers about them, for `tests/it/graphs.rs` to compare.

    pip install -r tests/graph/requirements.txt
    python tests/graph/compare.py <folder>
    TOPOSCOPE_GRAPHS=<folder> cargo test --test it graphs -- --nocapture

The networks are those of TopoHub: the Internet Topology Zoo, SNDlib, CAIDA, and the
backbones. Of all but the largest there is a rough variant, too: some links lost, some parallel, and some from a
node to itself. `<name>.graph` holds the numbers of nodes and links, then the two ends of each
link; `<name>.expected` a line for each answer, a word and numbers (`-` for no number):

    components N                number of components
    component NODE...           a component
    bridge LINK                 a bridge
    point NODE                  an articulation point
    parts NODE SIZE...          the sizes of the parts of its component without it
    protected NODE...           a two-edge-connected component
    cycles N                    number of independent cycles
    distances FROM HOPS...      hops from a node to each node
    paths FROM TO HOPS...       hops of the shortest paths, parallel links as one hop
    lost_node NODE              part of a loss
    lost_link LINK              part of a loss
    cut_off NODE...             a part that the loss cuts off from the largest part
"""

import argparse
import itertools
import json
import random
from pathlib import Path

import networkx as nx
import topohub

FAMILIES = ("topozoo", "sndlib", "caida", "backbone")
ROUGH_UP_TO = 500  # nodes; larger networks are compared as they are only, for the sake of time
ALL_PAIRS_UP_TO = 150  # nodes; on larger networks, distances are sampled
SAMPLED_SOURCES = 12
SAMPLED_POINTS = 12  # articulation points of a network whose parts are told
PATHS_UP_TO = 1000  # nodes; NetworkX is slow at paths on larger networks
SAMPLED_PAIRS = 4
PATHS_OF_A_PAIR = 8


def networks():
    """Yields name, number of nodes and links of each network, and of its rough variant."""
    data = Path(topohub.__file__).parent / "data"
    for family in FAMILIES:
        for file in sorted((data / family).rglob("*.json")):
            topology = json.loads(file.read_text())
            place = {node["id"]: at for at, node in enumerate(topology["nodes"])}
            links = [(place[link["source"]], place[link["target"]]) for link in topology["edges"]]
            name = "_".join(file.relative_to(data).with_suffix("").parts)
            yield name, len(place), links
            if len(place) <= ROUGH_UP_TO:
                yield f"{name}_rough", len(place), roughened(len(place), links, random.Random(name))


def roughened(count, links, seeded):
    """The links without a tenth, a tenth of them twice, and some from a node to itself."""
    kept = [link for link in links if seeded.random() > 0.1]
    twice = [link[::-1] for link in kept if seeded.random() < 0.1]
    loops = [(node, node) for node in range(count) if seeded.random() < 0.02]
    rough = kept + twice + loops
    seeded.shuffle(rough)
    return rough


def graph_of(count, links):
    graph = nx.MultiGraph()
    graph.add_nodes_from(range(count))
    graph.add_edges_from((one, other, at) for at, (one, other) in enumerate(links))
    return graph


def answers(count, links, seeded):
    graph = graph_of(count, links)
    components = [sorted(nodes) for nodes in nx.connected_components(graph)]
    yield "components", len(components)
    for nodes in components:
        yield "component", *nodes
    yield from cuts(graph, seeded)
    simple = nx.Graph(graph)
    simple.remove_edges_from(list(nx.selfloop_edges(simple)))
    # NetworkX's basis is of simple graphs: each further link closes one more cycle.
    further = graph.number_of_edges() - simple.number_of_edges()
    yield "cycles", len(nx.cycle_basis(simple)) + further
    sources = range(count)
    if count > ALL_PAIRS_UP_TO:
        sources = sorted(seeded.sample(sources, SAMPLED_SOURCES))
    for source in sources:
        hops = nx.single_source_shortest_path_length(graph, source)
        yield "distances", source, *(hops.get(node, "-") for node in range(count))
    if count <= PATHS_UP_TO:
        yield from paths(graph, seeded)
    yield from impact(graph, seeded)


def cuts(graph, seeded):
    bridges = list(nx.bridges(graph))
    for one, other in bridges:
        yield "bridge", *graph[one][other]
    points = sorted(nx.articulation_points(graph))
    for node in points:
        yield "point", node
    for node in seeded.sample(points, min(SAMPLED_POINTS, len(points))):
        component = nx.node_connected_component(graph, node) - {node}
        parts = nx.connected_components(graph.subgraph(component))
        yield "parts", node, *sorted(map(len, parts), reverse=True)
    if any(graph.number_of_edges(one, other) > 1 for one, other in graph.edges()):
        graph = graph.copy()  # NetworkX answers this of simple graphs only
        graph.remove_edges_from(bridges)
        protected = nx.connected_components(graph)
    else:
        simple = nx.Graph(graph)
        simple.remove_edges_from(list(nx.selfloop_edges(simple)))
        protected = nx.k_edge_components(simple, 2)
    for nodes in protected:
        yield "protected", *sorted(nodes)


def paths(graph, seeded):
    simple = nx.Graph(graph)
    for _ in range(SAMPLED_PAIRS):
        one, other = seeded.randrange(len(graph)), seeded.randrange(len(graph))
        if one != other and nx.has_path(simple, one, other):
            found = itertools.islice(nx.shortest_simple_paths(simple, one, other), PATHS_OF_A_PAIR)
            yield "paths", one, other, *(len(path) - 1 for path in found)


def impact(graph, seeded):
    nodes = seeded.sample(sorted(graph), min(3, len(graph)))
    links = [at for _, _, at in graph.edges(keys=True)]
    links = seeded.sample(links, min(3, len(links)))
    left = graph.copy()
    left.remove_edges_from([edge for edge in graph.edges(keys=True) if edge[2] in links])
    left.remove_nodes_from(nodes)
    yield from (("lost_node", node) for node in nodes)
    yield from (("lost_link", link) for link in links)
    for component in nx.connected_components(graph):
        parts = nx.connected_components(left.subgraph(component))
        parts = sorted((sorted(part) for part in parts), key=lambda part: (-len(part), part))
        yield from (("cut_off", *part) for part in parts[1:])


def write(file, rows):
    file.write_text("".join(" ".join(map(str, row)) + "\n" for row in rows))


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=Path)
    folder = parser.parse_args().folder
    folder.mkdir(parents=True, exist_ok=True)
    written = 0
    for name, count, links in networks():
        write(folder / f"{name}.graph", [(count, len(links)), *links])
        write(folder / f"{name}.expected", answers(count, links, random.Random(name)))
        written += 1
    print(f"wrote {written} networks to {folder}")


if __name__ == "__main__":
    main()
