/** The menu of examples, about the network that one chooses. */
import { useGraphiQL, useGraphiQLActions } from "@graphiql/react";
import { Button, Menu, NativeSelect, ScrollArea, Text } from "@mantine/core";
import { IconChevronDown } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { type OperationDefinitionNode, parse } from "graphql";
import { useState } from "react";
import { request } from "../api";
import { useViewer } from "../session";
import { central, type Example, examples, factsQuery, subjects, surroundingsQuery } from "./examples";

/** What the examples are about is looked up when they are first wanted. */
function useExamples(network: string | undefined, isWanted: boolean) {
  return useQuery({
    queryKey: ["examples", network],
    enabled: isWanted && network !== undefined,
    staleTime: 60_000,
    queryFn: async () => {
      if (network === undefined) return [];
      const facts = await request(factsQuery, { network });
      const device = central(facts);
      const surroundings = device ? await request(surroundingsQuery, { host: device.id }) : null;
      return examples(subjects(network, facts, surroundings));
    },
  });
}

/** Opens an example in a tab of its own, and runs it. */
function useRun(): (example: Example) => void {
  const { addTab, run, setOperationFacts } = useGraphiQLActions();
  const queryEditor = useGraphiQL((state) => state.queryEditor);
  const variableEditor = useGraphiQL((state) => state.variableEditor);
  return ({ query, variables }) => {
    addTab();
    queryEditor?.setValue(query);
    variableEditor?.setValue(JSON.stringify(variables, null, 2));
    // The editor finds out by itself, but only after a while, and until then the operation has the former name.
    const documentAST = parse(query);
    const operations = documentAST.definitions.filter(
      (definition): definition is OperationDefinitionNode => definition.kind === "OperationDefinition",
    );
    setOperationFacts({ documentAST, operations, ...named(operations[0]) });
    void run();
  };
}

function named(operation: OperationDefinitionNode | undefined): { operationName?: string } {
  return operation?.name ? { operationName: operation.name.value } : {};
}

/** The menu of examples, and which network they are about. */
export function Examples() {
  const { networks } = useViewer();
  const [network, setNetwork] = useState(networks[0]?.id);
  const [isOpened, setOpened] = useState(false);
  const { data, error } = useExamples(network, isOpened);
  const run = useRun();
  const isReady = useGraphiQL((state) => state.queryEditor !== undefined && state.variableEditor !== undefined);
  return (
    <>
      <Menu opened={isOpened} onChange={setOpened} position="bottom-start" width={380}>
        <Menu.Target>
          <Button variant="default" rightSection={<IconChevronDown size={16} aria-hidden />} disabled={!isReady}>
            Examples
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          <ScrollArea.Autosize mah="calc(100vh - 140px)" type="auto">
            {data?.map((example) => (
              <Menu.Item key={example.title} onClick={() => run(example)}>
                <Text size="sm" fw={600}>
                  {example.title}
                </Text>
                <Text size="xs" c="dimmed">
                  {example.sentence}
                </Text>
              </Menu.Item>
            ))}
            {!data && <Menu.Label>{hint(network, error)}</Menu.Label>}
          </ScrollArea.Autosize>
        </Menu.Dropdown>
      </Menu>
      {networks.length > 1 && (
        <NativeSelect
          aria-label="Network of the examples"
          data={networks.map(({ id, name }) => ({ value: id, label: name }))}
          value={network}
          onChange={(event) => setNetwork(event.currentTarget.value)}
        />
      )}
    </>
  );
}

function hint(network: string | undefined, error: Error | null): string {
  if (network === undefined) return "There is no network in your reach to ask about; import one first.";
  return error ? error.message : "Looking for what can be asked about…";
}
