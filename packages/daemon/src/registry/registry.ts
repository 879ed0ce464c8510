/**
 * The instance's own registry: where apps are pushed to. Who may do what in it is said by tokens that the instance signs;
 * what it holds is asked for with tokens of the instance's own.
 */

export type RegistryAction = 'pull' | 'push' | 'delete';

/** What a token lets its bearer do in one repository, `project/environment/app`. */
export interface RegistryAccess {
  repository: string;
  actions: RegistryAction[];
}

/** Everything that the registry's configuration is made of; another one is another container. */
export interface RegistrySetup {
  /** On the loopback address. */
  port: number;
  /** Where clients are sent for a token, an absolute URL; the proxy puts the public one in its place. */
  realm: string;
  /** In every token: for whom it is, and from whom. */
  service: string;
  issuer: string;
  /** PEM of the certificate whose key signs tokens. */
  certificate: string;
  /** Where the registry tells what was pushed, and the bearer secret that it says there. */
  hook: { url: string; secret: string };
}

export interface RegistryStatus {
  kind: 'distribution' | 'memory';
  running: boolean;
  version: string | null;
  /** Takes no pushes: tags or unused layers are being removed. */
  readOnly: boolean;
  /** Why it is not running, in a sentence; null when it is. */
  problem: string | null;
}

/** What a tag points to. */
export interface RegistryManifest {
  /** `sha256:…` of the manifest. */
  digest: string;
  mediaType: string;
  /** Bytes of the configuration and of every layer, compressed; of an index, of all its images together. */
  bytes: number;
}

/** The registry cannot be started or does not answer; the message says what to do. */
export class RegistryUnavailable extends Error {
  override name = 'RegistryUnavailable';
}

export interface ImageRegistry extends AsyncDisposable {
  /** Starts the registry, adopts the one that runs, or replaces it when its image or its setup changed. Disposing leaves it running. */
  ensure(setup: RegistrySetup): Promise<RegistryStatus>;
  status(): Promise<RegistryStatus>;
  /** Every repository that it has, in order; with tags or without. @throws RegistryUnavailable */
  repositories(): Promise<string[]>;
  /** In order; none for a repository that it does not have. @throws RegistryUnavailable */
  tags(repository: string): Promise<string[]>;
  /** @param reference a tag or a digest @returns null when there is no such manifest @throws RegistryUnavailable */
  manifest(repository: string, reference: string): Promise<RegistryManifest | null>;
  /** Removes a manifest with every tag that points to it. @throws RegistryUnavailable */
  removeManifest(repository: string, digest: string): Promise<void>;
  /** Removes tags and nothing else; the registry takes no pushes meanwhile. @throws RegistryUnavailable */
  untag(tags: { repository: string; tag: string }[]): Promise<void>;
  /** Removes whole repositories; the registry takes no pushes meanwhile. @throws RegistryUnavailable */
  removeRepositories(repositories: string[]): Promise<void>;
  /**
   * Removes manifests that no tag and nobody in `keep` names, and layers that nothing needs; the registry takes no pushes meanwhile.
   * @param keep digests that stay, by repository
   * @returns bytes on the disk before and after
   * @throws RegistryUnavailable
   */
  collectGarbage(keep: ReadonlyMap<string, ReadonlySet<string>>): Promise<{ before: number; after: number }>;
}
