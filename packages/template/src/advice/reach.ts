import type { DraftApp } from '../draft.ts';
import type { Scope } from '../meaning/scope.ts';
import { areExclusive, type Conditions, conditionsOf } from '../rules/conditions.ts';
import { excerpt } from '../shape/words.ts';

/**
 * Adds advice about apps that only TCP clients or the apps themselves can reach. Also adds advice about domains with
 * the same host.
 */
export function adviseReach(scope: Scope): void {
  const referrers = referrersOf(scope);
  for (const [index, app] of scope.draft.apps.entries()) {
    if ((app.domains ?? []).length === 0) adviseHidden(scope, app, index, referrers.get(app.key) ?? new Set());
  }
  adviseDomains(scope);
}

/** Returns a map from the key of an app to the keys of the apps and jobs that refer to this app. */
function referrersOf({ texts }: Scope): Map<string, Set<string>> {
  const referrers = new Map<string, Set<string>>();
  for (const { owner, references } of texts) {
    for (const { kind, key } of references) {
      if (kind !== 'app') continue;
      const found = referrers.get(key) ?? new Set();
      referrers.set(key, found.add(owner));
    }
  }
  return referrers;
}

function adviseHidden(
  { info, warning }: Scope,
  { key, tcp = [] }: DraftApp,
  index: number,
  referrers: ReadonlySet<string>,
): void {
  const at = ['apps', index, 'key'];
  if (tcp.length > 0) {
    if (referrers.size === 0)
      info('advice.reached-by-tcp', at, `${excerpt(key)} can be reached only through its TCP ports.`);
  } else if (referrers.size === 1 && referrers.has(key)) {
    const message = `Only the app ${excerpt(key)} itself refers to ${excerpt(key)}, so no other app or user can connect to it.`;
    warning(
      'advice.self-reference',
      at,
      message,
      'Add a domain to the app, or refer to the app in a variable of another app.',
    );
  }
}

/**
 * Warns if two domains have the same host. A host can belong to only one app, so the installation would reject the
 * second domain.
 */
function adviseDomains({ draft: { apps }, warning }: Scope): void {
  const seen = new Map<string, Conditions[]>();
  for (const [index, { domains = [], when: ofApp }] of apps.entries()) {
    for (const [position, { host, when }] of domains.entries()) {
      const [text, conditions] = [host.trim(), conditionsOf(ofApp, when)];
      const others = seen.get(text) ?? [];
      if (others.some((other) => !areExclusive(other, conditions))) {
        const at = ['apps', index, 'domains', position, 'host'];
        warning(
          'advice.shared-domain',
          at,
          `Two domains use the host ${excerpt(text)}.`,
          'Add another input for this domain.',
        );
      }
      seen.set(text, [...others, conditions]);
    }
  }
}
