/** Deletes a group, after asking. */
import { Button, Group, Modal, Stack, Text } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useLocation } from "wouter";
import { request } from "../api";
import { leaveAnyway } from "../shell/leaving";
import { Problem } from "../shell/Page";
import { DeleteGroupDocument } from "./documents";

interface Props {
  group: { id: string; name: string };
  /** Forgets what is not saved of it. */
  forget: () => void;
}

export function DeleteGroup({ group, forget }: Props) {
  const [isOpen, setOpen] = useState(false);
  const [, navigate] = useLocation();
  const client = useQueryClient();
  const remove = useMutation({
    mutationFn: () => request(DeleteGroupDocument, { id: group.id }),
    onSuccess: async () => {
      await client.invalidateQueries({ queryKey: ["groups"] });
      forget();
      leaveAnyway(() => navigate("/groups"));
    },
  });
  return (
    <>
      <Button variant="default" size="xs" onClick={() => setOpen(true)}>
        Delete the group
      </Button>
      <Modal
        opened={isOpen}
        onClose={() => setOpen(false)}
        title={`Delete “${group.name}”?`}
        closeButtonProps={{ "aria-label": "Close" }}
      >
        <Stack>
          <Text size="sm">The services and what they listen on stay; only the group goes.</Text>
          {remove.error && <Problem title="The group was not deleted" error={remove.error} />}
          <Group>
            <Button color="red" loading={remove.isPending} onClick={() => remove.mutate()}>
              Delete
            </Button>
            <Button variant="default" onClick={() => setOpen(false)}>
              Keep it
            </Button>
          </Group>
        </Stack>
      </Modal>
    </>
  );
}
