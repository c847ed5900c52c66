// When a picture is settled: nothing of it is still to be drawn, and nothing to be drawn better.
import type { Core } from "cytoscape";

interface Queue {
  size(): number;
}

/**
 * What cytoscape draws from and keeps to itself. It first draws each element as well as it can at once, and better
 * ones later, as far as a frame has time; when nothing has changed for a while, all of it as one image.
 */
interface Renderer {
  requestedFrame?: boolean;
  pinching?: boolean;
  swipePanning?: boolean;
  hoverData: { dragging?: boolean; draggingEles?: boolean };
  data: Record<"eleTxrCache" | "lblTxrCache" | "slbTxrCache" | "tlbTxrCache", { getElementQueue(): Queue }> & {
    wheelZooming?: boolean;
    lyrTxrCache: { layersQueue: Queue; eleTxrDeqs: { length: number }; skipping: boolean };
  };
}

/** All that changes what is on the canvas, whoever changes it. */
const CHANGES = "viewport resize add remove position data style class";

/** Tells when a picture begins to change, at once, and when what is on the canvas will stay as it is. */
export class Settling {
  readonly #cy: Core;
  readonly #isPlanned: () => boolean;
  readonly #onBusy: (isBusy: boolean) => void;
  readonly #resized: ResizeObserver;
  #frame = 0;

  /** `isPlanned` says whether somebody else will still change the picture. */
  constructor(cy: Core, container: HTMLElement, isPlanned: () => boolean, onBusy: (isBusy: boolean) => void) {
    this.#cy = cy;
    this.#isPlanned = isPlanned;
    this.#onBusy = onBusy;
    cy.on(CHANGES, () => this.begin());
    // What is drawn in the end is drawn a last time, from all that was made ready for it.
    cy.on("render", () => (this.#isReady() ? this.#end() : this.begin()));
    // Cytoscape notices later.
    this.#resized = new ResizeObserver(() => this.begin());
    this.#resized.observe(container);
    this.begin();
  }

  /** Says that the picture changes. */
  begin(): void {
    if (this.#frame) return;
    this.#onBusy(true);
    this.#wait();
  }

  destroy(): void {
    cancelAnimationFrame(this.#frame);
    this.#resized.disconnect();
  }

  #wait(): void {
    this.#frame = requestAnimationFrame(() => {
      if (this.#isReady()) this.#cy.forceRender();
      this.#wait();
    });
  }

  #end(): void {
    if (!this.#frame) return;
    cancelAnimationFrame(this.#frame);
    this.#frame = 0;
    this.#onBusy(false);
  }

  /** Whether drawing now would draw what stays. */
  #isReady(): boolean {
    const renderer = (this.#cy as unknown as { renderer(): Renderer }).renderer();
    const { hoverData, data } = renderer;
    const { eleTxrCache, lblTxrCache, slbTxrCache, tlbTxrCache, lyrTxrCache } = data;
    const isMoved =
      hoverData.dragging || hoverData.draggingEles || data.wheelZooming || renderer.pinching || renderer.swipePanning;
    if (isMoved || renderer.requestedFrame || this.#cy.animated() || this.#isPlanned()) return false;
    const isQueued = [eleTxrCache, lblTxrCache, slbTxrCache, tlbTxrCache].some(
      (textures) => textures.getElementQueue().size() > 0,
    );
    return !isQueued && !lyrTxrCache.skipping && !lyrTxrCache.layersQueue.size() && !lyrTxrCache.eleTxrDeqs.length;
  }
}
