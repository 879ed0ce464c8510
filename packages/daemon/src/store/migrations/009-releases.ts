/** What the registry has. */
export const releases = '';
