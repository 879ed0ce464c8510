/** API functions that read and compare the revisions of an app. */
import { DavitError, type Revision, type RevisionComparison, type RevisionSummary, timestamp } from '@davit/api';
import type { AppTarget } from '../../app-spec/app-target.ts';
import { settingsDifferences } from '../../app-spec/differences.ts';
import type { EffectiveVariable } from '../../app-spec/effective-variables.ts';
import { type Revision as KeptRevision, storedRevision as readKept } from '../../app-spec/revision.ts';
import { unsealed } from '../../app-spec/unsealed.ts';
import type { OpContext } from '../../auth/context.ts';
import type { Reader } from '../../db/store.ts';
import { type RevisionRow, revisionOfApp, revisionsOfApp } from '../../db/tables/revision.ts';
import { numberedPage } from '../../input/numbered-page.ts';
import { mapPage, type Page, type PageQuery } from '../../input/paging.ts';
import { byPathNumber } from '../../input/path-number.ts';
import { shownTo } from '../variables/level.ts';
import type { RevisionsDeps } from './deps.ts';
import { secretVariables } from './secrets.ts';
import { variableDifferences } from './variable-differences.ts';

/**
 * Returns the revisions of an app, newest first.
 * @throws DavitError invalid_input for an invalid cursor
 */
export function listRevisions(
  core: RevisionsDeps,
  _ctx: OpContext,
  app: AppTarget,
  query: PageQuery,
): Page<RevisionSummary> {
  const read = (limit: number, before: number | null) => revisionsOfApp(core.store, app.id, limit, before);
  return mapPage(
    numberedPage(query, (row) => row.number, read),
    (row) => presentSummary(row, app),
  );
}

/**
 * Returns a revision with its variables.
 * @throws DavitError not_found; conflict if the variables cannot be decrypted
 */
export function readRevision(
  core: RevisionsDeps,
  ctx: OpContext,
  app: AppTarget,
  number: string | undefined,
): Revision {
  const row = findRevision(core.store, app, number);
  const { spec, variables } = openRevision(core, app, row.number);
  const [shown, isSecret] = [shownTo(ctx), secretVariables(core.store, app)];
  const present = (variable: EffectiveVariable) => {
    const secret = isSecret(variable);
    return { ...variable, secret, value: shown({ ...variable, secret }) };
  };
  return { ...presentSummary(row, app), settings: spec, variables: variables.map(present) };
}

/**
 * Compares two revisions of an app.
 * @param to number of the other revision, or `current`
 * @throws DavitError not_found; conflict if variables cannot be decrypted
 */
export function compareRevisions(
  core: RevisionsDeps,
  ctx: OpContext,
  app: AppTarget,
  number: string | undefined,
  to = 'current',
): RevisionComparison {
  const one = findRevision(core.store, app, number).number;
  const other = to === 'current' ? app.revision : findRevision(core.store, app, to).number;
  const [a, b] = [openRevision(core, app, one), openRevision(core, app, other)];
  return {
    from: one,
    to: other,
    settings: settingsDifferences(a.spec, b.spec),
    variables: variableDifferences(a.variables, b.variables, {
      shown: shownTo(ctx),
      isSecret: secretVariables(core.store, app),
    }),
  };
}

/** @throws DavitError not_found if the app has no revision with this number */
export function findRevision(db: Reader, app: AppTarget, number: string | undefined): RevisionRow {
  const row = byPathNumber(number, (requestedNumber) => revisionOfApp(db, app.id, requestedNumber));
  if (row === undefined)
    throw new DavitError('not_found', 'The app has no revision with this number. List the revisions of the app.');
  return row;
}

/**
 * Returns the settings and decrypted variables of a revision.
 * @throws DavitError conflict if the variables cannot be decrypted
 */
export function openRevision(core: RevisionsDeps, app: AppTarget, number: number): KeptRevision {
  return unsealed(
    () => readKept(core, app.id, number),
    `The variables of revision ${number} cannot be decrypted, because they were changed outside Davit. Choose another revision.`,
  );
}

function presentSummary(row: Omit<RevisionRow, 'spec' | 'variables'>, app: AppTarget): RevisionSummary {
  const { number, reason, changed_by, created_at } = row;
  return { number, reason, changed_by, created_at: timestamp(created_at), live: number === app.liveRevision };
}
