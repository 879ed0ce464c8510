import { z } from 'zod';
import { operation } from '../operation.ts';
import { Release } from '../schemas/release.ts';
import { AppPath, recordPaging } from './parameters.ts';

const tag = 'Releases';
const path = '/apps/{project}/{environment}/{app}/releases';
const ReleasePath = AppPath.extend({ tag: z.string().describe('The release’s tag.') });

export const listReleases = operation({
  id: 'listReleases',
  method: 'GET',
  path,
  tag,
  summary: 'List what was pushed for an app, newest first',
  description:
    'The tags of the app’s repository in the instance’s own registry. An app of another source has none: what it deployed is in its deployments.',
  permission: 'read',
  scope: 'app',
  effect: 'read',
  params: AppPath,
  query: z.strictObject(recordPaging),
  responses: { 200: { description: 'The releases, those pushed last first.', schema: z.array(Release) } },
  tool: {},
});

export const getRelease = operation({
  id: 'getRelease',
  method: 'GET',
  path: `${path}/{tag}`,
  tag,
  summary: 'Read a release',
  permission: 'read',
  scope: 'app',
  effect: 'read',
  params: ReleasePath,
  responses: { 200: { description: 'The release.', schema: Release } },
});

export const deleteRelease = operation({
  id: 'deleteRelease',
  method: 'DELETE',
  path: `${path}/{tag}`,
  tag,
  summary: 'Delete a release',
  description:
    'Removes the tag and no other that names the same image. The image stays as long as it can be gone back to; its bytes are freed by the collection that follows. Refused for the tag that is live, that is being deployed, or that the app is pinned to. The registry takes no pushes for about a second.',
  permission: 'operate',
  scope: 'app',
  effect: 'destroy',
  params: ReleasePath,
  responses: { 204: { description: 'It is gone.' } },
  errors: ['conflict'],
});
