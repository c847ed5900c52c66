/** A service: where it runs, where it listens, and the groups that it is in. */
import { Stack, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Link } from "wouter";
import { Problem, Waiting } from "../../shell/Page";
import { useExplorer } from "../context";
import { Facts, Go, Heading, Section } from "../parts";
import { serviceOptions } from "../queries";
import { Actions } from "./Actions";
import { bindingText } from "./Services";

export function ServiceDetails({ id }: { id: string }) {
  const { goTo, fail } = useExplorer();
  const { data, error, refetch } = useQuery(serviceOptions(id));
  if (error) return <Problem title="The service could not be loaded" error={error} retry={refetch} />;
  if (!data) return <Waiting />;
  const { service } = data;
  if (!service) return <Text size="sm">This service is not here any more.</Text>;
  const { host, groups, bindings } = service;
  return (
    <Stack gap="md">
      <Heading kind="Service" title={service.name} />
      <Actions id={id} isDevice={false} />
      <Facts
        of={[
          ["Runs on", host && <Go onClick={() => goTo(host.id, { layer: "L2", root: null })}>{host.name}</Go>],
          ["Kind", service.serviceDefinition],
          ["Category", service.category.replaceAll("_", " ").toLowerCase()],
          ["Listens on", bindings.map(bindingText).join(", ")],
        ]}
      />
      {host && <Go onClick={() => fail({ kind: "host", id: host.id })}>What if {host.name} fails?</Go>}
      <Section title="Groups" count={groups.length}>
        <ul className="rows" aria-label="Groups">
          {groups.map(({ id, name, groupType }) => (
            <li key={id}>
              <Link href={`/groups/${id}`}>{name}</Link>{" "}
              <Text size="xs" className="quiet" component="span">
                {groupType === "REQUEST_PATH" ? "request path" : "hub and spoke"}
              </Text>
            </li>
          ))}
        </ul>
        {groups.length === 0 && <Text size="sm">It is in no group.</Text>}
      </Section>
    </Stack>
  );
}
