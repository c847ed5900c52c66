/** The page of a network's topology. */
import { Text, Title, VisuallyHidden } from "@mantine/core";
import { useViewer } from "../session";
import { Empty, Page } from "../shell/Page";
import { Network } from "./Network";
import { useView } from "./view";
import "./explorer.css";

export default function Explorer() {
  const viewer = useViewer();
  const [view, change] = useView();
  const networks = viewer.networks;
  const last = localStorage.getItem(LAST);
  const wanted = view.network ?? last;
  const network = networks.find(({ id }) => id === wanted) ?? (view.network ? undefined : networks[0]);
  const heading = <VisuallyHidden component={Title}>Explorer</VisuallyHidden>;
  if (networks.length === 0) {
    return (
      <Page>
        {heading}
        <Empty title="There is no network in your reach yet">
          <Text>
            Import an inventory with <code>toposcope import</code>, or ask an administrator of your organization to
            grant you a network.
          </Text>
        </Empty>
      </Page>
    );
  }
  if (!network) {
    return (
      <Page>
        {heading}
        <Empty title="This network is not in your reach">
          <Text>It was deleted, or was never granted to you. Choose one of these:</Text>
          {networks.map(({ id, name }) => (
            <button type="button" className="plain-link" key={id} onClick={() => change({ network: id })}>
              {name}
            </button>
          ))}
        </Empty>
      </Page>
    );
  }
  localStorage.setItem(LAST, network.id);
  return (
    <>
      {heading}
      <Network network={network} networks={networks} viewer={viewer} view={view} change={change} />
    </>
  );
}

/** Which network was looked at the last time. */
const LAST = "toposcope.network";
