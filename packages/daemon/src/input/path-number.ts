/**
 * Parses an id in a URL path or a pagination cursor.
 * @returns `undefined` if the text is not a positive integer with at most 15 digits
 */
export function pathNumber(text: string | undefined): number | undefined {
  return text !== undefined && /^[1-9]\d{0,14}$/.test(text) ? Number(text) : undefined;
}

/**
 * Finds a resource by the id in a URL path or a pagination cursor.
 * @returns `undefined` if the text is not an id, or if no resource has this id
 */
export function byPathNumber<T>(text: string | undefined, find: (number: number) => T | undefined): T | undefined {
  const number = pathNumber(text);
  return number === undefined ? undefined : find(number);
}
