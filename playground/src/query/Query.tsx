/** GraphiQL, with examples to begin with and the cost of each answer. */
import { DOC_EXPLORER_PLUGIN, DocExplorerStore } from "@graphiql/plugin-doc-explorer";
import { explorerPlugin } from "@graphiql/plugin-explorer";
import "@graphiql/plugin-explorer/style.css";
import { HISTORY_PLUGIN, HistoryStore } from "@graphiql/plugin-history";
import { GraphiQLProvider } from "@graphiql/react";
import { useComputedColorScheme, VisuallyHidden } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { GraphiQL, GraphiQLInterface } from "graphiql";
import "graphiql/setup-workers/vite";
import "graphiql/style.css";
import { useMemo, useState } from "react";
import { viewerOptions } from "../session";
import { CostOf } from "./Cost";
import { Examples } from "./Examples";
import { type Cost, createFetcher } from "./fetcher";
import { forgetHeaders, storage } from "./storage";
import "./query.css";

const plugins = [HISTORY_PLUGIN, explorerPlugin()];

forgetHeaders();

const WELCOME = `# Write a query here, or choose an example above.
# Ctrl+Space completes, Ctrl+Enter runs, and Ctrl+M lets the key Tab leave the editor.
# The API is described under the first button of the side bar.

query Networks {
  viewer {
    networks {
      id
      name
    }
  }
}
`;

/** The page where one asks. */
export function Query() {
  const colorScheme = useComputedColorScheme("light");
  const client = useQueryClient();
  const [cost, setCost] = useState<Cost | null>(null);
  const fetcher = useMemo(
    () => createFetcher(setCost, () => client.setQueryData(viewerOptions.queryKey, null)),
    [client],
  );
  return (
    <div className="query">
      <VisuallyHidden component="h1">Query</VisuallyHidden>
      <GraphiQLProvider
        fetcher={fetcher}
        plugins={[DOC_EXPLORER_PLUGIN, ...plugins]}
        referencePlugin={DOC_EXPLORER_PLUGIN}
        defaultQuery={WELCOME}
        shouldPersistHeaders={false}
        storage={storage}
      >
        <HistoryStore>
          <DocExplorerStore>
            <div className="query-bar">
              <Examples />
              <CostOf cost={cost} />
            </div>
            <GraphiQLInterface forcedTheme={colorScheme} showPersistHeadersSettings={false}>
              <GraphiQL.Logo>{null}</GraphiQL.Logo>
            </GraphiQLInterface>
          </DocExplorerStore>
        </HistoryStore>
      </GraphiQLProvider>
    </div>
  );
}
