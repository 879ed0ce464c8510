import { z } from 'zod';
import { operation } from '../operation.ts';
import { LocalTag, Release } from '../schemas/release.ts';
import { AppPath, paging, recordPaging } from './parameters.ts';

const tag = 'Releases';
const path = '/apps/{project}/{environment}/{app}/releases';
const ReleasePath = AppPath.extend({ tag: z.string().describe('Tag of the release.') });

export const listReleases = operation({
  id: 'listReleases',
  method: 'GET',
  path,
  tag,
  summary: 'List the releases of an app',
  description:
    'Returns the tags of the app’s repository in the registry of the instance. If the app uses images of another registry, the list is empty. To find out which tags such an app has used, list its deployments.',
  permission: 'read',
  scope: 'app',
  effect: 'read',
  params: AppPath,
  query: z.strictObject(recordPaging),
  responses: { 200: { description: 'Releases, most recently pushed first.', schema: z.array(Release) } },
  tool: {},
});

export const listLocalTags = operation({
  id: 'listLocalTags',
  method: 'GET',
  path: '/apps/{project}/{environment}/{app}/local-tags',
  tag,
  summary: 'List the local tags of an app’s image',
  description:
    'Returns tags of the app’s image that Docker on the server already has, for example after `docker build`. The list contains only tags of the app’s own image repository that the app may deploy without a request to a registry. If the app uses images that you push to the registry of the instance, the list is empty: list its releases instead.',
  permission: 'operate',
  scope: 'app',
  effect: 'read',
  params: AppPath,
  /*
   * The cursor of this list contains an image tag. Therefore, the cursor can be longer than in lists whose cursor
   * contains a number.
   */
  query: z.strictObject({ ...recordPaging, cursor: paging.cursor }),
  responses: { 200: { description: 'Local tags, most recently built first.', schema: z.array(LocalTag) } },
  readsElsewhere: true,
  tool: {},
});

export const getRelease = operation({
  id: 'getRelease',
  method: 'GET',
  path: `${path}/{tag}`,
  tag,
  summary: 'Get a release',
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
    'Davit removes only this tag; other tags of the image stay. Davit keeps the image while a rollback can use the image. The next garbage collection of the registry then frees the disk space. Davit refuses the request if a live or running deployment uses the tag, or if the settings of the app pin the tag. During the request, the registry accepts no pushes for about a second.',
  permission: 'operate',
  scope: 'app',
  effect: 'destroy',
  params: ReleasePath,
  responses: { 204: { description: 'The release was deleted.' } },
  errors: ['conflict'],
});
