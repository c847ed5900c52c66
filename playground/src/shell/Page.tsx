/** The width and the margins of a page of text, and what it shows while it waits or when something fails. */
import { Alert, Button, Center, Container, Loader, Stack, Text } from "@mantine/core";
import { IconAlertCircle } from "@tabler/icons-react";
import type { ReactNode } from "react";

/** A page of text. */
export function Page({ children, size = "lg" }: { children: ReactNode; size?: string }) {
  return (
    <Container size={size} py="lg">
      {children}
    </Container>
  );
}

/** Says that something is being loaded. */
export function Waiting({ what = "Loading…" }: { what?: string }) {
  return (
    <Center mih={240} role="status">
      <Stack align="center" gap="xs">
        <Loader aria-hidden />
        <Text size="sm" c="dimmed">
          {what}
        </Text>
      </Stack>
    </Center>
  );
}

/** Says what went wrong, and offers to try again. */
export function Problem({ title, error, retry }: { title: string; error: Error; retry?: () => unknown }) {
  return (
    <Alert color="red" variant="light" icon={<IconAlertCircle aria-hidden />} title={title} role="alert" my="md">
      <Text size="sm">{error.message}</Text>
      {retry && (
        <Button mt="sm" size="xs" variant="default" onClick={() => void retry()}>
          Try again
        </Button>
      )}
    </Alert>
  );
}

/** Says that there is nothing, and what to do about it. */
export function Empty({ title, children }: { title: string; children?: ReactNode }) {
  return (
    <Stack align="center" gap="xs" py="xl" ta="center">
      <Text fw={600}>{title}</Text>
      {children}
    </Stack>
  );
}
