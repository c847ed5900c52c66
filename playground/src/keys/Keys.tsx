/** The page of API keys. */
import { Alert, Button, Code, Group, Text, Title } from "@mantine/core";
import { IconPlus } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { request } from "../api";
import { useViewer } from "../session";
import { Empty, Problem, Waiting } from "../shell/Page";
import { CreateKey } from "./CreateKey";
import { apiKeysQuery, keysQueryKey } from "./documents";
import { KeyList } from "./KeyList";
import { Secret, type Shown } from "./Secret";

/** All keys of whoever is signed in. */
export default function Keys() {
  const { organization } = useViewer();
  const { data, error, refetch } = useQuery({ queryKey: keysQueryKey, queryFn: () => request(apiKeysQuery) });
  const [isCreating, setCreating] = useState(false);
  const [secret, setSecret] = useState<Shown | null>(null);
  const keys = data?.apiKeys.nodes;
  return (
    <>
      <Group justify="space-between" mb="xs">
        <Title order={1} size="h2">
          API keys
        </Title>
        <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={() => setCreating(true)}>
          Create a key
        </Button>
      </Group>
      <Text maw={640}>
        A program presents a key instead of your password, in the header <Code>Authorization</Code>. It acts for you,
        with at most your level and your networks, and you can take it away at any time.
      </Text>
      {organization?.apiAccessEnabled === false && (
        <Alert color="yellow" mt="md" title="Keys do not work at the moment">
          Access by API keys is switched off for {organization.name}. Its owner can switch it on again.
        </Alert>
      )}
      {error && <Problem title="The keys could not be read" error={error} retry={refetch} />}
      {!keys && !error && <Waiting what="Reading your keys…" />}
      {keys?.length === 0 && (
        <Empty title="You have no keys yet">
          <Text size="sm">Create one for each program, so that you can take it away from that program alone.</Text>
        </Empty>
      )}
      {keys && keys.length > 0 && <KeyList keys={keys} onSecret={setSecret} />}
      <CreateKey isOpen={isCreating} onClose={() => setCreating(false)} onSecret={setSecret} />
      <Secret shown={secret} onClose={() => setSecret(null)} />
    </>
  );
}
