/** Who an unknown neighbor claims to be, why it is not known, and a form to say who it is. */
import { Button, Paper, Select, Stack, Text } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { useQuery } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { Problem } from "../../shell/Page";
import { useExplorer } from "../context";
import { NodePicker } from "../NodePicker";
import { Facts, Sentence } from "../parts";
import type { Unresolved } from "../ports";
import { portChoicesOptions, useIdentify } from "../queries";
import { counted, METHODS, portName } from "../words";
import { EvidenceList } from "./EvidenceList";

/** `at` is the device whose details are shown, if it is one. */
export function Neighbor({ neighbor, at }: { neighbor: Unresolved; at: string | null }) {
  const { evidence } = neighbor;
  const [first] = evidence;
  const heard = first?.ifEntry;
  return (
    <Paper withBorder p="sm">
      <Stack gap="sm">
        <Facts
          of={[
            ["Calls itself", neighbor.sysName],
            ["Chassis id", neighbor.chassisId],
            ["Managed at", neighbor.mgmtAddr],
            ["Its port", first?.observation?.portName],
            ["System", first?.observation?.sysDesc],
            [
              "Heard by",
              at
                ? evidence
                    .map(({ ifEntry, method }) => `${portName(ifEntry) ?? "a port"} (${METHODS[method]})`)
                    .join(", ")
                : `${portName(heard) ?? "a port"} of ${heard?.host?.name ?? "a device"}${evidence.length > 1 ? ` and ${counted(evidence.length - 1, "other port")}` : ""}`,
            ],
          ]}
        />
        {first && (
          <div>
            <Text size="sm" fw={600}>
              Why it is not known
            </Text>
            <Sentence text={first.explanation.sentence} />
          </div>
        )}
        <details className="fold">
          <summary>What was heard and tried</summary>
          <EvidenceList evidence={evidence} label="What was heard" />
        </details>
        {first && <Identify observationId={first.observationId} heardBy={heard?.host?.id ?? null} />}
      </Stack>
    </Paper>
  );
}

function Identify({ observationId, heardBy }: { observationId: string; heardBy: string | null }) {
  const { mayChange, goTo } = useExplorer();
  const { identify, forget } = useIdentify();
  const [hostId, setHost] = useState<string | null>(null);
  const [ifEntryId, setPort] = useState<string | null>(null);
  const ports = useQuery({ ...portChoicesOptions(hostId ?? ""), enabled: hostId !== null });
  if (!mayChange) {
    return (
      <Text size="sm" className="quiet">
        Members of the organization can say here who it is; you may only look.
      </Text>
    );
  }
  // Awaited rather than told by callbacks, which end with this form when the neighbor is no longer unknown.
  const teach = async (event: FormEvent) => {
    event.preventDefault();
    if (!hostId) return;
    await identify.mutateAsync({ observationId, hostId, ifEntryId });
    if (heardBy) goTo(heardBy);
    tell();
  };
  const undo = async () => {
    notifications.hide(observationId);
    try {
      await forget.mutateAsync(observationId);
      notifications.show({ message: "Forgotten: the neighbor is unknown again." });
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      notifications.show({ color: "red", title: "It could not be undone", message });
    }
  };
  const tell = () =>
    notifications.show({
      id: observationId,
      title: "The neighbor is known now",
      autoClose: 20_000,
      message: (
        <Button size="xs" variant="default" mt="xs" onClick={() => void undo()}>
          Undo
        </Button>
      ),
    });
  return (
    <form onSubmit={(event) => void teach(event).catch(() => undefined)}>
      <Stack gap="xs">
        <NodePicker
          label="This is the device"
          onlyDevices
          value={hostId}
          onChange={(id) => {
            setHost(id);
            setPort(null);
          }}
        />
        {hostId && (
          <Select
            label="At its port"
            description="Leave it empty if you do not know, or if the device is meant wherever it is heard."
            placeholder={ports.isPending ? "Loading its ports…" : "Any port"}
            searchable
            clearable
            clearButtonProps={{ "aria-label": "Clear the port" }}
            data={(ports.data?.host?.ifEntries.nodes ?? []).map((port) => ({
              value: port.id,
              label: [portName(port), port.ifAlias].filter(Boolean).join(" – "),
            }))}
            value={ifEntryId}
            onChange={setPort}
            nothingFoundMessage="No such port"
          />
        )}
        <div>
          <Button type="submit" size="xs" disabled={!hostId} loading={identify.isPending}>
            Teach who it is
          </Button>
        </div>
        {identify.error && <Problem title="It was not taught" error={identify.error} />}
      </Stack>
    </form>
  );
}
