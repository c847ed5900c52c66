/** Shows a page to those who are signed in, and leads all others to sign in and back. */
import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { Redirect } from "wouter";
import { viewerOptions } from "../session";
import { Page, Problem, Waiting } from "../shell/Page";

/** What only those see who are signed in. */
export function Guard({ children }: { children: ReactNode }) {
  const { data: viewer, error, refetch } = useQuery(viewerOptions);
  if (viewer) return children;
  if (viewer === null) {
    const { pathname, search } = window.location;
    return <Redirect to={`/sign-in?next=${encodeURIComponent(pathname + search)}`} replace />;
  }
  if (!error) return <Waiting />;
  return (
    <Page>
      <Problem title="The page could not be loaded" error={error} retry={refetch} />
    </Page>
  );
}
