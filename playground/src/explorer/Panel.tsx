/** The panel beside the picture: what is selected, everything as a list, and what follows from it. */
import { Tabs } from "@mantine/core";
import type { UseQueryResult } from "@tanstack/react-query";
import type { ImpactQuery, PathsQuery } from "../gql/graphql";
import { useExplorer } from "./context";
import { Details } from "./details/Details";
import { FailurePane } from "./FailurePane";
import { FindingsPane } from "./FindingsPane";
import { ListPane } from "./ListPane";
import { PathPane } from "./PathPane";
import { PANES, type Pane } from "./view";

const TITLES: Record<Pane, string> = {
  details: "Details",
  list: "List",
  path: "Path",
  failure: "What if",
  findings: "Findings",
};

interface Props {
  paths: UseQueryResult<PathsQuery>;
  impact: UseQueryResult<ImpactQuery>;
}

export function Panel({ paths, impact }: Props) {
  const { view, change } = useExplorer();
  return (
    <Tabs value={view.pane} onChange={(pane) => change({ pane: (pane ?? "details") as Pane })} keepMounted={false}>
      <Tabs.List grow className="panel-tabs">
        {PANES.map((pane) => (
          <Tabs.Tab key={pane} value={pane} px="xs">
            {TITLES[pane]}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      <Tabs.Panel value="details" className="panel-body">
        <Details />
      </Tabs.Panel>
      <Tabs.Panel value="list" className="panel-body">
        <ListPane />
      </Tabs.Panel>
      <Tabs.Panel value="path" className="panel-body">
        <PathPane paths={paths} />
      </Tabs.Panel>
      <Tabs.Panel value="failure" className="panel-body">
        <FailurePane impact={impact} />
      </Tabs.Panel>
      <Tabs.Panel value="findings" className="panel-body">
        <FindingsPane />
      </Tabs.Panel>
    </Tabs>
  );
}
