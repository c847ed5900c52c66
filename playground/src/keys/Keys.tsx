/** The page of API keys. */
import { Text, Title } from "@mantine/core";

export default function Keys() {
  return (
    <>
      <Title order={1}>API keys</Title>
      <Text>Keys are not shown here yet. They can be made at the REST docs.</Text>
    </>
  );
}
