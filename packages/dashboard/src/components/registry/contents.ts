import { count, type Repository } from '@davit/api';

/** Returns the numbers of releases and other tags. For a deleted app, only the number of tags is known. */
export function contentsOf({ tags, releases }: Pick<Repository, 'tags' | 'releases'>): string {
  if (releases === null) return count(tags, 'tag');
  const others = tags - releases;
  return others === 0 ? count(releases, 'release') : `${count(releases, 'release')}, ${count(others, 'other tag')}`;
}
