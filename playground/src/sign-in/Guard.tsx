/** Shows a page to those who are signed in, and leads all others to sign in and back. */
import { useQuery } from "@tanstack/react-query";
import { type ReactNode, Suspense, useEffect } from "react";
import { Redirect } from "wouter";
import { useIsSigningOut, viewerOptions } from "../session";
import type { DocumentName } from "../shell/Header";
import { Page, Problem, Waiting } from "../shell/Page";

/** What only those see who are signed in; from other documents than the application one goes to it to sign in. */
export function Guard({ children, page = "app" }: { children: ReactNode; page?: DocumentName }) {
  const { data: viewer, error, refetch } = useQuery(viewerOptions);
  const isSigningOut = useIsSigningOut();
  // Taken down before the session ends, a page asks nothing that would be refused.
  if (viewer && isSigningOut) return <Waiting what="Signing out…" />;
  // Waited for in here, a page that has not arrived keeps nobody from signing out.
  if (viewer) return <Suspense fallback={<Waiting />}>{children}</Suspense>;
  if (viewer === null) {
    const { pathname, search } = window.location;
    const to = `/sign-in?next=${encodeURIComponent(pathname + search)}`;
    return page === "app" ? <Redirect to={to} replace /> : <Leave to={to} />;
  }
  if (!error) return <Waiting />;
  return (
    <Page>
      <Problem title="The page could not be loaded" error={error} retry={refetch} />
    </Page>
  );
}

/** Loads another document in place of this one. */
export function Leave({ to }: { to: string }) {
  useEffect(() => window.location.replace(to), [to]);
  return <Waiting />;
}
