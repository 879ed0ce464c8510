import { isRepositoryPath } from '@davit/api';

const LONGEST_REPOSITORY = 255;

/** Returns whether a text is a valid name of a repository in a registry. */
export function isRepository(name: string): boolean {
  return name.length <= LONGEST_REPOSITORY && isRepositoryPath(name);
}
