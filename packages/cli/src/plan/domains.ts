/**
 * Compares the domains in a davit.yaml with the domains of the app on the instance. Domains and settings that
 * davit.yaml omits are not changed.
 */
import type { App, Client, DomainCreate } from '@davit/api';
import { normalizedDomain } from '../davit-yaml/app-rules.ts';
import type { DavitFile } from '../davit-yaml/schema.ts';
import type { Change } from './change.ts';

type DomainPatch = NonNullable<NonNullable<Parameters<Client['patchDomain']>[0]>['body']>;

export interface DomainWork {
  add: DomainCreate[];
  change: { id: number; host: string; body: DomainPatch }[];
}

/** Domain in a davit.yaml. Its host and path have the same format as in API responses. */
type WantedDomain = { host: string; path: string | null } & Record<string, unknown>;

export function domainChanges({ domains }: DavitFile, app: App | null): { changes: Change[]; work: DomainWork } {
  const there = new Map(app?.domains.map((domain) => [nameOf(domain), domain]));
  const work: DomainWork = { add: [], change: [] };
  const changes: Change[] = [];
  for (const wanted of domains.map(inOneSpelling)) {
    const name = nameOf(wanted);
    const found = there.get(name);
    there.delete(name);
    if (found === undefined) {
      work.add.push(wanted as DomainCreate);
      changes.push({ sign: '+', kind: 'domain', name, from: null, to: null });
      continue;
    }
    const body = differences(wanted, found);
    const keys = Object.keys(body);
    if (keys.length === 0) continue;
    work.change.push({ id: found.id, host: name, body });
    const before = Object.fromEntries(keys.map((key) => [key, found[key as keyof typeof found]]));
    const after = Object.fromEntries(keys.map((key) => [key, wanted[key]]));
    changes.push({ sign: '~', kind: 'domain', name, from: JSON.stringify(before), to: JSON.stringify(after) });
  }
  const kept = [...there.keys()].map((name): Change => ({ sign: '=', kind: 'domain', name, from: null, to: null }));
  return { changes: [...changes, ...kept], work };
}

function nameOf({ host, path }: { host: string; path: string | null }): string {
  return `${host}${path ?? ''}`;
}

function inOneSpelling(entry: DavitFile['domains'][number]): WantedDomain {
  const { redirect_to, headers, ...rest } = typeof entry === 'string' ? { host: entry } : entry;
  const { host, path, redirect_to: target } = normalizedDomain(entry);
  return {
    ...rest,
    host,
    path: path === '' ? null : path,
    ...(redirect_to !== undefined && { redirect_to: target }),
    ...(headers !== undefined && {
      headers: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value])),
    }),
  };
}

/** Returns the changed settings of a domain as a JSON merge patch. In the patch, `null` removes a header. */
function differences({ host: _host, path: _path, ...wanted }: WantedDomain, found: object): DomainPatch {
  const shown = found as Record<string, unknown>;
  const differing = Object.entries(wanted)
    .filter(([key, value]) => value !== undefined && canonical(shown[key]) !== canonical(value))
    .map(([key, value]) => [key, key === 'headers' ? { ...cleared(shown[key]), ...(value as object) } : value]);
  return Object.fromEntries(differing);
}

function cleared(headers: unknown): Record<string, null> {
  return Object.fromEntries(Object.keys(headers ?? {}).map((name) => [name, null]));
}

/** Converts a value to JSON with sorted keys. As a result, objects with the same content have the same JSON text. */
function canonical(value: unknown): string {
  return JSON.stringify(value, (_key, part: unknown) =>
    typeof part === 'object' && part !== null && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1)))
      : part,
  );
}
