import { giveAdvice } from '../../src/advice/advice.ts';
import type { Problem } from '../../src/diagnostic.ts';
import type { Draft, DraftApp, DraftDatabase, DraftInput } from '../../src/draft.ts';
import { checkMeaning } from '../../src/meaning/meaning.ts';
import { scopeOf } from '../../src/meaning/scope.ts';

/** An app of which there is nothing to say. */
export const APP: DraftApp = {
  key: 'web',
  image: 'ghcr.io/acme/shop',
  tag: '1.4.0',
  health: '/healthz',
  domains: [{ host: '${input.domain}' }],
  limits: {},
};

export const DOMAIN: DraftInput = { key: 'domain', type: 'domain', label: 'Where it answers' };
export const DB: DraftDatabase = { key: 'db', engine: 'postgres', version: '18' };

/** A file of which there is nothing to say, but for what is given. */
export function draftOf(parts: Partial<Draft> = {}): Draft {
  return { version: 1, project: 'shop', inputs: [DOMAIN], apps: [APP], ...parts };
}

/** The same with one app, of which some is given. */
export function draftWith(app: Partial<DraftApp>, parts: Partial<Draft> = {}): Draft {
  return draftOf({ apps: [{ ...APP, ...app }], ...parts });
}

/** What is said of the meaning of a file, in order. */
export function problemsOf(draft: Draft): Problem[] {
  const scope = scopeOf(draft);
  checkMeaning(scope);
  return scope.said();
}

/** As `code path`, which is what tables of tests are written in. */
export function meaningOf(draft: Draft): string[] {
  return problemsOf(draft).map(inShort);
}

/** What is advised, as `code path`. */
export function adviceOf(draft: Draft): string[] {
  const scope = scopeOf(draft);
  giveAdvice(scope);
  return scope.said().map(inShort);
}

function inShort({ code, path }: Problem): string {
  return `${code} ${path.join('.')}`;
}
