/** The services of a device and where they listen. */
import { Text } from "@mantine/core";
import type { ServicePartsFragment } from "../../gql/graphql";
import { Section } from "../parts";

export function Services({ services }: { services: readonly ServicePartsFragment[] }) {
  if (services.length === 0) return null;
  return (
    <Section title="Services" count={services.length}>
      <ul className="rows" aria-label="Services">
        {services.map((service) => (
          <li key={service.id}>
            <Text size="sm">
              <b>{service.name}</b>{" "}
              {service.serviceDefinition !== service.name && <span className="quiet">{service.serviceDefinition}</span>}
            </Text>
            <Text size="xs" className="quiet">
              {service.bindings.map(bindingText).join(", ")}
            </Text>
          </li>
        ))}
      </ul>
    </Section>
  );
}

/** Where a service listens. */
export function bindingText(binding: ServicePartsFragment["bindings"][number]): string {
  const address = "interface" in binding ? binding.interface?.ipAddress : undefined;
  if (!("port" in binding) || !binding.port) return address ?? "a whole interface";
  const port = `${binding.port.number}/${binding.port.protocol.toLowerCase()}`;
  return address ? `${port} on ${address}` : `${port} on every address`;
}
