/** API functions that preview and start the deletion of a project with its contents. */
import { DavitError, type ProjectDeletion, type ProjectDeletionInput, refusedField } from '@davit/api';
import type { OpContext } from '../../auth/context.ts';
import { demandPresent, type ProjectTarget } from '../../authorization/lookup.ts';
import { demandConfirm } from '../../input/confirm.ts';
import { rightsOf } from '../tasks/requester.ts';
import type { TaskRequest } from '../tasks/tasks.ts';
import { projectContents } from './contents.ts';
import type { ProjectDeletionDeps } from './deps.ts';
import type { DeletingProject } from './kinds/delete.ts';

/** Returns a preview of the deletion of a project with its contents. */
export function previewProjectDeletion(
  core: ProjectDeletionDeps,
  ctx: OpContext,
  project: ProjectTarget,
): ProjectDeletion {
  return projectContents(core, core.store, ctx, project);
}

/**
 * Starts the task that deletes a project with its contents. The same transaction compares the contents with the
 * preview. Until the end of the task, nothing can be created in the project.
 * @returns the id of the task
 * @throws DavitError invalid_input for a wrong `confirm`; not_found; conflict if the contents differ from the preview,
 * or if another task or a backup prevents the deletion
 */
export function deleteProjectWithContents(
  core: ProjectDeletionDeps,
  ctx: OpContext,
  project: ProjectTarget,
  { confirm, checksum }: ProjectDeletionInput,
): number {
  const { actor } = ctx;
  const { id, slug } = project;
  demandConfirm(confirm, slug, 'project');
  return core.tasks.start((tx): TaskRequest<DeletingProject> => {
    demandPresent(tx, project);
    const contents = projectContents(core, tx, ctx, project);
    if (contents.checksum !== checksum) throw refusedField(CHANGED, { code: 'conflict' });
    const [problem] = contents.problems;
    if (problem !== undefined) throw new DavitError('conflict', problem);
    const input = { project: id, slug, requester: rightsOf(actor) };
    const subject = { kind: 'project', name: slug } as const;
    return { kind: 'project.delete', subject, projectId: id, input, by: actor.username, via: actor.via };
  });
}

const CHANGED = {
  path: 'checksum',
  code: 'mismatch',
  message:
    'The contents of the project have changed since the preview, so nothing was deleted. Preview the deletion again.',
} as const;
