import type { Path } from './diagnostic.ts';
import type { Draft, DraftApp, DraftJob } from './draft.ts';
import { type Reference, referencesIn } from './references.ts';
import { type Conditions, conditionsOf } from './rules/conditions.ts';

/** Text of a template that can contain references. Davit replaces the references when it installs the template. */
export interface Substituted {
  text: string;
  references: readonly Reference[];
  path: Path;
  /** Conditions of this text in the template. The installation uses the text only if all of them are true. */
  conditions: Conditions;
  owner: string;
  /**
   * Kind of template key that contains the text. For `env` (variables) and `host` (hosts of domains and TCP ports), the
   * checks are the same as in the older platform Cubeship. `added` stands for all other keys, because only Davit
   * supports references in these keys.
   */
  place: 'added' | 'env' | 'host';
}

type Unread = Omit<Substituted, 'references'>;

/**
 * Returns all texts of a template that can contain references. Davit replaces the references when it installs the
 * template.
 */
export function substitutedIn(draft: Draft): Substituted[] {
  const texts = [
    ...draft.apps.flatMap((app, index) => textsOfApp(app, ['apps', index])),
    ...(draft.jobs ?? []).flatMap((job, index) => textsOfJob(job, ['jobs', index])),
  ];
  return texts.map((one) => ({ ...one, references: referencesIn(one.text) }));
}

function textsOfApp(app: DraftApp, path: Path): Unread[] {
  const own = { owner: app.key, conditions: conditionsOf(app.when) };
  const hosts = (['domains', 'tcp'] as const).flatMap((key) =>
    // If `host` is missing, check an empty string. An empty string contains no references, so this reports nothing.
    (app[key] ?? []).map(({ host = '', when }, index) => ({
      ...own,
      text: host,
      path: [...path, key, index, 'host'],
      place: 'host' as const,
      conditions: conditionsOf(app.when, when),
    })),
  );
  const env = textsOfMap(app.env, [...path, 'env']).map((one) => ({ ...own, ...one, place: 'env' as const }));
  return [...hosts, ...env, ...addedTexts(app, path, own)];
}

function addedTexts(app: DraftApp, path: Path, own: Pick<Unread, 'owner' | 'conditions'>): Unread[] {
  const lists = (['command', 'args'] as const).flatMap((key) => textsOfList(app[key], [...path, key]));
  const files = (app.files ?? []).map(({ content }, index) => ({
    text: content,
    path: [...path, 'files', index, 'content'],
  }));
  const envWhen = (app.envWhen ?? []).flatMap(({ when, env }, index) =>
    textsOfMap(env, [...path, 'envWhen', index, 'env']).map((one) => ({
      ...one,
      conditions: conditionsOf(app.when, when),
    })),
  );
  return [...lists, ...files, ...envWhen].map((one) => ({ ...own, ...one, place: 'added' }));
}

function textsOfJob(job: DraftJob, path: Path): Unread[] {
  const own = { owner: job.key, conditions: conditionsOf(job.when), place: 'added' as const };
  return textsOfList(job.command, [...path, 'command']).map((one) => ({ ...own, ...one }));
}

function textsOfList(texts: readonly string[] = [], path: Path): { text: string; path: Path }[] {
  return texts.map((text, index) => ({ text, path: [...path, index] }));
}

function textsOfMap(texts: Readonly<Record<string, string>> = {}, path: Path): { text: string; path: Path }[] {
  return Object.entries(texts).map(([name, text]) => ({ text, path: [...path, name] }));
}
