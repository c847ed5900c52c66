/** The application: everything but the documents `/query` and `/docs`. */
import { useDocumentTitle } from "@mantine/hooks";
import { lazy, type ReactNode } from "react";
import { Route, Router, Switch } from "wouter";
import { Frame } from "./shell/Frame";
import { aroundNav } from "./shell/leaving";
import { Nowhere } from "./shell/Nowhere";
import { Page } from "./shell/Page";
import { show } from "./shell/show";
import { Guard } from "./sign-in/Guard";
import SignIn from "./sign-in/SignIn";

const Explorer = lazy(() => import("./explorer/Explorer"));
const Groups = lazy(() => import("./groups/Groups"));
const Keys = lazy(() => import("./keys/Keys"));

function App() {
  return (
    <Frame page="app">
      <Switch>
        <Route path="/sign-in">
          <Titled title="Sign in">
            <SignIn />
          </Titled>
        </Route>
        <Route path="/">
          <Titled title="Explorer">
            <Guard>
              <Explorer />
            </Guard>
          </Titled>
        </Route>
        <Route path="/groups/:id?">
          {({ id }) => (
            <Titled title="Groups">
              <Guard>
                <Page>
                  <Groups {...(id === undefined ? {} : { id })} />
                </Page>
              </Guard>
            </Titled>
          )}
        </Route>
        <Route path="/keys">
          <Titled title="API keys">
            <Guard>
              <Page>
                <Keys />
              </Page>
            </Guard>
          </Titled>
        </Route>
        <Route>
          <Titled title="No such page">
            <Nowhere />
          </Titled>
        </Route>
      </Switch>
    </Frame>
  );
}

/** Names the page in the title of the window. */
function Titled({ title, children }: { title: string; children: ReactNode }) {
  useDocumentTitle(`${title} · Toposcope`);
  return children;
}

show(
  <Router aroundNav={aroundNav}>
    <App />
  </Router>,
);
