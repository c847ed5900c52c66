/** The keys that there are, and what can be done with each. */
import { ActionIcon, Badge, Button, Card, Group, Menu, Modal, Stack, Text } from "@mantine/core";
import { IconDots, IconPlayerPause, IconPlayerPlay, IconRefresh, IconTrash } from "@tabler/icons-react";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { request } from "../api";
import { levelName } from "../levels";
import { Problem } from "../shell/Page";
import { Time } from "../shell/Time";
import { type ApiKey, deleteMutation, keysQueryKey, rotateMutation, updateMutation } from "./documents";
import type { Shown } from "./Secret";

interface KeyListProps {
  readonly keys: readonly ApiKey[];
  readonly onSecret: (secret: Shown) => void;
}

/** What is about to be done to a key, and cannot be undone. */
interface Step {
  readonly key: ApiKey;
  readonly what: "rotate" | "delete";
}

/** The list. */
export function KeyList({ keys, onSecret }: KeyListProps) {
  const [step, setStep] = useState<Step | null>(null);
  return (
    <Stack component="ul" gap="sm" mt="md" p={0} aria-label="Your keys">
      {keys.map((key) => (
        <Row key={key.id} apiKey={key} onStep={setStep} />
      ))}
      <Modal
        opened={step !== null}
        onClose={() => setStep(null)}
        title={step?.what === "rotate" ? "Make a new secret?" : "Delete the key?"}
      >
        {step && <Confirm step={step} onClose={() => setStep(null)} onSecret={onSecret} />}
      </Modal>
    </Stack>
  );
}

function Row({ apiKey: key, onStep }: { apiKey: ApiKey; onStep: (step: Step) => void }) {
  const client = useQueryClient();
  const toggled = useMutation({
    mutationFn: () =>
      request(updateMutation, {
        id: key.id,
        // Whatever is left out of these would be emptied.
        input: {
          name: key.name,
          expiresAt: key.expiresAt ?? null,
          tags: key.tags.map(({ id }) => id),
          isEnabled: !key.isEnabled,
        },
        expectedUpdatedAt: key.updatedAt,
      }),
    onSettled: () => client.invalidateQueries({ queryKey: keysQueryKey }),
  });
  return (
    <Card component="li" withBorder padding="md" aria-label={key.name}>
      <Group justify="space-between" wrap="nowrap" align="start">
        <Stack gap={4} miw={0}>
          <Group gap="xs">
            <Text fw={600} truncate>
              {key.name}
            </Text>
            <State apiKey={key} />
          </Group>
          <Text size="sm">
            {levelName(key.permissions)} · {reach(key)}
          </Text>
          <Text size="sm" c="dimmed">
            Made <Time at={key.createdAt} /> ·{" "}
            {key.lastUsed ? (
              <>
                last used <Time at={key.lastUsed} />
              </>
            ) : (
              "never used"
            )}
            {key.expiresAt && (
              <>
                {" "}
                · {hasExpired(key) ? "expired" : "expires"} <Time at={key.expiresAt} />
              </>
            )}
          </Text>
        </Stack>
        <Menu position="bottom-end">
          <Menu.Target>
            <ActionIcon variant="default" size="lg" aria-label={`Actions for ${key.name}`} loading={toggled.isPending}>
              <IconDots size={18} aria-hidden />
            </ActionIcon>
          </Menu.Target>
          <Menu.Dropdown>
            <Menu.Item leftSection={key.isEnabled ? pause : play} onClick={() => toggled.mutate()}>
              {key.isEnabled ? "Disable" : "Enable"}
            </Menu.Item>
            <Menu.Item
              leftSection={<IconRefresh size={16} aria-hidden />}
              onClick={() => onStep({ key, what: "rotate" })}
            >
              Make a new secret
            </Menu.Item>
            <Menu.Item
              leftSection={<IconTrash size={16} aria-hidden />}
              onClick={() => onStep({ key, what: "delete" })}
            >
              Delete
            </Menu.Item>
          </Menu.Dropdown>
        </Menu>
      </Group>
      {toggled.error && <Problem title="The key was not changed" error={toggled.error} />}
    </Card>
  );
}

const pause = <IconPlayerPause size={16} aria-hidden />;
const play = <IconPlayerPlay size={16} aria-hidden />;

function hasExpired({ expiresAt }: ApiKey): boolean {
  return expiresAt != null && new Date(expiresAt) <= new Date();
}

function State({ apiKey }: { apiKey: ApiKey }) {
  if (hasExpired(apiKey)) return <Badge color="gray">Expired</Badge>;
  return apiKey.isEnabled ? <Badge>Works</Badge> : <Badge color="gray">Disabled</Badge>;
}

function reach({ networks }: ApiKey): string {
  return networks.length === 0 ? "no networks" : networks.map(({ name }) => name).join(", ");
}

interface ConfirmProps {
  readonly step: Step;
  readonly onClose: () => void;
  readonly onSecret: (secret: Shown) => void;
}

function Confirm({ step: { key, what }, onClose, onSecret }: ConfirmProps) {
  const client = useQueryClient();
  const done = useMutation({
    mutationFn: async (): Promise<Shown | null> => {
      if (what === "rotate") {
        const { rotateApiKey } = await request(rotateMutation, { id: key.id });
        return { name: rotateApiKey.apiKey.name, key: rotateApiKey.key };
      }
      await request(deleteMutation, { id: key.id });
      return null;
    },
    onSuccess: async (secret) => {
      await client.invalidateQueries({ queryKey: keysQueryKey });
      onClose();
      if (secret) onSecret(secret);
    },
  });
  return (
    <Stack>
      <Text>
        {what === "rotate"
          ? `The old secret of ${key.name} ends at once, and programs that use it are refused until they have the new one.`
          : `Programs that use ${key.name} are refused at once. This cannot be undone.`}
      </Text>
      {done.error && <Problem title="Nothing was changed" error={done.error} />}
      <Group justify="end">
        <Button variant="default" onClick={onClose} data-autofocus>
          Cancel
        </Button>
        <Button color={what === "rotate" ? "teal" : "red"} loading={done.isPending} onClick={() => done.mutate()}>
          {what === "rotate" ? "Make a new secret" : "Delete"}
        </Button>
      </Group>
    </Stack>
  );
}
