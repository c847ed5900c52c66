/** Asks before one leaves, within the application, what is not saved. */
import { useEffect, useLayoutEffect, useRef, useState } from "react";
import type { AroundNavHandler } from "wouter";

type Go = () => void;

/** What is asked before one goes; `null` while nothing would be lost. */
let ask: ((go: Go) => void) | null = null;

/** What holds back whoever goes back or forward; `null` while nothing would be lost. */
let hold: ((event: PopStateEvent) => void) | null = null;

// Windows call listeners in the order in which they came, and the routes listen as soon as a page is shown.
window.addEventListener("popstate", (event) => hold?.(event));

/** Goes, once whoever has unsaved changes agrees; at once where there are none. */
export function leave(go: Go): void {
  if (ask) ask(go);
  else go();
}

/** Goes without asking. */
export function leaveAnyway(go: Go): void {
  const asked = ask;
  ask = null;
  go();
  ask = asked;
}

/** Has every link of the application ask. */
export const aroundNav: AroundNavHandler = (navigate, to, options) => leave(() => navigate(to, options));

/** A question that is open: whether to leave. */
export interface Leaving {
  readonly stay: () => void;
  readonly go: () => void;
}

/** Holds back whoever leaves while there are changes, by a link, by Back, or by leaving the document. */
export function useLeaving(isChanged: boolean): Leaving | null {
  const [pending, setPending] = useState<Go | null>(null);
  const mayPass = useRef(false);
  // Gone before what comes in place of the page leads elsewhere by itself, as at the end of a session.
  useLayoutEffect(() => {
    if (!isChanged) return;
    const here = window.location.href;
    ask = (go) => setPending(() => () => leaveAnyway(go));
    hold = (event) => {
      if (mayPass.current || window.location.href === here) return;
      event.stopImmediatePropagation();
      window.history.pushState(null, "", here);
      setPending(() => () => {
        mayPass.current = true;
        window.history.back();
      });
    };
    return () => {
      ask = null;
      hold = null;
    };
  }, [isChanged]);
  useEffect(() => {
    if (!isChanged) return;
    const warn = (event: BeforeUnloadEvent) => event.preventDefault();
    window.addEventListener("beforeunload", warn);
    return () => window.removeEventListener("beforeunload", warn);
  }, [isChanged]);
  if (!pending) return null;
  return {
    stay: () => setPending(null),
    go: () => {
      setPending(null);
      pending();
    },
  };
}
