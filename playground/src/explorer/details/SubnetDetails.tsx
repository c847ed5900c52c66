/** A subnet and the addresses in it. */
import { Stack, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Problem, Waiting } from "../../shell/Page";
import { Facts, GoTo, Heading, Section } from "../parts";
import { subnetOptions } from "../queries";
import { Actions } from "./Actions";

export function SubnetDetails({ id }: { id: string }) {
  const { data, error, refetch } = useQuery(subnetOptions(id));
  if (error) return <Problem title="The subnet could not be loaded" error={error} retry={refetch} />;
  if (!data) return <Waiting />;
  const { subnet } = data;
  if (!subnet) return <Text size="sm">This subnet is not here any more.</Text>;
  const { nodes, totalCount } = subnet.interfaces;
  return (
    <Stack gap="md">
      <Heading kind="Subnet" title={subnet.name} />
      <Actions id={id} isDevice={false} />
      <Facts
        of={[
          ["Range", subnet.cidr],
          ["Kind", subnet.subnetType.replaceAll("_", " ").toLowerCase()],
          ["Description", subnet.description],
        ]}
      />
      <Section title="Addresses" count={totalCount}>
        <ul className="rows" aria-label="Addresses">
          {nodes.map(({ id, ipAddress, macAddress, host }) => (
            <li key={id}>
              <Text size="sm" component="div">
                <b>{ipAddress}</b> <GoTo to={host} /> <span className="quiet">{macAddress}</span>
              </Text>
            </li>
          ))}
        </ul>
        {nodes.length < totalCount && <Text size="sm">and {(totalCount - nodes.length).toLocaleString()} more</Text>}
        {totalCount === 0 && <Text size="sm">No device has an address in it.</Text>}
      </Section>
    </Stack>
  );
}
