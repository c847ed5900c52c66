import { createContext, useContext } from "react";
import type { Places } from "./marks";
import type { Failure, View } from "./view";

/** What every part of the explorer may look at and do. */
export interface Explorer {
  networkId: string;
  view: View;
  change: (change: Partial<View>, how?: { replace: boolean }) => void;
  /** The picture, once it is there. */
  places: Places | null;
  /** Whether the picture is not there because it could not be loaded. */
  isUnread: boolean;
  /** Whether the viewer may teach who neighbors are. */
  mayChange: boolean;
  /** Selects a thing and brings it into view, as the root if the picture does not show it. */
  goTo: (id: string, more?: Partial<View>) => void;
  /** Selects a link that ends at a device and brings it into view. */
  goToLink: (id: string, at: string) => void;
  /** Adds what is supposed to fail, and shows what is lost. */
  fail: (failure: Failure) => void;
}

export const ExplorerContext = createContext<Explorer | null>(null);

export function useExplorer(): Explorer {
  const explorer = useContext(ExplorerContext);
  if (!explorer) throw new Error("this is no part of the explorer");
  return explorer;
}
