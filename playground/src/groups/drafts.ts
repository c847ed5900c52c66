/** Drafts of groups that are not saved, kept while the document is open: a session may end while one edits. */
import { useEffect, useState } from "react";
import type { GroupPartsFragment } from "../gql/graphql";
import { useViewer } from "../session";
import { type Draft, differs, draftOf } from "./draft";

/** A draft, and which state of the group it was begun with. */
interface Begun {
  readonly draft: Draft;
  readonly updatedAt: string;
}

const kept = new Map<string, Begun>();

const begin = (group: GroupPartsFragment): Begun => ({ draft: draftOf(group), updatedAt: group.updatedAt });

/** The draft of a group by whoever is signed in, as it was left where it was not saved. */
export function useDraft(group: GroupPartsFragment) {
  const { user } = useViewer();
  const name = `${user?.id} ${group.id}`;
  const [begun, setBegun] = useState<Begun>(() => kept.get(name) ?? begin(group));
  const isChanged = differs(begun.draft, group);
  useEffect(() => {
    if (isChanged) kept.set(name, begun);
    else kept.delete(name);
  }, [name, begun, isChanged]);
  return {
    ...begun,
    isChanged,
    change: (change: Partial<Draft>) => setBegun((begun) => ({ ...begun, draft: { ...begun.draft, ...change } })),
    /** Begins with a state of the group anew. */
    restart: (group: GroupPartsFragment) => setBegun(begin(group)),
    /** Keeps nothing of it past this page. */
    forget: () => kept.delete(name),
  };
}
