const COMPONENT = '[a-z0-9]+(?:(?:[._]|__|-+)[a-z0-9]+)*';
const REPOSITORY = new RegExp(`^${COMPONENT}(?:/${COMPONENT})*$`);
const LONGEST_REPOSITORY = 255;

/** Returns whether a text is a valid name of a repository in a registry. */
export function isRepository(name: string): boolean {
  return name.length <= LONGEST_REPOSITORY && REPOSITORY.test(name);
}
