// The answer that the page's head has asked the server for (first.ts), handed over to the first who asks for the same.

export interface FirstAnswer {
  status: number;
  text: string;
}

type Fetch = (path: string, init: RequestInit) => Promise<Response>;

/** Fetches, but for the session that is on its way already: that serves once, and not at all where it failed. */
export function fetchWithFirst(session: Promise<FirstAnswer | null> | undefined, fetchFn: Fetch): Fetch {
  let left = session;
  return async (path, init) => {
    if (path !== "/api/v1/session" || left === undefined) return fetchFn(path, init);
    const answer = await left;
    left = undefined;
    return answer?.status === 200 ? new Response(answer.text, { status: 200 }) : fetchFn(path, init);
  };
}
