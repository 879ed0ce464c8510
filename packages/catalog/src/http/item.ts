import type { CatalogTemplate } from '@davit/api/catalog.ts';
import type { CatalogConfig } from '../config/config.ts';
import type { ListedTemplate } from '../store/types.ts';

/** A template as it is listed, its fields in the contract's order. */
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

/** The address of an icon below `/api/v1`. */
export function iconPath(repository: number, commit: string): string {
  return `/icons/${repository}/${commit}.png`;
}

/** Topics but for those by which templates are listed. */
export function withoutListing(topics: readonly string[], { topics: listing }: CatalogConfig): string[] {
  return topics.filter((topic) => !listing.includes(topic));
}

/**
 * The name for display: the one that the template gives itself, else the repository's without what the older format puts
 * around it, each word with a capital: `cubeship-uptime-kuma-template` is `Uptime Kuma`.
 */
export function titleOf(name: string, manifestName: string | null): string {
  if (manifestName) return manifestName;
  const bare = name.replace(/^cubeship-(?=.)/i, '').replace(/-template$/i, '');
  const words = bare.split(/[-_]/).filter((word) => word !== '');
  return words.map(capitalized).join(' ') || name;
}

/**
 * Whether the catalog vouches for the owner: by number where both sides have one, since names change hands; else by name,
 * whatever the case of its letters. Only ASCII letters have case here: others look alike and are not.
 */
export function isVerified(
  { owner, ownerId }: Pick<ListedTemplate, 'owner' | 'ownerId'>,
  { verifiedOwners }: CatalogConfig,
): boolean {
  return verifiedOwners.some((one) =>
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
