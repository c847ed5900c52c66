/** The pages of groups: all of them, or one to be edited. */
import { Text, Title } from "@mantine/core";

export default function Groups({ id }: { id?: string }) {
  return (
    <>
      <Title order={1}>{id ? "Group" : "Groups"}</Title>
      <Text>Groups are not shown here yet. They can be asked for on the page Query.</Text>
    </>
  );
}
