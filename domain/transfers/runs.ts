/** Consecutive numbers: the first number and the count. 10,000 stored entries may be a single run. */
export type Run = readonly [first: number, count: number];

/** Runs are canonical: ascending, and apart by at least one number. Only an object's runs may be in another order. */
export type Runs = readonly Run[];

/** @returns canonical runs of the numbers, which may come in any order and more than once */
export function toRuns(numbers: Iterable<number>): Run[] {
  return toRunsInOrder([...new Set(numbers)].sort((a, b) => a - b));
}

/** @returns runs in the order of the numbers, in which an object holds the bytes of its entries */
export function toRunsInOrder(numbers: Iterable<number>): Run[] {
  const runs: [number, number][] = [];
  for (const number of numbers) addRun(runs, number, 1);
  return runs;
}

/** @returns the numbers in the order of the runs */
export function toNumbers(runs: Runs): number[] {
  return runs.flatMap(([first, count]) => Array.from({ length: count }, (_, index) => first + index));
}

/** @returns canonical runs of the numbers in either argument. The arguments may overlap and be in any order. */
export function addRuns(runs: Runs, added: Runs): Run[] {
  const ascending = [...runs, ...added].filter(([, count]) => count > 0).sort(([a], [b]) => a - b);
  return merge(ascending);
}

/** @param runs canonical */
export function containsNumber(runs: Runs, number: number): boolean {
  let [low, high] = [0, runs.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    const [first, count] = runs[middle] ?? [0, 0];
    if (number < first) high = middle;
    else if (number >= first + count) low = middle + 1;
    else return true;
  }
  return false;
}

/** @param runs without overlaps */
export function countNumbers(runs: Runs): number {
  return runs.reduce((sum, [, count]) => sum + count, 0);
}

/** Joins each run to the run before it if both touch or overlap. */
function merge(runs: Runs): Run[] {
  const merged: [number, number][] = [];
  for (const [first, count] of runs) addRun(merged, first, count);
  return merged;
}

function addRun(runs: [number, number][], first: number, count: number): void {
  const last = runs.at(-1);
  const touches = last !== undefined && first >= last[0] && first <= last[0] + last[1];
  if (touches) last[1] = Math.max(last[1], first + count - last[0]);
  else runs.push([first, count]);
}
