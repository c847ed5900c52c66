/** Where GraphiQL keeps what one writes, except for headers: they hold API keys. */

/** What the name of everything that GraphiQL stores begins with. */
const PREFIX = "graphiql:";

/** What GraphiQL asks of a store. */
export interface Store extends Pick<Storage, "getItem" | "setItem" | "removeItem" | "clear"> {
  readonly length: number;
}

/** What is a single text of the editor, to be kept as it is written. */
const TEXTS = [`${PREFIX}query`, `${PREFIX}variables`];

let isOver = false;

/** Keeps everything but headers in this browser, also those within tabs and in the history. */
export const storage: Store = {
  getItem: (name) => localStorage.getItem(name),
  setItem: (name, value) => {
    if (isOver || name === `${PREFIX}headers`) return;
    localStorage.setItem(name, TEXTS.includes(name) ? value : withoutHeaders(value));
  },
  removeItem: (name) => localStorage.removeItem(name),
  clear: () => {
    for (const name of names()) localStorage.removeItem(name);
  },
  get length() {
    return names().length;
  },
};

/** Takes away all that GraphiQL keeps in this browser, and lets this document, which is being left, keep no more. */
export function forgetQueries(): void {
  isOver = true;
  storage.clear();
}

/** Takes away headers that are in the store from before. */
export function forgetHeaders(): void {
  localStorage.removeItem(`${PREFIX}headers`);
  for (const name of names()) {
    const value = localStorage.getItem(name);
    if (value !== null) storage.setItem(name, value);
  }
}

function names(): string[] {
  return Object.keys(localStorage).filter((name) => name.startsWith(PREFIX));
}

/** What is not JSON, such as the name of a plug-in, has no headers in it. */
function withoutHeaders(value: string): string {
  try {
    return JSON.stringify(JSON.parse(value, (key, inner) => (key === "headers" ? null : inner)));
  } catch {
    return value;
  }
}
