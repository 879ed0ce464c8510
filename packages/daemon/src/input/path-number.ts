/** A thing's number in an address (a path, a cursor); undefined for what is no number, and so the number of nothing. */
export function pathNumber(text: string | undefined): number | undefined {
  return text !== undefined && /^[1-9]\d{0,14}$/.test(text) ? Number(text) : undefined;
}

/** What is found by a number in an address; undefined for what is no number, too. */
export function byPathNumber<T>(text: string | undefined, find: (number: number) => T | undefined): T | undefined {
  const number = pathNumber(text);
  return number === undefined ? undefined : find(number);
}
