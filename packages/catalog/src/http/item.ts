import type { CatalogTemplate } from '@davit/api/catalog.ts';
import type { CatalogConfig } from '../config/config.ts';
import type { ListedTemplate } from '../store/types.ts';

/**
 * Converts a template from a database row to an API object. The fields have the same order as in the OpenAPI document.
 */
export function itemOf(listed: ListedTemplate, config: CatalogConfig): CatalogTemplate {
  const { release } = listed;
  return {
    owner: listed.owner,
    name: listed.name,
    title: titleOf(listed.name, listed.manifestName),
    description: listed.description,
    url: listed.url,
    stars: listed.stars,
    tags: withoutListing(listed.topics, config),
    avatar_url: listed.avatarUrl,
    icon_url: `${config.url}/api/v1${iconPath(listed.id, release.commit)}`,
    verified: isVerified(listed, config),
    release: {
      tag: release.tag,
      name: release.name || release.tag,
      url: release.url,
      commit: release.commit,
      published_at: release.publishedAt,
    },
  };
}

/** Returns the path of a template's icon below `/api/v1`. */
export function iconPath(repository: number, commit: string): string {
  return `/icons/${repository}/${commit}.png`;
}

export function withoutListing(topics: readonly string[], { topics: listing }: CatalogConfig): string[] {
  return topics.filter((topic) => !listing.includes(topic));
}

/**
 * Returns the display name of a template: the name in its manifest, or a name derived from its Git repository.
 * `cubeship-uptime-kuma-template` becomes `Uptime Kuma`.
 */
export function titleOf(name: string, manifestName: string | null): string {
  if (manifestName) return manifestName;
  const bare = name.replace(/^cubeship-(?=.)/i, '').replace(/-template$/i, '');
  const words = bare.split(/[-_]/).filter((word) => word !== '');
  return words.map(capitalized).join(' ') || name;
}

/**
 * Returns whether the owner of a template is verified. GitHub's owner ids are compared if both are known, because a
 * user name can later belong to another user.
 */
export function isVerified(
  { owner, ownerId }: Pick<ListedTemplate, 'owner' | 'ownerId'>,
  { verifiedOwners }: CatalogConfig,
): boolean {
  return verifiedOwners.some((one) =>
    // The comparison of names ignores case only for ASCII letters, because some other letters look like ASCII letters.
    one.id !== null && ownerId !== null ? one.id === ownerId : lowered(one.owner) === lowered(owner),
  );
}

function capitalized(word: string): string {
  const [first = ''] = word;
  return first.toUpperCase() + word.slice(first.length);
}

function lowered(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
}
