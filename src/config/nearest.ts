// Finds the word that was probably meant: the nearest known word, by edit distance.

/** Edits from one word to the other: a letter added, removed or changed, or two neighbours swapped. */
function distanceBetween(one: string, other: string): number {
  let [beforeLast, last]: [number[], number[]] = [[], Array.from({ length: other.length + 1 }, (_, index) => index)];
  for (let row = 1; row <= one.length; row += 1) {
    const next = [row];
    for (let column = 1; column <= other.length; column += 1) {
      const isSame = one[row - 1] === other[column - 1];
      const isSwapped = one[row - 1] === other[column - 2] && one[row - 2] === other[column - 1];
      const ways = [(last[column] as number) + 1, (next[column - 1] as number) + 1];
      ways.push((last[column - 1] as number) + (isSame ? 0 : 1));
      if (isSwapped && row > 1 && column > 1) ways.push((beforeLast[column - 2] as number) + 1);
      next.push(Math.min(...ways));
    }
    [beforeLast, last] = [last, next];
  }
  return last[other.length] as number;
}

/** The nearest word, unless more than a third of it, or more than `most` letters, would have to change. */
export function nearestOf<Word extends string>(
  typed: string,
  words: readonly Word[],
  most = Number.POSITIVE_INFINITY,
): Word | undefined {
  const lower = typed.toLowerCase();
  const [nearest] = words
    .map((word) => ({ word, distance: distanceBetween(lower, word) }))
    .filter(({ word, distance }) => distance <= Math.min(most, Math.max(1, Math.floor(word.length / 3))))
    .toSorted((a, b) => a.distance - b.distance);
  return nearest?.word;
}
