/** Returns the query parameters of the API request for the background tasks of an installed template. */
export function runsOf(install: number | string) {
  return { query: { subject: String(install), subject_kind: 'install' } } as const;
}
