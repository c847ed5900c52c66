/** A text to be taken elsewhere. */
import { ActionIcon, Group, TextInput } from "@mantine/core";
import { IconCheck, IconCopy } from "@tabler/icons-react";
import { useRef, useState } from "react";

/** A text with a button that copies it. */
export function Copyable({ label, value }: { label: string; value: string }) {
  const input = useRef<HTMLInputElement>(null);
  const [isCopied, setCopied] = useState(false);
  const name = isCopied ? "Copied" : `Copy: ${label}`;
  return (
    <Group align="end" gap="xs" wrap="nowrap">
      <TextInput
        ref={input}
        label={label}
        value={value}
        readOnly
        flex={1}
        styles={{ input: { fontFamily: "var(--mantine-font-family-monospace)" } }}
        onFocus={(event) => event.currentTarget.select()}
      />
      <ActionIcon
        variant="default"
        size={36}
        aria-label={name}
        title={name}
        onClick={() => void copy(input.current).then(setCopied)}
      >
        {isCopied ? <IconCheck size={18} aria-hidden /> : <IconCopy size={18} aria-hidden />}
      </ActionIcon>
    </Group>
  );
}

/** Browsers have no clipboard for pages that came over plain HTTP, but the old way still works there. */
async function copy(input: HTMLInputElement | null): Promise<boolean> {
  if (!input) return false;
  if (window.isSecureContext) {
    const copied = await navigator.clipboard.writeText(input.value).then(
      () => true,
      () => false,
    );
    if (copied) return true;
  }
  input.select();
  return document.execCommand("copy");
}
