import { z } from 'zod';
import { operation } from '../operation.ts';
import { RestoredRevision, Revision, RevisionComparison, RevisionSummary } from '../schemas/revision.ts';
import { changedOrPlanned, DeployQuery, deploymentHeaders } from './answers.ts';
import { AppPath, RevisionPath, recordPaging } from './parameters.ts';

const tag = 'Revisions';
const path = '/apps/{project}/{environment}/{app}/revisions';
const masks = 'Who may not read secrets sees null in their place.';

export const listRevisions = operation({
  id: 'listRevisions',
  method: 'GET',
  path,
  tag,
  summary: 'List an app’s revisions, newest first',
  description:
    'Every change of settings or variables is one, also of the variables of its environment and its project.',
  permission: 'read',
  scope: 'app',
  effect: 'read',
  params: AppPath,
  query: z.strictObject(recordPaging),
  responses: { 200: { description: 'The revisions.', schema: z.array(RevisionSummary) } },
  tool: {},
});

export const getRevision = operation({
  id: 'getRevision',
  method: 'GET',
  path: `${path}/{revision}`,
  tag,
  summary: 'Read a revision',
  description: masks,
  permission: 'read',
  scope: 'app',
  effect: 'read',
  params: RevisionPath,
  responses: { 200: { description: 'The revision.', schema: Revision } },
  errors: ['conflict'],
  tool: { description: 'Values of secret variables are null.' },
});

export const compareRevisions = operation({
  id: 'compareRevisions',
  method: 'GET',
  path: `${path}/{revision}/compare`,
  tag,
  summary: 'Compare a revision with another one',
  description: masks,
  permission: 'read',
  scope: 'app',
  effect: 'read',
  params: RevisionPath,
  query: z.strictObject({
    to: z
      .string()
      .regex(/^(current|[1-9]\d{0,14})$/, 'must be the number of a revision, or current')
      .optional()
      .describe('The number of the other revision; absent or `current`: the newest.'),
  }),
  responses: { 200: { description: 'What differs.', schema: RevisionComparison } },
  errors: ['conflict'],
  tool: { description: 'Values of secret variables are null.' },
});

export const restoreRevision = operation({
  id: 'restoreRevision',
  method: 'POST',
  path: `${path}/{revision}/restore`,
  tag,
  summary: 'Bring back the settings and variables of a revision',
  description:
    'Makes a new revision with all settings of that one; scale and limits act at once, as in any change of them. The variables of the app itself are set so that it gets what it got then; those of its environment and its project are left alone, so what was added there since stays and is named in `not_restored`. Volumes, domains and TCP ports are no part of a revision.',
  permission: 'operate',
  scope: 'app',
  effect: 'write',
  params: RevisionPath,
  query: DeployQuery,
  errors: ['quota_exceeded'],
  responses: {
    200: changedOrPlanned('The app as it is now.', RestoredRevision),
    202: {
      askedBy: 'deploy',
      description: 'With `deploy=true`.',
      schema: RestoredRevision,
      headers: deploymentHeaders,
    },
  },
  tool: { without: ['deploy', 'dry_run'], answer: RestoredRevision },
});
