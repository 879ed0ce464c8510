/**
 * Compares two names by their text and by the numbers in their text, so that `web-9` comes before `web-10`. `Intl` is
 * not used, because its first use blocks the page.
 */
export function byNameAndNumber(a: string, b: string): number {
  const [left, right] = [partsOf(a), partsOf(b)];
  for (let n = 0; n < Math.min(left.length, right.length); n += 1) {
    const difference = comparePart(left[n] ?? '', right[n] ?? '');
    if (difference !== 0) return difference;
  }
  return left.length - right.length;
}

function partsOf(name: string): string[] {
  return name.match(/\d+|\D+/g) ?? [];
}

function comparePart(a: string, b: string): number {
  const difference = Number(a) - Number(b);
  // The difference is `NaN` if one of the two parts of the names is not a number.
  if (!Number.isNaN(difference) && difference !== 0) return difference;
  return a < b ? -1 : a > b ? 1 : 0;
}
