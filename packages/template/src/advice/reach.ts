import type { DraftApp } from '../draft.ts';
import { areExclusive, type Conditions, conditionsOf } from '../meaning/conditions.ts';
import type { Scope } from '../meaning/scope.ts';

/** Who reaches an app: what the advice on apps without a domain does not look at; and domains that collide. */
export function adviseReach(scope: Scope): void {
  for (const [index, app] of scope.draft.apps.entries()) {
    if ((app.domains ?? []).length === 0) adviseHidden(scope, app, index);
  }
  adviseDomains(scope);
}

function adviseHidden({ texts, info, warning }: Scope, { key, tcp = [] }: DraftApp, index: number): void {
  const at = ['apps', index, 'key'];
  const owners = new Set(
    texts.flatMap(({ owner, references }) =>
      references.some((reference) => reference.kind === 'app' && reference.key === key) ? [owner] : [],
    ),
  );
  if (tcp.length > 0) {
    if (owners.size === 0) info('advice.reached-by-tcp', at, `«${key}» is reached by its tcp ports alone.`);
  } else if (owners.size === 1 && owners.has(key)) {
    const message = `Only «${key}» refers to itself: nobody else reaches it.`;
    warning('advice.self-reference', at, message, 'Give it a domain, or refer to it where it is used.');
  }
}

/** One host goes to one app: the second would be refused when the template is installed. */
function adviseDomains({ draft: { apps }, warning }: Scope): void {
  const seen = new Map<string, Conditions[]>();
  for (const [index, { domains = [], when: ofApp }] of apps.entries()) {
    for (const [position, { host, when }] of domains.entries()) {
      const [text, conditions] = [host.trim(), conditionsOf(ofApp, when)];
      const others = seen.get(text) ?? [];
      if (others.some((other) => !areExclusive(other, conditions))) {
        const at = ['apps', index, 'domains', position, 'host'];
        warning('advice.shared-domain', at, `«${text}» is the host of two domains.`, 'Add another input for this one.');
      }
      seen.set(text, [...others, conditions]);
    }
  }
}
