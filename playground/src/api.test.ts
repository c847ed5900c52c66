import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { ApiError, endSession, inSession, post, read, request } from "./api";
import { TypedDocumentString } from "./gql/graphql";

const fetched = vi.fn<typeof fetch>();
const answer = (body: unknown, status = 200) => fetched.mockResolvedValueOnce(Response.json(body, { status }));
const document = new TypedDocumentString<{ version: string }, Record<string, never>>("{ version }");

beforeEach(() => vi.stubGlobal("fetch", fetched));

afterEach(() => {
  fetched.mockReset();
  vi.unstubAllGlobals();
});

describe("an error", () => {
  test("is a whole sentence, whatever the server wrote", () => {
    expect(new ApiError("name is taken", 409).message).toBe("Name is taken.");
    expect(new ApiError("Really?", 400).message).toBe("Really?");
  });

  test("tells whether nobody is signed in", () => {
    expect(new ApiError("sign in", 401).isSignedOut).toBe(true);
    expect(new ApiError("not yours", 403).isSignedOut).toBe(false);
  });
});

describe("GraphQL", () => {
  test("answers with its data", async () => {
    answer({ data: { version: "1" } });
    expect(await request(document)).toEqual({ version: "1" });
    const [path, sent] = fetched.mock.calls[0] ?? [];
    expect(path).toBe("/graphql");
    expect(sent).toMatchObject({ method: "POST", credentials: "same-origin", body: '{"query":"{ version }"}' });
  });

  test("fails on any error, also beside data", async () => {
    const extensions = { code: "entity_not_found", params: { id: "x" } };
    answer({ data: { version: "1" }, errors: [{ message: "it is gone", extensions }] });
    await expect(request(document)).rejects.toMatchObject({ message: "It is gone.", status: 200, ...extensions });
  });

  test("fails when there is neither data nor an error", async () => {
    answer({ data: null });
    await expect(request(document)).rejects.toThrow("The server's answer cannot be read (status 200); try again.");
  });
});

describe("REST", () => {
  test("answers with its data, read by GET and sent by POST", async () => {
    answer({ success: true, data: 1 });
    answer({ success: true, data: 2 });
    expect(await read("/api/config")).toBe(1);
    expect(await post("/api/config", { a: 1 })).toBe(2);
    expect(fetched.mock.calls.map(([, sent]) => [sent?.method, sent?.body])).toEqual([
      ["GET", null],
      ["POST", '{"a":1}'],
    ]);
  });

  test("fails with what the server says went wrong", async () => {
    answer({ success: false, error: "no such user", code: "entity_not_found", params: { field: "user" } }, 404);
    await expect(read("/api/users/1")).rejects.toMatchObject({
      message: "No such user.",
      status: 404,
      code: "entity_not_found",
      params: { field: "user" },
    });
  });

  test("fails when what answers is not the server, or nothing does", async () => {
    fetched.mockResolvedValueOnce(new Response("<html>", { status: 502 }));
    await expect(read("/api/config")).rejects.toMatchObject({
      status: 502,
      message: expect.stringContaining("(status 502)"),
    });
    fetched.mockRejectedValueOnce(new TypeError("network"));
    await expect(read("/api/config")).rejects.toMatchObject({ status: 0, message: expect.stringContaining("reached") });
  });
});

describe("signing out", () => {
  test("waits for what was asked before, and refuses what is asked meanwhile", async () => {
    let answered: (text: string) => void = () => undefined;
    const asked = inSession(() => new Promise<string>((resolve) => (answered = resolve)));
    answer({ success: true, data: null });
    const ended = endSession();
    const late = vi.fn(async () => "too late");
    const refused = expect(inSession(late)).rejects.toMatchObject({ status: 401 });
    // So long nothing happens that would happen by itself.
    await new Promise((resolve) => setTimeout(resolve));
    expect(fetched).not.toHaveBeenCalled();
    answered("in time");
    expect(await asked).toBe("in time");
    await ended;
    await refused;
    expect(late).not.toHaveBeenCalled();
    expect(fetched.mock.calls.map(([path]) => path)).toEqual(["/api/auth/logout"]);
  });

  test("is done when nobody was signed in any more", async () => {
    answer({ success: false, error: "sign in first" }, 401);
    await expect(endSession()).resolves.toBeUndefined();
  });

  test("is done when the answer was lost and the session is over all the same", async () => {
    fetched.mockRejectedValueOnce(new TypeError("network"));
    answer({ success: true, data: { signed_in: false } });
    await expect(endSession()).resolves.toBeUndefined();
  });

  test("that fails lets what was asked meanwhile go on", async () => {
    fetched.mockRejectedValueOnce(new TypeError("network"));
    answer({ success: true, data: { signed_in: true } });
    const failed = expect(endSession()).rejects.toMatchObject({ status: 0 });
    const asked = inSession(async () => "still here");
    await failed;
    expect(await asked).toBe("still here");
  });
});
