/** How GraphiQL asks the server. */
import type { Fetcher, FetcherOpts, FetcherParams } from "@graphiql/toolkit";
import { ApiError, inSession } from "../api";

/** What an answer cost. */
export interface Cost {
  /** Statements sent to the database. */
  readonly statements: number;
  /** Rows of the lists of the answer. */
  readonly rows: number;
  /** The time that the server took, in milliseconds. */
  readonly milliseconds: number;
}

/**
 * Sends what is asked, by the session or by the API key of the headers that one gives, and tells what it cost, and
 * when the session has ended.
 */
export function createFetcher(onCost: (cost: Cost | null) => void, onSignedOut: () => void): Fetcher {
  return async (params: FetcherParams, options?: FetcherOpts) => {
    const given = new Headers(options?.headers);
    const headers = new Headers(given);
    headers.set("accept", "application/graphql-response+json, application/json");
    headers.set("content-type", "application/json");
    const isAsked = params.operationName !== "IntrospectionQuery";
    // What was last told is of another answer.
    if (isAsked) onCost(null);
    let response: Response;
    try {
      response = await inSession(() =>
        fetch("/graphql", {
          method: "POST",
          credentials: "same-origin",
          headers,
          body: JSON.stringify({ ...params, extensions: { cost: true } }),
        }),
      );
    } catch (error) {
      if (error instanceof ApiError) return refusal(error.message);
      return refusal("The server cannot be reached; see that it runs and that you are connected.");
    }
    if (response.status === 401 && !given.has("authorization")) onSignedOut();
    const answer: Answer | null = await response.json().catch(() => null);
    if (typeof answer !== "object" || answer === null) {
      return refusal(`The server's answer cannot be read (status ${response.status}); try again.`);
    }
    if (isAsked) onCost(answer.extensions?.cost ?? null);
    return answer;
  };
}

/** What is read of an answer; all else in it is shown as it is. */
interface Answer {
  readonly data?: unknown;
  readonly extensions?: { readonly cost?: Cost };
}

/** An answer in place of one that never came. */
function refusal(message: string) {
  return { errors: [{ message }] };
}
