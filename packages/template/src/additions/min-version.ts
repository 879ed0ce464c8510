import type { Path } from '../diagnostic.ts';
import type { Draft, DraftApp } from '../draft.ts';
import type { Scope } from '../meaning/scope.ts';
import { parseImageName } from '../rules/image.ts';
import { excerpt } from '../shape/words.ts';
import { ADDITIONS_GATE, isRange, keepsOut } from '../versions.ts';
import { conditionsWritten } from './conditions.ts';

interface Addition {
  what: string;
  path: Path;
}

/**
 * Checks the version range `minVersion`. The range may contain only Davit versions that support all features of the
 * template.
 */
export function checkMinVersion({ draft, error }: Scope): void {
  const { minVersion } = draft;
  if (minVersion !== undefined && !isRange(minVersion)) {
    const message = `${excerpt(minVersion)} is not a version range.`;
    error(
      'version.range',
      ['minVersion'],
      message,
      'Write a version such as `"0.1.0"`, or a range such as `">=0.1.0"`.',
    );
    return;
  }
  if (keepsOut(minVersion, ADDITIONS_GATE)) return;
  const reported = new Set<string>();
  for (const { what, path } of additionsIn(draft)) {
    // Each feature is reported only once, because one change of `minVersion` corrects all uses of the feature.
    if (reported.has(what)) continue;
    reported.add(what);
    const needs = `${what} requires Davit ${ADDITIONS_GATE.since} or later`;
    const message =
      minVersion === undefined
        ? `${needs}, but the file has no \`minVersion\`.`
        : `${needs}, but ${excerpt(minVersion)} allows earlier versions.`;
    error('addition.min-version', path, message, `Set \`minVersion: "${ADDITIONS_GATE.since}"\`.`);
  }
}

function* additionsIn(draft: Draft): Generator<Addition> {
  for (const [index, input] of (draft.inputs ?? []).entries()) {
    if (input.format !== undefined) yield { what: '`format`', path: ['inputs', index, 'format'] };
    if (input.bytes !== undefined) yield { what: '`bytes`', path: ['inputs', index, 'bytes'] };
  }
  for (const [index, app] of draft.apps.entries()) yield* additionsOfApp(app, draft, ['apps', index]);
  if (draft.jobs !== undefined) yield { what: '`jobs`', path: ['jobs'] };
  for (const { path } of conditionsWritten(draft)) yield { what: '`when`', path };
}

function* additionsOfApp(app: DraftApp, { minVersion }: Draft, path: Path): Generator<Addition> {
  for (const key of ['worker', 'command', 'args', 'files', 'envWhen', 'depends_on'] as const) {
    if (app[key] !== undefined) yield { what: `\`${key}\``, path: [...path, key] };
  }
  // The names in `envWhen` are skipped, because the code above already reports the key `envWhen`.
  for (const name of Object.keys(app.env ?? {})) {
    if (name.includes('.')) yield { what: 'A variable name with a dot', path: [...path, 'env', name] };
  }
  for (const [index, { size }] of (app.volumes ?? []).entries()) {
    if (size !== undefined) yield { what: '`size`', path: [...path, 'volumes', index, 'size'] };
  }
  // If `minVersion` is absent, another check reports image names with a digest or a registry port.
  if (app.image?.includes(':') && minVersion !== undefined && parseImageName(app.image) !== null) {
    yield { what: 'An image name with a digest or a registry port', path: [...path, 'image'] };
  }
}
