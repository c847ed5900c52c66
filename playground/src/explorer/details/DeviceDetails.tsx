/** A device: what it is, its links and why they are there, its ports without one and why. */
import { Stack, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Problem, Waiting } from "../../shell/Page";
import { useExplorer } from "../context";
import { Facts, Go, GoTo, Heading, Notice, Section, Sentence } from "../parts";
import type { Device } from "../ports";
import { deviceOptions } from "../queries";
import { moment } from "../words";
import { Actions } from "./Actions";
import { Neighbor } from "./Neighbor";
import { Ports } from "./Ports";
import { Services } from "./Services";

export function DeviceDetails({ id, isCritical }: { id: string; isCritical: boolean }) {
  const { networkId, fail } = useExplorer();
  const { data, error, refetch } = useQuery(deviceOptions(networkId, id));
  if (error) return <Problem title="The device could not be loaded" error={error} retry={refetch} />;
  if (!data) return <Waiting />;
  const { host, topology } = data;
  if (!host) return <Text size="sm">This device is not here any more.</Text>;
  const { unresolved = [], miscablings = [] } = topology ?? {};
  return (
    <Stack gap="md">
      <Heading kind="Device" title={host.name} />
      <Actions id={id} isDevice />
      {isCritical && (
        <Notice title="Single point of failure">
          If it fails alone, others are cut off.{" "}
          <Go onClick={() => fail({ kind: "host", id })}>Show what would be lost</Go>
        </Notice>
      )}
      {miscablings.length > 0 && (
        <Notice
          title={miscablings.length === 1 ? "Its ports contradict others" : `${miscablings.length} contradictions`}
        >
          <ul className="steps">
            {miscablings.map(({ sentence }) => (
              <li key={sentence}>
                <Sentence text={sentence} />
              </li>
            ))}
          </ul>
        </Notice>
      )}
      <About host={host} />
      {unresolved.length > 0 && (
        <Section title="Unknown neighbors heard here" count={unresolved.length}>
          <Stack gap="md">
            {unresolved.map((neighbor) => (
              <Neighbor key={neighbor.claim ?? neighbor.evidence[0]?.observationId} neighbor={neighbor} at={id} />
            ))}
          </Stack>
        </Section>
      )}
      <Ports host={host} />
      <Addresses host={host} />
      <Services services={host.services.nodes} />
    </Stack>
  );
}

function About({ host }: { host: Device }) {
  return (
    <Facts
      of={[
        ["Description", host.description],
        ["DNS name", host.hostname],
        ["System name", host.sysName === host.hostname ? null : host.sysName],
        ["Managed at", host.managementAddress],
        ["Chassis id", host.chassisId],
        ["Model", [host.manufacturer, host.model].filter(Boolean).join(" ")],
        ["Serial number", host.serialNumber],
        ["Location", host.sysLocation],
        ["System", host.sysDescr],
        ["Changed", moment(host.updatedAt)],
      ]}
    />
  );
}

function Addresses({ host }: { host: Device }) {
  if (host.interfaces.length === 0) return null;
  return (
    <Section title="Addresses" count={host.interfaces.length}>
      <ul className="rows" aria-label="Addresses">
        {host.interfaces.map(({ id, ipAddress, macAddress, name, subnet }) => (
          <li key={id}>
            <Text size="sm">
              <b>{ipAddress}</b> {name && <span className="quiet">on {name}</span>}
            </Text>
            <Text size="xs" className="quiet" component="div">
              {macAddress} {subnet && <Subnet subnet={subnet} />}
            </Text>
          </li>
        ))}
      </ul>
    </Section>
  );
}

/** Leads to a subnet, which is drawn on the layer of subnets. */
function Subnet({ subnet }: { subnet: { id: string; cidr: string; name: string } }) {
  const { view, goTo } = useExplorer();
  const name = `${subnet.name} (${subnet.cidr})`;
  if (view.layer === "L3") return <GoTo to={{ id: subnet.id, name }} />;
  return <Go onClick={() => goTo(subnet.id, { layer: "L3", root: null })}>{name}</Go>;
}
