/** What stands in the place of a part of the pages that could not be loaded. */
import { Alert, Button, Text } from "@mantine/core";
import { IconAlertCircle } from "@tabler/icons-react";
import { Component, type ReactNode } from "react";

interface Props {
  readonly children: ReactNode;
  /** What could not be loaded, to begin a sentence with. */
  readonly what?: string;
  /** Where one is; somewhere else it is tried anew. */
  readonly at?: string;
}

/** Shows what is in it, or, when that cannot be loaded or shown, says so and offers to load the page again. */
export class Unloaded extends Component<Props, { hasFailed: boolean }> {
  override state = { hasFailed: false };

  static getDerivedStateFromError(): { hasFailed: boolean } {
    return { hasFailed: true };
  }

  override componentDidUpdate({ at }: Props): void {
    if (this.state.hasFailed && at !== this.props.at) this.setState({ hasFailed: false });
  }

  override render(): ReactNode {
    const { children, what = "The page" } = this.props;
    if (!this.state.hasFailed) return children;
    return (
      <Alert
        color="red"
        variant="light"
        icon={<IconAlertCircle aria-hidden />}
        title={`${what} could not be loaded`}
        role="alert"
        m="md"
      >
        <Text size="sm">
          A part of it did not arrive, or Toposcope has been updated in the meantime. See that you are connected, and
          load the page again.
        </Text>
        <Button mt="sm" size="xs" variant="default" onClick={() => window.location.reload()}>
          Load the page again
        </Button>
      </Alert>
    );
  }
}
