/**
 * Parses the number of a resource in a path or a cursor.
 * @returns `undefined` if the text is not such a number
 */
export function pathNumber(text: string | undefined): number | undefined {
  return text !== undefined && /^[1-9]\d{0,14}$/.test(text) ? Number(text) : undefined;
}

/**
 * Finds a resource by the number in a path or a cursor.
 * @returns `undefined` if there is no such resource, or if the text is not a number
 */
export function byPathNumber<T>(text: string | undefined, find: (number: number) => T | undefined): T | undefined {
  const number = pathNumber(text);
  return number === undefined ? undefined : find(number);
}
