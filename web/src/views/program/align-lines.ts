// Two texts side by side: which lines of the one are the other's (Myers' O(ND) greedy algorithm, "An O(ND) Difference
// Algorithm and Its Variations"). Lines that were replaced by others stand beside them.

export interface AlignedLine {
  /** -1: there is none on this side. */
  left: number;
  right: number;
  isSame: boolean;
}

/** Texts that differ in more lines than this are compared line by line, without looking for what moved. */
const kMostDifferences = 3000;

export function alignLines(left: readonly string[], right: readonly string[]): AlignedLine[] {
  let start = 0;
  while (start < left.length && start < right.length && left[start] === right[start]) start++;
  let ends = 0;
  const room = Math.min(left.length, right.length) - start;
  while (ends < room && left[left.length - 1 - ends] === right[right.length - 1 - ends]) ends++;
  const pairs: [number, number][] = [];
  for (let i = 0; i < start; i++) pairs.push([i, i]);
  for (const [l, r] of findPairs(left.slice(start, left.length - ends), right.slice(start, right.length - ends)))
    pairs.push([l + start, r + start]);
  for (let i = ends; i > 0; i--) pairs.push([left.length - i, right.length - i]);
  return fillGaps(pairs, left.length, right.length);
}

/** Equal lines in order, as many as there are. */
function findPairs(left: readonly string[], right: readonly string[]): [number, number][] {
  const most = Math.min(left.length + right.length, kMostDifferences);
  const offset = most + 1;
  // By diagonal (place in left less place in right), how far in left a way with so many differences comes.
  const reach = new Int32Array(2 * most + 3);
  const history: Int32Array[] = [];
  for (let d = 0; d <= most; d++) {
    history.push(reach.slice(offset - d - 1, offset + d + 2));
    for (let k = -d; k <= d; k += 2) {
      const isDown = k === -d || (k !== d && reach[offset + k - 1]! < reach[offset + k + 1]!);
      let l = isDown ? reach[offset + k + 1]! : reach[offset + k - 1]! + 1;
      while (l < left.length && l - k < right.length && left[l] === right[l - k]) l++;
      reach[offset + k] = l;
      if (l >= left.length && l - k >= right.length) return walkBack(history, left.length, right.length);
    }
  }
  return [];
}

function walkBack(history: readonly Int32Array[], leftCount: number, rightCount: number): [number, number][] {
  const pairs: [number, number][] = [];
  let l = leftCount;
  let r = rightCount;
  for (let d = history.length - 1; d >= 0 && (l > 0 || r > 0); d--) {
    const reach = history[d]!; // of the diagonals from -d - 1 to d + 1
    const at = (diagonal: number) => reach[diagonal + d + 1]!;
    const k = l - r;
    const isDown = k === -d || (k !== d && at(k - 1) < at(k + 1));
    const before = isDown ? k + 1 : k - 1;
    const beforeLeft = d === 0 ? 0 : at(before);
    const beforeRight = d === 0 ? 0 : beforeLeft - before;
    while (l > beforeLeft && r > beforeRight) pairs.push([--l, --r]);
    l = beforeLeft;
    r = beforeRight;
  }
  return pairs.reverse();
}

function fillGaps(pairs: readonly [number, number][], leftCount: number, rightCount: number): AlignedLine[] {
  const lines: AlignedLine[] = [];
  let l = 0;
  let r = 0;
  for (const [nextLeft, nextRight] of [...pairs, [leftCount, rightCount] as const]) {
    while (l < nextLeft || r < nextRight) {
      lines.push({ left: l < nextLeft ? l++ : -1, right: r < nextRight ? r++ : -1, isSame: false });
    }
    if (nextLeft < leftCount) lines.push({ left: l++, right: r++, isSame: true });
  }
  return lines;
}
