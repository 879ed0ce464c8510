import { ENGINES } from '../../../packages/template/src/rules/engines.ts';
import { interpolated, textOf } from '../compose.ts';
import type { Part, Verdict } from '../part.ts';
import { verdictOf } from '../part.ts';

const ENGINE_OF: readonly [image: RegExp, engine: string][] = [
  [/(?:^|\/)(?:postgres|postgresql|pgvector|vchord-postgres)$/, 'postgres'],
  [/(?:^|\/)(?:mysql|mysql-server)$/, 'mysql'],
  [/(?:^|\/)mariadb$/, 'mariadb'],
  [/(?:^|\/)(?:redis|valkey)$/, 'redis'],
  [/(?:^|\/)(?:mongo|mongodb|mongodb-community-server)$/, 'mongodb'],
];

export function checkImage({ kind, made }: Part, value: unknown): Verdict {
  if (kind === 'job') return 'correct';
  const image = interpolated(textOf(value)).trim().replace(/:$/, '');
  return kind === 'app' ? checkApp(image, made) : checkDatabase(image, made);
}

function checkApp(image: string, { image: name, tag }: Part['made']): Verdict {
  const made = `${name}${tag === undefined ? '' : `:${tag}`}`;
  // A tag before a digest has no effect.
  const expected = image
    .replace(/:[^/@:]+@/, '@')
    .replace(/[\ue010][^\ue010]*[\ue010]/g, '')
    .replace(/:$/, '');
  return verdictOf(made === expected ? [] : [`${expected} became ${made}`]);
}

function checkDatabase(image: string, { engine, version }: Part['made']): Verdict {
  const name = image.replace(/@.*$/, '').replace(/:[^/]*$/, '');
  const expected = ENGINE_OF.find(([pattern]) => pattern.test(name))?.[1];
  if (expected !== engine) return { wrong: `${image} became ${engine}` };
  const [, written] = /:[^/]*?(\d+(?:\.\d+)?)/.exec(image.replace(/@.*$/, '')) ?? [];
  const offered = (ENGINES[expected ?? '']?.versions ?? []).filter(
    (one) => written !== undefined && isSame(one, written),
  );
  return verdictOf(
    offered.length === 0 || offered.includes(String(version)) ? [] : [`${image} became ${engine} ${version}`],
  );
}

/** Returns whether a version that Davit offers is the version of a tag: `17` for `17.2`, and `7.4` for `7`. */
function isSame(offered: string, written: string): boolean {
  return written === offered || written.startsWith(`${offered}.`) || offered.startsWith(`${written}.`);
}
