/** Returns the API query for the tasks of an installed template. */
export function runsOf(install: number | string) {
  return { query: { subject: String(install), subject_kind: 'install' } } as const;
}
