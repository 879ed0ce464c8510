import type { Path } from '../diagnostic.ts';
import type { DraftDomain } from '../draft.ts';
import { referencesIn } from '../references.ts';
import { excerpt } from '../shape/words.ts';
import { checkReferences } from './references.ts';
import type { Scope } from './scope.ts';

/**
 * Checks the host of each domain. The host must be a reference to a template input of type `domain`, without other
 * text.
 */
export function checkDomains(scope: Scope, domains: readonly DraftDomain[] = [], path: Path): void {
  for (const [index, { host }] of domains.entries()) {
    const at = [...path, 'domains', index, 'host'];
    const [reference, ...others] = referencesIn(host);
    if (reference?.kind !== 'input' || others.length > 0 || reference.text !== host.trim()) {
      const message = `The host of a domain must be exactly one reference to an input, but is ${excerpt(host)}.`;
      const hint = 'Add an input of type domain and write `${input.<its key>}`.';
      scope.error('domain.literal', at, message, hint);
      continue;
    }
    checkReferences(scope, host, at);
    const input = scope.inputs.get(reference.key);
    if (input !== undefined && input.type !== 'domain') {
      scope.error('domain.literal', at, `${excerpt(input.key)} is an input of type \`${input.type}\`, not \`domain\`.`);
    }
  }
}
