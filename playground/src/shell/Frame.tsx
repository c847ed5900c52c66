/** What is around every page: the header, and the place of the page below it. */
import { AppShell } from "@mantine/core";
import { type ReactNode, Suspense } from "react";
import { usePathname } from "wouter/use-browser-location";
import { type DocumentName, Header } from "./Header";
import { Waiting } from "./Page";
import { Unloaded } from "./Unloaded";

/** The height of the header in pixels; below it a page has the rest of the window. */
export const HEADER_HEIGHT = 52;

/** The frame of a page. */
export function Frame({ page, children }: { page: DocumentName; children: ReactNode }) {
  const path = usePathname();
  return (
    <AppShell header={{ height: HEADER_HEIGHT }} padding={0}>
      <a className="skip" href="#content">
        Skip to the content
      </a>
      <AppShell.Header>
        <Header page={page} />
      </AppShell.Header>
      <AppShell.Main id="content" tabIndex={-1}>
        <Unloaded at={path}>
          <Suspense fallback={<Waiting />}>{children}</Suspense>
        </Unloaded>
      </AppShell.Main>
    </AppShell>
  );
}
