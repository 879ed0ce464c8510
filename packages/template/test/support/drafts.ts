import { giveAdvice } from '../../src/advice/advice.ts';
import type { Problem } from '../../src/diagnostic.ts';
import type { Draft, DraftApp, DraftDatabase, DraftInput } from '../../src/draft.ts';
import { checkMeaning } from '../../src/meaning/meaning.ts';
import { scopeOf } from '../../src/meaning/scope.ts';

/** App without problems. */
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

/** Returns a template without problems. `parts` replaces its values. */
export function draftOf(parts: Partial<Draft> = {}): Draft {
  return { version: 1, project: 'shop', inputs: [DOMAIN], apps: [APP], ...parts };
}

/** Returns a template with one app without problems. `app` replaces values of the app. */
export function draftWith(app: Partial<DraftApp>, parts: Partial<Draft> = {}): Draft {
  return draftOf({ apps: [{ ...APP, ...app }], ...parts });
}

/** Returns the semantic problems of a template in order. */
export function problemsOf(draft: Draft): Problem[] {
  const scope = scopeOf(draft);
  checkMeaning(scope);
  return scope.said();
}

/** Returns the semantic problems of a template, each as `code path`. */
export function meaningOf(draft: Draft): string[] {
  return problemsOf(draft).map(inShort);
}

/** Returns the advice for a template, each as `code path`. */
export function adviceOf(draft: Draft): string[] {
  const scope = scopeOf(draft);
  giveAdvice(scope);
  return scope.said().map(inShort);
}

function inShort({ code, path }: Problem): string {
  return `${code} ${path.join('.')}`;
}
