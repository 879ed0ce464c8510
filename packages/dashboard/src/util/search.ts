/**
 * What stands behind the question mark is text, as it is for everybody else. (The router's own way is JSON, which makes
 * another number of a long one, and another text of `true`.)
 */
export function parseSearch(text: string): Record<string, string> {
  return Object.fromEntries(new URLSearchParams(text));
}

export function stringifySearch(search: Record<string, unknown>): string {
  const present = Object.entries(search).filter(([, value]) => value !== undefined && value !== null);
  const text = new URLSearchParams(present.map(([name, value]) => [name, String(value)])).toString();
  return text === '' ? '' : `?${text}`;
}
