const MOST_NAMES = 3;

/**
 * Returns at most 3 names that are similar to the given name, most similar name first. A third of the letters (at least
 * one letter) may differ. A name that starts with the given name is also similar. References such as
 * `project/environment/app` are compared part by part. A given name without a slash is compared with the last part.
 */
export function nearest(given: string, names: readonly string[]): string[] {
  const wanted = given.toLowerCase();
  const near = names.flatMap((name) => {
    const distance = distanceOf(wanted, name);
    return distance < Number.POSITIVE_INFINITY ? [{ name, distance }] : [];
  });
  return near
    .sort((a, b) => a.distance - b.distance || a.name.localeCompare(b.name))
    .slice(0, MOST_NAMES)
    .map(({ name }) => name);
}

function distanceOf(wanted: string, name: string): number {
  const [ours, theirs] = [wanted.split('/'), name.split('/')];
  if (ours.length === theirs.length)
    return ours.reduce((sum, part, index) => sum + partDistance(part, theirs[index] ?? ''), 0);
  return ours.length === 1 ? partDistance(wanted, theirs.at(-1) ?? '') : Number.POSITIVE_INFINITY;
}

function partDistance(wanted: string, name: string): number {
  const edits = editsBetween(wanted, name);
  const allowed = Math.max(1, Math.floor(Math.max(wanted.length, name.length) / 3));
  if (edits <= allowed) return edits;
  return wanted.length >= 2 && name.startsWith(wanted) ? allowed + 1 : Number.POSITIVE_INFINITY;
}

/**
 * Returns the Damerau-Levenshtein distance of two words. The distance is the number of inserted, deleted, replaced or
 * swapped letters.
 */
function editsBetween(a: string, b: string): number {
  let before: number[] = [];
  let above = Array.from({ length: b.length + 1 }, (_, column) => column);
  for (let row = 1; row <= a.length; row++) {
    const current = [row];
    for (let column = 1; column <= b.length; column++) {
      const same = a[row - 1] === b[column - 1];
      const swapped = row > 1 && column > 1 && a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1];
      current.push(
        Math.min(
          cell(above, column) + 1,
          cell(current, column - 1) + 1,
          cell(above, column - 1) + (same ? 0 : 1),
          swapped ? cell(before, column - 2) + 1 : Number.POSITIVE_INFINITY,
        ),
      );
    }
    before = above;
    above = current;
  }
  return cell(above, b.length);
}

function cell(row: readonly number[], column: number): number {
  return row[column] ?? Number.POSITIVE_INFINITY;
}
