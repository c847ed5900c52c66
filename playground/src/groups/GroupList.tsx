/** All groups within reach. */
import { Anchor, Badge, Button, Group, Stack, Text, Title } from "@mantine/core";
import { IconPlus } from "@tabler/icons-react";
import { useInfiniteQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Link } from "wouter";
import { request } from "../api";
import { useViewer } from "../session";
import { Empty, Problem, Waiting } from "../shell/Page";
import { GroupsDocument } from "./documents";
import { TYPES } from "./draft";
import { NewGroup } from "./NewGroup";

export function GroupList() {
  const viewer = useViewer();
  const [isMaking, setMaking] = useState(false);
  const groups = useInfiniteQuery({
    queryKey: ["groups"],
    queryFn: ({ pageParam }) => request(GroupsDocument, { after: pageParam }),
    initialPageParam: null as string | null,
    getNextPageParam: ({ groups: { pageInfo } }) => (pageInfo.hasNextPage ? pageInfo.endCursor : undefined),
  });
  const rows = groups.data?.pages.flatMap(({ groups }) => groups.nodes);
  const mayChange = viewer.permissions !== "VIEWER" && viewer.networks.length > 0;
  return (
    <Stack>
      <Group justify="space-between">
        <Title order={1}>Groups</Title>
        {mayChange && (
          <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={() => setMaking(true)}>
            New group
          </Button>
        )}
      </Group>
      <Text className="group-quiet">
        A group says which services belong together and how a request passes them. The layer “Application” of the
        explorer is drawn from them.
      </Text>
      {groups.error && <Problem title="The groups could not be loaded" error={groups.error} retry={groups.refetch} />}
      {groups.isPending && <Waiting />}
      {rows?.length === 0 && (
        <Empty title="There are no groups yet">
          <Text>{mayChange ? "Make the first with “New group”." : "Members of the organization can make them."}</Text>
        </Empty>
      )}
      {rows && rows.length > 0 && (
        <ul className="group-list" aria-label="Groups">
          {rows.map(({ id, name, description, groupType, network, bindings }) => (
            <li key={id}>
              <Group justify="space-between" gap="xs">
                <Anchor component={Link} href={`/groups/${id}`} fw={600}>
                  {name}
                </Anchor>
                <Badge variant="default">{TYPES[groupType].name}</Badge>
              </Group>
              <Text size="sm" className="group-quiet">
                {[network?.name, `${bindings.length} ${bindings.length === 1 ? "binding" : "bindings"}`, description]
                  .filter(Boolean)
                  .join(" · ")}
              </Text>
            </li>
          ))}
        </ul>
      )}
      {groups.hasNextPage && (
        <div>
          <Button variant="default" loading={groups.isFetchingNextPage} onClick={() => void groups.fetchNextPage()}>
            Show more
          </Button>
        </div>
      )}
      <NewGroup isOpen={isMaking} close={() => setMaking(false)} />
    </Stack>
  );
}
