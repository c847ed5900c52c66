/** The page of a network's topology. */
import { Text, Title } from "@mantine/core";

export default function Explorer() {
  return (
    <>
      <Title order={1}>Explorer</Title>
      <Text>The network is not drawn here yet. Its topology can be asked for on the page Query.</Text>
    </>
  );
}
