import { operations } from '@davit/api';
import type { Core } from '../../core/core.ts';
import { createEnvironment, deleteEnvironment, listEnvironments, readEnvironment } from '../../core/environment.ts';
import { createProject, deleteProject, listProjects, readProject } from '../../core/project.ts';
import { type Binding, bind, created, noContent, ok, paged } from '../bind.ts';

export const projectRoutes = (core: Core): Binding[] => [
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
