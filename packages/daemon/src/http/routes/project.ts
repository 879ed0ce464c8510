import { operations } from '@davit/api';
import {
  createEnvironment,
  deleteEnvironment,
  listEnvironments,
  readEnvironment,
} from '../../resources/environments/environment.ts';
import { deleteProjectWithContents, previewProjectDeletion } from '../../resources/projects/deletion.ts';
import { createProject, deleteProject, listProjects, readProject } from '../../resources/projects/project.ts';
import { patchQuota, putQuota, readQuota } from '../../resources/projects/quota.ts';
import { type Binding, bind, created, noContent, ok, paged } from '../bind.ts';
import type { HttpDeps } from '../deps.ts';
import { begunTasks } from './begun-task.ts';

export const projectRoutes = (core: HttpDeps): Binding[] => {
  const begun = begunTasks(core);
  return [
    bind(operations.listProjects, ({ ctx, query }) => paged(listProjects(core, ctx, query))),
    bind(operations.createProject, ({ ctx, body }) => {
      const project = createProject(core, ctx, body);
      return created(project, `/api/projects/${project.slug}`);
    }),
    bind(operations.getProject, ({ ctx, target }) => ok(readProject(core, ctx, target))),
    bind(operations.deleteProject, async ({ ctx, target }) => {
      await deleteProject(core, ctx, target);
      return noContent();
    }),
    bind(operations.previewProjectDeletion, ({ ctx, target }) => ok(previewProjectDeletion(core, ctx, target))),
    bind(operations.deleteProjectWithContents, ({ ctx, target, query, body }) =>
      begun(ctx, deleteProjectWithContents(core, ctx, target, body), query),
    ),
    bind(operations.getProjectQuota, ({ ctx, target }) => ok(readQuota(core, ctx, target))),
    bind(operations.putProjectQuota, ({ ctx, target, body }) => ok(putQuota(core, ctx, target, body))),
    bind(operations.patchProjectQuota, ({ ctx, target, body }) => ok(patchQuota(core, ctx, target, body))),
    bind(operations.listEnvironments, ({ ctx, target, query }) => paged(listEnvironments(core, ctx, target, query))),
    bind(operations.createEnvironment, ({ ctx, target, body }) => {
      const environment = createEnvironment(core, ctx, target, body);
      return created(environment, `/api/projects/${target.slug}/environments/${environment.slug}`);
    }),
    bind(operations.getEnvironment, ({ ctx, target }) => ok(readEnvironment(core, ctx, target))),
    bind(operations.deleteEnvironment, async ({ ctx, target }) => {
      await deleteEnvironment(core, ctx, target);
      return noContent();
    }),
  ];
};
