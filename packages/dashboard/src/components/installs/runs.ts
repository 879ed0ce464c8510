/** Returns the query for the tasks of an installation. */
export function runsOf(install: number | string) {
  return { query: { subject: String(install), subject_kind: 'install' } } as const;
}
