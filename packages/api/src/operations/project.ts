import { z } from 'zod';
import { operation } from '../operation.ts';
import {
  Environment,
  EnvironmentCreate,
  Project,
  ProjectCreate,
  ProjectDeletion,
  ProjectDeletionInput,
} from '../schemas/project.ts';
import { EnvironmentPath, ProjectPath, paging } from './parameters.ts';
import { TaskQuery, taskAccepted, taskEnded } from './task-answers.ts';

const tag = 'Projects';

export const listProjects = operation({
  id: 'listProjects',
  method: 'GET',
  path: '/projects',
  tag,
  summary: 'List projects',
  description: 'Returns all projects that the caller can access.',
  permission: 'read',
  scope: 'instance',
  effect: 'read',
  query: z.strictObject(paging),
  responses: { 200: { description: 'Projects, sorted by name.', schema: z.array(Project) } },
  tool: {},
});

export const createProject = operation({
  id: 'createProject',
  method: 'POST',
  path: '/projects',
  tag,
  summary: 'Create a project',
  description: 'Davit also creates the environment `production` in the new project. Requires access to all projects.',
  permission: 'administer',
  scope: 'instance',
  effect: 'write',
  body: ProjectCreate,
  responses: {
    201: { description: 'The new project.', schema: Project, headers: { Location: 'URL of the project.' } },
  },
  tool: { everywhere: true },
});

export const getProject = operation({
  id: 'getProject',
  method: 'GET',
  path: '/projects/{project}',
  tag,
  summary: 'Get a project',
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
  summary: 'Delete a project',
  description:
    'Davit also deletes the environments and apps of the project. The volumes of the apps are kept. A project with databases or managed object stores cannot be deleted.',
  permission: 'administer',
  scope: 'project',
  effect: 'destroy',
  params: ProjectPath,
  responses: { 204: { description: 'The project was deleted.' } },
  tool: {},
  errors: ['conflict'],
});

export const previewProjectDeletion = operation({
  id: 'previewProjectDeletion',
  method: 'GET',
  path: '/projects/{project}/deletion',
  tag,
  summary: 'Preview the deletion of a project with its contents',
  description: 'Returns what the deletion of the project deletes, moves to the trash and keeps. Changes nothing.',
  permission: 'administer',
  scope: 'project',
  effect: 'read',
  params: ProjectPath,
  responses: { 200: { description: 'What the deletion would do.', schema: ProjectDeletion } },
});

export const deleteProjectWithContents = operation({
  id: 'deleteProjectWithContents',
  method: 'POST',
  path: '/projects/{project}/deletion',
  tag,
  summary: 'Delete a project with its contents',
  description:
    'Davit deletes the apps, environments, variables and registry credentials of the project. Davit moves volumes, databases and managed object stores to the trash, and keeps backups. Nothing can be created in the project during the deletion. If the deletion fails, repeat the request.',
  permission: 'administer',
  scope: 'project',
  effect: 'destroy',
  params: ProjectPath,
  query: TaskQuery,
  body: ProjectDeletionInput,
  responses: { 200: taskEnded, 202: taskAccepted },
});

export const listEnvironments = operation({
  id: 'listEnvironments',
  method: 'GET',
  path: '/projects/{project}/environments',
  tag,
  summary: 'List the environments of a project',
  permission: 'read',
  scope: 'project',
  effect: 'read',
  params: ProjectPath,
  query: z.strictObject(paging),
  responses: { 200: { description: 'Environments, sorted by name.', schema: z.array(Environment) } },
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
  responses: {
    201: { description: 'The new environment.', schema: Environment, headers: { Location: 'URL of the environment.' } },
  },
  tool: {},
});

export const getEnvironment = operation({
  id: 'getEnvironment',
  method: 'GET',
  path: '/projects/{project}/environments/{environment}',
  tag,
  summary: 'Get an environment',
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
  summary: 'Delete an environment',
  description:
    'Davit also deletes the apps of the environment. The volumes of the apps are kept. To delete the environment `production`, delete its project. An environment with databases or managed object stores cannot be deleted.',
  permission: 'operate',
  scope: 'environment',
  effect: 'destroy',
  params: EnvironmentPath,
  responses: { 204: { description: 'The environment was deleted.' } },
  errors: ['conflict'],
  tool: {},
});
