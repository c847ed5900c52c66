/** How the pages ask the server: GraphQL and REST by the cookie of the session, with one kind of error. */
import type { TypedDocumentString } from "./gql/graphql";

/** What the server answered instead of what was asked, or that it did not answer; the message is for people. */
export class ApiError extends Error {
  override readonly name = "ApiError";

  constructor(
    message: string,
    /** The HTTP status; 0 where there was no answer. */
    readonly status: number,
    /** What went wrong, for programs, such as `entity_not_found`. */
    readonly code?: string,
    /** Details, such as the `field` that is wrong. */
    readonly params: Readonly<Record<string, unknown>> = {},
  ) {
    super(sentence(message));
  }

  /** Whether nobody is signed in, any more. */
  get isSignedOut(): boolean {
    return this.status === 401;
  }
}

interface GraphqlError {
  readonly message: string;
  readonly extensions?: { readonly code?: string; readonly params?: Record<string, unknown> };
}

interface GraphqlAnswer<T> {
  readonly data?: T | null;
  readonly errors?: readonly GraphqlError[];
}

interface RestAnswer<T> {
  readonly success: boolean;
  readonly data: T;
  readonly error?: string;
  readonly code?: string;
  readonly params?: Record<string, unknown>;
}

/** What a query without variables is called with, and one with them. */
type Variables<V> = V extends Record<string, never> ? [] : [variables: V];

/** Runs a query or a mutation; an answer with any error in it is an error. */
export async function request<T, V>(document: TypedDocumentString<T, V>, ...[variables]: Variables<V>): Promise<T> {
  const { status, body } = await send("/graphql", { query: document.toString(), variables });
  const { data, errors } = body as GraphqlAnswer<T>;
  const [error] = errors ?? [];
  if (error) throw new ApiError(error.message, status, error.extensions?.code, error.extensions?.params);
  if (!data) throw unreadable(status);
  return data;
}

/** Reads from REST. */
export async function read<T>(path: string): Promise<T> {
  return rest(await send(path));
}

/** Sends to REST. */
export async function post<T>(path: string, body: object = {}): Promise<T> {
  return rest(await send(path, body));
}

function rest<T>({ status, body }: Answer): T {
  const { success, data, error, code, params } = body as RestAnswer<T>;
  if (success) return data;
  if (error === undefined) throw unreadable(status);
  throw new ApiError(error, status, code, params);
}

interface Answer {
  readonly status: number;
  readonly body: object;
}

/** What was asked by the session and is not answered yet. */
const underway = new Set<Promise<unknown>>();

/** Whether the session has ended, to be known soon; `null` while nobody ends it. */
let ending: Promise<boolean> | null = null;

/** Asks by the session. While somebody ends it this waits, and is sent only if the session goes on. */
export async function inSession<T>(ask: () => Promise<T>): Promise<T> {
  while (ending) {
    if (await ending) throw new ApiError("you have signed out", 401);
  }
  const asked = ask();
  underway.add(asked);
  try {
    return await asked;
  } finally {
    underway.delete(asked);
  }
}

/** So long whoever signs out waits for answers that may never come, and then for that to signing out. */
const PATIENCE = 10_000;

/** Ends the session, once all that was asked by it is answered; so nothing is refused for having come too late. */
export async function endSession(): Promise<void> {
  const patience = new Promise((resolve) => setTimeout(resolve, PATIENCE));
  const ended = Promise.race([Promise.allSettled(underway), patience])
    .then(() => answered("/api/auth/logout", {}, AbortSignal.timeout(PATIENCE)))
    .then(rest)
    .catch(async (error: unknown) => {
      if (error instanceof ApiError && error.isSignedOut) return;
      if (!(await hasEnded())) throw error;
    });
  ending = ended.then(
    () => true,
    () => false,
  );
  try {
    await ended;
  } finally {
    // Whoever waits is told first.
    await ending;
    ending = null;
  }
}

/** Whether the session is over, though the answer that said so was lost. */
function hasEnded(): Promise<boolean> {
  return answered("/api/config", undefined, AbortSignal.timeout(PATIENCE))
    .then(rest<{ signed_in: boolean }>)
    .then(
      ({ signed_in }) => !signed_in,
      () => false,
    );
}

const send = (path: string, body?: object): Promise<Answer> => inSession(() => answered(path, body));

async function answered(path: string, body?: object, signal: AbortSignal | null = null): Promise<Answer> {
  const headers: Record<string, string> = { accept: "application/graphql-response+json, application/json" };
  if (body) headers["content-type"] = "application/json";
  let response: Response;
  try {
    response = await fetch(path, {
      method: body ? "POST" : "GET",
      headers,
      body: body ? JSON.stringify(body) : null,
      credentials: "same-origin",
      signal,
    });
  } catch {
    throw new ApiError("the server cannot be reached; see that it runs and that you are connected", 0);
  }
  const answer: unknown = await response.json().catch(() => null);
  if (typeof answer !== "object" || answer === null) throw unreadable(response.status);
  return { status: response.status, body: answer };
}

function unreadable(status: number): ApiError {
  return new ApiError(`the server's answer cannot be read (status ${status}); try again`, status);
}

/** The server's messages are parts of sentences. */
function sentence(message: string): string {
  const text = message.charAt(0).toUpperCase() + message.slice(1);
  return /[.!?]$/.test(text) ? text : `${text}.`;
}
