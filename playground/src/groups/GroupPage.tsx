/** One group, to be edited. */
import { Alert, Anchor, Badge, Button, Group, Modal, Stack, Text, Textarea, TextInput, Title } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import type { FormEvent } from "react";
import { Link } from "wouter";
import { ApiError, request } from "../api";
import type { GroupPartsFragment } from "../gql/graphql";
import { isId } from "../ids";
import { useViewer } from "../session";
import { type Leaving, useLeaving } from "../shell/leaving";
import { Empty, Problem, Waiting } from "../shell/Page";
import { AddBinding } from "./AddBinding";
import { BindingList } from "./BindingList";
import { DeleteGroup } from "./DeleteGroup";
import { GroupDocument, UpdateGroupDocument } from "./documents";
import { TYPES } from "./draft";
import { useDraft } from "./drafts";
import { TypeField } from "./NewGroup";

export function GroupPage({ id }: { id: string }) {
  const { data, error, refetch } = useQuery({
    queryKey: ["group", id],
    queryFn: async () => (isId(id) ? request(GroupDocument, { id }) : { group: null }),
    // What is being edited is not replaced under the hands of the reader.
    staleTime: Infinity,
  });
  return (
    <Stack>
      <div>
        <Anchor component={Link} href="/groups" size="sm">
          All groups
        </Anchor>
      </div>
      {error && <Problem title="The group could not be loaded" error={error} retry={refetch} />}
      {!data && !error && <Waiting />}
      {data && !data.group && (
        <Empty title="There is no such group">
          <Text>It was deleted, never was, or is in a network out of your reach.</Text>
        </Empty>
      )}
      {data?.group && <Editor group={data.group} reload={refetch} />}
    </Stack>
  );
}

function Editor({ group, reload }: { group: GroupPartsFragment; reload: () => Promise<unknown> }) {
  const viewer = useViewer();
  const client = useQueryClient();
  const isReadOnly = viewer.permissions === "VIEWER";
  const { draft, updatedAt, isChanged, change, restart, forget } = useDraft(group);
  const leaving = useLeaving(isChanged);
  const save = useMutation({
    mutationFn: () => {
      const { name, description, groupType, bindings } = draft;
      const input = {
        name: name.trim(),
        description: description.trim() || null,
        groupType,
        networkId: group.networkId,
        color: group.color,
        edgeStyle: group.edgeStyle,
        bindingIds: bindings.map(({ id }) => id),
        tags: group.tags.map(({ id }) => id),
      };
      return request(UpdateGroupDocument, { id: group.id, input, expectedUpdatedAt: updatedAt });
    },
    onSuccess: async ({ updateGroup }) => {
      restart(updateGroup);
      client.setQueryData(["group", group.id], { group: updateGroup });
      notifications.show({ message: "The group is saved." });
      await client.invalidateQueries({ queryKey: ["groups"] });
      await client.invalidateQueries({ queryKey: ["explorer"] });
    },
  });
  const discard = () => {
    save.reset();
    restart(group);
  };
  const takeOver = async () => {
    await reload();
    const fresh = client.getQueryData<{ group: GroupPartsFragment | null }>(["group", group.id])?.group;
    if (fresh) restart(fresh);
    save.reset();
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (isChanged) save.mutate();
  };
  return (
    <form onSubmit={submit}>
      <Stack>
        <Group justify="space-between">
          <Title order={1}>{group.name}</Title>
          {isReadOnly ? (
            <Badge variant="default">You may look only</Badge>
          ) : (
            <DeleteGroup group={group} forget={forget} />
          )}
        </Group>
        <Text className="group-quiet">In the network {group.network?.name}</Text>
        <TextInput
          label="Name"
          required
          maxLength={100}
          readOnly={isReadOnly}
          value={draft.name}
          onChange={({ currentTarget }) => change({ name: currentTarget.value })}
        />
        <Textarea
          label="Description"
          maxLength={500}
          autosize
          minRows={1}
          readOnly={isReadOnly}
          value={draft.description}
          onChange={({ currentTarget }) => change({ description: currentTarget.value })}
        />
        {isReadOnly ? (
          <Text size="sm">
            {TYPES[draft.groupType].name}: {TYPES[draft.groupType].meaning}
          </Text>
        ) : (
          <TypeField value={draft.groupType} onChange={(groupType) => change({ groupType })} />
        )}
        <Title order={2} size="h4">
          Bindings in order
        </Title>
        {draft.bindings.length === 0 && <Text size="sm">There are none yet. Add the first below.</Text>}
        <BindingList bindings={draft.bindings} isReadOnly={isReadOnly} onChange={(bindings) => change({ bindings })} />
        {!isReadOnly && (
          <AddBinding
            networkId={group.networkId}
            present={draft.bindings}
            add={(binding) => change({ bindings: [...draft.bindings, binding] })}
          />
        )}
        {save.error && <Refused error={save.error} takeOver={takeOver} />}
        {!isReadOnly && (
          <Group className="group-bar">
            <Button type="submit" disabled={!isChanged || !draft.name.trim()} loading={save.isPending}>
              Save
            </Button>
            <Button variant="default" disabled={!isChanged} onClick={discard}>
              Discard the changes
            </Button>
            <Text size="sm" role="status">
              {isChanged ? "There are unsaved changes." : "Everything is saved."}
            </Text>
          </Group>
        )}
      </Stack>
      <Question leaving={leaving} forget={forget} />
    </form>
  );
}

/** Says why the group was not saved; what another changed in the meantime is not overwritten. */
function Refused({ error, takeOver }: { error: Error; takeOver: () => Promise<void> }) {
  if (!(error instanceof ApiError) || error.code !== "entity_changed") {
    return <Problem title="The group was not saved" error={error} />;
  }
  return (
    <Alert color="yellow" variant="light" role="alert" title="Someone else has changed this group">
      <Text size="sm">
        It is another by now than what you began with, so it was not saved. Your changes are still here: note what you
        need of them, then load the group as it is now and repeat them.
      </Text>
      <Button mt="sm" size="xs" variant="default" onClick={() => void takeOver()}>
        Load it as it is now
      </Button>
    </Alert>
  );
}

/** Asks whether to leave with unsaved changes. */
function Question({ leaving, forget }: { leaving: Leaving | null; forget: () => void }) {
  const go = () => {
    forget();
    leaving?.go();
  };
  return (
    <Modal opened={leaving !== null} onClose={() => leaving?.stay()} title="Leave without saving?">
      <Stack>
        <Text size="sm">What you changed in this group is not saved, and is lost when you leave.</Text>
        <Group>
          <Button color="red" onClick={go}>
            Leave without saving
          </Button>
          <Button variant="default" onClick={() => leaving?.stay()} data-autofocus>
            Stay here
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}
