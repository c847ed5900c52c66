/** The bindings of a group in their order, to be reordered by drag or by keyboard. */
import {
  type Announcements,
  closestCenter,
  DndContext,
  type DragEndEvent,
  KeyboardSensor,
  PointerSensor,
  type UniqueIdentifier,
  useSensor,
  useSensors,
} from "@dnd-kit/core";
import {
  arrayMove,
  SortableContext,
  sortableKeyboardCoordinates,
  useSortable,
  verticalListSortingStrategy,
} from "@dnd-kit/sortable";
import { CSS } from "@dnd-kit/utilities";
import { ActionIcon, Text } from "@mantine/core";
import { IconGripVertical, IconTrash } from "@tabler/icons-react";
import { useRef } from "react";
import type { BindingPartsFragment } from "../gql/graphql";
import { bindingName, listensOn } from "./draft";

interface Props {
  bindings: readonly BindingPartsFragment[];
  onChange: (bindings: readonly BindingPartsFragment[]) => void;
  isReadOnly: boolean;
}

const INSTRUCTIONS =
  "To move it, press Space, then the arrow keys up and down. Space puts it down, Escape puts it back.";

export function BindingList({ bindings, onChange, isReadOnly }: Props) {
  const sensors = useSensors(
    useSensor(PointerSensor, { activationConstraint: { distance: 4 } }),
    useSensor(KeyboardSensor, { coordinateGetter: sortableKeyboardCoordinates }),
  );
  const hasMoved = useRef(false);
  const indexOf = (wanted: UniqueIdentifier | undefined) => bindings.findIndex(({ id }) => id === wanted);
  const name = (id: UniqueIdentifier) => {
    const binding = bindings[indexOf(id)];
    return binding ? bindingName(binding) : "It";
  };
  const place = (id: UniqueIdentifier) => `place ${indexOf(id) + 1} of ${bindings.length}`;
  const announcements: Announcements = {
    onDragStart: ({ active }) => {
      hasMoved.current = false;
      return `${name(active.id)} is picked up at ${place(active.id)}.`;
    },
    onDragOver: ({ active, over }) => {
      // To be over one's own place at first is no news.
      hasMoved.current ||= over?.id !== active.id;
      return over && hasMoved.current ? `${name(active.id)} is at ${place(over.id)}.` : undefined;
    },
    onDragEnd: ({ active, over }) => `${name(active.id)} is put down at ${place(over?.id ?? active.id)}.`,
    onDragCancel: ({ active }) => `${name(active.id)} is back at ${place(active.id)}.`,
  };
  const moved = ({ active, over }: DragEndEvent) => {
    if (over && over.id !== active.id) onChange(arrayMove([...bindings], indexOf(active.id), indexOf(over.id)));
  };
  return (
    <DndContext
      sensors={sensors}
      collisionDetection={closestCenter}
      onDragEnd={moved}
      accessibility={{ announcements, screenReaderInstructions: { draggable: INSTRUCTIONS } }}
    >
      <SortableContext items={bindings.map(({ id }) => id)} strategy={verticalListSortingStrategy}>
        <ol className="group-rows" aria-label="Bindings in order">
          {bindings.map((binding, index) => (
            <Row
              key={binding.id}
              binding={binding}
              place={index + 1}
              isReadOnly={isReadOnly}
              remove={() => onChange(bindings.filter(({ id }) => id !== binding.id))}
            />
          ))}
        </ol>
      </SortableContext>
    </DndContext>
  );
}

interface RowProps {
  binding: BindingPartsFragment;
  place: number;
  isReadOnly: boolean;
  remove: () => void;
}

function Row({ binding, place, isReadOnly, remove }: RowProps) {
  const sortable = useSortable({ id: binding.id, disabled: isReadOnly });
  const { attributes, listeners, setNodeRef, setActivatorNodeRef, transform, transition, isDragging } = sortable;
  const name = bindingName(binding);
  return (
    <li
      ref={setNodeRef}
      className="group-row"
      data-dragged={isDragging}
      style={{ transform: CSS.Translate.toString(transform), transition }}
    >
      {!isReadOnly && (
        <ActionIcon
          ref={setActivatorNodeRef}
          variant="subtle"
          color="gray"
          className="group-handle"
          {...attributes}
          {...listeners}
          aria-label={`Move ${name}`}
        >
          <IconGripVertical size={18} aria-hidden />
        </ActionIcon>
      )}
      <Text component="span" size="sm" className="group-quiet">
        {place}
      </Text>
      <div className="group-text">
        <Text size="sm" fw={600}>
          {name}
        </Text>
        <Text size="xs" className="group-quiet">
          {listensOn(binding)}
        </Text>
      </div>
      {!isReadOnly && (
        <ActionIcon variant="subtle" color="red" aria-label={`Remove ${name}`} title="Remove" onClick={remove}>
          <IconTrash size={16} aria-hidden />
        </ActionIcon>
      )}
    </li>
  );
}
