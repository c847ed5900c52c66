/** The document of queries. */
import { Title } from "@mantine/core";
import { Frame } from "../shell/Frame";
import { Page } from "../shell/Page";
import { show } from "../shell/show";

show(
  <Frame page="query">
    <Page>
      <Title order={1}>Query</Title>
    </Page>
  </Frame>,
);
