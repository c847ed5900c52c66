/** Who is signed in. */
import {
  type QueryClient,
  queryOptions,
  useIsMutating,
  useMutation,
  useQuery,
  useQueryClient,
} from "@tanstack/react-query";
import { ApiError, endSession, post, read, request } from "./api";
import { graphql } from "./gql";
import type { ViewerQuery } from "./gql/graphql";
import { forgetQueries } from "./query/storage";

/** The person who is signed in, what they may do, and the networks in their reach. */
export type Viewer = ViewerQuery["viewer"];

/** What the server says to anybody. */
interface Config {
  readonly server_version: string;
  /** Whether anybody may set up an organization of their own. */
  readonly registration_open: boolean;
  /** Whether nobody has set up anything yet. */
  readonly first_start: boolean;
  /** Whether the cookie belongs to a session. */
  readonly signed_in: boolean;
}

const viewerQuery = graphql(`
  query Viewer {
    viewer {
      permissions
      user {
        id
        email
      }
      organization {
        id
        name
        apiAccessEnabled
      }
      networks {
        id
        name
        hosts(first: 0) {
          totalCount
        }
      }
    }
  }
`);

/** What the server says to anybody, asked once. */
export const configOptions = queryOptions({
  queryKey: ["config"],
  queryFn: () => read<Config>("/api/config"),
  staleTime: Infinity,
});

/** Networks by name, those without any device last: whoever chooses none looks at the first. */
function byUse(a: Viewer["networks"][number], b: Viewer["networks"][number]): number {
  const isEmpty = (network: typeof a) => Number(network.hosts.totalCount === 0);
  return isEmpty(a) - isEmpty(b);
}

/** Who is signed in; `null` is nobody. */
export const viewerOptions = queryOptions({
  queryKey: ["viewer"],
  queryFn: async ({ client }): Promise<Viewer | null> => {
    const { signed_in } = await client.fetchQuery({ ...configOptions, staleTime: 0 });
    if (!signed_in) return null;
    // The first of these prolongs the session: whoever keeps coming back stays signed in.
    const [, { viewer }] = await Promise.all([post("/api/auth/me"), request(viewerQuery)]);
    return { ...viewer, networks: viewer.networks.toSorted(byUse) };
  },
  staleTime: 60_000,
});

/** Who is signed in, on pages that only they see. */
export function useViewer(): Viewer {
  const { data } = useQuery(viewerOptions);
  if (!data) throw new Error("nobody is signed in");
  return data;
}

/** Reads anew who is signed in, after a session has begun; browsers may have refused to keep its cookie. */
export async function enter(client: QueryClient): Promise<void> {
  const viewer = await client.fetchQuery({ ...viewerOptions, staleTime: 0 });
  if (viewer === null) throw noCookie();
}

/** What to do when the browser keeps no session. */
export function noCookie(): ApiError {
  const remedy =
    window.location.protocol === "https:"
      ? "allow cookies for this site"
      : "open this page by https://, or start the server with --session-cookie-secure false";
  return new ApiError(`the browser did not keep the session: ${remedy}`, 0);
}

const SIGN_OUT = ["sign out"];

/** Ends the session and forgets all that was read and written in it. */
export function useSignOut(onError: (error: Error) => void): () => void {
  const client = useQueryClient();
  const { mutate } = useMutation({
    mutationKey: SIGN_OUT,
    mutationFn: endSession,
    // Without a network it fails at once, rather than some time later.
    networkMode: "always",
    onError,
    onSuccess: () => {
      forgetQueries();
      client.setQueryData(viewerOptions.queryKey, null);
      const isForAll = (key: unknown) => [viewerOptions, configOptions].some(({ queryKey }) => queryKey[0] === key);
      client.removeQueries({ predicate: ({ queryKey }) => !isForAll(queryKey[0]) });
    },
  });
  return mutate;
}

/** Whether the session is just being ended. */
export const useIsSigningOut = (): boolean => useIsMutating({ mutationKey: SIGN_OUT }) > 0;
