// The names of a profile's events. The first page comes with the profile, others once a tile has one of their names.
import { stripAnsi } from "../../../lib/ansi";
import type { Tiles } from "../../../lib/timeline/tile-codec";
import type { ProfileConnection } from "./connection";

const kNamesPage = 1024;

export interface ProfileNames {
  /** Both grow as pages come: the names as they are, and without their colours. */
  strings: string[];
  plain: string[];
  /** Fetches the names that tiles have and that are not there yet. */
  fetchFor(tiles: Tiles): void;
}

export function createNames({ wire, get, onProblem }: ProfileConnection, onArrival: () => void): ProfileNames {
  const strings: string[] = [...wire.names];
  const plain: string[] = wire.names.map(stripAnsi);
  const pagesAsked = new Set<number>([0]);

  async function fetchPage(page: number): Promise<void> {
    if (pagesAsked.has(page)) return;
    pagesAsked.add(page);
    const answer = await get<{ names: string[] }, string[]>(`names/${wire.key}/${page}`, ({ names }) => names);
    if (!answer.ok) return onProblem(answer.error);
    answer.value.forEach((name, i) => {
      strings[page * kNamesPage + i] = name;
      plain[page * kNamesPage + i] = stripAnsi(name);
    });
    onArrival();
  }

  return {
    strings,
    plain,
    fetchFor(tiles) {
      for (const { tiles: list } of tiles.rows) {
        for (const { name } of list) for (const number of name) void fetchPage(Math.floor(number / kNamesPage));
      }
    },
  };
}
