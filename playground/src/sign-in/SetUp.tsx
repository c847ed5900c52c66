/** Setting up an organization with its first network and its first user. */
import { Button, Checkbox, Paper, PasswordInput, Stack, Text, TextInput, Title } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import type { SyntheticEvent } from "react";
import { ApiError, post } from "../api";
import { enter, noCookie } from "../session";
import { Problem } from "../shell/Page";

interface Input {
  readonly organization: string;
  readonly network: string;
  readonly email: string;
  readonly password: string;
}

async function setUp({ organization, network, email, password }: Input): Promise<void> {
  await post("/api/auth/setup", { organization_name: organization, network: { name: network } });
  try {
    await post("/api/auth/register", { email, password, terms_accepted: true });
  } catch (error) {
    // The session of the first step did not come back.
    throw error instanceof ApiError && error.params.field === "setup" ? noCookie() : error;
  }
}

/** The form; whoever fills it in is the owner of what it makes, and signed in. */
export function SetUp({ isFirst }: { isFirst: boolean }) {
  const client = useQueryClient();
  const made = useMutation({
    mutationFn: async (input: Input) => {
      await setUp(input);
      await enter(client);
    },
  });
  const submit = (event: SyntheticEvent<HTMLFormElement>) => {
    event.preventDefault();
    const given = new FormData(event.currentTarget);
    const text = (name: keyof Input) => String(given.get(name) ?? "");
    made.mutate({
      organization: text("organization"),
      network: text("network"),
      email: text("email"),
      password: text("password"),
    });
  };
  return (
    <>
      <Title order={1} size="h2">
        {isFirst ? "Welcome to Toposcope" : "Set up an organization"}
      </Title>
      <Text mt="xs" mb="md">
        {isFirst && "Nobody has set up this server yet. "}
        Name your organization and its first network, and choose how you sign in. You will be the owner.
      </Text>
      <Paper component="form" withBorder p="lg" onSubmit={submit}>
        <Stack>
          <TextInput name="organization" label="Organization" maxLength={100} required autoFocus />
          <TextInput
            name="network"
            label="First network"
            description="What you draw as one picture, such as a site or a data center."
            maxLength={100}
            required
          />
          <TextInput name="email" label="E-mail" type="email" autoComplete="username" required />
          <PasswordInput
            name="password"
            label="Password"
            description="10 characters or more, with capitals, small letters and digits."
            autoComplete="new-password"
            minLength={10}
            required
          />
          <Checkbox label="I accept the terms under which this server is run" required />
          {made.error && <Problem title="Nothing was set up" error={made.error} />}
          <Button type="submit" loading={made.isPending}>
            Set up
          </Button>
        </Stack>
      </Paper>
    </>
  );
}
