// The connection to one profile of the server: its questions are asked under the capture's name and the profile's key.
import { pathOfCapture, withParameter, type Api } from "../../../lib/api";
import { succeed, type Problem, type Result } from "../../../lib/result";
import type { WireLanes } from "../../../lib/timeline/wire";

export interface ProfileConnection {
  api: Api;
  /** The answer of /api/v1/lanes, from which the profile was opened. */
  wire: WireLanes;
  /** More of the capture is still being read. */
  isBeginning: boolean;
  /** The path of a question about the capture, as the API wants it. */
  pathOf(path: string): string;
  /** Asks, and reads the answer. */
  get<T, U>(path: string, read: (wire: T) => U): Promise<Result<U>>;
  /** For what is fetched without being asked for by name. */
  onProblem(problem: Problem): void;
}

export function connectProfile(api: Api, wire: WireLanes, onProblem: (problem: Problem) => void): ProfileConnection {
  const isBeginning = wire.status === "opening";
  const pathOf = (path: string) => pathOfCapture(`/api/v1/${path}`, wire.capture);
  return {
    api,
    wire,
    isBeginning,
    pathOf,
    async get<T, U>(path: string, read: (wire: T) => U): Promise<Result<U>> {
      // A question without a key is of the whole capture, in which lanes and events are numbered otherwise.
      const keyed = isBeginning || wire.over !== undefined ? withParameter(path, "key", wire.key) : path;
      const answer = await api.getJson<T>(pathOf(keyed));
      return answer.ok ? succeed(read(answer.value)) : answer;
    },
    onProblem,
  };
}
