/** Puts a page into its document, with what all pages share. */
import { MantineProvider } from "@mantine/core";
import "@mantine/core/styles.css";
import { Notifications } from "@mantine/notifications";
import "@mantine/notifications/styles.css";
import { MutationCache, QueryCache, QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { type ReactNode, StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { ApiError } from "../api";
import { viewerOptions } from "../session";
import { styleNonce, theme } from "../theme";
import "./shell.css";

/** A session that has ended shows in any answer, and leads to signing in. */
function noticeEnd(error: Error): void {
  if (error instanceof ApiError && error.isSignedOut) client.setQueryData(viewerOptions.queryKey, null);
}

const client: QueryClient = new QueryClient({
  queryCache: new QueryCache({ onError: noticeEnd }),
  mutationCache: new MutationCache({ onError: noticeEnd }),
  defaultOptions: {
    queries: {
      // What the server refuses it refuses again; only what never arrived is worth another try.
      retry: (failures, error) => failures < 2 && error instanceof ApiError && error.status === 0,
      staleTime: 10_000,
    },
  },
});

/** Shows a page. */
export function show(page: ReactNode): void {
  const root = document.querySelector("#app");
  if (!root) throw new Error("the document has no place for the page");
  const nonce = styleNonce();
  // The locks on scrolling behind dialogs look for it here.
  Object.assign(globalThis, { __webpack_nonce__: nonce });
  createRoot(root).render(
    <StrictMode>
      <QueryClientProvider client={client}>
        <MantineProvider theme={theme} defaultColorScheme="auto" getStyleNonce={() => nonce}>
          <Notifications position="bottom-right" />
          {page}
        </MantineProvider>
      </QueryClientProvider>
    </StrictMode>,
  );
}
