/** Describes the differences between two template releases as text for users. */
import type { PlannedResource } from '@davit/api';
import type { AppChange, Changes, Lists } from './changes.ts';
import { type StoreChange, wordsOfStore } from './store-changes.ts';
import { type WantedDatabase, wantedImage } from './wanted.ts';

export type Overwriting = AppChange | StoreChange | WantedDatabase;

/** Options for the texts that tell the user which changes an update of a template makes. */
export interface DescribeOptions {
  removes: boolean;
  /** Returns the names of the settings that users have changed and that the update would overwrite. */
  overwrites: (change: Overwriting) => string[];
}

/**
 * Returns the entries of the update preview. There is one entry for each app, database and object store that the update
 * creates, changes, keeps or removes.
 */
export function describeChanges(changes: Changes, { removes, overwrites }: DescribeOptions): PlannedResource[] {
  const { databases, stores, apps } = changes;
  const describe = (kind: PlannedResource['kind'], action: PlannedResource['action']) => {
    return ({ key, name, reference }: { key: string; name: string; reference: string }, detail: string | null = null) =>
      ({ kind, key, name, reference, action, detail }) satisfies PlannedResource;
  };
  const withOwn = (words: string, change: Overwriting) => {
    const names = overwrites(change);
    return names.length === 0 ? words : `${words}; overwrites changes on this instance: ${names.join(', ')}`;
  };
  return [
    ...databases.add.map((one) => describe('database', 'create')(one, one.engine)),
    ...databases.change.map((one) => describe('database', 'change')(one, withOwn('limits', one))),
    ...stores.add.map((one) => describe('object_store', 'create')(one)),
    ...stores.change.map((one) => describe('object_store', 'change')(one.to, withOwn(wordsOfStore(one), one))),
    ...apps.add.map((one) => describe('app', 'create')(one, wantedImage(one))),
    ...apps.change.map((one) => describe('app', 'change')(one.to, withOwn(wordsOf(one), one))),
    ...apps.remove.map((one) =>
      describe('app', removes ? 'remove' : 'keep')(one, 'The new template release no longer contains this app.'),
    ),
    ...[...databases.differ, ...stores.differ].map(({ kind, to, fields }) =>
      describe(kind, 'keep')(
        to,
        fields
          .map(({ field, from, to }) => `${field}: the new release has ${said(to)}, but the update keeps ${said(from)}`)
          .join('; '),
      ),
    ),
    ...databases.keep.map((one) =>
      describe('database', 'keep')(
        one,
        'The new template release no longer contains this database. The update does not remove the database.',
      ),
    ),
    ...stores.keep.map((one) =>
      describe('object_store', 'keep')(
        one,
        'The new template release no longer contains this object store. The update does not remove the object store.',
      ),
    ),
  ];
}

function said(value: unknown): string {
  if (value === null) return 'the default value';
  return Array.isArray(value) ? value.join(', ') || 'none' : String(value);
}

function wordsOf({ from, to, patch, variables, domains, attach, volumes, tcp }: AppChange): string {
  const images = [from, to].map(wantedImage);
  const listed = (what: string, { add, remove }: Lists<unknown>, drops = 'removed') => [
    ...(add.length > 0 ? [`${add.length} ${what} added`] : []),
    ...(remove.length > 0 ? [`${remove.length} ${what} ${drops}`] : []),
  ];
  const settings = Object.keys(patch).filter((field) => field !== 'image' && field !== 'tag');
  return [
    ...(images[0] === images[1] ? [] : [`${images[0]} → ${images[1]}`]),
    ...settings,
    ...variables.set.map((name) => `sets ${name}`),
    ...variables.unset.map((name) => `unsets ${name}`),
    ...listed('domains', domains),
    ...listed('attachments', attach),
    ...listed('volumes', volumes, 'kept (the new template release no longer contains these volumes)'),
    ...listed('ports', tcp),
  ].join(', ');
}
