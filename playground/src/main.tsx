/** The application: everything but the documents `/query` and `/docs`. */
import { lazy } from "react";
import { Redirect, Route, Switch } from "wouter";
import { Frame } from "./shell/Frame";
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
          <SignIn />
        </Route>
        <Route path="/">
          <Guard>
            <Explorer />
          </Guard>
        </Route>
        <Route path="/groups/:id?">
          {({ id }) => (
            <Guard>
              <Page>
                <Groups {...(id === undefined ? {} : { id })} />
              </Page>
            </Guard>
          )}
        </Route>
        <Route path="/keys">
          <Guard>
            <Page>
              <Keys />
            </Page>
          </Guard>
        </Route>
        <Route>
          <Redirect to="/" replace />
        </Route>
      </Switch>
    </Frame>
  );
}

show(<App />);
