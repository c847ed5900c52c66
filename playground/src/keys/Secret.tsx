/** The secret of a key, this once, and how it is used. */
import { Button, Group, Modal, Stack, Text } from "@mantine/core";
import { Copyable } from "../shell/Copyable";

/** The secret of a key that was just made. */
export interface Shown {
  readonly name: string;
  readonly key: string;
}

/** A dialog with the secret; it closes only by its button, since it cannot be opened again. */
export function Secret({ shown, onClose }: { shown: Shown | null; onClose: () => void }) {
  return (
    <Modal
      opened={shown !== null}
      onClose={onClose}
      title={`The key ${shown?.name ?? ""}`}
      size="lg"
      withCloseButton={false}
      closeOnClickOutside={false}
      closeOnEscape={false}
    >
      {shown && (
        <Stack>
          <Text>Copy it now and keep it as you keep a password: it is not shown again.</Text>
          <Copyable label="Secret" value={shown.key} />
          <Copyable label="To try it in a shell" value={curl(shown.key)} />
          <Group justify="end">
            <Button onClick={onClose}>I have kept it</Button>
          </Group>
        </Stack>
      )}
    </Modal>
  );
}

/** A command that asks who the key is. */
function curl(key: string): string {
  const body = '{"query":"{ viewer { permissions networks { name } } }"}';
  const headers = `-H 'Authorization: Bearer ${key}' -H 'Content-Type: application/json'`;
  return `curl ${headers} -d '${body}' ${window.location.origin}/graphql`;
}
