/** Signing in. */
import { Button, Paper, PasswordInput, Stack, TextInput, Title } from "@mantine/core";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import type { SyntheticEvent } from "react";
import { Redirect, useSearchParams } from "wouter";
import { post } from "../api";
import { viewerOptions } from "../session";
import { Page, Problem } from "../shell/Page";

/** The page where one signs in; it leads on to where one wanted to be. */
export default function SignIn() {
  const [search] = useSearchParams();
  const client = useQueryClient();
  const { data: viewer } = useQuery(viewerOptions);
  const signIn = useMutation({
    mutationFn: (input: object) => post("/api/auth/login", input),
    onSuccess: () => client.invalidateQueries(),
  });
  if (viewer) return <Redirect to={search.get("next") ?? "/"} replace />;
  const submit = (event: SyntheticEvent<HTMLFormElement>) => {
    event.preventDefault();
    signIn.mutate(Object.fromEntries(new FormData(event.currentTarget)));
  };
  return (
    <Page size="xs">
      <Title order={1} size="h2" mb="md">
        Sign in
      </Title>
      <Paper component="form" withBorder p="lg" onSubmit={submit}>
        <Stack>
          <TextInput name="email" label="E-mail" type="email" autoComplete="username" required />
          <PasswordInput name="password" label="Password" autoComplete="current-password" required />
          {signIn.error && <Problem title="You are not signed in" error={signIn.error} />}
          <Button type="submit" loading={signIn.isPending}>
            Sign in
          </Button>
        </Stack>
      </Paper>
    </Page>
  );
}
