/** Makes a group without bindings, and goes there to fill it. */
import { Button, Modal, Select, Stack, TextInput } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { useLocation } from "wouter";
import { request } from "../api";
import type { GroupType } from "../gql/graphql";
import { useViewer } from "../session";
import { Problem } from "../shell/Page";
import { CreateGroupDocument } from "./documents";
import { TYPES } from "./draft";

export function NewGroup({ isOpen, close }: { isOpen: boolean; close: () => void }) {
  const { networks } = useViewer();
  const [, navigate] = useLocation();
  const client = useQueryClient();
  const [name, setName] = useState("");
  const [networkId, setNetwork] = useState(networks[0]?.id ?? null);
  const [groupType, setType] = useState<GroupType>("REQUEST_PATH");
  const make = useMutation({
    mutationFn: (networkId: string) =>
      request(CreateGroupDocument, {
        input: {
          name: name.trim(),
          networkId,
          groupType,
          description: null,
          color: "BLUE",
          edgeStyle: "STRAIGHT",
          bindingIds: [],
          tags: [],
        },
      }),
    onSuccess: async ({ createGroup }) => {
      await client.invalidateQueries({ queryKey: ["groups"] });
      navigate(`/groups/${createGroup.id}`);
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (networkId) make.mutate(networkId);
  };
  return (
    <Modal opened={isOpen} onClose={close} title="New group" closeButtonProps={{ "aria-label": "Close" }}>
      <form onSubmit={submit}>
        <Stack>
          <TextInput
            label="Name"
            required
            maxLength={100}
            data-autofocus
            value={name}
            onChange={({ currentTarget }) => setName(currentTarget.value)}
          />
          <Select
            label="Network"
            description="It stays that of the group."
            allowDeselect={false}
            data={networks.map(({ id, name }) => ({ value: id, label: name }))}
            value={networkId}
            onChange={setNetwork}
          />
          <TypeField value={groupType} onChange={setType} />
          {make.error && <Problem title="The group was not made" error={make.error} />}
          <div>
            <Button type="submit" loading={make.isPending} disabled={!name.trim() || !networkId}>
              Make the group
            </Button>
          </div>
        </Stack>
      </form>
    </Modal>
  );
}

/** What the order of the bindings means. */
export function TypeField({ value, onChange }: { value: GroupType; onChange: (type: GroupType) => void }) {
  return (
    <Select
      label="Type"
      description={TYPES[value].meaning}
      allowDeselect={false}
      data={Object.entries(TYPES).map(([value, { name }]) => ({ value, label: name }))}
      value={value}
      onChange={(type) => type && onChange(type as GroupType)}
    />
  );
}
