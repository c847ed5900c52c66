/** Signing in, and setting up an organization where that is open. */
import { Anchor, Button, Paper, PasswordInput, Stack, Text, TextInput, Title } from "@mantine/core";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { type SyntheticEvent, useState } from "react";
import { Redirect, useSearchParams } from "wouter";
import { post } from "../api";
import { configOptions, enter, viewerOptions } from "../session";
import { Page, Problem, Waiting } from "../shell/Page";
import { Leave } from "./Guard";
import { SetUp } from "./SetUp";

/** The page where one signs in; it leads on to where one wanted to be. */
export default function SignIn() {
  const [search] = useSearchParams();
  const { data: viewer } = useQuery(viewerOptions);
  const { data: config, error, refetch } = useQuery(configOptions);
  const [wantsOwn, setWantsOwn] = useState(false);
  if (viewer) return <Onward to={search.get("next")} />;
  if (error) {
    return (
      <Page size="xs">
        <Problem title="Signing in is not possible now" error={error} retry={refetch} />
      </Page>
    );
  }
  if (!config || viewer === undefined) return <Waiting />;
  if (config.first_start || wantsOwn) {
    return (
      <Page size="xs">
        <SetUp isFirst={config.first_start} />
        {wantsOwn && <Other onClick={() => setWantsOwn(false)}>Sign in instead</Other>}
      </Page>
    );
  }
  return (
    <Page size="xs">
      <SignInForm />
      {config.registration_open ? (
        <Other onClick={() => setWantsOwn(true)}>Set up an organization of your own</Other>
      ) : (
        <Text size="sm" c="dimmed" mt="md">
          No account? Whoever runs this server makes one with <code>toposcope user create</code>.
        </Text>
      )}
    </Page>
  );
}

function Other({ onClick, children }: { onClick: () => void; children: string }) {
  return (
    <Anchor component="button" type="button" mt="md" size="sm" onClick={onClick}>
      {children}
    </Anchor>
  );
}

/** Where one wanted to be, if that is a place of this server; other documents than the application load anew. */
function Onward({ to }: { to: string | null }) {
  const target = to !== null && /^\/(?![/\\])/.test(to) ? to : "/";
  return target.startsWith("/query") ? <Leave to={target} /> : <Redirect to={target} replace />;
}

function SignInForm() {
  const client = useQueryClient();
  const signIn = useMutation({
    mutationFn: async (input: object) => {
      await post("/api/auth/login", input);
      await enter(client);
    },
  });
  const submit = (event: SyntheticEvent<HTMLFormElement>) => {
    event.preventDefault();
    signIn.mutate(Object.fromEntries(new FormData(event.currentTarget)));
  };
  return (
    <>
      <Title order={1} size="h2" mb="md">
        Sign in
      </Title>
      <Paper component="form" withBorder p="lg" onSubmit={submit}>
        <Stack>
          <TextInput name="email" label="E-mail" type="email" autoComplete="username" required autoFocus />
          <PasswordInput name="password" label="Password" autoComplete="current-password" required />
          {signIn.error && <Problem title="You are not signed in" error={signIn.error} />}
          <Button type="submit" loading={signIn.isPending}>
            Sign in
          </Button>
        </Stack>
      </Paper>
    </>
  );
}
