/** What is shown at an address that no page has. */
import { Anchor, Text, Title } from "@mantine/core";
import { Link } from "wouter";
import { usePathname } from "wouter/use-browser-location";
import { Page } from "./Page";

export function Nowhere() {
  const path = usePathname();
  return (
    <Page>
      <Title order={1} size="h2" mb="md" className="nowhere">
        There is no page at {path}
      </Title>
      <Text>
        See that the address is spelled right, or go to the{" "}
        <Anchor component={Link} href="/">
          explorer
        </Anchor>
        .
      </Text>
    </Page>
  );
}
