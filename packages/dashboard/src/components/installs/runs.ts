/** What is asked for the runs of an installation: tasks whose subject it is. */
export function runsOf(install: number | string) {
  return { query: { subject: String(install), subject_kind: 'install' } } as const;
}
