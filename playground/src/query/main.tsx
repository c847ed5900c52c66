/** The document of queries: GraphiQL on the network of whoever is signed in. */
import { Frame } from "../shell/Frame";
import { show } from "../shell/show";
import { Guard } from "../sign-in/Guard";
import { Query } from "./Query";

show(
  <Frame page="query">
    <Guard page="query">
      <Query />
    </Guard>
  </Frame>,
);
