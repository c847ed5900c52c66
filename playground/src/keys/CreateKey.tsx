/** Making a key. */
import { Button, Group, Modal, MultiSelect, NativeSelect, Stack, TextInput } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { type SyntheticEvent, useState } from "react";
import { request } from "../api";
import type { PermissionLevel } from "../gql/graphql";
import { levelsUpTo } from "../levels";
import { useViewer } from "../session";
import { Problem } from "../shell/Page";
import { createMutation, keysQueryKey } from "./documents";
import type { Shown } from "./Secret";

interface CreateKeyProps {
  readonly isOpen: boolean;
  readonly onClose: () => void;
  readonly onSecret: (secret: Shown) => void;
}

/** A dialog that makes a key, and hands its secret on. */
export function CreateKey({ isOpen, onClose, onSecret }: CreateKeyProps) {
  return (
    <Modal opened={isOpen} onClose={onClose} title="Create a key">
      <Form onClose={onClose} onSecret={onSecret} />
    </Modal>
  );
}

function Form({ onClose, onSecret }: Omit<CreateKeyProps, "isOpen">) {
  const viewer = useViewer();
  const client = useQueryClient();
  const [name, setName] = useState("");
  const [permissions, setPermissions] = useState<PermissionLevel>("VIEWER");
  const [networkIds, setNetworkIds] = useState(viewer.networks.map(({ id }) => id));
  const [lastDay, setLastDay] = useState("");
  const created = useMutation({
    mutationFn: () =>
      request(createMutation, {
        input: { name: name.trim(), permissions, networkIds, expiresAt: lastDay ? endOf(lastDay) : null },
      }),
    onSuccess: async ({ createApiKey: { key, apiKey } }) => {
      await client.invalidateQueries({ queryKey: keysQueryKey });
      onClose();
      onSecret({ name: apiKey.name, key });
    },
  });
  const submit = (event: SyntheticEvent<HTMLFormElement>) => {
    event.preventDefault();
    created.mutate();
  };
  return (
    <form onSubmit={submit}>
      <Stack>
        <TextInput
          label="Name"
          description="Of the program that will use it, so that you recognize it later."
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
          maxLength={100}
          required
          data-autofocus
        />
        <NativeSelect
          label="Level"
          data={levelsUpTo(viewer.permissions).map(({ value, name, may }) => ({ value, label: `${name}: ${may}` }))}
          value={permissions}
          onChange={(event) => setPermissions(event.currentTarget.value as PermissionLevel)}
        />
        <MultiSelect
          label="Networks"
          description="What is made later is not among them."
          data={viewer.networks.map(({ id, name }) => ({ value: id, label: name }))}
          value={networkIds}
          onChange={setNetworkIds}
          comboboxProps={{ withinPortal: true }}
        />
        <TextInput
          type="date"
          label="Last day"
          description="Left empty, it works until you take it away."
          min={new Date().toLocaleDateString("sv")}
          value={lastDay}
          onChange={(event) => setLastDay(event.currentTarget.value)}
        />
        {created.error && <Problem title="No key was made" error={created.error} />}
        <Group justify="end">
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" loading={created.isPending} disabled={!name.trim()}>
            Create
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

/** The end of a day of the viewer's zone. */
function endOf(day: string): string {
  return new Date(`${day}T23:59:59`).toISOString();
}
