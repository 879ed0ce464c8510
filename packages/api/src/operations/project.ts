import { z } from 'zod';
import { operation } from '../operation.ts';
import { Environment, EnvironmentCreate, Project, ProjectCreate } from '../schemas/project.ts';
import { EnvironmentPath, ProjectPath, paging } from './parameters.ts';

const tag = 'Projects';

export const listProjects = operation({
  id: 'listProjects',
  method: 'GET',
  path: '/projects',
  tag,
  summary: 'List the projects you see',
  permission: 'read',
  scope: 'instance',
  effect: 'read',
  query: z.strictObject(paging),
  responses: { 200: { description: 'The projects, by name.', schema: z.array(Project) } },
  tool: {},
});

export const createProject = operation({
  id: 'createProject',
  method: 'POST',
  path: '/projects',
  tag,
  summary: 'Create a project',
  description: 'A project is born with the environment `production`.',
  permission: 'administer',
  scope: 'instance',
  effect: 'write',
  body: ProjectCreate,
  responses: { 201: { description: 'The project.', schema: Project, headers: { Location: 'Where it is.' } } },
  tool: { everywhere: true },
});

export const getProject = operation({
  id: 'getProject',
  method: 'GET',
  path: '/projects/{project}',
  tag,
  summary: 'Read a project',
  permission: 'read',
  scope: 'project',
  effect: 'read',
  params: ProjectPath,
  responses: { 200: { description: 'The project.', schema: Project } },
});

export const deleteProject = operation({
  id: 'deleteProject',
  method: 'DELETE',
  path: '/projects/{project}',
  tag,
  summary: 'Delete a project with its environments and apps',
  description: 'Named volumes are kept.',
  permission: 'administer',
  scope: 'project',
  effect: 'destroy',
  params: ProjectPath,
  responses: { 204: { description: 'It is gone.' } },
  tool: {},
  errors: ['conflict'],
});

export const listEnvironments = operation({
  id: 'listEnvironments',
  method: 'GET',
  path: '/projects/{project}/environments',
  tag,
  summary: 'List a project’s environments',
  permission: 'read',
  scope: 'project',
  effect: 'read',
  params: ProjectPath,
  query: z.strictObject(paging),
  responses: { 200: { description: 'The environments, by name.', schema: z.array(Environment) } },
  tool: {},
});

export const createEnvironment = operation({
  id: 'createEnvironment',
  method: 'POST',
  path: '/projects/{project}/environments',
  tag,
  summary: 'Create an environment',
  permission: 'operate',
  scope: 'project',
  effect: 'write',
  params: ProjectPath,
  body: EnvironmentCreate,
  responses: { 201: { description: 'The environment.', schema: Environment, headers: { Location: 'Where it is.' } } },
  tool: {},
});

export const getEnvironment = operation({
  id: 'getEnvironment',
  method: 'GET',
  path: '/projects/{project}/environments/{environment}',
  tag,
  summary: 'Read an environment',
  permission: 'read',
  scope: 'environment',
  effect: 'read',
  params: EnvironmentPath,
  responses: { 200: { description: 'The environment.', schema: Environment } },
});

export const deleteEnvironment = operation({
  id: 'deleteEnvironment',
  method: 'DELETE',
  path: '/projects/{project}/environments/{environment}',
  tag,
  summary: 'Delete an environment with its apps',
  description: '`production` goes with its project only. Named volumes are kept.',
  permission: 'operate',
  scope: 'environment',
  effect: 'destroy',
  params: EnvironmentPath,
  responses: { 204: { description: 'It is gone.' } },
  errors: ['conflict'],
  tool: {},
});
