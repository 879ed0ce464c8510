import type { Path } from './diagnostic.ts';
import type { Draft, DraftApp, DraftJob } from './draft.ts';
import { type Reference, referencesIn } from './references.ts';
import { type Conditions, conditionsOf } from './rules/conditions.ts';

/** Text of a template that can contain references. Davit replaces the references when it installs the template. */
export interface Substituted {
  text: string;
  references: readonly Reference[];
  path: Path;
  /**
   * Conditions (`when`) of the template part that contains the text. Davit uses the text only if all conditions are
   * true.
   */
  conditions: Conditions;
  owner: string;
  /**
   * Location of the text. `env`: variable of an app. `host`: host of a domain or TCP port. `added`: key in which the
   * older platform Cubeship supports no references.
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
    // A missing `host` is treated as an empty text, which contains no references.
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
