import { z } from 'zod';
import { operation } from '../operation.ts';
import { RestoredRevision, Revision, RevisionComparison, RevisionSummary } from '../schemas/revision.ts';
import { changedOrPlanned, DeployQuery, deploymentHeaders } from './answers.ts';
import { AppPath, RevisionPath, recordPaging } from './parameters.ts';

const tag = 'Revisions';
const path = '/apps/{project}/{environment}/{app}/revisions';
const masks = 'Values of secret variables are `null` for callers without the role member or admin.';

export const listRevisions = operation({
  id: 'listRevisions',
  method: 'GET',
  path,
  tag,
  summary: 'List the revisions of an app',
  description:
    'Each change of the settings or variables of an app creates a revision. Changes of the variables of its environment and its project also create a revision.',
  permission: 'read',
  scope: 'app',
  effect: 'read',
  params: AppPath,
  query: z.strictObject(recordPaging),
  responses: { 200: { description: 'Revisions, newest first.', schema: z.array(RevisionSummary) } },
  tool: {},
});

export const getRevision = operation({
  id: 'getRevision',
  method: 'GET',
  path: `${path}/{revision}`,
  tag,
  summary: 'Get a revision',
  description: masks,
  permission: 'read',
  scope: 'app',
  effect: 'read',
  params: RevisionPath,
  responses: { 200: { description: 'The revision.', schema: Revision } },
  errors: ['conflict'],
  returnsSecrets: true,
  tool: { description: 'Values of secret variables are `null`.' },
});

export const compareRevisions = operation({
  id: 'compareRevisions',
  method: 'GET',
  path: `${path}/{revision}/compare`,
  tag,
  summary: 'Compare two revisions',
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
      .describe(
        'Number of the revision to compare with the revision in the request path, or `current` for the newest revision. Default: `current`.',
      ),
  }),
  responses: { 200: { description: 'Differences between the two revisions.', schema: RevisionComparison } },
  errors: ['conflict'],
  returnsSecrets: true,
  tool: { description: 'Values of secret variables are `null`.' },
});

export const restoreRevision = operation({
  id: 'restoreRevision',
  method: 'POST',
  path: `${path}/{revision}/restore`,
  tag,
  summary: 'Restore a revision',
  description:
    'Davit creates a new revision with the settings and variables of the restored revision. `scale` and `limits` take effect immediately; other settings take effect with the next deployment. Variables of the environment and the project do not change. If the environment or the project got new variables later, the app keeps these variables; `not_restored` lists them. Volumes, domains and TCP ports are not part of a revision.',
  permission: 'operate',
  scope: 'app',
  effect: 'write',
  params: RevisionPath,
  query: DeployQuery,
  errors: ['quota_exceeded'],
  responses: {
    200: changedOrPlanned('The app after the change.', RestoredRevision),
    202: {
      askedBy: 'deploy',
      description:
        'With `deploy=true`, the response also has the new deployment. To follow the deployment, poll the URL in the header `Location`.',
      schema: RestoredRevision,
      headers: deploymentHeaders,
    },
  },
  tool: { without: ['deploy', 'dry_run'], answer: RestoredRevision },
});
