import type { Path } from '../diagnostic.ts';
import { excerpt } from '../shape/words.ts';
import { CUBESHIP_GATES } from '../versions.ts';
import type { Scope } from './scope.ts';

/**
 * Checks that `minCubeship` is a valid version range. It contains the versions of the older platform Cubeship that can
 * install the template.
 */
export function checkMinCubeship({ draft: { minCubeship }, minCubeship: { isRange }, error }: Scope): void {
  if (minCubeship === undefined || isRange) return;
  const message = `${excerpt(minCubeship)} is not a version range.`;
  error(
    'version.range',
    ['minCubeship'],
    message,
    'Write a version such as `"0.7.0"`, or a range such as `">=0.7.0"`.',
  );
}

const CODES = {
  volumes: 'volume.min-cubeship',
  tcp: 'tcp.min-cubeship',
  extensions: 'extension.min-cubeship',
} as const;

/**
 * Reports an error if `minCubeship` allows Cubeship versions that lack a used feature. If the range is invalid, another
 * check reports an error.
 */
export function checkGate(scope: Scope, feature: keyof typeof CODES, path: Path): void {
  const { minCubeship } = scope.draft;
  if (minCubeship !== undefined && !scope.minCubeship.isRange) return;
  if (scope.minCubeship.keepsOut[feature]) return;
  const gate = CUBESHIP_GATES[feature];
  const message =
    minCubeship === undefined
      ? `\`${feature}\` requires version ${gate.since} or later, but the file has no \`minCubeship\`.`
      : `\`${feature}\` requires version ${gate.since} or later, but ${excerpt(minCubeship)} allows earlier versions.`;
  scope.error(CODES[feature], path, message, `Set \`minCubeship: "${gate.since}"\`.`);
}
